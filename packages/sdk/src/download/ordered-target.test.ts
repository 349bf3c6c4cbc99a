import { describe, expect, it } from 'vitest'
import { orderedTarget, pieceQueue, type Sink } from './ordered-target.ts'

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

describe('a queue of pieces', () => {
  it('passes each on when the reader asks for it', async () => {
    const queue = pieceQueue()
    const target = orderedTarget(queue)
    await target.write([...bytes('one '), ...bytes('two ')], 0)
    await target.write(bytes('three'), 8)
    const committed = target.commit(13)
    let text = ''
    for await (const piece of queue.pieces) text += Buffer.from(piece).toString()
    await committed
    expect(text).toBe('one two three')
  })

  it('ends what waits for a reader that takes a piece and goes away, after the last byte arrived', async () => {
    const queue = pieceQueue()
    const target = orderedTarget(queue)
    await target.write([...bytes('one'), ...bytes('two')], 0)
    const passed = target.passed()
    for await (const _ of queue.pieces) break
    await expect(passed).rejects.toThrow()
  })

  it('ends what waits for a reader that keeps a piece, if it is aborted', async () => {
    const queue = pieceQueue()
    const target = orderedTarget(queue)
    await target.write([...bytes('one'), ...bytes('two')], 0)
    const reader = queue.pieces[Symbol.asyncIterator]()
    await reader.next()
    const passed = target.passed()
    queue.abort(new Error('gone'))
    await expect(passed).rejects.toThrow('gone')
    await expect(reader.next()).rejects.toThrow('gone')
  })
})
