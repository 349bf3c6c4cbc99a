import { describe, expect, it } from 'vitest'
import { orderedTarget, type Sink } from './ordered-target.ts'

/** Collects what it gets. */
function collecting(): Sink & { text: () => string } {
  let text = ''
  return {
    text: () => text,
    write: async (piece) => {
      text += Buffer.from(piece).toString()
    },
    close: async () => {},
    abort: () => {},
  }
}
const bytes = (text: string) => [new Uint8Array(Buffer.from(text))]

describe('an ordered target', () => {
  it.each(Array.from({ length: 20 }, (_, turns) => turns))(
    'passes everything on, also a last piece that comes %i turns after the one before',
    async (turns) => {
      const sink = collecting()
      const target = orderedTarget(sink)
      await target.write(bytes('one '), 0)
      for (let turn = 0; turn < turns; turn += 1) await undefined
      await target.write(bytes('two'), 4)
      await target.commit(7)
      expect(sink.text()).toBe('one two')
    },
  )

  it('passes pieces on in order, whichever comes first', async () => {
    const sink = collecting()
    const target = orderedTarget(sink)
    await target.write(bytes('three'), 8)
    await target.write(bytes('two '), 4)
    await target.write(bytes('one '), 0)
    await target.commit(13)
    expect(sink.text()).toBe('one two three')
  })

  it('does not end while a piece is missing', async () => {
    const target = orderedTarget(collecting())
    await target.write(bytes('two'), 4)
    await expect(target.commit(7)).rejects.toThrow()
  })
})
