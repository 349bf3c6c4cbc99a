import { DOWNLOAD_RECEIPT_MIN } from '@tidenet/contract'
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

/**
 * The log keeps receipts for ever, so they must cost somebody something: as many as the signed bytes are multiples of this. What is signed
 * is limited by the quota of the account; downloads of anonymous files are not, belong to nobody and earn nothing.
 */
const hasReceipt = ({ account, signed, receipts }: repository.DueReceipt): boolean =>
  !account.startsWith('temp:') && signed >= (receipts + 1) * DOWNLOAD_RECEIPT_MIN

/** Issues a receipt for each download and node of which enough was signed, when it is quiet. Safe to run on several servers. */
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
  const issued = due.flatMap((row) => {
    const node_key = keys.get(row.node_id)
    // The key of a node that was deleted meanwhile is gone, and with it the proof of what it signed.
    return node_key === undefined || !hasReceipt(row) ? [] : [{ ...row, node_key }]
  })
  const ids = await issueReceipts(
    tx,
    issued.map((row) => ({
      kind: 'download' as const,
      sub: row.account,
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
  const receipts = new Map(issued.map(({ trace_id, node_id }, index) => [`${trace_id} ${node_id}`, ids[index]]))
  await repository.setIssued(
    tx,
    due.map((row) => ({ ...row, receipt: receipts.get(`${row.trace_id} ${row.node_id}`) ?? null })),
    at,
  )
  return due.length
}
