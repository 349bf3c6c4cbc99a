import { AppError } from '@tidenet/contract'
import { emitEvent, freeStorageOf, lockAccountForUpdate, takeUploadReceipts } from '../../identity/index.ts'
import { placement } from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { issueReceipts } from '../../platform/transparency-log/issue.ts'
import { findFormerReceipts, findListed, findReservedContents, insertAssets } from '../assets/assets.ts'
import { findInvitedPossessions } from '../contents/possession.ts'
import { type Context, now } from '../context.ts'
import { assetExpiry } from '../lifetimes.ts'
import { nameTrace } from '../traces/service.ts'
import { findTakenNames, lockFoldersForShare } from '../tree/tree.ts'
import type { Checked } from './checked.ts'

/**
 * Lists the files that need no decision, with few statements: new to the account, with a
 * name that is free, and received by an invited node that has them.
 * The caller has locked the account, and calls `createEntry` for the others.
 * @returns for each file that was decided: the id of its entry, or the refusal
 */
export async function listPlain(
  context: Pick<Context, 'clock'>,
  tx: Db,
  caller: Member,
  files: readonly Checked[],
  { areas, folderTrace }: { areas: string[]; folderTrace: string },
): Promise<Map<Checked, number | AppError>> {
  const { userId, uid } = caller
  const results = new Map<Checked, number | AppError>()
  const at = now(context)
  const seen = new Set<string>()
  const sent = files.filter(({ claims, proven, cid }) => claims && !proven && !seen.has(cid) && seen.add(cid))
  if (sent.length === 0) return results
  const cids = sent.map(({ cid }) => cid)
  const places = sent.map(({ file }) => ({ folderId: file.group_id, name: file.asset_name }))
  const [folders, taken, contents, had, announced, receipts, held, user, formerly] = await Promise.all([
    lockFoldersForShare(tx, userId, [...new Set(places.map(({ folderId }) => folderId))]),
    findTakenNames(tx, userId, places),
    placement.lockAllContents(tx, cids),
    findListed(tx, userId, cids),
    findReservedContents(tx, userId, cids),
    findInvitedPossessions(tx, uid, cids),
    placement.findHeld(tx, cids),
    lockAccountForUpdate(tx, userId),
    findFormerReceipts(tx, userId, cids),
  ])
  let free = freeStorageOf(user)
  const plain: { each: Checked; size: number; kind: 'file' | 'folder'; node: string; traceId: string }[] = []
  for (const each of sent) {
    const { cid, file } = each
    const content = contents.get(cid)
    const receipt = receipts.get(cid)
    if (!content || !receipt || !held.has(cid) || had.has(cid) || announced.has(cid)) continue
    const folder = file.group_id === 0 ? { encrypted: false } : folders.get(file.group_id)
    if (!folder || (folder.encrypted && !file.encrypted)) continue
    const place = `${file.group_id}/${file.asset_name}`
    if (taken.has(place)) continue
    taken.add(place)
    if (content.size > free) {
      results.set(each, new AppError('quotaExceeded', { free: Math.max(0, free) }))
      continue
    }
    free -= content.size
    plain.push({ each, size: content.size, kind: content.kind, node: receipt.node_id, traceId: receipt.trace_id })
  }
  if (plain.length === 0) return results
  const numbers = await receiptsFor(tx, { userId, uid }, plain, formerly, at)
  const ids = await insertAssets(
    tx,
    { userId, areas, createdAt: at, expiresAt: assetExpiry(at) },
    plain.map(({ each: { file, cid }, size, kind }) => ({
      folderId: file.group_id,
      cid,
      kind,
      name: file.asset_name,
      size,
      md5: file.md5 === '' || file.encrypted ? null : file.md5.toLowerCase(),
      encrypted: file.encrypted,
      receiptId: numbers.get(cid) ?? null,
    })),
  )
  for (const { each } of plain) results.set(each, ids.get(each.cid) as number)
  await announce(tx, userId, plain, ids, folderTrace, at)
  return results
}

/** Receipts of these uploads: those of before, and new ones as long as the account has not had all of the day; see `listAsset`. */
async function receiptsFor(
  tx: Db,
  { userId, uid }: Pick<Member, 'userId' | 'uid'>,
  plain: readonly { each: Checked; size: number; kind: 'file' | 'folder'; node: string }[],
  formerly: ReadonlyMap<string, number>,
  at: Date,
): Promise<Map<string, number>> {
  const numbers = new Map(formerly)
  const without = plain.filter(({ each }) => !numbers.has(each.cid))
  const taken = without.length === 0 ? 0 : await takeUploadReceipts(tx, userId, without.length, at)
  const granted = without.slice(0, taken)
  const stated = granted.map(({ each: { cid }, size, kind: type, node }) => ({
    kind: 'upload' as const,
    sub: uid,
    node,
    cid,
    type,
    size,
  }))
  const issued = stated.length === 0 ? [] : await issueReceipts(tx, stated, at)
  for (const [index, { each }] of granted.entries()) numbers.set(each.cid, issued[index] as number)
  return numbers
}

/** Tells webhooks, and names the transfers of files that were not sent as a part of the folder. */
async function announce(
  tx: Db,
  userId: number,
  plain: readonly { each: Checked; size: number; kind: 'file' | 'folder'; traceId: string }[],
  ids: ReadonlyMap<string, number>,
  folderTrace: string,
  at: Date,
): Promise<void> {
  let heard = true
  for (const { each, size, kind: type, traceId } of plain) {
    const { file, cid } = each
    const { asset_name: name, group_id: folder_id, encrypted } = file
    const uploaded = { cid, asset_id: ids.get(cid) ?? 0, name, type, size, folder_id, encrypted, instant: false }
    // Without a receiver, a large folder costs one statement.
    if (heard) heard = (await emitEvent(tx, userId, 'asset.uploaded', uploaded, at)) > 0
    if (traceId !== folderTrace) await nameTrace(tx, { id: traceId, userId, cid, name })
  }
}
