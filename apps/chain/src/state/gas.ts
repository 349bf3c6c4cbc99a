import { refuse } from './refusal.ts'

/** Counts gas. The prices are our own; other chains need other limits. */
export interface GasMeter {
  readonly used: bigint
  /** Throws when the limit is exceeded. */
  take(amount: number, what: string): void
}

export const GAS = { transaction: 40_000, byte: 10, signature: 1_000, message: 8_000, contract: 30_000 } as const

export function createGasMeter(limit: bigint): GasMeter {
  let used = 0n
  return {
    get used() {
      return used
    },
    take(amount, what) {
      used += BigInt(amount)
      if (used > limit) throw refuse.outOfGas(`out of gas in location: ${what}; gasWanted: ${limit}, gasUsed: ${used}`)
    },
  }
}
