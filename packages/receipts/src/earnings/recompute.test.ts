import { describe, expect, it } from 'vitest'
import type { ClaimsOf } from '../claims.ts'
import { type DayStatement, earningsOf, recompute } from './index.ts'

const DAY = Date.UTC(2026, 0, 5) / 1000
const hourAt = (index: number) => DAY + index * 3600

const receiptOf = (index: number, more: Partial<ClaimsOf<'node_hour'>> = {}): ClaimsOf<'node_hour'> => ({
  iss: 'tidenet-log-00000000',
  id: 100 + index,
  index: 200 + index,
  iat: hourAt(index + 1) + 300,
  kind: 'node_hour',
  sub: 'owner',
  node: 'e_node',
  hour: hourAt(index),
  trusted: true,
  passed: 3,
  failed: 0,
  audited: hourAt(index) + 60,
  held: 1_000_000_000_000,
  online: 3600,
  crowd: 1,
  signed: 5_000_000_000,
  paid_share: 400_000,
  ...more,
})

/** What an honest network states for these receipts. */
function stated(receipts: readonly ClaimsOf<'node_hour'>[], more: Partial<DayStatement> = {}): DayStatement {
  const hours = receipts.map((receipt) => {
    const { version, traffic, storage } = earningsOf(receipt)
    return { hour: receipt.hour, version, receipt: receipt.id, traffic, storage }
  })
  const sum = (cause: 'traffic' | 'storage') => hours.reduce((total, hour) => total + hour[cause], 0)
  return {
    sub: 'owner',
    node: 'e_node',
    day: '2026-01-05',
    traffic: sum('traffic'),
    storage: sum('storage'),
    hours,
    ...more,
  }
}
const receipts = [receiptOf(0), receiptOf(1, { failed: 1 }), receiptOf(23)]
const NONE = { traffic: 0, storage: 0 }

describe('a day that is computed again', () => {
  it('agrees with an honest statement, in every hour and cause', () => {
    const result = recompute(stated(receipts), [...receipts].reverse())
    expect(result).toMatchObject({ agrees: true, difference: NONE })
    expect(result.hours.map(({ hour }) => hour)).toEqual([0, 1, 23].map(hourAt))
    for (const hour of result.hours) expect(hour).toMatchObject({ difference: NONE, computed: hour.stated })
  })

  it('of a device without hours agrees', () => {
    expect(recompute(stated([]), [])).toEqual({ hours: [], difference: NONE, agrees: true })
  })

  it('shows by how much each hour and cause differs', () => {
    const statement = stated(receipts)
    const hours = statement.hours.map((hour, index) => (index === 0 ? { ...hour, traffic: hour.traffic - 7 } : hour))
    const result = recompute({ ...statement, hours, traffic: statement.traffic - 7 }, receipts)
    expect(result).toMatchObject({ agrees: false, difference: { traffic: -7, storage: 0 } })
    expect(result.hours.map(({ difference }) => difference)).toEqual([{ traffic: -7, storage: 0 }, NONE, NONE])
  })

  it('shows sums that are not those of the hours', () => {
    const statement = stated(receipts)
    expect(recompute({ ...statement, storage: statement.storage + 1 }, receipts)).toMatchObject({
      agrees: false,
      difference: { traffic: 0, storage: 1 },
    })
  })

  it('shows hours that the statement leaves out, although they have a receipt', () => {
    const result = recompute(stated(receipts.slice(0, 2)), receipts)
    expect(result.agrees).toBe(false)
    expect(result.hours[2]).toMatchObject({ hour: hourAt(23), stated: NONE, problem: 'omitted' })
    expect(result.difference.traffic).toBeLessThan(0)
  })

  it('counts nothing for hours without their receipt, of another version, and stated twice', () => {
    const statement = stated(receipts)
    const [first] = statement.hours
    if (!first) throw new Error('no hour')
    expect(recompute(statement, receipts.slice(1)).hours[0]).toMatchObject({ computed: NONE, problem: 'receipt' })
    const twice = recompute({ ...statement, hours: [first, first] }, receipts.slice(0, 1))
    expect(twice.hours[1]).toMatchObject({ computed: NONE, problem: 'repeated' })
    const other = recompute({ ...statement, hours: [{ ...first, version: 9 }] }, receipts.slice(0, 1))
    expect(other).toMatchObject({ agrees: false, difference: expect.anything() })
    expect(other.hours[0]).toMatchObject({ difference: NONE, problem: 'version' })
  })

  it.each<[string, Partial<ClaimsOf<'node_hour'>>]>([
    ['of another device', { node: 'e_other' }],
    ['of another owner', { sub: 'stranger' }],
    ['of another hour', { hour: hourAt(5) }],
    ['of another day', { hour: hourAt(-1) }],
  ])('counts nothing for the receipt %s', (_, more) => {
    const result = recompute(stated([receiptOf(0)]), [receiptOf(0, more)])
    expect(result.agrees).toBe(false)
    expect(result.hours.find(({ hour }) => hour === hourAt(0))).toMatchObject({ computed: NONE, problem: 'receipt' })
  })
})
