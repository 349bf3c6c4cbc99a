import { type BrowserContext, expect, type Page } from '@playwright/test'
import { texts as tokensEn } from '../../apps/web/src/features/tokens/texts.en.ts'
import { texts as tokensZh } from '../../apps/web/src/features/tokens/texts.zh.ts'
import { texts as walletEn } from '../../apps/web/src/features/wallet/texts.en.ts'
import { texts as walletZh } from '../../apps/web/src/features/wallet/texts.zh.ts'
import { data, type TestUser, type View } from './test-env.ts'
import { installWallets } from './wallet-extensions.ts'

export const faucetWords = ({ lang }: View) => (lang === 'zh' ? tokensZh : tokensEn).claim

/** The public settings of the test network's chain. */
export const chainSettings = () =>
  data<{ chain_id: string; prefix: string; orders: string; token: { address: string; symbol: string } }>(
    'chain.settings',
  )

/** Links a wallet, then opens a page; an account must be signed in. On the test coin page, linking would claim coins. @returns its address */
export async function linkWallet(page: Page, context: BrowserContext, { lang }: View, url: string): Promise<string> {
  const { cosmos } = await installWallets(context, { kinds: ['cosmos'] })
  const words = lang === 'zh' ? walletZh : walletEn
  await page.goto(new URL('/mycenter', url).href)
  const dialog = page.getByRole('dialog', { name: words.dialog.bind })
  await dialog.getByRole('button', { name: words.dialog.use('Keplr') }).click()
  await expect(dialog).toHaveCount(0)
  await page.goto(url)
  return cosmos.address
}

/** Claims test coins by API. @returns the hash of the payout */
export async function claim({ token }: TestUser): Promise<string> {
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
