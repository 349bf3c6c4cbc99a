import { describe, expect, it } from 'vitest'
import { cellsOf, createChunkLog } from './chunk-log.ts'

const chunk = (index: number, nodeId: string, start: number, end: number) => ({ index, nodeId, start, end })
const came = { ok: true, ms: 100, error: '' }

describe('the log of a download', () => {
  it('tells who sent what, and who is being asked', () => {
    const log = createChunkLog()
    log.ask(chunk(0, 'a', 0, 100))
    log.ask(chunk(1, 'b', 100, 200))
    expect(log.now().asked.map(({ sender }) => sender)).toEqual([0, 1])
    log.note({ ...chunk(0, 'a', 0, 100), ...came, bytes: 100 })
    const { senders, verified, asked } = log.now()
    expect(senders).toEqual([
      { id: 'a', bytes: 100, chunks: 1, ms: 100, asked: 0, refused: 0 },
      { id: 'b', bytes: 0, chunks: 0, ms: 0, asked: 1, refused: 0 },
    ])
    expect(verified).toEqual([{ start: 0, end: 100, sender: 0, again: false }])
    expect(asked).toHaveLength(1)
  })

  it('keeps what came before a node failed, and says that the rest is asked again', () => {
    const log = createChunkLog()
    log.ask(chunk(0, 'a', 0, 100))
    log.note({ ...chunk(0, 'a', 0, 100), ok: false, ms: 5, bytes: 40, error: 'HTTP 503' })
    log.ask(chunk(0, 'b', 40, 100))
    log.note({ ...chunk(0, 'b', 40, 100), ...came, bytes: 60 })
    const { senders, verified, refusals } = log.now()
    expect(verified).toEqual([
      { start: 0, end: 40, sender: 0, again: false },
      { start: 40, end: 100, sender: 1, again: true },
    ])
    expect(senders[0]).toMatchObject({ refused: 1, bytes: 40 })
    expect(refusals).toEqual([{ chunk: 0, sender: 0, slow: false, error: 'HTTP 503' }])
  })

  it('does not call slow what was refused, nor refused what was slow', () => {
    const log = createChunkLog()
    log.ask(chunk(0, 'a', 0, 100))
    log.note({ ...chunk(0, 'a', 0, 100), ok: false, ms: 5, bytes: 0, error: 'slow' })
    expect(log.now()).toMatchObject({ refused: 1, senders: [{ refused: 0 }], refusals: [{ slow: true }] })
  })

  it('counts all refusals and keeps the latest', () => {
    const log = createChunkLog()
    for (let index = 0; index < 80; index++)
      log.note({ ...chunk(index, 'a', 0, 1), ok: false, ms: 1, bytes: 0, error: 'no' })
    expect(log.now().refused).toBe(80)
    expect(log.now().refusals.at(-1)?.chunk).toBe(79)
    expect(log.now().refusals.length).toBeLessThan(80)
  })
})

describe('the cells of a file', () => {
  const filled = () => {
    const log = createChunkLog()
    log.note({ ...chunk(0, 'a', 0, 8), ...came, bytes: 8 })
    log.note({ ...chunk(1, 'b', 8, 10), ...came, bytes: 2 })
    log.ask(chunk(2, 'a', 12, 16))
    return log.now()
  }

  it('are its leaves while there are few', () => {
    expect(cellsOf(filled(), 16, 4, 96)).toEqual([
      { state: 'verified', sender: 0, again: false },
      { state: 'verified', sender: 0, again: false },
      { state: 'part', sender: 1, again: false },
      { state: 'asked', sender: 0, again: false },
    ])
  })

  it('stand for several leaves each when there are many, and name who sent most', () => {
    expect(cellsOf(filled(), 16, 4, 2).map(({ state, sender }) => [state, sender])).toEqual([
      ['verified', 0],
      ['part', 1],
    ])
    expect(cellsOf(filled(), 1_000_000, 4, 96).length).toBeLessThanOrEqual(96)
  })

  it('are one for a file of one leaf, whose end is not full', () => {
    const log = createChunkLog()
    log.note({ ...chunk(0, 'a', 0, 3), ...came, bytes: 3 })
    expect(cellsOf(log.now(), 3, 4, 96)).toEqual([{ state: 'verified', sender: 0, again: false }])
  })

  it('are all empty before anything came', () => {
    expect(cellsOf(createChunkLog().now(), 9, 4, 96).map(({ state }) => state)).toEqual(['empty', 'empty', 'empty'])
  })
})
