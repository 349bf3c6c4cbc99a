import { randomBytes } from 'node:crypto'
import { createOperator, createOrder, extendOrder, type Operator, payment } from '@tidenet/chain-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import type { Chain } from './chain.ts'
import { type SampleChain, startSampleChain } from './sample-chain.fixture.ts'

let sample: SampleChain
let env: TestEnv
let chain: Chain
let operator: Operator
let buyer: Operator
beforeAll(async () => {
  sample = await startSampleChain({}, 20)
  env = await setup({ chain: sample.config })
  chain = env.context.chain as Chain
  operator = chain.operator as Operator
  buyer = newWallet()
  await operator.execute([
    { execute: { contract: chain.token, msg: { transfer: { recipient: buyer.address, amount: '100000' } } } },
    { coins: [{ to: buyer.address, amount: 900_000n }] },
  ])
})
afterAll(async () => {
  await env?.close()
  await sample?.stop()
})

/** A wallet with a new key. */
const newWallet = () =>
  createOperator({
    ...sample.config,
    chainId: sample.config.id,
    port: chain.port,
    privateKey: randomBytes(32),
    gasPrice: 0,
  })

const id = () => randomBytes(8).toString('hex')
const machine = { cpu: 2, memory: 4, disk: 50 }
const pay = (order: string, amount = 7000n) =>
  buyer.execute([
    { execute: { contract: chain.token, msg: payment(chain.orders, amount, createOrder(order, machine, 3)) } },
  ])
const transaction = async (hash: string) => (await env.call('chain.transaction', { hash })).data
const address = async (of: string, page = 1, size = 20) =>
  (await env.call('chain.address', { address: of, page, size })).data

describe('the chain', () => {
  it('returns its height and the balance of the operator', async () => {
    const { data } = await env.call('chain.status', {})
    expect(data).toMatchObject({ reachable: true, operator: { address: operator.address, gas: { symbol: 'TIDE' } } })
    expect(data.height).toBeGreaterThan(0)
    expect(BigInt(data.operator?.balance.units ?? 0)).toBeGreaterThan(0n)
  })
})

describe('a transaction', () => {
  it('shows recipients, amounts and fee of a claim', async () => {
    const who = newWallet().address
    const { hash, height } = await operator.execute(
      [
        { execute: { contract: chain.token, msg: { transfer: { recipient: who, amount: '40000' } } } },
        { coins: [{ to: who, amount: 200_000n }] },
      ],
      { memo: 'for nothing' },
    )
    expect(await transaction(hash)).toMatchObject({
      hash,
      height,
      ok: true,
      sender: operator.address,
      memo: expect.stringContaining('for nothing'),
      fee: [{ decimals: 6, symbol: 'TIDE' }],
      messages: [
        { kind: 'transfer', from: operator.address, to: who, amount: { units: '40000', decimals: 2, symbol: 'cTNT' } },
        { kind: 'coins', from: operator.address, to: who, amount: { units: '200000', decimals: 6, symbol: 'TIDE' } },
      ],
    })
    expect((await transaction(`0x${hash.toLowerCase()}`)).hash).toBe(hash)
  })

  it('shows the reward coin', async () => {
    const who = newWallet().address
    const rewards = chain.config.rewards.token
    const { hash } = await operator.execute([
      { execute: { contract: rewards, msg: { transfer: { recipient: who, amount: '3000' } } } },
    ])
    expect((await transaction(hash)).messages).toMatchObject([
      { kind: 'transfer', to: who, amount: { units: '3000', decimals: 2, symbol: 'TTNT' } },
    ])
    expect((await address(rewards)).kind).toBe('token')
    expect((await address(who)).rewards).toEqual({ units: '3000', decimals: 2, symbol: 'TTNT' })
  })

  it('shows the order of a payment', async () => {
    const order = id()
    const { hash } = await pay(order)
    const shown = await transaction(hash)
    expect(new Date(shown.time).getTime()).toBeGreaterThan(0)
    expect(shown.messages).toMatchObject([
      {
        kind: 'pay',
        from: buyer.address,
        to: chain.orders,
        amount: { units: '7000', symbol: 'cTNT' },
        order: { action: 'create', id: order, cpu: 2, memory: 4, disk: 50, hours: 3 },
      },
    ])
    const extended = await buyer.execute([
      { execute: { contract: chain.token, msg: payment(chain.orders, 7000n, extendOrder(order, 6)) } },
    ])
    expect((await transaction(extended.hash)).messages[0]?.order).toMatchObject({
      action: 'extend',
      id: order,
      hours: 6,
    })
    const released = await operator.execute([
      { execute: { contract: chain.orders, msg: { release_order: { order_id: order } } } },
    ])
    expect((await transaction(released.hash)).messages[0]).toMatchObject({
      kind: 'release',
      order: { action: 'release', id: order },
    })
  })

  it('shows the chain’s error if it failed', async () => {
    const { hash } = await buyer.submit([
      { execute: { contract: chain.token, msg: payment(chain.orders, 10n ** 12n, createOrder(id(), machine, 3)) } },
    ])
    await chain.port.status()
    let answer = await env.call('chain.transaction', { hash })
    while (answer.err === 1000) answer = await env.call('chain.transaction', { hash })
    expect(answer.data).toMatchObject({ ok: false, codespace: 'wasm', messages: [{ kind: 'pay' }] })
    expect(answer.data.log).toContain('Overflow')
  })

  it('shows the name of any other message', async () => {
    const { hash } = await operator.execute([{ execute: { contract: chain.token, msg: { burn: { amount: '1' } } } }])
    expect((await transaction(hash)).messages).toMatchObject([
      { kind: 'call', action: 'burn', amount: null, order: null },
    ])
  })
})

