import type { TraceDetail } from '@tidenet/contract'
import { TRACE } from '@tidenet/contract/storage-enums'
import type { Api } from './api.ts'
import { isSuccess, type Result, type ToFailure } from './result.ts'

/** Measurements of one transfer. Times in ms, sizes in bytes, rates in bytes per second. */
export interface Transfer {
  traceId: string
  cid: string
  type: 'upload' | 'download'
  ok: boolean
  /** Bytes sent over the network. */
  size: number
  began: number
  ended: number
  /** Ms until the first byte. */
  firstByte: number
  details: TraceDetail[]
  /** `availableNodes`: nodes that hold the content. `addresses`: how many of them the portal named. */
  availableNodes: number
  addresses: number
  error: string
}

/** Sends a transfer report, unless the transfer has no trace. A failed report has no effect on the transfer. */
export async function reportTransfer(
  api: Api,
  toFailure: ToFailure,
  transfer: Transfer,
): Promise<Result<{ trace_id: string }>> {
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
    available_bandwidth: addresses > 0 ? Math.floor(rate * (availableNodes / addresses)) : 0,
    first_byte_time: Math.max(Math.round(transfer.firstByte), 0),
    details: details.slice(0, 2000),
  })
  return isSuccess(result) ? result : toFailure('reportError', { data: result.data })
}
