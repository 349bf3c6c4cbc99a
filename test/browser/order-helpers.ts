import { Secp256k1HdWallet } from '@cosmjs/amino'
import type { BrowserContext, Page } from '@playwright/test'
import { texts as ordersEn } from '../../apps/web/src/features/orders/texts.en.ts'
import { texts as ordersZh } from '../../apps/web/src/features/orders/texts.zh.ts'
import { texts as walletEn } from '../../apps/web/src/features/wallet/texts.en.ts'
import { texts as walletZh } from '../../apps/web/src/features/wallet/texts.zh.ts'
import { data, expect, type TestUser, type View } from './test-env.ts'
import { type CosmosExtension, type InstalledWallets, installWallets } from './wallet-extensions.ts'

export const WALLET_PASSWORD = 'harbour-light-7'

export const ordersWords = ({ lang }: View) =>
  lang === 'zh' ? { o: ordersZh, w: walletZh } : { o: ordersEn, w: walletEn }
type WalletWords = typeof walletEn

export interface OrderItem {
  id: string
  status: number
  hash: string
  duration: number
}
export const ordersOf = async ({ token }: TestUser): Promise<OrderItem[]> =>
  (await data<{ list: OrderItem[] }>('orders.history', { page: 1, size: 50 }, token)).list
export const balanceOf = async ({ token }: TestUser): Promise<number> =>
  Number((await data<{ balance: string }>('faucet.balance', {}, token)).balance)

/** Links the browser's wallet to an account and claims test coins. */
export async function linkFundedWallet(context: BrowserContext, user: TestUser): Promise<InstalledWallets> {
  const wallets = await installWallets(context, { kinds: ['cosmos'] })
  const { address } = wallets.cosmos
  const { code } = await data<{ code: string }>('wallets.bindNonce', { address }, user.token)
  await data('wallets.bindKeplr', { address, ...wallets.cosmos.sign(code) }, user.token)
  await claimCoins(user)
  return wallets
}

/** Claims test coins and waits until they arrive. */
export async function claimCoins(user: TestUser): Promise<void> {
  await data('faucet.receive', {}, user.token)
  await expect.poll(() => balanceOf(user), { timeout: 30_000 }).toBe(400)
}

/** Imports a new browser wallet and links it, on a page that asks for one. */
export async function importWallet(page: Page, w: WalletWords): Promise<void> {
  const { mnemonic } = await Secp256k1HdWallet.generate(12)
  await page.getByRole('button', { name: w.dialog.import }).click()
  await page.getByRole('textbox', { name: w.own.word(1), exact: true }).fill(mnemonic)
  for (const name of [w.own.password, w.own.repeat])
    await page.getByRole('textbox', { name, exact: true }).fill(WALLET_PASSWORD)
  await page.getByRole('button', { name: w.own.importAction }).click()
  await page.getByRole('dialog', { name: w.prompt.text }).getByRole('button', { name: w.prompt.sign }).click()
  await expect(page.getByRole('region', { name: w.strip.bound })).toBeVisible()
}

/** The last transaction that the wallet was asked to sign. */
export const lastSigned = ({ asked }: CosmosExtension) =>
  asked.filter(({ what }) => what === 'transaction').at(-1)?.text ?? ''

export const dialog = (page: Page) => page.getByRole('dialog').last()
// Toasts over an open dialog are not exposed to role queries.
export const expectToast = (page: Page, text: string) =>
  expect(page.locator('[role=status]').filter({ hasText: text }).first()).toBeVisible()
export const expectAlert = (page: Page, text: string) =>
  expect(page.locator('[role=alert]').filter({ hasText: text }).first()).toBeVisible()
