import { beforeEach, describe, expect, it } from 'vitest'
import { createOutages } from './outages.ts'

const MINUTE = 60_000
let clock: { at: number; online: boolean }
let outages: ReturnType<typeof createOutages>

beforeEach(() => {
  clock = { at: 1_000_000_000, online: true }
  outages = createOutages({ now: () => clock.at, isOnline: () => clock.online })
  outages.start()
})

/** Time passes while timers run, as in a hidden tab. */
const wait = (minutes: number) => {
  for (let passed = 0; passed < minutes; passed++) {
    clock.at += MINUTE
    outages.check()
  }
}

describe('a failure that an outage may have caused', () => {
  it('is one while the browser is offline', () => {
    const begun = clock.at
    clock.online = false
    expect(outages.mayHaveCaused(begun)).toBe(true)
  })

  it('is one after the browser was offline, however long the attempt lasts', () => {
    const begun = clock.at
    clock.online = false
    outages.check()
    clock.online = true
    wait(60)
    expect(outages.mayHaveCaused(begun)).toBe(true)
  })

  it('is one at the moment of waking, before any timer ran', () => {
    const begun = clock.at
    clock.at += 8 * 60 * MINUTE
    expect(outages.mayHaveCaused(begun)).toBe(true)
  })

  it('is an attempt that began after waking, while the network may still be coming back', () => {
    clock.at += 8 * 60 * MINUTE
    outages.check()
    wait(5)
    expect(outages.mayHaveCaused(clock.at)).toBe(true)
  })

  it('is not one that began long after the outage', () => {
    clock.online = false
    outages.check()
    clock.online = true
    wait(11)
    expect(outages.mayHaveCaused(clock.at)).toBe(false)
  })

  it('is not one of which nothing is known, because nobody checked before', () => {
    clock.at += 60 * MINUTE
    outages.start()
    expect(outages.mayHaveCaused(clock.at)).toBe(false)
  })

  it('is not one of a hidden tab whose timers run once a minute', () => {
    const begun = clock.at
    wait(60)
    expect(outages.mayHaveCaused(begun)).toBe(false)
  })
})
