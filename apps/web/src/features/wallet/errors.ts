import { type ChainProblem, problemOf as chainProblemOf } from '@tidenet/chain-client/problems'

/**
 * Why a wallet or the chain did not do what it was asked for; what the chain says is sorted in one place for all programs. Each has its
 * sentence in both languages.
 */
export type WalletProblem =
  | ChainProblem
  | 'locked'
  | 'unauthorized'
  | 'noAccount'
  | 'wrongPrefix'
  | 'mismatch'
  | 'changed'
  | 'insecure'
  | 'wrongPassword'
  | 'unreadable'

/** Thrown by wallets of every kind; what is shown is the sentence of `problem`. */
export class WalletError extends Error {
  readonly problem: WalletProblem
  /** For `mismatch`: the address that is bound and the one that is connected. */
  readonly addresses: { bound: string; connected: string } | undefined

  constructor(problem: WalletProblem, cause?: unknown, addresses?: WalletError['addresses']) {
    super(problem, { cause })
    this.name = 'WalletError'
    this.problem = problem
    this.addresses = addresses
  }
}

/** Of a wallet that does not show this site its account: on the chain the same word is about a contract. */
const NOT_ALLOWED = 4100

/** Sorts anything that a wallet or the chain has thrown. */
export function problemOf(error: unknown): WalletProblem {
  if (error instanceof WalletError) return error.problem
  if ((error as { code?: unknown } | null | undefined)?.code === NOT_ALLOWED) return 'unauthorized'
  return chainProblemOf(error)
}

/** The same as something to be thrown on. */
export function walletError(error: unknown): WalletError {
  return error instanceof WalletError ? error : new WalletError(problemOf(error), error)
}

/** Asks a wallet, and throws what it says as a WalletError. */
export async function asking<T>(ask: () => Promise<T> | T): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw walletError(error)
  }
}
