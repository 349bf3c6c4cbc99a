import { publicKeysOf } from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { issueReceipts } from '../../platform/transparency-log/issue.ts'
import { type Context, now } from '../context.ts'
import * as repository from './receipts-repository.ts'

/** A transfer is over if nothing more was signed for so long. */
const QUIET_MS = 10_000
const BATCH = 500

/** When the receipt of a transfer is issued, of which bytes were signed now. */
export const receiptTime = (at: Date): Date => new Date(at.getTime() + QUIET_MS)

/** Issues a receipt for each download and node of which something new was signed, when it is quiet. Safe to run on several servers. */
export async function issueDownloadReceipts(
  context: Pick<Context, 'db' | 'clock'>,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted && (await context.db.transaction((tx) => issueBatch(tx, now(context)))) === BATCH);
}

async function issueBatch(tx: Db, at: Date): Promise<number> {
  const due = await repository.lockDue(tx, at, BATCH)
  if (due.length === 0) return 0
  const keys = await publicKeysOf(tx, [...new Set(due.map(({ node_id }) => node_id))])
  // The key of a node that was deleted meanwhile is gone, and with it the proof of what it signed.
  const known = due.flatMap((row) => {
    const node_key = keys.get(row.node_id)
    return node_key === undefined ? [] : [{ ...row, node_key }]
  })
  const ids = await issueReceipts(
    tx,
    known.map((row) => ({
      kind: 'download' as const,
      ...(!row.account.startsWith('temp:') && { sub: row.account }),
      node: row.node_id,
      trace: row.trace_id,
      cid: row.cid,
      reader_key: row.reader_key,
      received: row.received,
      reader_signature: row.received_signature,
      node_key: row.node_key,
      sent: row.sent,
      node_signature: row.sent_signature,
      signed: row.signed,
    })),
    at,
  )
  const gone = due.filter(({ node_id }) => !keys.has(node_id))
  await repository.setIssued(
    tx,
    [
      ...known.map((row, index) => ({ ...row, receipt: ids[index] ?? null })),
      ...gone.map((row) => ({ ...row, receipt: null })),
    ],
    at,
  )
  return due.length
}
