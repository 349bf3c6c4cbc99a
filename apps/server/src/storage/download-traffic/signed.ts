import { RECEIVED_STEP } from '@tidenet/contract'
import { isReceivedSigned } from '@tidenet/daemon'
import { DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { findReported, type Reported } from '../traces/service.ts'

/** A signature counts at most this long after its trace was opened, as a receipt does. */
export const SIGNED_LATE_MAX_MS = 7 * DAY
/**
 * Per trace and node, `SIGNATURES_MAX` signatures are verified, and one more per `BYTES_PER_SIGNATURE` signed. Clients sign half as often.
 * This limits the work that a hostile node causes.
 */
export const SIGNATURES_MAX = 16
export const BYTES_PER_SIGNATURE = RECEIVED_STEP / 2

/** A client's statement, as its node reported it. */
export interface Claim {
  trace: string
  cid: string
  /** The public key of the trace. */
  key: string
  received: number
  signature: string
}

/** The transfer's statement, if it has one that could count: the trace has a key and is recent enough. */
export function claimOf(
  transfer: { trace_id: string; cid: string; received?: number | undefined; signature?: string | undefined },
  trace: { receipt_key: string | null; created_at: Date },
  at: Date,
): Claim | undefined {
  const { trace_id, cid, received, signature } = transfer
  if (!trace.receipt_key || !received || !signature) return undefined
  if (at.getTime() - trace.created_at.getTime() > SIGNED_LATE_MAX_MS) return undefined
  return { trace: trace_id, cid, key: trace.receipt_key, received, signature }
}

/**
 * Verifies the largest statement of each trace, unless it adds nothing or the trace has had too many.
 * @returns the traces whose statement was verified, and what it proves: 0 if the signature is wrong
 */
export async function verifyClaims(db: Db, nodeId: string, claims: readonly Claim[]): Promise<Map<string, number>> {
  const largest = new Map<string, Claim>()
  for (const claim of claims)
    if (claim.received > (largest.get(claim.trace)?.received ?? 0)) largest.set(claim.trace, claim)
  if (largest.size === 0) return new Map()
  const reported = await findReported(db, nodeId, [...largest.keys()])
  const checked = [...largest.values()].filter((claim) => isWorthVerifying(claim, reported.get(claim.trace)))
  const proven = await Promise.all(
    checked.map(async ({ key, received: bytes, ...claim }) =>
      (await isReceivedSigned(key, { ...claim, nodeId, bytes })) ? bytes : 0,
    ),
  )
  return new Map(checked.map(({ trace }, index) => [trace, proven[index] ?? 0]))
}

const isWorthVerifying = ({ received }: Claim, before: Reported | undefined): boolean =>
  before === undefined ||
  (received > before.received && before.signatures < SIGNATURES_MAX + Math.floor(before.signed / BYTES_PER_SIGNATURE))

/**
 * How many more bytes count as signed: at most what the client signed and the node sent, and at all nodes together at most one read of the
 * content, because clients sign only verified bytes.
 */
export const moreSigned = (
  { received, bytes, signed, elsewhere }: Omit<Reported, 'signatures' | 'total'>,
  fullRead: number,
) => Math.max(0, Math.floor(Math.min(received, bytes, fullRead - elsewhere)) - signed)
