import { refuse } from './refusal.ts'

/** Counts gas. The prices are our own; other chains need other limits. */
export interface GasMeter {
  readonly used: bigint
  /** Throws when the limit is exceeded. */
  take(amount: number, what: string): void
}

export const GAS = { transaction: 40_000, byte: 10, signature: 1_000, message: 8_000, contract: 30_000 } as const

/** Gas of a contract's storage: `KVGasConfig` of the Cosmos SDK. */
export const STORAGE_GAS = { read: 1000, readByte: 3, write: 2000, writeByte: 30, delete: 1000, next: 30 } as const

/** Of a question: wasmd's `smart_query_gas_limit`. */
export const QUERY_GAS = 3_000_000n
/**
 * Of a simulation, which costs its sender nothing, and of a transaction that a node takes: without a gas price it costs nothing, either, and a
 * single one would run for hours. Real chains limit their blocks.
 */
export const MOST_GAS = 50_000_000n

/** A limit that nothing reaches. */
export const ENDLESS = BigInt(Number.MAX_SAFE_INTEGER)

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
