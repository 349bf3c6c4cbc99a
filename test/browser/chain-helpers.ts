import { type BrowserContext, expect, type Page } from '@playwright/test'
import { texts as tokensEn } from '../../apps/web/src/features/tokens/texts.en.ts'
import { texts as tokensZh } from '../../apps/web/src/features/tokens/texts.zh.ts'
import { texts as walletEn } from '../../apps/web/src/features/wallet/texts.en.ts'
import { texts as walletZh } from '../../apps/web/src/features/wallet/texts.zh.ts'
import { installWallets } from './installed-wallets.ts'
import { data, type Person, type View } from './world.ts'

export const faucetWords = ({ lang }: View) => (lang === 'zh' ? tokensZh : tokensEn).claim

/** The chain that the network runs, as everybody may ask for it. */
export const chainSettings = () =>
  data<{ chain_id: string; prefix: string; orders: string; token: { address: string; symbol: string } }>(
    'chain.settings',
  )

/** Binds a wallet on the page of test coin, and gives its address. Somebody must be signed in. */
export async function bindWallet(page: Page, context: BrowserContext, { lang }: View, url: string): Promise<string> {
  const { cosmos } = await installWallets(context, { kinds: ['cosmos'] })
  const words = lang === 'zh' ? walletZh : walletEn
  await page.goto(url)
  const dialog = page.getByRole('dialog', { name: words.dialog.bind })
  await dialog.getByRole('button', { name: words.dialog.use('Keplr') }).click()
  await expect(dialog).toHaveCount(0)
  return cosmos.address
}

/** Claims without a page, and gives the transaction that paid. */
export async function claim({ token }: Person): Promise<string> {
  await data('faucet.receive', {}, token)
  let hash = ''
  await expect(async () => {
    const { list } = await data<{ list: { state: string; hash: string }[] }>(
      'faucet.history',
      { page: 1, size: 1 },
      token,
    )
    expect(list[0]?.state).toBe('done')
    hash = list[0]?.hash ?? ''
  }).toPass({ timeout: 30_000 })
  return hash
}
