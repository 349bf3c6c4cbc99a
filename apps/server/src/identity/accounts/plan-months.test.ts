import { describe, expect, it } from 'vitest'
import { changePlanDates, type PlanDates, planMonth } from './plan-months.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const date = (text: string) => new Date(text)
const plan = (since: string | Date, vip = true): PlanDates => ({
  vip,
  plan_since: date(String(since instanceof Date ? since.toISOString() : since)),
  created_at: date('2020-05-05T05:05:00Z'),
})
/** The same numbers in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

describe('the month of a plan', () => {
  it.each([
    ['2027-01-20T10:00Z', '2027-01-20T10:00Z', '2027-01-20T10:00Z', '2027-02-20T10:00Z'],
    ['2027-01-20T10:00Z', '2027-02-20T09:59Z', '2027-01-20T10:00Z', '2027-02-20T10:00Z'],
    ['2027-01-20T10:00Z', '2027-02-20T10:00Z', '2027-02-20T10:00Z', '2027-03-20T10:00Z'],
    // It begins with an hour, because traffic is counted by the hour.
    ['2027-01-20T10:59Z', '2027-01-20T10:59Z', '2027-01-20T10:00Z', '2027-02-20T10:00Z'],
    ['2027-01-31T00:00Z', '2027-02-28T00:00Z', '2027-02-28T00:00Z', '2027-03-31T00:00Z'],
    ['2028-01-31T00:00Z', '2028-02-28T23:59Z', '2028-01-31T00:00Z', '2028-02-29T00:00Z'],
    ['2026-12-31T23:00Z', '2027-04-30T22:00Z', '2027-03-31T23:00Z', '2027-04-30T23:00Z'],
  ])('since %s contains %s: %s to %s', (since, at, from, to) => {
    expect(planMonth(plan(since), date(at))).toEqual({ from: date(from), to: date(to) })
  })

  it('of a free plan is a calendar month, and of a VIP plan without a date begins with the account', () => {
    const at = date('2027-03-31T23:59:59Z')
    const without = { ...plan(at), plan_since: null }
    expect(planMonth(plan(at, false), at).from).toEqual(date('2027-03-01T00:00Z'))
    expect(planMonth(without, at).from).toEqual(date('2027-03-05T05:00Z'))
  })

  it('follows the one before, and has 28 to 31 days, whenever the plan began', () => {
    for (let first = 0; first < 1500; first++) {
      const since = new Date(Date.UTC(2027, 0, 1, first % 24) + first * DAY)
      let at = since
      for (let month = 0; month < 15; month++) {
        const { from, to } = planMonth(plan(since), at)
        expect(from).toEqual(at)
        const days = (to.getTime() - from.getTime()) / DAY
        expect(days).toBeGreaterThanOrEqual(28)
        expect(days).toBeLessThanOrEqual(31)
        expect(planMonth(plan(since), new Date(to.getTime() - 1))).toEqual({ from, to })
        at = to
      }
    }
  })
})

describe('a plan that ends and is granted again', () => {
  const change = (before: Parameters<typeof changePlanDates>[0], at: Date) => ({
    ...before,
    vip: !before.vip,
    ...changePlanDates(before, !before.vip, at),
  })

  it('goes on with the month that was begun, and later begins a new one', () => {
    const granted = change(
      { ...plan('2020-01-01T00:00Z', false), plan_since: null, plan_paid_until: null },
      date('2027-01-20T10:30Z'),
    )
    expect(granted.plan_since).toEqual(date('2027-01-20T10:00Z'))
    const ended = change(granted, date('2027-02-01T00:00Z'))
    expect(ended.plan_paid_until).toEqual(date('2027-02-20T10:00Z'))
    expect(change(ended, date('2027-02-20T09:59Z')).plan_since).toEqual(date('2027-01-20T10:00Z'))
    expect(change(ended, date('2027-02-20T10:00Z')).plan_since).toEqual(date('2027-02-20T10:00Z'))
  })

  it('never has two months at a time, for any dates: each quota is one that was paid', () => {
    const random = randomNumbers(1)
    for (let account = 0; account < 300; account++) {
      let at = Date.UTC(2027, 0, 1) + random() * 400 * DAY
      let state = {
        ...plan(date('2020-01-01T00:00Z'), false),
        plan_since: null as Date | null,
        plan_paid_until: null as Date | null,
      }
      const months = new Map<number, number>()
      for (let step = 0; step < 30; step++) {
        state = change(state, new Date(at))
        const until = at + random() * 50 * DAY
        for (; at < until; at += 6 * HOUR) {
          if (!state.vip) continue
          const { from, to } = planMonth(state, new Date(at))
          months.set(from.getTime(), to.getTime())
        }
      }
      const sorted = [...months].sort(([a], [b]) => a - b)
      for (const [index, [, to]] of sorted.entries()) expect(sorted[index + 1]?.[0] ?? to).toBeGreaterThanOrEqual(to)
    }
  })
})
