import { AppError, type contract, type Output, type Parsed } from '@tidenet/contract'
import { accountsOf, findAccountUsage, freeStorageOf, lockAccountForUpdate } from '../../identity/index.ts'
import { placement } from '../../network/index.ts'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'
import { readCid } from '../../platform/cids.ts'
import type { Db } from '../../platform/db/db.ts'
import { beginUpload } from '../anonymous/service.ts'
import * as assets from '../assets/assets.ts'
import { isEdge, possessionOf } from '../contents/possession.ts'
import { spendVisitors } from '../contents/receipts.ts'
import { type Context, now } from '../context.ts'
import { afterListing } from '../files/service.ts'
import { lockTargetFolder } from '../folders/service.ts'
import { findUploadAccount, renewVisitorUpload, type UploadNode } from '../grants/grants.ts'
import { uploadNodes, uploadTargets } from '../grants/targets.ts'
import { assetExpiry } from '../lifetimes.ts'
import { addUpload, findShortLink, type ShortLinkRow } from '../links/short-links.ts'
import { acceptReceipt } from '../receipts/receipts.ts'
import { hasExpired } from '../shares/expiry.ts'
import { isLinkVisitor, newLinkVisitor, readUploadTicket } from '../shares/tokens.ts'
import { findFolder, resolveConflict } from '../tree/tree.ts'
import { findUpload, insertUpload } from './repository.ts'

type UploadLinks = (typeof contract)['uploadLinks']

interface UploadLink extends ShortLinkRow {
  folder_id: number
  upload_files: number
  upload_bytes: number
}

/** The link of a ticket, while it receives files. @throws AppError uploadLinkEnded */
async function requireUploadLink(context: Context, db: Db, ticket: string): Promise<UploadLink> {
  const read = await readUploadTicket(context, ticket)
  const link = read && (await findShortLink(db, read.linkId))
  if (
    !link ||
    link.updated_at.getTime() !== read.version ||
    !link.active ||
    link.revoked_at ||
    hasExpired(context, link)
  )
    throw new AppError('uploadLinkEnded')
  const { folder_id, upload_files, upload_bytes } = link
  const account = (await accountsOf(db, [link.user_id])).get(link.user_id)
  if (
    !account ||
    account.locked ||
    account.closing ||
    folder_id === null ||
    upload_files === null ||
    upload_bytes === null
  )
    throw new AppError('uploadLinkEnded')
  return { ...link, folder_id, upload_files, upload_bytes }
}

/**
 * Where a visitor uploads a file. The upload is nobody's until it is added: the account is not named to nodes and visitors, and its quota is not
 * reserved, so that nobody blocks it with uploads that never end. An unfinished upload by the same link continues, also with a later ticket.
 * @throws AppError uploadLinkEnded, uploadLinkFull; noArea, noNode; tooManyUploads
 */
export async function beginLinkUpload(
  context: Context,
  { ticket, size, trace_id: again = '' }: Parsed<UploadLinks['begin']>,
  ip: string,
): Promise<Output<UploadLinks['begin']>> {
  const link = await requireUploadLink(context, context.db, ticket)
  const user = await findAccountUsage(context.db, link.user_id)
  const free = freeStorageOf(user)
  const left = Math.min(free, link.upload_bytes - link.uploaded_bytes)
  if (size > left || link.uploaded_files >= link.upload_files) throw new AppError('uploadLinkFull')
  const folder = await findFolder(context.db, link.user_id, link.folder_id)
  if (!folder || folder.encrypted) throw new AppError('uploadLinkEnded')
  const nodes = await uploadNodes(context, { areas: [], size })
  const request = { ip, areas: [], kind: 'file' as const, max: size, size, cid: '', name: '' }
  const { upload, tokens } =
    (await continueUpload(context, link.id, { ip, traceId: again, size }, nodes)) ??
    (await beginUpload(context, request, nodes, newLinkVisitor(context, link.id)))
  const { list, area } = await uploadTargets(context, upload, nodes, tokens)
  return { List: list, AreaID: area, TraceID: upload.traceId, available_nodes: list.length }
}

/** Grants an upload by this link again. @returns undefined if the link has no such upload without a receipt */
async function continueUpload(
  context: Context,
  linkId: string,
  { ip, traceId, size }: { ip: string; traceId: string; size: number },
  nodes: readonly UploadNode[],
) {
  const account = traceId && (await findUploadAccount(context.db, traceId))
  if (!account || !isLinkVisitor(context, linkId, account)) return undefined
  const upload = { traceId, account, network: clientNetworkOf(ip), size }
  const tokens = await context.db.transaction((tx) => renewVisitorUpload(context, tx, upload, nodes))
  return tokens && { upload: { ...upload, areas: [], kind: 'file' as const, max: size }, tokens }
}

/**
 * Lists an uploaded file in the folder of the link. The trace proves that the visitor uploaded it by this link; a name that is taken is numbered.
 * @throws AppError badCid, nodeSignature, folderUnknown; notFound without an upload of this trace by this link; uploadLinkEnded, uploadLinkFull
 */
export async function addLinkUpload(context: Context, input: Parsed<UploadLinks['add']>): Promise<void> {
  const { text: cid } = readCid(input.cid)
  const { user_id: userId } = await requireUploadLink(context, context.db, input.ticket)
  if (input.receipt) await acceptReceipt(context, input.receipt)
  await context.db.transaction(async (tx) => {
    const at = now(context)
    const user = await lockAccountForUpdate(tx, userId)
    // Again: the link may have changed while this waited for the lock.
    const link = await requireUploadLink(context, tx, input.ticket)
    const done = await findUpload(tx, input.trace_id)
    if (done?.link_id === link.id) return
    const folder = await lockTargetFolder(tx, userId, link.folder_id)
    if (folder.encrypted) throw new AppError('uploadLinkEnded')
    const account = done ? undefined : await findUploadAccount(tx, input.trace_id)
    // Otherwise it was sent to the owner of another link, or to nobody.
    if (!account || !isLinkVisitor(context, link.id, account)) throw new AppError('notFound')
    const content = await placement.lockContent(tx, cid)
    const possession = content && (await possessionOf(tx, cid, { account }))
    if (possession?.kind !== 'file') throw new AppError('notFound')
    const { size, node, nodes } = possession
    if (size > freeStorageOf(user)) throw new AppError('uploadLinkFull')
    if (!(await addUpload(tx, link.id, size, at))) throw new AppError('uploadLinkFull')
    const place = { userId, folderId: link.folder_id, name: input.name, cid }
    const { name, listed } = await resolveConflict(tx, place, 'keep_both')
    await insertUpload(tx, { traceId: input.trace_id, linkId: link.id, userId, name, size, at })
    if (listed) return
    const asset = {
      userId,
      folderId: link.folder_id,
      cid,
      kind: possession.kind,
      name,
      size,
      md5: null,
      encrypted: false,
      areas: [],
      // An edge's receipt alone proves nothing beyond that edge.
      restrictedTo: isEdge(node) ? [node] : nodes,
      createdAt: at,
      expiresAt: assetExpiry(at),
    }
    await assets.listAsset(tx, asset, { uid: user.uid, node })
    await spendVisitors(tx, input.trace_id, cid)
    await afterListing(context, tx, userId, [cid])
  })
}
