import type { TransactionFacts } from '@tidenet/chain-client/facts'
import type { ExchangeOrder } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { isPaymentFor } from './payment.ts'

const order = { id: 'order-1', wallet: 'tide1me', tnt4: '36.909449' } as ExchangeOrder
const payment = {
  contract: 'tide1tnt4',
  msg: { transfer: { recipient: 'tide1desk', amount: '36909449' } },
  memo: 'order-1',
}
const facts: TransactionFacts = {
  messages: [
    {
      kind: 'transfer',
      type: '/cosmwasm.wasm.v1.MsgExecuteContract',
      from: 'tide1me',
      to: 'tide1desk',
      amount: { units: '36909449', of: { denom: 'cw20:tide1tnt4' } },
      action: 'transfer',
      order: undefined,
    },
  ],
  memo: 'order-1',
  fee: [],
  gas: '',
  sender: 'tide1me',
}
const [message] = facts.messages as [TransactionFacts['messages'][number]]
const fits = (changed: Partial<TransactionFacts>, asked: Partial<typeof payment> = {}) =>
  isPaymentFor({ ...facts, ...changed }, { order, payment: { ...payment, ...asked } }, 6)
const fitsMessage = (changed: Partial<typeof message>) => fits({ messages: [{ ...message, ...changed }] })

describe('a transaction is the payment of an exchange', () => {
  it('if it transfers the amount that was shown, with the order as memo', () => expect(fits({})).toBe(true))

  it.each([
    ['another memo', () => fits({ memo: 'order-2' })],
    ['no memo', () => fits({ memo: '' })],
    ['another payer', () => fits({ sender: 'tide1other' })],
    ['two messages', () => fits({ messages: [message, message] })],
    ['no message', () => fits({ messages: [] })],
    ['another recipient', () => fitsMessage({ to: 'tide1other' })],
    ['another amount', () => fitsMessage({ amount: { units: '36909450', of: { denom: 'cw20:tide1tnt4' } } })],
    ['another token', () => fitsMessage({ amount: { units: '36909449', of: { denom: 'cw20:tide1other' } } })],
    ['the token of orders', () => fitsMessage({ amount: { units: '36909449', of: 'token' } })],
    ['an allowance', () => fitsMessage({ kind: 'allow' })],
    [
      'what was requested, but not what was shown',
      () =>
        isPaymentFor(
          { ...facts, messages: [{ ...message, amount: { units: '99', of: { denom: 'cw20:tide1tnt4' } } }] },
          { order, payment: { ...payment, msg: { transfer: { recipient: 'tide1desk', amount: '99' } } } },
          6,
        ),
    ],
  ])('not with %s', (_, isFit) => expect(isFit()).toBe(false))
})
