import { describe, expect, it } from 'vitest'
import { createConcurrencyControl, measuredLoad } from './load.ts'

/** Completes `steps` rounds of chunks; `rateOf` gives their size for the current concurrency. */
function run(rateOf: (limit: number) => number, steps: number, ok = true) {
  let clock = 0
  const governor = createConcurrencyControl(measuredLoad(), () => clock)
  const limits = [governor.limit]
  for (let step = 0; step < steps; step++) {
    const { limit } = governor
    clock += 1000
    for (let chunk = 0; chunk < limit; chunk++) governor.note(rateOf(limit) / limit, ok)
    limits.push(governor.limit)
  }
  return limits
}

describe('the number of parallel chunks', () => {
  it('starts at ten and stays while the rate is stable', () =>
    expect(run(() => 1_000_000, 5)).toEqual([10, 10, 10, 10, 10, 10]))

  it('falls to one while chunks fail', () => {
    const limits = run(() => 1_000_000, 30, false)
    expect(limits.slice(0, 3)).toEqual([10, 9, 8])
    expect(Math.min(...limits)).toBe(1)
  })

  it.each([
    [100, 1],
    [0, 20],
  ])('with a load of %i goes to %i and no further', (load, end) => {
    let clock = 0
    const governor = createConcurrencyControl(
      () => load,
      () => clock++,
    )
    for (let chunk = 0; chunk < 1000; chunk++) governor.note(1000, true)
    expect(governor.limit).toBe(end)
  })

  it.each([50, 65, 80])('with a load of %i stays', (load) => {
    const governor = createConcurrencyControl(
      () => load,
      () => 1,
    )
    for (let chunk = 0; chunk < 100; chunk++) governor.note(1000, true)
    expect(governor.limit).toBe(10)
  })
})
