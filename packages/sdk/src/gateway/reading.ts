import type { DownloadInfo } from '@tidenet/contract'
import type { Core } from '../core.ts'
import { createNodePool, type NodePool } from '../download/node-pool.ts'
import { createReceipts, type Receipts } from '../download/received.ts'
import type { ReceiptKey } from '../platform/platform.ts'
import { reportTransfer } from '../report.ts'

/** A content that is read as a download that counts. */
export interface Reading {
  pool: NodePool
  receipts: Receipts
  /** Signs for the nodes what they sent, and reports the transfer. */
  end(read: { ok: boolean; size: number; ended?: number }): Promise<void>
}

export function createReading(
  core: Core,
  info: DownloadInfo,
  key: ReceiptKey | undefined,
  signal: AbortSignal,
): Reading {
  const { platform, toFailure, limits } = core
  const receipts = createReceipts(core, key, info)
  const pool = createNodePool(
    { platform, toFailure, signal, firstByte: limits.firstByte },
    info.url,
    info.node_ids ?? [],
    info.routes,
  )
  const began = Date.now()
  return {
    pool,
    receipts,
    async end({ ok, size, ended = Date.now() }) {
      pool.end()
      await receipts.end()
      if (info.trace_id === '') return
      await reportTransfer(core.api, toFailure, {
        traceId: info.trace_id,
        cid: info.asset_cid,
        type: 'download',
        ok,
        size,
        began,
        ended,
        firstByte: pool.firstByte,
        details: pool.details,
        availableNodes: info.available_nodes,
        addresses: info.url.length,
        error: '',
      })
    },
  }
}
