import { describe, expect, it, test } from 'vitest'
import { autoRenewAt, DAY, endNotice, HOUR, isOver, lookForEnd, nextNotice, waitAfter, watchAfter } from './times.ts'

const MINUTE = 60_000

describe('an order is over', () => {
  const end = { expiredAt: 10 * HOUR, endHeight: 6000 }
  it.each([
    ['at its time and height', 10 * HOUR, 6000, true],
    ['not before its time, however fast the blocks are', 10 * HOUR - 1, 9000, false],
    ['not before its height, however slow they are', 11 * HOUR, 5999, false],
    ['an hour later when the chain cannot be asked', 11 * HOUR, undefined, true],
    ['not at once when it cannot', 10 * HOUR + 1, undefined, false],
  ])('%s', (_, now, height, over) => {
    expect(isOver(end, now, height)).toBe(over)
  })

  it('is looked at when it may be', () => {
    expect(lookForEnd(end, HOUR, 10)).toBe(10 * HOUR)
    expect(lookForEnd(end, 10 * HOUR, 5990)).toBe(10 * HOUR + 60_000)
    expect(lookForEnd(end, 10 * HOUR, 5999)).toBe(10 * HOUR + 10_000)
    expect(lookForEnd(end, 10 * HOUR, 0)).toBe(10 * HOUR + 10 * MINUTE)
  })
})

describe('owners are told of an end', () => {
  it.each([
    ['a day before', 50 * HOUR, 26 * HOUR, 'endsInADay'],
    ['an hour before', 50 * HOUR, 49 * HOUR, 'endsInAnHour'],
    ['an hour before, not of a day that passed unnoticed', 50 * HOUR, 49.5 * HOUR, 'endsInAnHour'],
    ['not earlier', 50 * HOUR, 25 * HOUR, undefined],
    ['not afterwards', 50 * HOUR, 50 * HOUR, undefined],
    ['not a day before when it was never longer', DAY, 1, undefined],
    ['an hour before though it was bought for two', 2 * HOUR, HOUR, 'endsInAnHour'],
    ['not at all when it was bought for one', HOUR, 1, undefined],
  ])('%s', (_, expiredAt, now, notice) => {
    expect(endNotice(0, expiredAt, now)).toBe(notice)
  })

  it('one after the other', () => {
    expect(nextNotice(50 * HOUR, 0)).toBe(26 * HOUR)
    expect(nextNotice(50 * HOUR, 26 * HOUR)).toBe(49 * HOUR)
    expect(nextNotice(50 * HOUR, 49 * HOUR)).toBe(50 * HOUR)
  })
})

test('a renewal by itself comes an hour before the end, or at half of a short order', () => {
  expect(autoRenewAt(0, 10 * HOUR)).toBe(9 * HOUR)
  expect(autoRenewAt(0, HOUR)).toBe(HOUR / 2)
})

test('what fails is tried again later and later, and never less than every five minutes', () => {
  expect([1, 2, 3, 4, 5, 50].map(waitAfter)).toEqual([2000, 10_000, 30_000, MINUTE, 5 * MINUTE, 5 * MINUTE])
})

test('a withdrawn order is watched for ninety days, less and less', () => {
  expect([0, 20 * MINUTE, 2 * DAY, 30 * DAY, 91 * DAY].map(watchAfter)).toEqual([
    MINUTE,
    10 * MINUTE,
    HOUR,
    DAY,
    undefined,
  ])
})
