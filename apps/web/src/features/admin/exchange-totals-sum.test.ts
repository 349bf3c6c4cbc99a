import { describe, expect, it } from 'vitest'
import { totalsDifference } from './exchange-totals-sum.ts'

const totals = {
  paid: '100.000001',
  credited: '60',
  refunded: '19.9',
  refunding: '9.9',
  fees: '0.2',
  pending: '10.000001',
}

describe('the totals of the exchange', () => {
  it('add up to the last unit', () => expect(totalsDifference(totals)).toBe('0'))

  it('of a new network add up', () => {
    const zero = Object.fromEntries(Object.keys(totals).map((name) => [name, '0'])) as typeof totals
    expect(totalsDifference(zero)).toBe('0')
  })

  it.each([
    ['more was paid than accounted for', { paid: '100.000002' }, '0.000001'],
    ['less was paid', { credited: '61' }, '1'],
  ])('differ if %s', (_, changed, difference) => {
    expect(totalsDifference({ ...totals, ...changed })).toBe(difference)
  })
})
