import { toBech32, toUtf8 } from '@cosmjs/encoding'
import { MsgMultiSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { describe, expect, it } from 'vitest'
import { factsOf } from './facts.ts'
import { createOrder, extendOrder, payment, updateOrder } from './orders.ts'

const contracts = {
  token: toBech32('tide', new Uint8Array(32).fill(1)),
  orders: toBech32('tide', new Uint8Array(32).fill(2)),
}
const me = 'tide1me'
const machine = { cpu: 1, memory: 1, disk: 40 }

function signed(messages: Any[], memo = ''): Uint8Array {
  return TxRaw.encode({
    bodyBytes: TxBody.encode(TxBody.fromPartial({ messages, memo })).finish(),
    authInfoBytes: AuthInfo.encode(
      AuthInfo.fromPartial({ fee: { amount: [{ denom: 'utide', amount: '500' }], gasLimit: 990000n } }),
    ).finish(),
    signatures: [],
  }).finish()
}
const executing = (contract: string, msg: unknown): Any =>
  Any.fromPartial({
    typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract',
    value: MsgExecuteContract.encode(
      MsgExecuteContract.fromPartial({ sender: me, contract, msg: toUtf8(JSON.stringify(msg)) }),
    ).finish(),
  })
const messagesOf = (...messages: Any[]) => factsOf(signed(messages), contracts)?.messages

describe('the description of a transaction', () => {
  it('an upgrade names both orders and the new machine', () => {
    const message = executing(contracts.token, payment(contracts.orders, 900n, updateOrder('old', 'new', machine, 5)))
    expect(factsOf(signed([message], 'hello'), contracts)).toEqual({
      messages: [
        {
          kind: 'pay',
          type: '/cosmwasm.wasm.v1.MsgExecuteContract',
          from: me,
          to: contracts.orders,
          amount: { units: '900', of: 'token' },
          action: 'send',
          order: { action: 'update', id: 'old', newId: 'new', cpu: 1, memory: 1, disk: 40, hours: 5 },
        },
      ],
      memo: 'hello',
      fee: [{ denom: 'utide', units: '500' }],
      gas: '990000',
      sender: me,
    })
  })

  it('lists coins to several recipients one by one', () => {
    const coins = (amount: string) => [{ denom: 'utide', amount }]
    const value = MsgMultiSend.encode(
      MsgMultiSend.fromPartial({
        inputs: [{ address: me, coins: coins('3') }],
        outputs: [
          { address: 'tide1a', coins: coins('1') },
          { address: 'tide1b', coins: coins('2') },
        ],
      }),
    ).finish()
    expect(messagesOf(Any.fromPartial({ typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend', value }))).toMatchObject([
      { kind: 'coins', from: me, to: 'tide1a', amount: { units: '1', of: { denom: 'utide' } } },
      { kind: 'coins', from: me, to: 'tide1b', amount: { units: '2', of: { denom: 'utide' } } },
    ])
  })

  it('an allowance or its revocation names the spender and the amount', () => {
    const said = (name: string) =>
      messagesOf(executing(contracts.token, { [name]: { spender: 'tide1network', amount: '900' } }))
    const facts = { from: me, to: 'tide1network', amount: { units: '900', of: 'token' }, order: undefined }
    expect(said('increase_allowance')).toMatchObject([{ kind: 'allow', ...facts }])
    expect(said('decrease_allowance')).toMatchObject([{ kind: 'disallow', ...facts }])
    const elsewhere = { increase_allowance: { spender: 'tide1network', amount: '900' } }
    expect(messagesOf(executing(contracts.orders, elsewhere))).toMatchObject([{ kind: 'call' }])
  })

  it('a payment from an allowance is paid by its owner and signed by the spender', () => {
    const { send } = payment(contracts.orders, 900n, extendOrder('id', 20))
    const message = executing(contracts.token, { send_from: { owner: 'tide1owner', ...send } })
    const facts = factsOf(signed([message]), contracts)
    expect(facts).toMatchObject({ sender: me, messages: [{ kind: 'pay', from: 'tide1owner' }] })
    expect(facts?.messages[0]?.order).toMatchObject({ action: 'extend', id: 'id', hours: 20 })
  })

  it('a transfer of another known token is a transfer, not a payment', () => {
    const rewardsToken = toBech32('tide', new Uint8Array(32).fill(3))
    const transfer = { transfer: { recipient: 'tide1you', amount: '3000' } }
    const told = (message: Any) => factsOf(signed([message]), { ...contracts, rewardsToken })?.messages
    expect(told(executing(rewardsToken, transfer))).toMatchObject([
      { kind: 'transfer', to: 'tide1you', amount: { units: '3000', of: { denom: `cw20:${rewardsToken}` } } },
    ])
    const paying = payment(contracts.orders, 900n, createOrder('id', machine, 1))
    expect(told(executing(rewardsToken, paying))).toMatchObject([{ kind: 'call', order: undefined }])
    const exchangeToken = toBech32('tide', new Uint8Array(32).fill(4))
    expect(
      factsOf(signed([executing(exchangeToken, transfer)]), { ...contracts, exchangeToken })?.messages,
    ).toMatchObject([
      { kind: 'transfer', to: 'tide1you', amount: { units: '3000', of: { denom: `cw20:${exchangeToken}` } } },
    ])
    expect(messagesOf(executing(rewardsToken, transfer))).toMatchObject([{ kind: 'call', action: 'transfer' }])
  })

  it('coins sent to another contract are not a payment', () => {
    const message = payment(contracts.token, 900n, createOrder('id', machine, 1))
    expect(messagesOf(executing(contracts.token, message))).toMatchObject([{ kind: 'transfer', to: contracts.token }])
  })
})

describe('does not describe', () => {
  it('bytes that are not a transaction', () => {
    expect(factsOf(new Uint8Array([1, 2, 3]), contracts)).toBeUndefined()
  })

  it('messages that do not match their type', () => {
    const broken = Any.fromPartial({ typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract', value: new Uint8Array([255, 1]) })
    const unknown = Any.fromPartial({ typeUrl: '/cosmos.authz.v1beta1.MsgExec', value: new Uint8Array([8]) })
    expect(messagesOf(broken, unknown)?.map(({ kind }) => kind)).toEqual(['other', 'other'])
    for (const msg of [null, 7, [], { transfer: null }, { transfer: { recipient: 7 } }, { send: { msg: '!' } }])
      expect(messagesOf(executing(contracts.token, msg))?.[0]?.order).toBeUndefined()
  })

  it('texts that are too long', () => {
    const [message] = messagesOf(executing(contracts.token, { ['x'.repeat(5000)]: {} })) ?? []
    expect(message?.action.length).toBeLessThan(100)
  })
})
