import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { asKept, keptLots, type Lot, lotsOf, refundOf, usedHours } from './lots.ts'
import type { OnChain } from './on-chain.ts'
import { mayRelease } from './settle.ts'

/** The same cases as for the contract, in both of its languages. */
const CASES = new URL('../../../../../contracts/orders/tests/lots.json', import.meta.url)

test.each(
  JSON.parse(readFileSync(CASES, 'utf8')) as {
    what: string
    lots: { hours: number; amount: string }[]
    start: number
    height: number
    refund: string
  }[],
)('refund: $what', ({ lots, start, height, refund }) => {
  const own = lots.map(({ hours, amount }) => ({ hours, units: BigInt(amount) }))
  expect(String(refundOf(own, usedHours(start, height)))).toBe(refund)
})

const lots = (...all: [hours: number, units: number][]): Lot[] =>
  all.map(([hours, units]) => ({ hours, units: BigInt(units) }))
const onChain = (duration: number, locked: number, kept?: [hours: number, amount: number][]): OnChain => ({
  id: 'a',
  initiator: 'tide1',
  start_height: 0,
  duration: duration * 600,
  locked_funds: locked,
  status: 'Active',
  ...(kept && { locked: String(locked), lots: kept.map(([hours, amount]) => ({ hours, amount: String(amount) })) }),
})

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
  expect(asKept(own, lots([20, 1700], [20, 1400]))).toEqual(lots([20, 1700], [20, 1400]))
  expect(asKept(own, keptLots(onChain(40, 3100)))).toEqual(lots([40, 3100]))
  expect(asKept(own, own)).toEqual(own)
})

test('amounts beyond the safe integers are exact', () => {
  const all = 2n ** 128n - 1n
  const [lot] = keptLots({ ...onChain(1, 0), locked: String(all), lots: [{ hours: 1, amount: String(all) }] })
  expect(lot?.units).toBe(all)
})

describe('an order may be released', () => {
  const paid = lots([10, 1000], [10, 700])

  it.each<[string, OnChain, number]>([
    [
      'that has the same lots',
      onChain(20, 1700, [
        [10, 1000],
        [10, 700],
      ]),
      2400,
    ],
    ['that has one lot for both', onChain(20, 1700, [[20, 1700]]), 2400],
    ['that knows no lots', onChain(20, 1700), 2400],
    [
      'that somebody gave more than was asked for',
      onChain(20, 9999, [
        [10, 1000],
        [10, 8999],
      ]),
      2400,
    ],
    [
      'that somebody lengthened beyond what we know of',
      onChain(30, 1701, [
        [10, 1000],
        [10, 700],
        [10, 1],
      ]),
      2400,
    ],
  ])('if its refund does not exceed what is due: %s', (_, order, height) => {
    expect(mayRelease(paid, order, height)).toBe(true)
  })

  it('refused: before its end, if cheap hours were inserted', () => {
    // Ten cheap hours before those of our last payment.
    const order = onChain(30, 1700 + 490, [
      [10, 1000],
      [10, 490],
      [10, 700],
    ])
    expect(mayRelease(paid, order, 600 * 19)).toBe(false)
    expect(mayRelease(paid, order, 600 * 30)).toBe(true)
  })
})
