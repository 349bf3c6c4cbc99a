import type { ClaimsOf, ReceiptClaims } from '../claims.ts'
import type { NetworkKey } from '../identity.ts'
import { verifyReceipt } from '../verify.ts'
import type { Earned } from './node-hour.ts'
import { type Recomputed, recompute } from './recompute.ts'

/** What the API states for a device and a day; hours without a receipt are not closed, and left out. */
export interface ShownStatement extends Earned {
  sub: string
  node_id: string
  day: string
  receipt: number | null
  hours: readonly (Omit<StatedHour, 'receipt'> & { receipt: number | null })[]
}

export interface DayCheck {
  result: Recomputed
  /** Receipts whose signature is valid. */
  verified: number
  /** Receipts that are missing, not genuine, or not those of these hours. */
  invalid: number[]
  /** A receipt is signed with another key than the expected one. */
  otherKey: boolean
  /** The signed receipt of the day says something else. */
  dayDiffers: boolean
  agrees: boolean
}

type StatedHour = ClaimsOf<'earnings'>['hours'][number]

const closedHours = ({ hours }: Pick<ShownStatement, 'hours'>): StatedHour[] =>
  hours.flatMap(({ hour, version, receipt, traffic, storage }) =>
    receipt === null ? [] : [{ hour, version, receipt, traffic, storage }],
  )

/**
 * Computes a day from signed receipts, whatever the statement says. Nothing that a receipt says is used before its signature is checked.
 * @param keys of the network
 * @param fetchReceipt returns a receipt file; undefined if there is none
 */
export async function checkDay(
  statement: ShownStatement,
  keys: readonly NetworkKey[],
  fetchReceipt: (id: number) => Promise<unknown>,
): Promise<DayCheck> {
  let otherKey = false
  const verify = async (id: number): Promise<ReceiptClaims | undefined> => {
    const file = await fetchReceipt(id)
    if (file === undefined) return undefined
    const { result, claims, checks } = await verifyReceipt(new TextEncoder().encode(JSON.stringify(file)), {
      keys,
    })
    if (checks.some(({ name, state }) => name === 'network' && state === 'failed')) otherKey = true
    return result === 'valid' && claims?.id === id ? claims : undefined
  }

  const day = statement.receipt === null ? undefined : await verify(statement.receipt)
  const signedDay = day?.kind === 'earnings' ? day : undefined
  const shown = closedHours(statement)
  // The API has no hours of old days; their receipts are kept.
  const hours = shown.length > 0 ? shown : (signedDay?.hours ?? [])
  const ids = [...new Set([...hours, ...(signedDay?.hours ?? [])].map(({ receipt }) => receipt))]
  const claims = await Promise.all(ids.map(async (id) => ({ id, claims: await verify(id) })))
  const genuine = claims.flatMap(({ claims: each }) => (each?.kind === 'node_hour' ? [each] : []))

  const result = recompute({ ...statement, node: statement.node_id, hours }, genuine)
  const invalid = [
    ...(statement.receipt !== null && !signedDay ? [statement.receipt] : []),
    ...claims.filter(({ claims: each }) => each?.kind !== 'node_hour').map(({ id }) => id),
  ]
  const dayDiffers = signedDay !== undefined && !isSameDay(signedDay, statement, hours)
  return {
    result,
    verified: genuine.length + (signedDay ? 1 : 0),
    invalid,
    otherKey,
    dayDiffers,
    agrees: result.agrees && invalid.length === 0 && !dayDiffers,
  }
}

const HOUR_FIELDS = ['hour', 'version', 'receipt', 'traffic', 'storage'] as const

const isSameDay = (signed: ClaimsOf<'earnings'>, shown: ShownStatement, hours: readonly StatedHour[]): boolean =>
  signed.sub === shown.sub &&
  signed.node === shown.node_id &&
  signed.day === shown.day &&
  signed.traffic === shown.traffic &&
  signed.storage === shown.storage &&
  signed.hours.length === hours.length &&
  signed.hours.every((hour, at) => HOUR_FIELDS.every((field) => hour[field] === hours[at]?.[field]))

/** The computed amounts for a dispute, once for each hour. */
export function computedHours({ hours }: Recomputed): { hour: number; traffic: number; storage: number }[] {
  const byHour = new Map<number, { hour: number; traffic: number; storage: number }>()
  for (const { hour, computed } of hours) {
    const { traffic, storage } = byHour.get(hour) ?? { traffic: 0, storage: 0 }
    byHour.set(hour, { hour, traffic: traffic + computed.traffic, storage: storage + computed.storage })
  }
  return [...byHour.values()].slice(0, 24)
}
