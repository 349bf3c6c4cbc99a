import { AppError, CHAT_ATTACHMENT_MAX, CHAT_ATTACHMENT_READS, type DownloadInfo } from '@tidenet/contract'
import { placement } from '../../network/index.ts'
import { readCid } from '../../platform/cids.ts'
import { possessionOf } from '../contents/possession.ts'
import { spendAnonymous } from '../contents/receipts.ts'
import { releaseContents } from '../contents/release.ts'
import { type Context, type Db, now } from '../context.ts'
import { sourcesOf } from '../downloads/sources.ts'
import { openTrace } from '../traces/service.ts'
import * as repository from './repository.ts'

/** A file that belongs to a message: uploaded like an anonymous file, and kept as long as the message. */
export interface Attachment {
  id: string
  cid: string
  name: string
  size: number
}

/**
 * Keeps a content for a message. The sender must have sent its bytes, with the account or in the anonymous upload of this trace, whose id
 * only the uploader knows: knowing a CID gives access to nothing.
 * @param account the sender's uid; empty: a visitor
 * @throws AppError badCid, chatAttachmentMissing, chatAttachmentTooLarge
 */
export async function keepAttachment(
  tx: Db,
  {
    cid: cidText,
    name,
    account,
    traceId,
    at,
  }: { cid: string; name: string; account: string; traceId: string; at: Date },
): Promise<Attachment> {
  const { text: cid } = readCid(cidText)
  const content = await placement.lockContent(tx, cid)
  const possession = content && (await possessionOf(tx, cid, { account, traceId }))
  if (possession?.kind !== 'file') throw new AppError('chatAttachmentMissing')
  if (possession.size > CHAT_ATTACHMENT_MAX) throw new AppError('chatAttachmentTooLarge', { max: CHAT_ATTACHMENT_MAX })
  const { size, nodes } = possession
  const id = await repository.insertAttachment(tx, { cid, name, size, restricted_to: nodes }, at)
  await placement.checkContents(tx, [cid], at)
  return { id, cid, name, size }
}

/** Nodes that hold an attachment. The caller has checked who asks. @throws AppError notFound, nodesOffline, noArea */
export async function readAttachment(
  context: Context,
  id: string,
  receiptKey: string | undefined,
): Promise<DownloadInfo> {
  const row = await repository.countRead(context.db, id, CHAT_ATTACHMENT_READS)
  if (!row) throw new AppError('notFound')
  const { cid, name, size, restricted_to } = row
  const account = `temp:${cid}`
  const at = now(context)
  const traceId = await openTrace(context.db, { account, kind: 'download', cid, name, preview: true, receiptKey, at })
  const asked = { cid, name, size, restricted_to, kind: 'file' as const, encrypted: true, areas: [] }
  return sourcesOf(context, { ...asked, account, traceId, receiptKey })
}

const BATCH = 200

/** Releases the contents of deleted messages. */
export const releaseAttachments = (context: Pick<Context, 'db' | 'clock'>): Promise<void> =>
  context.db.transaction(async (tx) => {
    const cids = await repository.deleteReleased(tx, BATCH)
    if (cids.length === 0) return
    // Those of an anonymous file that still exists keep it.
    await spendAnonymous(tx, cids, now(context))
    await releaseContents(context, tx, cids)
  })
