import { readFileSync, rmSync } from 'node:fs'
import { CosmWasmClient, SigningCosmWasmClient } from '@cosmjs/cosmwasm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type FormerChain, formerChain } from '../former-chain.fixture.ts'
import { type RunningChain, runChain } from '../program.ts'

/**
 * Blocks of a chain whose contracts were written in TypeScript, and what its program reported: an order that was extended twice, once from an
 * allowance; one that was replaced, one that was released, and refused transactions.
 */
const REPORTED = JSON.parse(readFileSync(new URL('../../fixtures/second-rules.json', import.meta.url), 'utf8'))
const PEOPLE = ['operator', 'tenant', 'other']

let former: FormerChain
let running: RunningChain
let client: CosmWasmClient
beforeEach(async () => {
  former = formerChain('second')
  await start()
})
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

const ask = (contract: string, question: object) => client.queryContractSmart(contract, question)
const addressOf = async (name: string) => (await (await former.signerOf(name)).getAccounts())[0]?.address ?? ''

/** As the program that made the blocks was asked. */
async function report() {
  const ids = REPORTED.orders.map(({ id }: { id: string }) => id)
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

it('contracts become wasm with the same balances, allowances, orders and transactions', async () => {
  expect(await report()).toMatchObject(REPORTED)
  const { codeId, admin } = await client.getContract(running.orders)
  expect([codeId, admin]).toEqual([4, undefined])
})

it('the chain continues, and replays its blocks before and after', async () => {
  const signer = await former.signerOf('operator')
  const operator = await SigningCosmWasmClient.connectWithSigner(running.url, signer, { broadcastPollIntervalMs: 20 })
  const fee = { amount: [{ denom: 'utide', amount: '500' }], gas: '990000' }
  const release = { release_order: { order_id: 'larger' } }
  await operator.execute(running.operator.address, running.orders, release, fee)
  operator.disconnect()
  const before = await report()
  // One of five hours is used, of 900.
  expect(before.orders.find(({ id }: { id: string }) => id === 'larger').released.refund).toBe('720')
  await stop()
  await start()
  expect(await report()).toEqual(before)
})
