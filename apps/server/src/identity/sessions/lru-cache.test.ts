import { describe, expect, it } from 'vitest'
import { createLruCache } from './lru-cache.ts'

describe('what was used of late', () => {
  it('is given again, the newest value of each', () => {
    const lately = createLruCache<number>(2)
    lately.set('one', 1)
    lately.set('one', 2)
    lately.set('two', 3)
    expect([lately.get('one'), lately.get('two')]).toEqual([2, 3])
  })

  it('makes room one at a time, whoever was not asked for longest first', () => {
    const lately = createLruCache<number>(3)
    for (const [key, value] of Object.entries({ a: 1, b: 2, c: 3 })) lately.set(key, value)
    lately.get('a')
    lately.set('d', 4)
    expect(['a', 'b', 'c', 'd'].map((key) => lately.get(key))).toEqual([1, undefined, 3, 4])
  })

  it('holds all of a hundred thousand that come in turn, again and again', () => {
    const lately = createLruCache<number>(100_000)
    for (let one = 0; one < 100_000; one++) lately.set(`token ${one}`, one)
    for (let round = 0; round < 2; round++)
      for (let one = 0; one < 100_000; one++) if (lately.get(`token ${one}`) !== one) expect.fail(`lost ${one}`)
  })

  it('refused: what never came, and what was pushed out', () => {
    const lately = createLruCache<number>(1)
    lately.set('one', 1)
    lately.set('two', 2)
    expect([lately.get('one'), lately.get('three')]).toEqual([undefined, undefined])
  })
})
