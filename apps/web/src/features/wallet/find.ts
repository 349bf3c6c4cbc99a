import { queries, query } from '../../lib/queries.ts'
import { installedProviders } from './evm.ts'
import { installedKeplrs } from './keplr.ts'
import type { Chain, CosmosWallet, EvmWallet, Wallet, WalletKind } from './wallet.ts'

/** The chain configured by the operator. @throws ApiError */
export async function configuredChain(): Promise<Chain> {
  const { chain } = await queries.ensureQueryData({ ...query('portal.settings', {}), staleTime: 5 * 60_000 })
  return chain
}

/** Extensions inject themselves until the page is loaded. */
const loaded = (): Promise<void> =>
  document.readyState === 'complete'
    ? Promise.resolve()
    : new Promise((resolve) => window.addEventListener('load', () => resolve(), { once: true }))

/** Installed wallet extensions, by kind. @throws ApiError if the chain is unknown */
export async function findWallets(): Promise<{ cosmos: CosmosWallet[]; evm: EvmWallet[] }> {
  const [chain] = await Promise.all([configuredChain(), loaded()])
  return { cosmos: installedKeplrs(chain), evm: await installedProviders() }
}

/** A wallet by kind and id; undefined if it is no longer installed. */
export async function findWallet(kind: WalletKind, id: string): Promise<Wallet | undefined> {
  if (id === 'built-in') {
    const { builtInWallet } = await import('./built-in/signer.ts')
    return builtInWallet(await configuredChain())
  }
  const found = await findWallets()
  return found[kind].find((wallet) => wallet.id === id)
}
