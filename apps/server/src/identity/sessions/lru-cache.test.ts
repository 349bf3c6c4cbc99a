import { describe, expect, it } from 'vitest'
import { createLruCache } from './lru-cache.ts'

describe('an LRU cache', () => {
  it('returns the latest value of each key', () => {
    const cache = createLruCache<number>(2)
    cache.set('one', 1)
    cache.set('one', 2)
    cache.set('two', 3)
    expect([cache.get('one'), cache.get('two')]).toEqual([2, 3])
  })

  it('evicts the least recently used entry', () => {
    const cache = createLruCache<number>(3)
    for (const [key, value] of Object.entries({ a: 1, b: 2, c: 3 })) cache.set(key, value)
    cache.get('a')
    cache.set('d', 4)
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual([1, undefined, 3, 4])
  })

  it('keeps a hundred thousand entries that are used in turn', () => {
    const cache = createLruCache<number>(100_000)
    for (let one = 0; one < 100_000; one++) cache.set(`token ${one}`, one)
    for (let round = 0; round < 2; round++)
      for (let one = 0; one < 100_000; one++) if (cache.get(`token ${one}`) !== one) expect.fail(`lost ${one}`)
  })

  it('returns undefined for unknown and evicted keys', () => {
    const cache = createLruCache<number>(1)
    cache.set('one', 1)
    cache.set('two', 2)
    expect([cache.get('one'), cache.get('three')]).toEqual([undefined, undefined])
  })
})
