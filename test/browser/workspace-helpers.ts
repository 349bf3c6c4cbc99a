import { randomBytes } from 'node:crypto'
import { SigningCosmWasmClient } from '@cosmjs/cosmwasm'
import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing'
import type { Page } from '@playwright/test'
import { cosmosWallet } from '../../apps/server/src/identity/wallets/sample-wallets.fixture.ts'
import { texts as wordsEn } from '../../apps/web/src/features/workspaces/texts.en.ts'
import { texts as wordsZh } from '../../apps/web/src/features/workspaces/texts.zh.ts'
import { accessibilityViolations, data, expect, type TestUser, type View } from './test-env.ts'

/** Workspaces of accounts, and pages of the container console. */

export const wordsOf = ({ lang }: View) => (lang === 'zh' ? wordsZh : wordsEn)

/** Links a new wallet to an account. @returns its key */
export async function linkNewWallet({ token }: TestUser): Promise<{ key: Uint8Array; account: string }> {
  const key = new Uint8Array(randomBytes(32))
  const { address, publicKey, sign } = cosmosWallet('tide', key)
  const { code } = await data<{ code: string }>('wallets.bindNonce', { address }, token)
  await data('wallets.bindKeplr', { address, publicKey, sign: await sign(code) }, token)
  return { key, account: address }
}

/** Claims coins, orders the smallest workspace for two hours, pays it on the chain and waits until it runs. */
export async function buyWorkspace({ token }: TestUser, key: Uint8Array, rpc: string): Promise<void> {
  await data('faucet.receive', {}, token)
  const balance = async () => Number((await data<{ balance: string }>('faucet.balance', {}, token)).balance)
  await expect.poll(balance, { timeout: 60_000 }).toBe(400)
  const machine = { cpu: 1, ram: 1, storage: 40, duration: 2, kub_name: 'distributed' }
  const { id } = await data<{ id: string }>('orders.create', machine, token)
  const payment = await data<{ token: string; execute: string; payer: string }>('orders.payment', { id }, token)
  const signer = await DirectSecp256k1Wallet.fromKey(key, 'tide')
  const client = await SigningCosmWasmClient.connectWithSigner(rpc, signer, { broadcastPollIntervalMs: 200 })
  const value = { sender: payment.payer, contract: payment.token, msg: Buffer.from(payment.execute), funds: [] }
  const fee = { amount: [{ denom: 'utide', amount: '500' }], gas: '990000' }
  const messages = [{ typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract', value }]
  const { transactionHash: hash } = await client.signAndBroadcast(payment.payer, messages, fee)
  client.disconnect()
  await data('orders.hash', { id, hash }, token)
  const status = async () => (await data<{ order: { status: number } }>('orders.details', { id }, token)).order.status
  await expect.poll(status, { timeout: 60_000 }).toBe(2)
}

export const consoleTokenOf = async ({ token }: TestUser): Promise<string> => {
  const { url } = await data<{ url: string }>('clusters.ticket', {}, token)
  return new URL(url).pathname + new URL(url).search
}

/** Checks that the page has no horizontal overflow and is accessible. */
export async function expectUsable(page: Page, what: string): Promise<void> {
  expect(await accessibilityViolations(page), what).toEqual([])
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(over, `${what}: pixels overflowX`).toBeLessThanOrEqual(0)
}
