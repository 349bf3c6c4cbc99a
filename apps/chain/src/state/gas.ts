import { refuse } from './refusal.ts'

/** Counts what a transaction costs. The prices are our own; a chain with other ones asks for other limits. */
export interface GasMeter {
  readonly used: bigint
  /** Refuses as soon as the limit is passed. */
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