describe('a block', () => {
  it('lists its transactions in pages', async () => {
    const { hash, height } = await pay(id())
    const { data } = await env.call('chain.block', { height })
    expect(data).toMatchObject({ height, total: 1, list: [{ hash }] })
    expect(data.latest).toBeGreaterThanOrEqual(height)
    expect(data.hash).toMatch(/^[0-9A-F]{64}$/)
    expect((await env.call('chain.block', { height, page: 2 })).data).toMatchObject({ list: [], total: 1 })
  })

  it('is the latest by default', async () => {
    const { data } = await env.call('chain.block', {})
    expect(data.height).toBe(data.latest)
  })
})

describe('an address', () => {
  it('has balances, and its transactions, latest first', async () => {
    const before = await address(buyer.address)
    const { hash } = await pay(id())
    const after = await address(buyer.address)
    expect(BigInt(before.balance.units) - BigInt(after.balance.units)).toBe(7000n)
    expect(after).toMatchObject({ kind: 'account', more: false, gas: { units: '900000', symbol: 'TIDE' } })
    expect(after.list[0]?.hash).toBe(hash)
    // The initial transfer.
    expect(after.list.at(-1)?.sender).toBe(operator.address)
  })

  it('lists each transaction once across pages', async () => {
    const { list } = await address(buyer.address)
    const pages = await Promise.all(list.map((_, index) => address(buyer.address, index + 1, 1)))
    expect(pages.map((page) => page.list[0]?.hash)).toEqual(list.map(({ hash }) => hash))
    expect(pages.map(({ more }) => more)).toEqual(list.map((_, index) => index < list.length - 1))
  })

  it('can be a contract, or unused', async () => {
    expect(await address(chain.orders)).toMatchObject({ kind: 'orders' })
    expect((await address(chain.token)).kind).toBe('token')
    expect(await address(newWallet().address)).toMatchObject({ kind: 'new', list: [], balance: { units: '0' } })
  })
})

describe('rejects', () => {
  it('unknown transactions and blocks', async () => {
    expect(await env.call('chain.transaction', { hash: '0'.repeat(64) })).toMatchObject({ code: -1, err: 1000 })
    expect(await env.call('chain.block', { height: 10 ** 9 })).toMatchObject({ code: -1, err: 1000 })
  })

  it('invalid hashes, heights and addresses', async () => {
    for (const hash of ['', 'zz', '0'.repeat(63), `${'0'.repeat(64)}'`, '../etc/passwd'])
      expect(await env.call('chain.transaction', { hash }), hash).toMatchObject({ code: -1, err: 1001 })
    for (const height of [0, -1, 1.5, Number.NaN])
      expect(await env.call('chain.block', { height }), String(height)).toMatchObject({ code: -1, err: 1001 })
    for (const text of [
      'tide1',
      "tide1' OR tx.height>0",
      'cosmos1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu',
      '0x'.padEnd(42, 'a'),
    ])
      expect(await env.call('chain.address', { address: text }), text).toMatchObject({ code: -1, err: 1001 })
    for (const page of [0, 21])
      expect((await env.call('chain.address', { address: buyer.address, page })).err).toBe(1001)
  })

  it('all calls but the status while the chain is unavailable', async () => {
    await sample.kill()
    expect((await env.call('chain.status', {})).data).toMatchObject({ reachable: false, operator: null })
    expect(await env.call('chain.block', {})).toMatchObject({ code: -1, err: 1004 })
    expect(await env.call('chain.address', { address: buyer.address })).toMatchObject({ code: -1, err: 1004 })
    await sample.restart()
    expect((await env.call('chain.block', {})).code).toBe(0)
  })

  it('all calls without a chain', async () => {
    const without = await setup()
    expect(await without.call('chain.block', {})).toMatchObject({ code: -1, err: 1004 })
    expect(await without.call('chain.status', {})).toMatchObject({ code: -1, err: 1004 })
    expect(await without.call('chain.transaction', { hash: '0'.repeat(64) })).toMatchObject({ code: -1, err: 1004 })
    await without.close()
  })
})
