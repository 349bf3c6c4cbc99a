import type { WalletKind } from './wallet.ts'

/** The wallet that somebody has signed in with in this browser. */
export interface UsedWallet {
  kind: WalletKind
  id: string
  address: string
  /** The network that an EVM wallet was on; empty where that is not known. */
  chain: string
}

const KEY = 'tidenet.wallet-used'

export const keepUsed = (used: UsedWallet): void => localStorage.setItem(KEY, JSON.stringify(used))

export function usedWallet(): UsedWallet | undefined {
  try {
    const { kind, id, address, chain } = JSON.parse(localStorage.getItem(KEY) ?? '') as Partial<UsedWallet>
    if ((kind !== 'cosmos' && kind !== 'evm') || typeof id !== 'string' || typeof address !== 'string') return undefined
    return { kind, id, address, chain: typeof chain === 'string' ? chain : '' }
  } catch {
    return undefined
  }
}
