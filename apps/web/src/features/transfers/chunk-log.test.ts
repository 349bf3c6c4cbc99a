import { describe, expect, it } from 'vitest'
import { cellsOf, createChunkLog } from './chunk-log.ts'

const chunk = (index: number, nodeId: string, start: number, end: number) => ({ index, nodeId, start, end })
const came = { ok: true, ms: 100, error: '' }

describe('createChunkLog', () => {
  it('records which node sent which bytes, and open requests', () => {
    const log = createChunkLog()
    log.recordRequest(chunk(0, 'a', 0, 100))
    log.recordRequest(chunk(1, 'b', 100, 200))
    expect(log.now().requested.map(({ sender }) => sender)).toEqual([0, 1])
    log.recordResult({ ...chunk(0, 'a', 0, 100), ...came, bytes: 100 })
    const { senders, verified, requested } = log.now()
    expect(senders).toEqual([
      { id: 'a', bytes: 100, chunks: 1, ms: 100, requested: 0, refused: 0 },
      { id: 'b', bytes: 0, chunks: 0, ms: 0, requested: 1, refused: 0 },
    ])
    expect(verified).toEqual([{ start: 0, end: 100, sender: 0, retried: false }])
    expect(requested).toHaveLength(1)
  })

  it('keeps bytes received before a failure and marks the rest as retried', () => {
    const log = createChunkLog()
    log.recordRequest(chunk(0, 'a', 0, 100))
    log.recordResult({ ...chunk(0, 'a', 0, 100), ok: false, ms: 5, bytes: 40, error: 'HTTP 503' })
    log.recordRequest(chunk(0, 'b', 40, 100))
    log.recordResult({ ...chunk(0, 'b', 40, 100), ...came, bytes: 60 })
    const { senders, verified, refusals } = log.now()
    expect(verified).toEqual([
      { start: 0, end: 40, sender: 0, retried: false },
      { start: 40, end: 100, sender: 1, retried: true },
    ])
    expect(senders[0]).toMatchObject({ refused: 1, bytes: 40 })
    expect(refusals).toEqual([{ chunk: 0, sender: 0, slow: false, error: 'HTTP 503' }])
  })

  it('tells slow requests from failed ones', () => {
    const log = createChunkLog()
    log.recordRequest(chunk(0, 'a', 0, 100))
    log.recordResult({ ...chunk(0, 'a', 0, 100), ok: false, ms: 5, bytes: 0, error: 'slow' })
    expect(log.now()).toMatchObject({ refused: 1, senders: [{ refused: 0 }], refusals: [{ slow: true }] })
  })

  it('counts all failures and keeps the latest', () => {
    const log = createChunkLog()
    for (let index = 0; index < 80; index++)
      log.recordResult({ ...chunk(index, 'a', 0, 1), ok: false, ms: 1, bytes: 0, error: 'no' })
    expect(log.now().refused).toBe(80)
    expect(log.now().refusals.at(-1)?.chunk).toBe(79)
    expect(log.now().refusals.length).toBeLessThan(80)
  })
})

describe('cellsOf', () => {
  const filled = () => {
    const log = createChunkLog()
    log.recordResult({ ...chunk(0, 'a', 0, 8), ...came, bytes: 8 })
    log.recordResult({ ...chunk(1, 'b', 8, 10), ...came, bytes: 2 })
    log.recordRequest(chunk(2, 'a', 12, 16))
    return log.now()
  }

  it('returns one cell per leaf of a small file', () => {
    expect(cellsOf(filled(), 16, 4, 96)).toEqual([
      { state: 'verified', sender: 0, retried: false },
      { state: 'verified', sender: 0, retried: false },
      { state: 'part', sender: 1, retried: false },
      { state: 'requested', sender: 0, retried: false },
    ])
  })

  it('groups leaves of a large file, with the node that sent most', () => {
    expect(cellsOf(filled(), 16, 4, 2).map(({ state, sender }) => [state, sender])).toEqual([
      ['verified', 0],
      ['part', 1],
    ])
    expect(cellsOf(filled(), 1_000_000, 4, 96).length).toBeLessThanOrEqual(96)
  })

  it('returns one cell for a file of one incomplete leaf', () => {
    const log = createChunkLog()
    log.recordResult({ ...chunk(0, 'a', 0, 3), ...came, bytes: 3 })
    expect(cellsOf(log.now(), 3, 4, 96)).toEqual([{ state: 'verified', sender: 0, retried: false }])
  })

  it('returns empty cells before the first byte', () => {
    expect(cellsOf(createChunkLog().now(), 9, 4, 96).map(({ state }) => state)).toEqual(['empty', 'empty', 'empty'])
  })
})
