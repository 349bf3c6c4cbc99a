import { createHash } from 'node:crypto'
import { toBase64, toBech32 } from '@cosmjs/encoding'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formerChain } from '../former-chain.fixture.ts'
import { coins, FEE, type Person, type ServedChain, serveNewChain } from './served-chain.fixture.ts'

/** The shapes and the order of events are those of Cosmos SDK 0.53 and wasmd 0.61. */

let chain: ServedChain
let buyer: Person
beforeAll(async () => {
  chain = await serveNewChain()
  buyer = await chain.person(100_000)
})
afterAll(async () => {
  await chain?.stop()
})

/** `type key=value …` per event. */
async function eventsOf(hash: string): Promise<string[]> {
  const found = await chain.operator.client.getTx(hash)
  return (found?.events ?? []).map(({ type, attributes }) =>
    [type, ...attributes.map(({ key, value }) => `${key}=${value}`)].join(' '),
  )
}
const search = async (query: string) => (await chain.operator.client.searchTx(query)).map(({ hash }) => hash)
const send = (from: Person, to: string, amount: number) => from.client.sendTokens(from.address, to, coins(amount), FEE)
const collector = toBech32('tide', createHash('sha256').update('fee_collector').digest().subarray(0, 20))
const feeEvents = (payer: string) => [
  `coin_spent spender=${payer} amount=500utide`,
  `coin_received receiver=${collector} amount=500utide`,
  `transfer recipient=${collector} sender=${payer} amount=500utide`,
  `message sender=${payer}`,
  `tx fee=500utide fee_payer=${payer}`,
]
const isSignature = expect.stringMatching(/^tx signature=[\w+/]{86}==$/)

describe('events of a transaction', () => {
  it('name the fee, the signature, the message and the transfer of coins', async () => {
    const { sequence } = await buyer.client.getSequence(buyer.address)
    const { transactionHash } = await send(buyer, chain.operator.address, 7)
    expect(await eventsOf(transactionHash)).toEqual([
      ...feeEvents(buyer.address),
      `tx acc_seq=${buyer.address}/${sequence}`,
      isSignature,
      `message action=/cosmos.bank.v1beta1.MsgSend sender=${buyer.address} module=bank msg_index=0`,
      `coin_spent spender=${buyer.address} amount=7utide msg_index=0`,
      `coin_received receiver=${chain.operator.address} amount=7utide msg_index=0`,
      `transfer recipient=${chain.operator.address} sender=${buyer.address} amount=7utide msg_index=0`,
      `message sender=${buyer.address} msg_index=0`,
    ])
  })

  it('name each message, and calls of contracts within calls', async () => {
    const { operator, running } = chain
    const create = { CreateOrder: { order_id: 'named', cpu: 1, memory: 1, disk: 40, duration: 600 } }
    const msg = toBase64(new TextEncoder().encode(JSON.stringify(create)))
    const { transactionHash } = await operator.client.executeMultiple(
      operator.address,
      [
        { contractAddress: running.token, msg: { transfer: { recipient: buyer.address, amount: '3' } } },
        { contractAddress: running.token, msg: { send: { contract: running.orders, amount: '200', msg } } },
      ],
      FEE,
    )
    const events = await eventsOf(transactionHash)
    const wasm = `_contract_address=${running.token}`
    expect(events.slice(feeEvents('').length + 2)).toEqual([
      `message action=/cosmwasm.wasm.v1.MsgExecuteContract sender=${operator.address} module=wasm msg_index=0`,
      `execute ${wasm} msg_index=0`,
      `wasm ${wasm} action=transfer from=${operator.address} to=${buyer.address} amount=3 msg_index=0`,
      `message action=/cosmwasm.wasm.v1.MsgExecuteContract sender=${operator.address} module=wasm msg_index=1`,
      `execute ${wasm} msg_index=1`,
      `wasm ${wasm} action=send from=${operator.address} to=${running.orders} amount=200 msg_index=1`,
      `execute _contract_address=${running.orders} msg_index=1`,
      expect.stringContaining(`wasm _contract_address=${running.orders} `),
    ])
  })

  it('name each receiver of coins that are sent to several', async () => {
    const [one, two] = [await chain.person(0), await chain.person(0)]
    const value = {
      inputs: [{ address: buyer.address, coins: coins(5) }],
      outputs: [
        { address: one.address, coins: coins(2) },
        { address: two.address, coins: coins(3) },
      ],
    }
    const message = { typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend', value }
    const { transactionHash } = await buyer.client.signAndBroadcast(buyer.address, [message], FEE)
    expect((await eventsOf(transactionHash)).slice(feeEvents('').length + 2)).toEqual([
      `message action=/cosmos.bank.v1beta1.MsgMultiSend sender=${buyer.address} module=bank msg_index=0`,
      `message sender=${buyer.address} msg_index=0`,
      `coin_spent spender=${buyer.address} amount=5utide msg_index=0`,
      `coin_received receiver=${one.address} amount=2utide msg_index=0`,
      `transfer recipient=${one.address} sender=${buyer.address} amount=2utide msg_index=0`,
      `coin_received receiver=${two.address} amount=3utide msg_index=0`,
      `transfer recipient=${two.address} sender=${buyer.address} amount=3utide msg_index=0`,
    ])
  })

  it('that is refused name only what was charged', async () => {
    const sender = await chain.person(600)
    await expect(send(sender, buyer.address, 200)).resolves.toMatchObject({ code: 5 })
    const [hash = ''] = await search(`message.sender='${sender.address}'`)
    expect(await eventsOf(hash)).toEqual([...feeEvents(sender.address), expect.anything(), isSignature])
  })
})

describe('the history of an account', () => {
  it('is found by sender, receiver, kind of message and height, also after a restart', async () => {
    const receiver = await chain.person(0)
    const first = await send(buyer, receiver.address, 1)
    const call = { transfer: { recipient: receiver.address, amount: '1' } }
    const second = await buyer.client.execute(buyer.address, chain.running.token, call, FEE)
    const third = await send(buyer, receiver.address, 2)
    const own = `message.sender='${buyer.address}'`
    const expected: [string, string[]][] = [
      [`${own} AND tx.height>=${first.height}`, [first, second, third].map((tx) => tx.transactionHash)],
      [`${own} AND tx.height>${first.height} AND tx.height<${third.height}`, [second.transactionHash]],
      [`${own} AND message.action='/cosmwasm.wasm.v1.MsgExecuteContract'`, [second.transactionHash]],
      [`transfer.recipient='${receiver.address}'`, [first.transactionHash, third.transactionHash]],
      [`message.module='bank' AND ${own} AND tx.height=${third.height}`, [third.transactionHash]],
    ]
    const transactions = () =>
      Promise.all([first, second, third].map((tx) => chain.operator.client.getTx(tx.transactionHash)))
    const before = await transactions()
    for (const [query, hashes] of expected) expect(await search(query)).toEqual(hashes)
    await chain.restart()
    for (const [query, hashes] of expected) expect(await search(query)).toEqual(hashes)
    expect(await transactions()).toEqual(before)
  })

  it('includes blocks of earlier versions', async () => {
    const former = formerChain('second')
    const old = await serveNewChain(former.config)
    const [tenant] = await (await former.signerOf('tenant')).getAccounts()
    const action = "message.action='/cosmwasm.wasm.v1.MsgExecuteContract'"
    const found = await old.operator.client.searchTx(`message.sender='${tenant?.address}' AND ${action}`)
    expect(found.length).toBeGreaterThan(0)
    await old.stop()
  })
})
