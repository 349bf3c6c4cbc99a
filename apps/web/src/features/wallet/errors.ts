import { type ChainProblem, problemOf as chainProblemOf } from '@tidenet/chain-client/problems'

/**
 * Why a wallet or the chain failed. Chain errors are classified in one place for all programs. Each problem has a sentence in both
 * languages.
 */
export type WalletProblem =
  | ChainProblem
  | 'locked'
  | 'unauthorized'
  | 'noAccount'
  | 'wrongPrefix'
  | 'mismatch'
  | 'changed'
  | 'memoChanged'
  | 'expired'
  | 'insecure'
  | 'wrongPassword'
  | 'unreadable'

/** Error of any wallet; shown as the sentence of `problem`. */
export class WalletError extends Error {
  readonly problem: WalletProblem
  /** For `mismatch`: the linked and the connected address. */
  readonly addresses: { linked: string; connected: string } | undefined

  constructor(problem: WalletProblem, cause?: unknown, addresses?: WalletError['addresses']) {
    super(problem, { cause })
    this.name = 'WalletError'
    this.problem = problem
    this.addresses = addresses
  }
}

/** EIP-1193 "unauthorized": the wallet does not share its account with this site. On the chain the word refers to a contract. */
const NOT_ALLOWED = 4100

/** Classifies any error of a wallet or the chain. */
export function problemOf(error: unknown): WalletProblem {
  if (error instanceof WalletError) return error.problem
  if ((error as { code?: unknown } | null | undefined)?.code === NOT_ALLOWED) return 'unauthorized'
  return chainProblemOf(error)
}

/** Converts any error of a wallet or the chain to a WalletError. */
export function walletError(error: unknown): WalletError {
  return error instanceof WalletError ? error : new WalletError(problemOf(error), error)
}

/** Calls a wallet and converts its errors. @throws WalletError */
export async function callWallet<T>(call: () => Promise<T> | T): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw walletError(error)
  }
}
