import { TRACE, type TraceDetail } from '@tidenet/contract'

/** What is kept of the tries of one transfer. */
const DETAILS_MAX = 200
/** A try that the client broke off says nothing about the node. */
const BROKEN_OFF = /abort|cancel/i

/** Text as the database can hold it: without NUL, and with whole characters only. */
export const plainText = (text: string): string => Buffer.from(text.replaceAll('\0', '')).toString()

export const wholeNumber = (value: number): number => Math.min(Number.MAX_SAFE_INTEGER, Math.floor(value))

/** At most 200 tries, whole numbers, ends not before starts. Failed ones are kept first, in their order. */
export function usefulDetails(details: readonly TraceDetail[]): TraceDetail[] {
  let room = Math.max(0, DETAILS_MAX - details.filter((detail) => detail.state === TRACE.failed).length)
  return details
    .filter((detail) => detail.state === TRACE.failed || room-- > 0)
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

/** Of each node the share of tries that went well, 0..1. */
export function goodShares(details: readonly TraceDetail[]): Map<string, number> {
  const tries = new Map<string, { good: number; all: number }>()
  for (const detail of details) {
    if (detail.state === TRACE.open || (detail.state === TRACE.failed && BROKEN_OFF.test(detail.error))) continue
    const node = tries.get(detail.node_id) ?? { good: 0, all: 0 }
    node.all += 1
    if (detail.state === TRACE.ok) node.good += 1
    tries.set(detail.node_id, node)
  }
  return new Map([...tries].map(([id, { good, all }]) => [id, good / all]))
}
