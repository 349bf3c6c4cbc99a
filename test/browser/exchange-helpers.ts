import { readFileSync } from 'node:fs'
import type { BrowserContext } from '@playwright/test'
import { createChainPort, createOperator } from '@tidenet/chain-client'
import type { ExchangeOrder } from '@tidenet/contract'
import { texts as adminEn } from '../../apps/web/src/features/admin/exchange-texts.en.ts'
import { texts as adminZh } from '../../apps/web/src/features/admin/exchange-texts.zh.ts'
import { texts as operatorEn } from '../../apps/web/src/features/admin/texts.en.ts'
import { texts as operatorZh } from '../../apps/web/src/features/admin/texts.zh.ts'
import { texts as exchangeEn } from '../../apps/web/src/features/exchange/texts.en.ts'
import { texts as exchangeZh } from '../../apps/web/src/features/exchange/texts.zh.ts'
import { texts as ordersEn } from '../../apps/web/src/features/orders/texts.en.ts'
import { texts as ordersZh } from '../../apps/web/src/features/orders/texts.zh.ts'
import { texts as walletEn } from '../../apps/web/src/features/wallet/texts.en.ts'
import { texts as walletZh } from '../../apps/web/src/features/wallet/texts.zh.ts'
import { data, expect, operator, type TestUser, type View } from './test-env.ts'
import { type CosmosExtension, type InstalledWallets, installWallets } from './wallet-extensions.ts'

export const exchangeWords = ({ lang }: View) =>
  lang === 'zh'
    ? { x: exchangeZh, w: walletZh, o: ordersZh, a: adminZh, admin: operatorZh }
    : { x: exchangeEn, w: walletEn, o: ordersEn, a: adminEn, admin: operatorEn }

/** An account at the stand-in partner. */
export const FIRST = { uid: '100001', email: 'first@partner.example', name: 'First' }
/** Its credits are refused although it exists. */
export const CLOSED = { uid: '100005' }

export const walletOf = ({ token }: TestUser) =>
  data<{ tnt4: string; claim: { state: string } | null }>('exchange.wallet', {}, token)

export const recordsOf = async ({ token }: TestUser): Promise<ExchangeOrder[]> =>
  (await data<{ list: ExchangeOrder[] }>('exchange.records', { page: 1, size: 50 }, token)).list

/** Links the browser's wallet to an account, with TNT4 of the test network unless `funded` is false. */
export async function linkWalletWithTnt4(
  context: BrowserContext,
  user: TestUser,
  funded = true,
): Promise<InstalledWallets> {
  const wallets = await installWallets(context, { kinds: ['cosmos'] })
  const { address } = wallets.cosmos
  const { code } = await data<{ code: string }>('wallets.bindNonce', { address }, user.token)
  await data('wallets.bindKeplr', { address, ...wallets.cosmos.sign(code) }, user.token)
  if (!funded) return wallets
  await data('exchange.testCoins', {}, user.token)
  await expect.poll(async () => (await walletOf(user)).claim?.state, { timeout: 30_000 }).toBe('done')
  return wallets
}

/** Creates and confirms an exchange as the page does. @returns what to pay */
export async function confirmedExchange({ token }: TestUser, points = 1000) {
  const { order } = await data<{ order: ExchangeOrder }>('exchange.create', { account: FIRST.uid, points }, token)
  const { payment } = await data<{
    payment: { contract: string; msg: { transfer: { recipient: string; amount: string } }; memo: string }
  }>('exchange.confirm', { id: order.id, tnt4: order.tnt4 }, token)
  return { order, payment }
}

/** Pays as a wallet does that sends by itself and adds digits to the remarks. */
export async function payWithOtherRemarks(
  { key }: CosmosExtension,
  { payment }: Awaited<ReturnType<typeof confirmedExchange>>,
): Promise<string> {
  const { rpc, chain_id, prefix, denom } =
    await data<Record<'rpc' | 'chain_id' | 'prefix' | 'denom', string>>('chain.settings')
  const port = createChainPort({ urls: [new URL(rpc, process.env.TIDENET_URL).href], chainId: chain_id })
  const payer = createOperator({ port, privateKey: key, chainId: chain_id, prefix, denom })
  const { hash } = await payer.execute([{ execute: { contract: payment.contract, msg: payment.msg } }], {
    memo: payment.memo,
  })
  return hash
}

/** Sets the next faults of the stand-in partner. */
export async function setFaults(faults: readonly { on: string; kind: string; times?: number }[]): Promise<void> {
  const { TIDENET_BROWSER_PARTNER: url, TIDENET_BROWSER_PARTNER_KEY: file } = process.env
  const answer = await fetch(`${url}/faults`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${readFileSync(String(file), 'utf8').trim()}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(faults),
  })
  expect(answer.status).toBe(200)
}

/** Sets the rate of new quotes. @param usd price of one TNT4 in 1/10,000 US dollars */
export async function setRate(usd: number): Promise<void> {
  const { token } = await operator()
  const rate = { usd_per_tnt4: usd, credits_per_usd: 400, discount: 25, reason: 'test' }
  await data('admin.exchangeRate', rate, token)
}
