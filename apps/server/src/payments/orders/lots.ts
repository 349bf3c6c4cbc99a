import type { OnChain } from './on-chain.ts'
import { HOUR } from './times.ts'

/**
 * The price of each hour of an order, in token units. Hours are used in the order in which they were bought and settled at their own price,
 * rounded as the contract does.
 */

/** Hours bought in one payment. */
export interface Lot {
  hours: number
  units: bigint
}

export const startOf = ({ start_time }: Pick<OnChain, 'start_time'>): Date => new Date(start_time * 1000)

/** A started hour counts as used, the first one always. The contract counts whole seconds. @param time of the chain */
export function usedHours(start: Date, time: Date): number {
  const seconds = (at: Date) => Math.floor(at.getTime() / 1000) * 1000
  return Math.max(1, Math.ceil((seconds(time) - seconds(start)) / HOUR))
}

/** The refund after `used` hours: what was paid for hours that have not started, rounded down per lot. */
export function refundOf(lots: readonly Lot[], used: number): bigint {
  let rest = used
  let refund = 0n
  for (const { hours, units } of lots) {
    const usedOfLot = Math.min(rest, hours)
    rest -= usedOfLot
    refund += (units * BigInt(hours - usedOfLot)) / BigInt(hours)
  }
  return refund
}

export const sumOf = (lots: readonly Lot[]): bigint => lots.reduce((sum, { units }) => sum + units, 0n)

/** Lots from payments; each payment has the total hours including it. */
export function lotsOf(payments: readonly { duration: number; amount: string }[]): Lot[] {
  let before = 0
  return payments.map(({ duration, amount }) => {
    const hours = duration - before
    before = duration
    return { hours, units: BigInt(amount) }
  })
}

export const contractLots = ({ lots }: Pick<OnChain, 'lots'>): Lot[] =>
  lots.map(({ hours, amount }) => ({ hours, units: BigInt(amount) }))

/**
 * Merges our lots where the contract has one lot for several payments: those were made before the contract kept lots, and have one price
 * there.
 */
export function mergeLotsAs(lots: readonly Lot[], contract: readonly Lot[]): Lot[] {
  const ends = new Set<number>()
  let end = 0
  for (const { hours } of contract) {
    end += hours
    ends.add(end)
  }
  const result: Lot[] = []
  let open: Lot | undefined
  end = 0
  for (const { hours, units } of lots) {
    end += hours
    open = { hours: (open?.hours ?? 0) + hours, units: (open?.units ?? 0n) + units }
    if (!ends.has(end)) continue
    result.push(open)
    open = undefined
  }
  return open ? [...result, open] : result
}
