import { RECEIVED_STEP } from '@tidenet/contract'
import { isReceivedSigned, isSentSigned } from '@tidenet/daemon'
import { isUsableKey } from '@tidenet/receipts'
import { DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { findReported, type Reported } from '../traces/service.ts'

/** A signature counts at most this long after its trace was opened, as a receipt does. */
export const SIGNED_LATE_MAX_MS = 7 * DAY
/**
 * Per trace and node, `SIGNATURES_MAX` signatures are verified, and one more per `BYTES_PER_SIGNATURE` signed. Client and node together sign
 * half as often. This limits the work that a hostile node causes.
 */
export const SIGNATURES_MAX = 16
export const BYTES_PER_SIGNATURE = RECEIVED_STEP / 4

/** Who signs: the client what it received, or the node what it sent. */
type Side = 'received' | 'sent'

/** A signed number of bytes of a transfer, as the node reported it. */
export interface Claim {
  side: Side
  trace: string
  cid: string
  /** The public key of the trace. */
  key: string
  bytes: number
  signature: string
}

/** What was verified of a trace. */
export interface Proven {
  /** The signed bytes and the signature, canonical base64url; absent if there was none, or it is wrong. */
  received?: { bytes: number; signature: string }
  sent?: { bytes: number; signature: string }
  /** Verified signatures, valid or not. */
  signatures: number
}

interface Transfer {
  trace_id: string
  cid: string
  received?: number | undefined
  signature?: string | undefined
  sent?: number | undefined
  sent_signature?: string | undefined
}

/** With another key, everybody could sign, and a check of the receipt would fail. @param key base64url */
const isUsable = (key: string): boolean => isUsableKey(Buffer.from(key, 'base64url'))

/** The transfer's claims that could count: the trace has a usable key and is recent enough. */
export function claimsOf(
  { trace_id: trace, cid, ...signed }: Transfer,
  { receipt_key: key, created_at }: { receipt_key: string | null; created_at: Date },
  at: Date,
): Claim[] {
  if (!key || !isUsable(key) || at.getTime() - created_at.getTime() > SIGNED_LATE_MAX_MS) return []
  const claims: Claim[] = []
  if (signed.received && signed.signature)
    claims.push({ side: 'received', trace, cid, key, bytes: signed.received, signature: signed.signature })
  if (signed.sent && signed.sent_signature)
    claims.push({ side: 'sent', trace, cid, key, bytes: signed.sent, signature: signed.sent_signature })
  return claims
}

/** Verifies the largest claim of each trace and side, unless it adds nothing or the trace has had too many. */
export async function verifyClaims(
  db: Db,
  node: { id: string; publicKey: string },
  claims: readonly Claim[],
): Promise<Map<string, Proven>> {
  const largest = new Map<string, Claim>()
  for (const claim of claims) {
    const key = `${claim.side} ${claim.trace}`
    if (claim.bytes > (largest.get(key)?.bytes ?? 0)) largest.set(key, claim)
  }
  const proven = new Map<string, Proven>()
  if (largest.size === 0 || !isUsable(node.publicKey)) return proven
  const reported = await findReported(db, node.id, [...new Set(claims.map(({ trace }) => trace))])
  const checked = [...largest.values()].filter((claim) => {
    const of = proven.get(claim.trace) ?? { signatures: 0 }
    if (!isWorthVerifying(claim, of.signatures, reported.get(claim.trace))) return false
    proven.set(claim.trace, { signatures: of.signatures + 1 })
    return true
  })
  await Promise.all(
    checked.map(async ({ side, trace, cid, key, bytes, signature }) => {
      const statement = { trace, cid, nodeId: node.id, bytes, signature }
      const isValid = side === 'received' ? isReceivedSigned(key, statement) : isSentSigned(node.publicKey, statement)
      // The same bytes can be written in several ways; a receipt has one.
      const canonical = Buffer.from(signature, 'base64url').toString('base64url')
      if (await isValid) Object.assign(proven.get(trace) ?? {}, { [side]: { bytes, signature: canonical } })
    }),
  )
  return proven
}

const isWorthVerifying = ({ side, bytes }: Claim, before: number, reported: Reported | undefined): boolean =>
  reported === undefined ||
  (bytes > reported[side] &&
    reported.signatures + before < SIGNATURES_MAX + Math.floor(reported.signed / BYTES_PER_SIGNATURE))

/**
 * How many more bytes count as signed: at most what the client signed, what the node signed and what it reported, and at all nodes together
 * at most one read of the content, because clients sign only verified bytes.
 */
export const moreSigned = (
  { received, sent, bytes, signed, elsewhere }: Omit<Reported, 'signatures' | 'total'>,
  fullRead: number,
) => Math.max(0, Math.floor(Math.min(received, sent, bytes, fullRead - elsewhere)) - signed)
