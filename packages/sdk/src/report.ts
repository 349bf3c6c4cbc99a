import type { TraceDetail } from '@tidenet/contract'
import { TRACE } from '@tidenet/contract/storage-words'
import type { Api } from './api.ts'
import { isSuccess, type Result, type Say } from './result.ts'

/** What was measured of one transfer. Times in ms, sizes in bytes, rates in bytes a second. */
export interface Transfer {
  traceId: string
  cid: string
  type: 'upload' | 'download'
  ok: boolean
  /** Bytes that went over the network. */
  size: number
  began: number
  ended: number
  /** Ms until the first byte. */
  firstByte: number
  details: TraceDetail[]
  /** Nodes that hold the content, and how many of them were named. */
  availableNodes: number
  addresses: number
  error: string
}

/** Sends the report of a transfer; what was not traced is not reported. A report that fails changes nothing. */
export async function reportTransfer(api: Api, say: Say, transfer: Transfer): Promise<Result<{ trace_id: string }>> {
  const cost = Math.max(transfer.ended - transfer.began, 0)
  const rate = cost > 0 ? Math.floor((transfer.size / cost) * 1000) : 0
  const { availableNodes, addresses, details } = transfer
  const served = details.filter((detail) => detail.state === TRACE.ok).map((detail) => detail.node_id)
  const result = await api.call('traces.report', {
    trace_id: transfer.traceId,
    cid: transfer.cid,
    node_id: [...new Set(served)].join(',').slice(0, 4000),
    rate,
    cost_ms: cost,
    total_size: transfer.size,
    state: transfer.ok ? TRACE.ok : TRACE.failed,
    transfer_type: transfer.type,
    log: transfer.error ? JSON.stringify({ error: transfer.error }).slice(0, 4000) : '',
    // Nobody divides by no address.
    available_bandwidth: addresses > 0 ? Math.floor(rate * (availableNodes / addresses)) : 0,
    first_byte_time: Math.max(Math.round(transfer.firstByte), 0),
    details: details.slice(0, 2000),
  })
  return isSuccess(result) ? result : say('reportError', { data: result.data })
}
