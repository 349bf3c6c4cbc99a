import { seededRandom } from '@tidenet/content/random'
import { expect, it } from 'vitest'
import { bestOf } from './best-of.ts'

it('keeps the highest scores, the earlier one of two equal ones, for any order and number', () => {
  const random = seededRandom(7)
  for (let round = 0; round < 300; round++) {
    const items = Array.from({ length: Math.floor(random() * 60) }, (_, index) => ({
      index,
      // Few different scores, so that many are equal.
      score: Math.floor(random() * 12) - 6,
    }))
    const count = Math.floor(random() * 20)
    const best = bestOf<number>(count)
    for (const { index, score } of items) best.offer(index, score)
    const sorted = items.toSorted((a, b) => b.score - a.score || a.index - b.index).map(({ index }) => index)
    expect(best.take()).toEqual(sorted.slice(0, count))
  }
})
