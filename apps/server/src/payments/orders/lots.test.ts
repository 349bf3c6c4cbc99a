import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { contractLots, type Lot, lotsOf, mergeLotsAs, refundOf, usedHours } from './lots.ts'
import type { OnChain } from './on-chain.ts'
import { canRelease } from './settle.ts'

/** The contract is tested with the same cases. Times in seconds. */
const CASES = new URL('../../../../../contracts/orders/tests/lots.json', import.meta.url)

test.each(
  JSON.parse(readFileSync(CASES, 'utf8')) as {
    what: string
    lots: { hours: number; amount: string }[]
    start: number
    now: number
    refund: string
  }[],
)('refund: $what', ({ lots, start, now, refund }) => {
  const own = lots.map(({ hours, amount }) => ({ hours, units: BigInt(amount) }))
  expect(String(refundOf(own, usedHours(new Date(start * 1000), new Date(now * 1000))))).toBe(refund)
})

const lots = (...all: [hours: number, units: number][]): Lot[] =>
  all.map(([hours, units]) => ({ hours, units: BigInt(units) }))
const onChain = (duration: number, kept: [hours: number, amount: number][]): OnChain => ({
  id: 'a',
  initiator: 'tide1',
  start_height: 0,
  start_time: 0,
  duration: duration * 600,
  status: 'Active',
  locked: String(kept.reduce((sum, [, amount]) => sum + amount, 0)),
  lots: kept.map(([hours, amount]) => ({ hours, amount: String(amount) })),
})
const HOUR = 3_600_000

test('each payment becomes a lot', () => {
  const paid = [
    { duration: 10, amount: '1000' },
    { duration: 20, amount: '700' },
    { duration: 21, amount: '70' },
  ]
  expect(lotsOf(paid)).toEqual(lots([10, 1000], [10, 700], [1, 70]))
})

test('payments from before the contract kept lots have one price', () => {
  const own = lots([10, 1000], [10, 700], [20, 1400])
  expect(mergeLotsAs(own, lots([20, 1700], [20, 1400]))).toEqual(lots([20, 1700], [20, 1400]))
  expect(mergeLotsAs(own, contractLots(onChain(40, [[40, 3100]])))).toEqual(lots([40, 3100]))
  expect(mergeLotsAs(own, own)).toEqual(own)
})

test('amounts beyond the safe integers are exact', () => {
  const all = 2n ** 128n - 1n
  const [lot] = contractLots({ lots: [{ hours: 1, amount: String(all) }] })
  expect(lot?.units).toBe(all)
})

describe('an order may be released', () => {
  const paid = lots([10, 1000], [10, 700])

  it.each<[string, OnChain]>([
    [
      'that has the same lots',
      onChain(20, [
        [10, 1000],
        [10, 700],
      ]),
    ],
    ['that has one lot for both', onChain(20, [[20, 1700]])],
    [
      'with an additional payment',
      onChain(20, [
        [10, 1000],
        [10, 8999],
      ]),
    ],
    [
      'with an extension that we do not know',
      onChain(30, [
        [10, 1000],
        [10, 700],
        [10, 1],
      ]),
    ],
  ])('if its refund does not exceed what is due: %s', (_, order) => {
    expect(canRelease(paid, order, new Date(4 * HOUR))).toBe(true)
  })

  it('not before its end, if cheap hours were inserted', () => {
    // Ten cheap hours before those of our last payment.
    const order = onChain(30, [
      [10, 1000],
      [10, 490],
      [10, 700],
    ])
    expect(canRelease(paid, order, new Date(19 * HOUR))).toBe(false)
    expect(canRelease(paid, order, new Date(30 * HOUR))).toBe(true)
  })
})
