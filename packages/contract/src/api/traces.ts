import { z } from 'zod'
import { page, pageSize } from '../fields.ts'
import { traceDetail } from '../objects.ts'
import { route } from '../route.ts'
import { TRACE } from '../storage-enums.ts'

const amount = z.coerce.number().min(0).max(Number.MAX_SAFE_INTEGER).catch(0).default(0)

export const trace = z.object({
  trace_id: z.string(),
  cid: z.string(),
  name: z.string(),
  transfer_type: z.string(),
  /** One of `TRACE`: 0 open, 1 success, 2 failure. */
  state: z.number(),
  rate: z.number(),
  cost_ms: z.number(),
  total_size: z.number(),
  first_byte_time: z.number(),
  available_bandwidth: z.number(),
  node_id: z.string(),
  created_at: z.string(),
  log: z.string(),
  details: z.array(traceDetail),
  /** Bytes of this transfer that nodes reported and signed. */
  node_bytes: z.number(),
})

/** A receipt for what a node sent in a download; a later one of the same node replaces it. */
export const downloadReceipt = z.object({
  /** Its number. */
  receipt: z.number(),
  node_id: z.string(),
  /** Bytes that reader and node signed and that count. */
  signed: z.number(),
  issued_at: z.string(),
})
export type DownloadReceipt = z.infer<typeof downloadReceipt>

export const traces = {
  report: route({
    method: 'POST',
    path: '/api/v1/storage/transfer/report',
    repeatable: true,
    auth: 'optional',
    team: 'viewer',
    input: z.object({
      trace_id: z.string().max(80).default(''),
      user_id: z.string().max(254).optional(),
      cid: z.string().max(200).default(''),
      hash: z.string().max(200).default(''),
      node_id: z.string().max(4000).default(''),
      rate: amount,
      cost_ms: amount,
      total_size: amount,
      /** 0 created, 1 success, 2 failure. */
      state: z.coerce.number().int().min(TRACE.open).max(TRACE.failed),
      transfer_type: z.enum(['upload', 'download']),
      log: z.string().max(4000).nullish(),
      available_bandwidth: amount,
      first_byte_time: amount,
      details: z.array(traceDetail).max(2000).nullish(),
    }),
    output: z.object({ msg: z.string(), trace_id: z.string() }),
    errors: ['forbidden'],
    limit: 600,
    summary: 'Reports the client’s measurements of a transfer',
  }),
  list: route({
    method: 'GET',
    path: '/api/v1/storage/get_transfers',
    auth: 'any',
    team: 'viewer',
    input: z.object({ page, page_size: pageSize }),
    output: z.object({ list: z.array(trace), total: z.number() }),
    errors: [],
    summary: 'Lists the transfers of the account, newest first',
  }),
  get: route({
    method: 'GET',
    path: '/api/v1/storage/get_transfer',
    auth: 'optional',
    team: 'viewer',
    input: z.object({ trace_id: z.string().min(1).max(80) }),
    output: trace.extend({
      /** When it was sent to the operators, and when they closed the case. */
      support: z.object({ sent_at: z.string(), closed_at: z.string().nullable() }).nullable(),
      /** Names of the nodes in `details`, by id, as their operators chose them; nodes without a name are missing. */
      names: z.record(z.string(), z.string()),
      /** The receipts of the download, one per node, for the account that pays for it; empty for others. */
      receipts: z.array(downloadReceipt),
    }),
    errors: ['notFound'],
    summary:
      'Returns a transfer with every node that was tried. The id is not guessable and gives access to anonymous transfers',
  }),
}
