import { Secp256k1HdWallet } from '@cosmjs/amino'
import type { BrowserContext, Page } from '@playwright/test'
import { texts as ordersEn } from '../../apps/web/src/features/orders/texts.en.ts'
import { texts as ordersZh } from '../../apps/web/src/features/orders/texts.zh.ts'
import { texts as walletEn } from '../../apps/web/src/features/wallet/texts.en.ts'
import { texts as walletZh } from '../../apps/web/src/features/wallet/texts.zh.ts'
import { type CosmosExtension, type Installed, installWallets } from './installed-wallets.ts'
import { data, expect, type Person, type View } from './world.ts'

export const WALLET_PASSWORD = 'harbour-light-7'

export const ordersWords = ({ lang }: View) =>
  lang === 'zh' ? { o: ordersZh, w: walletZh } : { o: ordersEn, w: walletEn }
type WalletWords = typeof walletEn

export interface Listed {
  id: string
  status: number
  hash: string
  duration: number
}
export const ordersOf = async ({ token }: Person): Promise<Listed[]> =>
  (await data<{ list: Listed[] }>('orders.history', { page: 1, size: 50 }, token)).list
export const balanceOf = async ({ token }: Person): Promise<number> =>
  Number((await data<{ balance: string }>('faucet.balance', {}, token)).balance)

/** Binds the wallet of a browser to somebody, and has test coin claimed. */
export async function withCoins(context: BrowserContext, person: Person): Promise<Installed> {
  const wallets = await installWallets(context, { kinds: ['cosmos'] })
  const { address } = wallets.cosmos
  const { code } = await data<{ code: string }>('wallets.bindNonce', { address }, person.token)
  await data('wallets.bindKeplr', { address, ...wallets.cosmos.sign(code) }, person.token)
  await claimed(person)
  return wallets
}

/** Has test coin claimed, and waits until it is there. */
export async function claimed(person: Person): Promise<void> {
  await data('faucet.receive', {}, person.token)
  await expect.poll(() => balanceOf(person), { timeout: 30_000 }).toBe(400)
}

/** Keeps a fresh wallet in the browser and binds it, on a page that asks for one. */
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

/** What the wallet was last asked to sign. */
export const lastSigned = ({ asked }: CosmosExtension) =>
  asked.filter(({ what }) => what === 'transaction').at(-1)?.text ?? ''

export const dialog = (page: Page) => page.getByRole('dialog').last()
// What is said over an open dialog is hidden from roles.
export const said = (page: Page, text: string) =>
  expect(page.locator('[role=status]').filter({ hasText: text }).first()).toBeVisible()
export const warned = (page: Page, text: string) =>
  expect(page.locator('[role=alert]').filter({ hasText: text }).first()).toBeVisible()
