import { queries, query } from '../../lib/queries.ts'
import { installedProviders } from './evm.ts'
import { installedKeplrs } from './keplr.ts'
import type { Chain, CosmosWallet, EvmWallet, Wallet, WalletKind } from './wallet.ts'

/** The chain that the operator has set. @throws ApiError */
export async function chainOf(): Promise<Chain> {
  const { chain } = await queries.ensureQueryData({ ...query('portal.settings', {}), staleTime: 5 * 60_000 })
  return chain
}

/** Extensions put themselves into a page until it is loaded. */
const loaded = (): Promise<void> =>
  document.readyState === 'complete'
    ? Promise.resolve()
    : new Promise((resolve) => window.addEventListener('load', () => resolve(), { once: true }))

/** The extensions of this browser that can sign, by kind. @throws ApiError when the chain is not known */
export async function findWallets(): Promise<{ cosmos: CosmosWallet[]; evm: EvmWallet[] }> {
  const [chain] = await Promise.all([chainOf(), loaded()])
  return { cosmos: installedKeplrs(chain), evm: await installedProviders() }
}

/** One wallet by its kind and id; undefined when it is not there any more. */
export async function findWallet(kind: WalletKind, id: string): Promise<Wallet | undefined> {
  if (id === 'built-in') {
    const { builtInWallet } = await import('./built-in/signer.ts')
    return builtInWallet(await chainOf())
  }
  const found = await findWallets()
  return found[kind].find((wallet) => wallet.id === id)
}
