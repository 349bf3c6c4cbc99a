import type { TraceDetail } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { newTraceId } from '../../platform/trace-ids.ts'
import { goodShares, plainText, usefulDetails } from './measure.ts'

const detail = (more: Partial<TraceDetail> = {}): TraceDetail => ({
  node_id: 'a',
  state: 1,
  transfer_type: 'download',
  size: 1,
  start_at: 0,
  end_at: 0,
  status_code: 200,
  error: '',
  ...more,
})

describe('tries of a transfer', () => {
  it('are at most 200, failed ones among them', () => {
    const many = [...Array.from({ length: 300 }, () => detail()), detail({ state: 2, error: 'the one that counts' })]
    const kept = usefulDetails(many)
    expect(kept).toHaveLength(200)
    expect(kept.at(-1)?.error).toBe('the one that counts')
    expect(usefulDetails(Array.from({ length: 300 }, () => detail({ state: 2 })))).toHaveLength(200)
  })

  it('end when they began, if they say that they ended before', () => {
    expect(usefulDetails([detail({ start_at: 10.7, end_at: 3 })])[0]).toMatchObject({ start_at: 10, end_at: 10 })
  })

  it('give each node its share of good ones; what the client broke off says nothing', () => {
    const shares = goodShares([
      detail(),
      detail({ state: 2, error: 'status 500' }),
      detail({ node_id: 'b', state: 2, error: 'AbortError' }),
      detail({ node_id: 'c', state: 0 }),
    ])
    expect([...shares]).toEqual([['a', 0.5]])
  })
})

it('text is kept as the database can hold it', () => {
  expect(plainText('a\u0000b\ud800c')).toBe('ab\ufffdc')
})

it('ids of traces are 27 letters, each another', () => {
  const ids = Array.from({ length: 1000 }, newTraceId)
  expect(ids.every((id) => /^t[a-z2-7]{26}$/.test(id))).toBe(true)
  expect(new Set(ids).size).toBe(1000)
})
