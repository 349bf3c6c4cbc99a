import { describe, expect, it } from 'vitest'
import {
  type AskedAllowance,
  type AutoRenewal,
  allowanceState,
  capProblem,
  isAllowance,
  proposedCap,
  renewalsIn,
} from './auto-renew.ts'

const renewal = (change: Partial<AutoRenewal> = {}): AutoRenewal => ({
  on: true,
  cap: 300,
  spent: 100,
  possible: true,
  allowed: '200.00',
  needed: '200.00',
  next: { cost: 70, duration: 3, at: '2026-01-01T00:00:00.000Z' },
  problem: '',
  ...change,
})

describe('cap', () => {
  it('defaults to three renewals', () => {
    expect(proposedCap(renewal({ cap: 0, spent: 0 }))).toBe(210)
    expect(proposedCap(renewal())).toBe(300)
    expect(proposedCap(renewal({ cap: 100 }))).toBe(310)
  })

  it('counts whole renewals only', () => {
    expect(renewalsIn(209, 70)).toBe(2)
    expect(renewalsIn(-5, 70)).toBe(0)
  })

  it('rejects a cap that is not a whole number or does not cover one renewal', () => {
    for (const text of ['', 'many', '12.5', '-3', '1'.repeat(12)]) expect(capProblem(text, renewal())).toBe('form')
    expect(capProblem('169', renewal())).toBe('low')
    expect(capProblem(' 170 ', renewal())).toBeUndefined()
  })
})

it('compares the allowance with what is needed, unless it is unknown', () => {
  expect(allowanceState(renewal({ allowed: '199.99' }))).toBe('short')
  expect(allowanceState(renewal())).toBe('fits')
  expect(allowanceState(renewal({ needed: '0.00' }))).toBe('above')
  expect(allowanceState(renewal({ allowed: '', needed: '' }))).toBe('unknown')
})

describe('allowance transaction', () => {
  const asked: AskedAllowance = {
    on: true,
    cap: 300,
    spent: 0,
    payer: 'tide1me',
    token: 'tide1token',
    spender: 'tide1network',
    allowance: '10000',
    needed: '30000',
    execute: '',
    fee: { amount: '500', denom: 'utide', gas: '990000' },
  }
  const message = {
    kind: 'allow' as const,
    type: '',
    from: 'tide1me',
    to: 'tide1network',
    amount: { units: '20000', of: 'token' as const },
    action: 'increase_allowance',
    order: undefined,
  }
  const facts = (
    ...messages: (typeof message | (Omit<typeof message, 'kind'> & { kind: 'disallow' | 'transfer' }))[]
  ) => ({
    messages,
    memo: '',
    fee: [],
    gas: '',
    sender: 'tide1me',
  })

  it('accepts the exact increase or decrease of the allowance', () => {
    expect(isAllowance(facts(message), asked)).toBe(true)
    expect(isAllowance(facts({ ...message, kind: 'disallow' }), { ...asked, allowance: '50000' })).toBe(true)
  })

  it('rejects another amount, spender, wallet, kind, or more than one message', () => {
    const more = { ...message, amount: { units: '20001', of: 'token' as const } }
    for (const wrong of [
      facts(more),
      facts({ ...message, to: 'tide1thief' }),
      facts({ ...message, from: 'tide1other' }),
      facts({ ...message, kind: 'transfer' }),
      facts({ ...message, kind: 'disallow' }),
      facts(message, message),
      facts(),
      { ...facts(message), sender: 'tide1other' },
    ])
      expect(isAllowance(wrong, asked)).toBe(false)
    expect(isAllowance(facts({ ...message, amount: { units: '0', of: 'token' } }), { ...asked, needed: '10000' })).toBe(
      false,
    )
  })
})
