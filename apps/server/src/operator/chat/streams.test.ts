import { expect, it } from 'vitest'
import { end, newReadable, push, type Stream } from './streams.ts'

const open = (): Stream => ({ readable: newReadable(), session: undefined, ended: false })

it('closes a stream whose client does not read, and no other one', async () => {
  const [slow, quick] = [open(), open()]
  let read = 0
  quick.readable.on('data', (part) => {
    read += part.length
  })
  const text = `data: ${'x'.repeat(10_000)}\n\n`
  for (let each = 0; each < 100; each++) {
    push(slow, text)
    push(quick, text)
    await new Promise(setImmediate)
  }
  expect(slow.readable.destroyed).toBe(true)
  expect(slow.readable.readableLength).toBeLessThan(300 * 1024)
  expect(quick.readable.destroyed).toBe(false)
  expect(read).toBe(100 * text.length)
})

it('sends nothing after the end, and ends once', async () => {
  const stream = open()
  push(stream, 'data: 1\n\n')
  end(stream)
  end(stream)
  push(stream, 'data: 2\n\n')
  const parts = []
  for await (const part of stream.readable) parts.push(String(part))
  expect(parts.join('')).toBe('data: 1\n\n')
})
