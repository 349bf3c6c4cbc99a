import { describe, expect, it, test } from 'vitest'
import {
  autoRenewAt,
  backoff,
  DAY,
  dueEndNotice,
  HOUR,
  isOver,
  latePaymentCheckInterval,
  nextEndCheck,
  nextNotice,
} from './times.ts'

const MINUTE = 60_000

describe('an order is over', () => {
  const end = { expiredAt: 10 * HOUR, chainEnd: 11 * HOUR }
  it.each([
    ['when both clocks say so', 11 * HOUR, 11 * HOUR, true],
    ['not before its time, even if the chain is ahead', 10 * HOUR - 1, 20 * HOUR, false],
    ['not before its time on the chain, even if that is late', 12 * HOUR, 11 * HOUR - 1, false],
    ['an hour later if the chain is unavailable', 11 * HOUR, undefined, true],
    ['not earlier if the chain is unavailable', 10 * HOUR + 1, undefined, false],
  ])('%s', (_, now, chainTime, over) => {
    expect(isOver(end, now, chainTime)).toBe(over)
  })

  it('at its time, if the contract does not have it', () => {
    expect(isOver({ ...end, chainEnd: undefined }, 10 * HOUR, 0)).toBe(true)
  })

  it('is checked again when it may be over', () => {
    expect(nextEndCheck(end, HOUR, 10)).toBe(10 * HOUR)
    expect(nextEndCheck(end, 10 * HOUR, 11 * HOUR - 60_000)).toBe(10 * HOUR + 60_000)
    expect(nextEndCheck(end, 10 * HOUR, 11 * HOUR - 6000)).toBe(10 * HOUR + 10_000)
    expect(nextEndCheck(end, 10 * HOUR, 0)).toBe(10 * HOUR + 10 * MINUTE)
    expect(nextEndCheck(end, 10 * HOUR, undefined)).toBe(10 * HOUR + 10_000)
  })
})

describe('notices before the end', () => {
  it.each([
    ['a day before', 50 * HOUR, 26 * HOUR, 'endsInADay'],
    ['an hour before', 50 * HOUR, 49 * HOUR, 'endsInAnHour'],
    ['an hour before, if the notice of the day before was missed', 50 * HOUR, 49.5 * HOUR, 'endsInAnHour'],
    ['not earlier', 50 * HOUR, 25 * HOUR, undefined],
    ['not afterwards', 50 * HOUR, 50 * HOUR, undefined],
    ['not a day before, if it lasts no longer than a day', DAY, 1, undefined],
    ['an hour before, if it lasts two hours', 2 * HOUR, HOUR, 'endsInAnHour'],
    ['none if it lasts one hour', HOUR, 1, undefined],
  ])('%s', (_, expiredAt, now, notice) => {
    expect(dueEndNotice(0, expiredAt, now)).toBe(notice)
  })

  it('are sent one after the other', () => {
    expect(nextNotice(50 * HOUR, 0)).toBe(26 * HOUR)
    expect(nextNotice(50 * HOUR, 26 * HOUR)).toBe(49 * HOUR)
    expect(nextNotice(50 * HOUR, 49 * HOUR)).toBe(50 * HOUR)
  })
})

test('automatic renewal happens an hour before the end, or halfway through a short order', () => {
  expect(autoRenewAt(0, 10 * HOUR)).toBe(9 * HOUR)
  expect(autoRenewAt(0, HOUR)).toBe(HOUR / 2)
})

test('retries back off up to five minutes', () => {
  expect([1, 2, 3, 4, 5, 50].map(backoff)).toEqual([2000, 10_000, 30_000, MINUTE, 5 * MINUTE, 5 * MINUTE])
})

test('a withdrawn order is checked for late payments for ninety days, ever less often', () => {
  expect([0, 20 * MINUTE, 2 * DAY, 30 * DAY, 91 * DAY].map(latePaymentCheckInterval)).toEqual([
    MINUTE,
    10 * MINUTE,
    HOUR,
    DAY,
    undefined,
  ])
})
