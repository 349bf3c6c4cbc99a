import { readFileSync, rmSync } from 'node:fs'
import { CosmWasmClient, SigningCosmWasmClient } from '@cosmjs/cosmwasm'
import { toBase64, toUtf8 } from '@cosmjs/encoding'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FormerChain, formerChain } from '../former-chain.fixture.ts'
import { type RunningChain, runChain } from '../program.ts'

/**
 * Blocks of chains of earlier programs, and what those reported. Second rules: contracts in TypeScript; an order that was extended twice, once
 * from an allowance; one that was replaced, one that was released, and refused transactions. Third rules: the first wasm of the orders; one
 * of five purchases, two of one id, one replaced and one released; of two whose time is over, one has given back its capacity; a successor
 * that has not accepted, and a plain transfer.
 */
const PEOPLE = ['operator', 'tenant', 'other']
const REPORTED = Object.fromEntries(
  ['second', 'third'].map((rules) => [
    rules,
    JSON.parse(readFileSync(new URL(`../../fixtures/${rules}-rules.json`, import.meta.url), 'utf8')),
  ]),
)

let former: FormerChain
let running: RunningChain
let client: CosmWasmClient
afterEach(async () => {
  await stop()
  rmSync(former.config.data, { recursive: true, force: true })
})

async function start() {
  running = await runChain(former.config)
  client = await CosmWasmClient.connect(running.url)
}
async function stop() {
  client.disconnect()
  await running.stop()
}

const FEE = { amount: [{ denom: 'utide', amount: '500' }], gas: '990000' }
async function signing(name: string) {
  const signer = await former.signerOf(name)
  const client = await SigningCosmWasmClient.connectWithSigner(running.url, signer, { broadcastPollIntervalMs: 20 })
  return { client, address: await addressOf(name) }
}

const ask = (contract: string, question: object) => client.queryContractSmart(contract, question)
const addressOf = async (name: string) => (await (await former.signerOf(name)).getAccounts())[0]?.address ?? ''

/** As the program that made the blocks was asked. */
async function report(rules: string) {
  const ids = [...new Set(REPORTED[rules].orders.map(({ id }: { id: string }) => id))]
  const tokens = [running.token, running.rewards, running.tnt4].map(async (token) => {
    const { accounts } = await ask(token, { all_accounts: { limit: 30 } })
    const balances = (accounts as string[]).map(async (address) => [
      address,
      (await ask(token, { balance: { address } })).balance,
    ])
    return { info: await ask(token, { token_info: {} }), accounts: await Promise.all(balances) }
  })
  const addresses = await Promise.all(PEOPLE.map(addressOf))
  const found = await client.searchTx([{ key: 'wasm._contract_address', value: running.orders }])
  return {
    orders: await ask(running.orders, { orders: { order_ids: ids } }),
    escrow: await ask(running.orders, { escrow: {} }),
    config: await ask(running.orders, { config: {} }),
    tokens: await Promise.all(tokens),
    allowances: await Promise.all(addresses.slice(1).map((owner) => ask(running.token, { all_allowances: { owner } }))),
    coins: await Promise.all(addresses.map(async (address) => (await client.getBalance(address, 'utide')).amount)),
    transactions: found.map(({ hash, code }) => [hash, code]),
  }
}

describe.each(Object.keys(REPORTED))('a chain of the %s rules', (rules) => {
  beforeEach(async () => {
    former = formerChain(rules)
    await start()
  })

  it('gets the present code with the same balances, allowances, orders and transactions', async () => {
    expect(await report(rules)).toMatchObject(REPORTED[rules])
    const { codeId, admin } = await client.getContract(running.orders)
    expect([codeId, admin]).toEqual([5, undefined])
  })

  it('continues, and replays its blocks before and after', async () => {
    const [operator, tenant] = await Promise.all([signing('operator'), signing('tenant')])
    const release = { release_order: { order_id: 'larger' } }
    await operator.client.execute(operator.address, running.orders, release, FEE)
    if (rules === 'third') {
      const extend = { extend_order: { order_id: 'long', duration: 12 * 600 } }
      const message = toBase64(toUtf8(JSON.stringify(extend)))
      const send = { send: { contract: running.orders, amount: '100', msg: message } }
      await tenant.client.execute(tenant.address, running.token, send, FEE)
      await tenant.client.execute(tenant.address, running.orders, { free_expired: {} }, FEE)
    }
    for (const { client } of [operator, tenant]) client.disconnect()
    const before = await report(rules)
    const find = (id: string) => before.orders.find((order: { id: string }) => order.id === id)
    // Used: one hour of five for 900, and two of twelve for 2,000.
    expect(find('larger').released.refund).toBe(rules === 'second' ? '720' : '1666')
    if (rules === 'third') {
      // It costs as much as the hours before it, which were two for 200.
      expect(find('long').lots.slice(3)).toEqual([
        { hours: 1, amount: '105' },
        { hours: 3, amount: '300' },
      ])
      // "long" and two "shared": "over" has given its back, and "gone" not a second time.
      expect(before.escrow.held).toEqual({ cpu: 3, memory: 3, disk: 120 })
    }
    await stop()
    await start()
    expect(await report(rules)).toEqual(before)
  })

  it('pays rewards and TNT4 from the balances of before, and no more than those', async () => {
    const [operator, tenant] = await Promise.all([signing('operator'), signing('tenant')])
    const balance = async (token: string, address: string) =>
      BigInt((await ask(token, { balance: { address } })).balance)
    for (const token of [running.rewards, running.tnt4]) {
      const [had, owned] = [await balance(token, operator.address), await balance(token, tenant.address)]
      expect(had).toBeGreaterThan(0n)
      // As the server pays redemptions and refunds.
      const transfer = (amount: bigint) => ({ transfer: { recipient: tenant.address, amount: String(amount) } })
      await operator.client.execute(operator.address, token, transfer(250n), FEE)
      expect(await balance(token, tenant.address)).toBe(owned + 250n)
      const tooMuch = operator.client.execute(operator.address, token, transfer(had), FEE)
      await expect(tooMuch).rejects.toThrow('Cannot Sub')
      expect(await balance(token, operator.address)).toBe(had - 250n)
    }
    for (const { client } of [operator, tenant]) client.disconnect()
    const before = await report(rules)
    await stop()
    await start()
    expect(await report(rules)).toEqual(before)
  })
})
