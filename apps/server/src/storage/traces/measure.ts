import { TRACE, type TraceDetail } from '@tidenet/contract'

/** Attempts stored per transfer. */
const DETAILS_MAX = 200
/** An attempt that the client aborted says nothing about the node. */
const ABORTED = /abort|cancel/i

/** PostgreSQL text cannot contain NUL or lone surrogates. */
export const plainText = (text: string): string => Buffer.from(text.replaceAll('\0', '')).toString()

export const wholeNumber = (value: number): number => Math.min(Number.MAX_SAFE_INTEGER, Math.floor(value))

/** At most 200 attempts in their order; successful ones are dropped first. Numbers are whole, and no attempt ends before it starts. */
export function normalizeDetails(details: readonly TraceDetail[]): TraceDetail[] {
  let successful = Math.max(0, DETAILS_MAX - details.filter((detail) => detail.state === TRACE.failed).length)
  return details
    .filter((detail) => detail.state === TRACE.failed || successful-- > 0)
    .slice(0, DETAILS_MAX)
    .map((detail) => {
      const start_at = wholeNumber(detail.start_at)
      return {
        ...detail,
        node_id: plainText(detail.node_id),
        transfer_type: plainText(detail.transfer_type),
        error: plainText(detail.error),
        size: wholeNumber(detail.size),
        start_at,
        end_at: Math.max(start_at, wholeNumber(detail.end_at)),
      }
    })
}

/** What a transfer showed of a node. */
export interface Measured {
  /** Share of successful attempts, 0 to 1. */
  share: number
  /** Bytes of successful attempts, and the time they took. */
  bytes: number
  ms: number
  /** Ms until its first byte; 0 if it was not measured. */
  firstByte: number
}

/** What the attempts show of each node, without aborted ones. */
export function measureNodes(details: readonly TraceDetail[]): Map<string, Measured> {
  const nodes = new Map<string, { ok: number; total: number; bytes: number; ms: number; firstByte: number }>()
  for (const detail of details) {
    if (detail.state === TRACE.open || (detail.state === TRACE.failed && ABORTED.test(detail.error))) continue
    const node = nodes.get(detail.node_id) ?? { ok: 0, total: 0, bytes: 0, ms: 0, firstByte: 0 }
    node.total += 1
    if (detail.state === TRACE.ok) {
      node.ok += 1
      node.bytes += detail.size
      node.ms += detail.end_at - detail.start_at
      node.firstByte ||= detail.first_byte ?? 0
    }
    nodes.set(detail.node_id, node)
  }
  return new Map([...nodes].map(([id, { ok, total, ...measured }]) => [id, { share: ok / total, ...measured }]))
}
