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
  ...change,
})

describe('a cap', () => {
  it('is proposed for three renewals where there is none', () => {
    expect(proposedCap(renewal({ cap: 0, spent: 0 }))).toBe(210)
    expect(proposedCap(renewal())).toBe(300)
    expect(proposedCap(renewal({ cap: 100 }))).toBe(310)
  })

  it('pays for whole renewals', () => {
    expect(renewalsIn(209, 70)).toBe(2)
    expect(renewalsIn(-5, 70)).toBe(0)
  })

  it('is refused when it is no whole number, or does not pay for one renewal', () => {
    for (const text of ['', 'many', '12.5', '-3', '1'.repeat(12)]) expect(capProblem(text, renewal())).toBe('form')
    expect(capProblem('169', renewal())).toBe('low')
    expect(capProblem(' 170 ', renewal())).toBeUndefined()
  })
})

it('an allowance is short, fits, or is above what is needed; nothing is said of one that is not known', () => {
  expect(allowanceState(renewal({ allowed: '199.99' }))).toBe('short')
  expect(allowanceState(renewal())).toBe('fits')
  expect(allowanceState(renewal({ needed: '0.00' }))).toBe('above')
  expect(allowanceState(renewal({ allowed: '', needed: '' }))).toBe('unknown')
})

describe('what is signed', () => {
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

  it('is the missing part of the allowance, or what is taken back of it', () => {
    expect(isAllowance(facts(message), asked)).toBe(true)
    expect(isAllowance(facts({ ...message, kind: 'disallow' }), { ...asked, allowance: '50000' })).toBe(true)
  })

  it('is refused when it is more, for another, of another kind, or not alone', () => {
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
