import type { WalletKind } from './wallet.ts'

/** The wallet of the last wallet sign-in in this browser. */
export interface LastWallet {
  kind: WalletKind
  id: string
  address: string
  /** Chain id of an EVM wallet; empty if unknown. */
  chain: string
}

const KEY = 'tidenet.wallet-used'

export const storeLastWallet = (used: LastWallet): void => localStorage.setItem(KEY, JSON.stringify(used))

export function lastWallet(): LastWallet | undefined {
  try {
    const { kind, id, address, chain } = JSON.parse(localStorage.getItem(KEY) ?? '') as Partial<LastWallet>
    if ((kind !== 'cosmos' && kind !== 'evm') || typeof id !== 'string' || typeof address !== 'string') return undefined
    return { kind, id, address, chain: typeof chain === 'string' ? chain : '' }
  } catch {
    return undefined
  }
}
