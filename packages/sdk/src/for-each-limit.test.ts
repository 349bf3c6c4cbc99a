import { FOLDER_CONCURRENCY } from '@tidenet/contract/constants'
import { describe, expect, it } from 'vitest'
import { forEachLimit } from './for-each-limit.ts'

describe('work on many items', () => {
  it.each([0, 1, 2, 10])('runs for each of %i, at most three at a time', async (count) => {
    const done: number[] = []
    let running = 0
    let most = 0
    await forEachLimit(
      FOLDER_CONCURRENCY,
      Array.from({ length: count }, (_, index) => index),
      async (index) => {
        most = Math.max(most, ++running)
        for (let turn = 0; turn <= index % 4; turn += 1) await Promise.resolve()
        running -= 1
        done.push(index)
      },
    )
    expect(done.sort((a, b) => a - b)).toEqual([...done.keys()])
    expect(most).toBe(Math.min(3, count))
  })

  it('refused: remaining items after a failure', async () => {
    const begun: number[] = []
    const failing = forEachLimit(1, [1, 2, 3], async (index) => {
      begun.push(index)
      if (index === 2) throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(begun).toEqual([1, 2])
  })
})
