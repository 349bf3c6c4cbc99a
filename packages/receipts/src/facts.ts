import type { ClaimsOf, ReceiptClaims, ReceiptKind } from './claims.ts'

/**
 * What a receipt says, ready to be formatted. `id`: names and hashes. `word`: a key of `words` in the texts. `time`: unix seconds. `points`:
 * millionths of a point. `share`: millionths. `seconds`: a duration.
 */
export type FactForm = 'id' | 'word' | 'bytes' | 'time' | 'count' | 'coins' | 'points' | 'share' | 'seconds' | 'day'

type ClaimNames = { [K in ReceiptKind]: keyof ClaimsOf<K> }[ReceiptKind]
/** `earning`: `signed` of an hour, which is only the part that may earn. */
export type FactName =
  | Exclude<ClaimNames, 'kind' | 'index' | 'iss' | 'units' | 'decimals' | `${string}_${'key' | 'signature'}`>
  | 'earning'
export interface Fact {
  name: FactName
  form: FactForm
  value: string | number
}

/** Forms that claims of one name have in all kinds. */
const FORMS: Readonly<Record<FactName, FactForm>> = {
  iat: 'time',
  id: 'id',
  sub: 'id',
  node: 'id',
  cid: 'id',
  type: 'word',
  size: 'bytes',
  trace: 'id',
  received: 'bytes',
  sent: 'bytes',
  signed: 'bytes',
  earning: 'bytes',
  hour: 'time',
  trusted: 'word',
  passed: 'count',
  failed: 'count',
  audited: 'time',
  held: 'bytes',
  online: 'seconds',
  crowd: 'count',
  paid_share: 'share',
  order: 'id',
  purpose: 'word',
  wallet: 'id',
  cause: 'word',
  from: 'time',
  to: 'time',
  probes: 'count',
  amount: 'coins',
  hours: 'count',
  tx: 'id',
  day: 'day',
  traffic: 'points',
  storage: 'points',
}

/** Whole coins, as exact decimal digits. */
function coinsOf(units: string, decimals: number): string {
  const digits = units.padStart(decimals + 1, '0')
  const [whole, part] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals)]
  return `${whole}.${part}`.replace(/\.?0*$/, '')
}

/** In the order of the claims, the common ones last. What is missing is left out. */
export function factsOf(claims: ReceiptClaims): Fact[] {
  const { kind: _, iss: __, index: ___, id, iat, ...rest } = claims
  const amount =
    claims.kind === 'refund' || claims.kind === 'outage' ? { amount: coinsOf(claims.units, claims.decimals) } : {}
  return Object.entries({ ...rest, ...amount, iat, id }).flatMap(([key, value]) => {
    if (!Object.hasOwn(FORMS, key)) return []
    const name = claims.kind === 'node_hour' && key === 'signed' ? 'earning' : (key as FactName)
    // Never audited.
    if (name === 'audited' && value === 0) return []
    const plain = Array.isArray(value) ? value.length : typeof value === 'boolean' ? (value ? 'yes' : 'no') : value
    return [{ name, form: FORMS[name], value: plain as string | number }]
  })
}
