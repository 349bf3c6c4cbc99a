import type { TraceDetail } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { newTraceId } from '../../platform/trace-ids.ts'
import { measureNodes, normalizeDetails, plainText } from './measure.ts'

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

describe('attempts of a transfer', () => {
  it('keeps at most 200, failed ones included', () => {
    const many = [...Array.from({ length: 300 }, () => detail()), detail({ state: 2, error: 'the one that counts' })]
    const kept = normalizeDetails(many)
    expect(kept).toHaveLength(200)
    expect(kept.at(-1)?.error).toBe('the one that counts')
    expect(normalizeDetails(Array.from({ length: 300 }, () => detail({ state: 2 })))).toHaveLength(200)
  })

  it('clamps an end before the start to the start', () => {
    expect(normalizeDetails([detail({ start_at: 10.7, end_at: 3 })])[0]).toMatchObject({ start_at: 10, end_at: 10 })
  })

  it('computes the success rate of each node without aborted attempts', () => {
    const shares = measureNodes([
      detail(),
      detail({ state: 2, error: 'status 500' }),
      detail({ node_id: 'b', state: 2, error: 'AbortError' }),
      detail({ node_id: 'c', state: 0 }),
    ])
    expect([...shares].map(([id, { share }]) => [id, share])).toEqual([['a', 0.5]])
  })
})

it('removes NUL and lone surrogates from text', () => {
  expect(plainText('a\u0000b\ud800c')).toBe('ab\ufffdc')
})

it('creates unique trace ids of 27 letters', () => {
  const ids = Array.from({ length: 1000 }, newTraceId)
  expect(ids.every((id) => /^t[a-z2-7]{26}$/.test(id))).toBe(true)
  expect(new Set(ids).size).toBe(1000)
})
