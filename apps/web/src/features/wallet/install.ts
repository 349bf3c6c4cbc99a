import type { WalletKind } from './wallet.ts'

/** Extensions that can be got, where their makers offer them; reached through /redirect. */
export const extensions: readonly { kind: WalletKind; name: string; site: string }[] = [
  { kind: 'cosmos', name: 'Keplr', site: 'https://www.keplr.app/get' },
  { kind: 'evm', name: 'MetaMask', site: 'https://metamask.io/download' },
]
