import type { WalletKind } from './wallet.ts'

/** Wallet extensions to install, with the site of their vendor; opened through /redirect. */
export const extensions: readonly { kind: WalletKind; name: string; site: string }[] = [
  { kind: 'cosmos', name: 'Keplr', site: 'https://www.keplr.app/get' },
  { kind: 'evm', name: 'MetaMask', site: 'https://metamask.io/download' },
]
