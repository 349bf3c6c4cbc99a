import { rmSync } from 'node:fs'
import type { StdFee } from '@cosmjs/amino'
import { SigningCosmWasmClient } from '@cosmjs/cosmwasm'
import { toBase64, toUtf8 } from '@cosmjs/encoding'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type FormerChain, formerChain } from './former-chain.fixture.ts'
import { type RunningChain, runChain } from './program.ts'

/**
 * Blocks of a chain made under the first rules, and the state its program reported. Under those rules an order had one price for all its
 * hours: "doubled" was extended five times at the minimum, used for three hours and released; "replaced" was extended and replaced by
 * "larger"; "endless" has 1,000 hours.
 */
const BALANCES = { tenant: '88508', operator: '99999999900389', orders: '11103' }
const LOCKED = { lengthened: '1700', doubled: '0', replaced: '0', larger: '2000', endless: '7000', plain: '403' }
const FEE: StdFee = { amount: [{ denom: 'utide', amount: '500' }], gas: '990000' }

let former: FormerChain
let running: RunningChain
let tenant: { address: string; client: SigningCosmWasmClient }
let operator: typeof tenant
beforeEach(async () => {
  former = formerChain('first')
  await start()
})
afterEach(async () => {
  await stop()
  rmSync(former.config.data, { recursive: true, force: true })
})

async function start() {
  running = await runChain(former.config)
  const someone = async (name: string) => {
    const signer = await former.signerOf(name)
    const client = await SigningCosmWasmClient.connectWithSigner(running.url, signer, { broadcastPollIntervalMs: 20 })
    return { client, address: (await signer.getAccounts())[0]?.address ?? '' }
  }
  tenant = await someone('tenant')
  operator = await someone('operator')
}
async function stop() {
  tenant.client.disconnect()
  operator.client.disconnect()
  await running.stop()
}

const ask = (contract: string, question: object) => tenant.client.queryContractSmart(contract, question)
const balanceOf = async (address: string): Promise<string> =>
  (await ask(running.token, { balance: { address } })).balance
const balances = async () => ({
  tenant: await balanceOf(tenant.address),
  operator: await balanceOf(operator.address),
  orders: await balanceOf(running.orders),
})
const locked = async () => {
  const list: { id: string; locked: string }[] = await ask(running.orders, {
    orders: { order_ids: Object.keys(LOCKED) },
  })
  return Object.fromEntries(list.map(({ id, locked }) => [id, locked]))
}
const extend = (id: string, amount: number, hours: number) => {
  const msg = toBase64(toUtf8(JSON.stringify({ ExtendOrder: { order_id: id, duration: hours * 600 } })))
  const send = { contract: running.orders, amount: String(amount), msg }
  return tenant.client.execute(tenant.address, running.token, { send }, FEE)
}
/** @returns the refund */
async function release(id: string): Promise<number> {
  const before = Number(await balanceOf(tenant.address))
  await operator.client.execute(operator.address, running.orders, { release_order: { order_id: id } }, FEE)
  return Number(await balanceOf(tenant.address)) - before
}

it('a chain made with the first rules starts with the same balances', async () => {
  expect(await balances()).toEqual(BALANCES)
  expect(await locked()).toEqual(LOCKED)
  expect((await ask(running.orders, { escrow: {} })).locked).toBe(BALANCES.orders)
})

it('treats earlier payments of a running order as one lot, and later ones as lots of their own', async () => {
  // Three hours of each are used.
  expect(await release('plain')).toBe(100)
  expect(await release('endless')).toBe(6979)
  await extend('lengthened', 1190, 40)
  expect(await release('lengthened')).toBe(17 * 85 + 1190)
  const after = await balances()
  await stop()
  await start()
  expect(await balances()).toEqual(after)
})

it('extends no order beyond 720 hours, even if it is longer already', async () => {
  await expect(extend('endless', 5000, 1001)).rejects.toThrow('720 hours')
  await expect(extend('lengthened', 60_000, 721)).rejects.toThrow('720 hours')
  expect(await locked()).toEqual(LOCKED)
})
