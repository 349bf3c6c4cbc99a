import type { Earned, Hindrance, NodeHour } from './node-hour.ts'

/**
 * Version 1 of the formula of earnings (decision 26). Amounts are exact integers (BigInt), so every engine computes the same.
 * Do not change this file: an hour keeps the version with which it was computed.
 */

const HOUR = 3600
const AUDIT_VALID = 24 * HOUR
/** Hours of a month. */
const MONTH_HOURS = 720n
const GB = 1_000_000_000n
/** Millionths of a point, and of a share. */
const MILLION = 1_000_000n
/** Points. Not imported: these must not change when the limits of a later version do. */
const PER_GB_SENT = 1n
const PER_GB_MONTH = 1n
/** `wire.md` 13 has 1.1, 0.4, 0.3, 0.2 and 0.1 for one to five devices at one address: these are elevenths of the first. */
const CROWD_ELEVENTHS = [11n, 4n, 3n, 2n, 1n] as const

/** Why an hour earns nothing, whatever the device held and sent; null: it can earn. */
export function hindranceOf(node: NodeHour): Hindrance | null {
  if (node.sub === undefined) return 'owner'
  if (!node.trusted) return 'standing'
  if (node.failed > 0) return 'failed'
  const end = node.hour + HOUR
  return node.audited > end - AUDIT_VALID && node.audited <= end ? null : 'audit'
}

/** What devices at one address share: all of them together never earn more than one device with as many bytes. */
function crowding(devices: number): { part: bigint; of: bigint } {
  if (devices > 11) return { part: 1n, of: BigInt(devices) }
  const part = CROWD_ELEVENTHS[Math.min(Math.max(devices, 1), CROWD_ELEVENTHS.length) - 1] ?? 1n
  return { part, of: 11n }
}

/** What a device earned in an hour, in millionths of a point. */
export function earningsOf(node: NodeHour): Earned {
  if (hindranceOf(node) !== null) return { traffic: 0, storage: 0 }
  const traffic = (BigInt(node.signed) * PER_GB_SENT * MILLION) / GB
  const { part, of } = crowding(node.crowd)
  const weighted = BigInt(node.held) * BigInt(node.online) * BigInt(node.paid_share) * part
  const storage = (weighted * PER_GB_MONTH * MILLION) / (GB * BigInt(HOUR) * MILLION * of * MONTH_HOURS)
  return { traffic: Number(traffic), storage: Number(storage) }
}
