import { makeSignDoc, serializeSignDoc } from '@cosmjs/amino'
import { fromUtf8, toBech32 } from '@cosmjs/encoding'
import { createOrder, payment } from '@tidenet/chain-client'
import { describe, expect, test } from 'vitest'
import { factsOfText } from './transaction.ts'

const token = toBech32('tide', new Uint8Array(32).fill(1))
const orders = toBech32('tide', new Uint8Array(32).fill(2))
const sender = toBech32('tide', new Uint8Array(20).fill(3))
const settings = { token: { address: token, name: 'Test', symbol: 'cTNT', decimals: 2 }, orders }
const fee = { amount: [{ denom: 'utide', amount: '500' }], gas: '990000' }

const textOf = (contract: string, msg: object) =>
  fromUtf8(
    serializeSignDoc(
      makeSignDoc(
        [{ type: 'wasm/MsgExecuteContract', value: { sender, contract, msg, funds: [] } }],
        fee,
        'tidenet-devnet-1',
        '',
        7,
        3,
      ),
    ),
  )
const order = payment(orders, 9300n, createOrder('one', { cpu: 2, memory: 4, disk: 80 }, 5))

describe('factsOfText', () => {
  test('decodes the text that is signed', () => {
    expect(factsOfText(textOf(token, order), settings)).toEqual({
      messages: [
        {
          kind: 'pay',
          type: '/cosmwasm.wasm.v1.MsgExecuteContract',
          from: sender,
          to: orders,
          amount: { units: '9300', of: 'token' },
          action: 'send',
          order: { action: 'create', id: 'one', newId: '', cpu: 2, memory: 4, disk: 80, hours: 5 },
        },
      ],
      memo: '',
      fee: [{ denom: 'utide', units: '500' }],
      gas: '990000',
      sender,
    })
  })

  test('does not classify other contracts, recipients or messages as payments', () => {
    const kindOf = (text: string) => factsOfText(text, settings).messages.map(({ kind }) => kind)
    expect(kindOf(textOf(orders, order))).toEqual(['call'])
    expect(kindOf(textOf(token, { send: { ...order.send, contract: sender } }))).toEqual(['transfer'])
    expect(kindOf(textOf(token, { increase_allowance: { spender: sender, amount: '1' } }))).toEqual(['allow'])
    const strange = textOf(token, order).replace('wasm/MsgExecuteContract', 'wasm/MsgStoreCode')
    expect(kindOf(strange)).toEqual(['other'])
  })

  test('rejects text that is not a transaction', () => {
    for (const text of ['', 'null', '{}', 'a text']) expect(() => factsOfText(text, settings)).toThrow()
  })
})
