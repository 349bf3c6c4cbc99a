import type { ClaimsOf } from '../claims.ts'
import type { Verification } from '../verify.ts'
import { type Recomputed, recompute } from './recompute.ts'

/** A day of earnings, computed from the receipts of its hours that were given with it. */
export interface RecomputedFile {
  /** Position of the `earnings` receipt in the list. */
  at: number
  /** `missing`: receipts of hours were not given. `differs`: the day does not follow from its hours. */
  result: 'agrees' | 'missing' | 'differs'
  /** Ids of receipts that are missing. */
  missing: number[]
  recomputed: Recomputed
}

/** Recomputes each day of earnings in a list that also has receipts of hours. Only valid receipts of the same network and log count. */
export function recomputeFiles(list: readonly Verification[]): RecomputedFile[] {
  const valid = list.map(({ result, claims, file }) =>
    result === 'valid' && claims && file ? { claims, file } : undefined,
  )
  return valid.flatMap((each, at) => {
    if (each?.claims.kind !== 'earnings') return []
    const day = each.claims
    const hours = valid.flatMap((other) =>
      other?.claims.kind === 'node_hour' && other.claims.iss === day.iss && other.file.key === each.file.key
        ? [other.claims]
        : [],
    )
    // A day alone is only verified.
    if (hours.length === 0 && day.hours.length > 0) return []
    return [{ at, ...recomputeDay(day, hours) }]
  })
}

function recomputeDay(day: ClaimsOf<'earnings'>, hours: readonly ClaimsOf<'node_hour'>[]) {
  const given = new Set(hours.map(({ id }) => id))
  const missing = day.hours.map(({ receipt }) => receipt).filter((id) => !given.has(id))
  const recomputed = recompute(day, hours)
  const result = recomputed.agrees
    ? ('agrees' as const)
    : missing.length > 0
      ? ('missing' as const)
      : ('differs' as const)
  return { result, missing, recomputed }
}
