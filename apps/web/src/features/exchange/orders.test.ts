import type { ExchangePayment } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { isOpen, isSettled } from './orders.ts'

const paid = (...results: ExchangePayment['result'][]) => results.map((result) => ({ result }) as ExchangePayment)

describe('an exchange is settled', () => {
  it.each(['completed', 'failure'] as const)('when it is %s and no payment waits', (status) => {
    expect(isSettled({ status, payments: [] })).toBe(true)
    expect(isSettled({ status, payments: paid('credited', 'refunded', 'kept') })).toBe(true)
  })

  it.each(['pending', 'refunding'] as const)('not while a payment is %s', (result) => {
    expect(isSettled({ status: 'failure', payments: paid('refunded', result) })).toBe(false)
  })

  it.each(['in_progress', 'incomplete'] as const)('not while it is %s', (status) => {
    expect(isSettled({ status, payments: [] })).toBe(false)
  })
})

describe('the price of an exchange can be confirmed', () => {
  it('until something was paid', () => {
    expect(isOpen({ status: 'in_progress', payments: [] })).toBe(true)
    expect(isOpen({ status: 'in_progress', payments: paid('pending') })).toBe(false)
  })

  it.each(['incomplete', 'completed', 'failure'] as const)('not when it is %s', (status) => {
    expect(isOpen({ status, payments: [] })).toBe(false)
  })
})
