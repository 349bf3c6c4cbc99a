import { makeSignDoc, type StdSignDoc, serializeSignDoc } from '@cosmjs/amino'
import { fromUtf8, toBech32 } from '@cosmjs/encoding'
import { createOrder, payment } from '@tidenet/chain-client'
import { describe, expect, test } from 'vitest'
import { factsOfText, type Prepared, signAndSend } from './transaction.ts'
import type { CosmosWallet } from './wallet.ts'

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

describe('signAndSend', () => {
  const document = (memo: string) => makeSignDoc([], fee, 'tidenet-devnet-1', memo, 7, 3)
  const prepared = (memo: string): Prepared => ({
    document: {
      ...document(memo),
      msgs: [{ type: 'wasm/MsgExecuteContract', value: { sender, contract: token, msg: order, funds: [] } }],
    },
    text: '',
    facts: { messages: [], memo, fee: [], gas: '', sender },
  })
  /** A wallet in which the user changes what is signed. */
  const walletThat = (changes: Partial<StdSignDoc>) =>
    ({
      connect: async () => ({ address: sender, publicKey: new Uint8Array(33), name: '' }),
      offlineSigner: async () => ({
        signAmino: async (_: string, asked: StdSignDoc) => ({
          signed: { ...asked, ...changes },
          signature: { signature: '', pub_key: { type: '', value: '' } },
        }),
      }),
    }) as unknown as CosmosWallet
  const onSigned = () => {
    throw new Error('would be sent')
  }
  const send = (asked: string, changes: Partial<StdSignDoc>) =>
    signAndSend(walletThat(changes), {} as never, prepared(asked), onSigned)

  test('sends with another fee, and with a memo if none was requested', async () => {
    const other = { amount: [{ denom: 'utide', amount: '600' }], gas: '990000' }
    for (const changes of [{}, { fee: other }]) await expect(send('order', changes)).rejects.toThrow('would be sent')
    await expect(send('', { memo: 'mine' })).rejects.toThrow('would be sent')
  })

  test('does not send a transaction whose requested memo was changed', async () => {
    for (const memo of ['', 'Order', 'order '])
      await expect(send('order', { memo })).rejects.toMatchObject({ problem: 'memoChanged' })
  })

  test('does not send other messages', async () => {
    await expect(send('order', { msgs: [] })).rejects.toMatchObject({ problem: 'changed' })
  })
})
