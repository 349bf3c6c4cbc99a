import { describe, expect, it } from 'vitest'
import type { TraceDetail } from './objects.ts'
import { slowNodes } from './slow-nodes.ts'

const MB = 1_000_000
/** An attempt that began `start` ms after the transfer, and took `ms`. */
const attempt = (node_id: string, start: number, ms: number, size: number, more: Partial<TraceDetail> = {}) => ({
  node_id,
  state: 1,
  transfer_type: 'download',
  size,
  start_at: 1_000_000 + start,
  end_at: 1_000_000 + start + ms,
  status_code: 206,
  error: '',
  ...more,
})
const failed = (node_id: string, start: number, ms: number, error: string, status_code = 0, size = 0) =>
  attempt(node_id, start, ms, size, { state: 2, error, status_code })

describe('a node that slowed a transfer is named', () => {
  it('with its time and its share of the median rate of the others', () => {
    const details = [
      ...Array.from({ length: 8 }, (_, index) => attempt('fast', index * 100, 100, MB)),
      ...Array.from({ length: 8 }, (_, index) => attempt('usual', index * 100, 100, MB)),
      attempt('sleepy', 0, 4000, MB),
    ]
    expect(slowNodes(details)).toEqual([{ node_id: 'sleepy', kind: 'slow', ms: 4000, rate: 250_000, share: 0.025 }])
  })

  it('if it was slow from the start and sent nothing before its part was given to another node', () => {
    const details = [
      attempt('fast', 0, 500, 5 * MB),
      failed('sleepy', 0, 900, 'slow', 206),
      attempt('fast', 900, 100, MB),
    ]
    expect(slowNodes(details)).toEqual([{ node_id: 'sleepy', kind: 'slow', ms: 900, rate: 0, share: 0 }])
  })

  it('by the rate of its connections, not by how many parts it sent at once', () => {
    const parallel = Array.from({ length: 4 }, () => attempt('slow', 0, 4000, MB))
    const [named] = slowNodes([attempt('fast', 0, 400, 4 * MB), ...parallel])
    expect(named).toMatchObject({ node_id: 'slow', ms: 4000, rate: 250_000 })
  })

  it('if it left requests without an answer', () => {
    const details = [
      attempt('fast', 0, 300, MB),
      failed('frozen', 0, 2500, 'time-out'),
      failed('frozen', 2500, 2500, '超时'),
    ]
    expect(slowNodes(details)).toEqual([{ node_id: 'frozen', kind: 'unanswered', ms: 5000, rate: 0, share: 0 }])
  })

  it('if it was the only source and slow, also of a folder, which one node sends', () => {
    const folder = attempt('only', 0, 30_000, 3 * MB, { status_code: 200 })
    expect(slowNodes([folder])).toEqual([{ node_id: 'only', kind: 'single', ms: 30_000, rate: 100_000, share: 0 }])
    const second = [failed('frozen', 0, 10_000, 'time-out'), attempt('next', 10_000, 200, 3 * MB)]
    expect(slowNodes(second)).toMatchObject([{ node_id: 'frozen', kind: 'unanswered', ms: 10_000 }])
  })

  it('if it was the only source, by all that it sent at once', () => {
    const parallel = Array.from({ length: 4 }, () => attempt('only', 0, 4000, 500_000))
    expect(slowNodes(parallel)).toMatchObject([{ kind: 'single', ms: 4000, rate: 500_000 }])
    expect(slowNodes(Array.from({ length: 4 }, () => attempt('only', 0, 4000, 5 * MB)))).toEqual([])
  })

  it('the worst first', () => {
    const details = [
      attempt('fast', 0, 500, 10 * MB),
      attempt('slow', 0, 3000, MB),
      failed('frozen', 0, 5000, 'time-out'),
      attempt('slower', 0, 6000, MB),
    ]
    expect(slowNodes(details).map(({ node_id }) => node_id)).toEqual(['slower', 'frozen', 'slow'])
  })
})

describe('no node is named', () => {
  it.each([
    ['of an even transfer', [attempt('a', 0, 1000, 5 * MB), attempt('b', 0, 1000, 4 * MB)]],
    [
      'that is half as fast as the others, as far apart as usual',
      [attempt('a', 0, 900, 9 * MB), attempt('b', 0, 900, 5 * MB)],
    ],
    ['that cost less than 0.4 s', [attempt('a', 0, 100, 10 * MB), attempt('b', 0, 400, MB)]],
    ['that cost a small part of a long transfer', [attempt('a', 0, 60_000, 600 * MB), attempt('b', 0, 2000, 9 * MB)]],
    [
      'that refused at once, or sent wrong bytes',
      [attempt('a', 0, 500, MB), failed('b', 0, 20, 'HTTP 503', 503), failed('c', 0, 5000, 'wrong', 200, MB)],
    ],
    ['that was the only source of a short or fast transfer', [attempt('a', 0, 1500, 1000)]],
    ['without times', [attempt('a', -1_000_000, 0, MB)]],
    ['for an upload to one node', [attempt('a', 0, 60_000, MB, { transfer_type: 'upload' })]],
    ['without attempts', []],
  ])('%s', (_, details) => expect(slowNodes(details)).toEqual([]))
})
