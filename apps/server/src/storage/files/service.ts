import { AppError, type CandidateSlot, type contract, type Parsed } from '@tidenet/contract'
import { freeStorageOf, lockAccountForUpdate } from '../../identity/index.ts'
import { countriesOfNodes, placement, readReceipt, requireNotBlocked } from '../../network/index.ts'
import { readAreas } from '../../platform/areas.ts'
import { readCid } from '../../platform/cids.ts'
import type { Db } from '../../platform/db/db.ts'
import { hasPermission, type Member, requirePermission } from '../../platform/http/callers.ts'
import { createTempFile } from '../anonymous/service.ts'
import * as assets from '../assets/assets.ts'
import { possessionOf } from '../contents/possession.ts'
import { releaseContents } from '../contents/release.ts'
import { type Context, now } from '../context.ts'
import { ownDownload } from '../downloads/service.ts'
import { lockTargetFolder } from '../folders/service.ts'
import { requireOpenAccount } from '../grants/ended-accounts.ts'
import { closeGrants, closeOldestGrant, endGrants, enforceAccountLimit, hasReceipt } from '../grants/grants.ts'
import { candidateSlots } from '../grants/targets.ts'
import { assetExpiry } from '../lifetimes.ts'
import { acceptReceipt } from '../receipts/receipts.ts'
import { clearSoleHolder } from '../receipts/sole-holder.ts'
import { closeTrace, lockUnnamedUpload, nameTrace, openTrace, reserveUpload, setImport } from '../traces/service.ts'
import { type From, recordItems } from '../trash/record.ts'
import { deleteTrashedAsset, enforceTrashLimit, freeQuota, trashFiles } from '../trash/service.ts'
import { resolveConflict } from '../tree/tree.ts'
import { readProof } from '../uploads/proofs.ts'
import { recordStored } from '../usage/service.ts'
import { replaceContent } from '../versions/replace.ts'

type Creation = Parsed<typeof contract.assets.create>

/**
 * Adds content to the account. Size and kind come from a node's receipt. Content that the caller does not provably possess is
 * announced: its quota is reserved, and the answer says where to upload the bytes.
 */
export async function createAsset(
  context: Context,
  caller: Member,
  input: Creation,
  ip: string,
): Promise<CandidateSlot[]> {
  const mayBeEmpty = input.allow_empty && input.group_id !== -1
  if (input.asset_size === 0 && !mayBeEmpty) throw new AppError('emptyFile')
  const reads = hasPermission(caller, 'readFile')
  // A key that may not read files must not publish the account's uploads as anonymous files.
  if (caller.import && input.group_id !== caller.import.folder) throw new AppError('forbidden')
  if (input.group_id === -1) return createTempFile(context, input, { ip, uid: reads ? caller.uid : '' })
  // It can push earlier versions out.
  if (input.on_conflict === 'replace') requirePermission(caller, 'deleteFile')
  const { text: cid } = readCid(input.asset_cid)
  await requireNotBlocked(context.db, cid)
  const areas = readAreas(input.area_id, input.area_ids)
  if (input.receipt) await acceptReceipt(context, input.receipt)
  const proven = input.proof !== undefined && (await readProof(context, input.proof, caller.uid, cid))
  if (input.proof !== undefined && !proven) throw new AppError('proofFailed')
  const own = caller.folders && !proven ? ownReceipt(caller, input.receipt, cid) : undefined

  const outcome = await context.db.transaction((tx) =>
    createEntry(context, tx, caller, { ...input, cid, areas, proven, own }),
  )
  if (outcome.state === 'exists') {
    // The address grants read access, so keys without the permission do not get it.
    const key = { cid, assetId: outcome.id }
    const own = reads ? ownDownload(context, caller, { key, areas: [] }) : undefined
    const info = await own?.catch(() => undefined)
    throw new AppError('assetExists').with({ assetDirectUrl: info?.url[0] ?? '' })
  }
  if (outcome.state === 'stored') return []
  const { traceId, size, ended } = outcome
  const account = { account: caller.uid, userId: caller.userId, ended }
  const upload = { ...account, areas, traceId, kind: input.asset_type, max: size, cid }
  return candidateSlots(context, upload, { open: outcome.state === 'announced' })
}

/**
 * A key that is limited to folders must prove itself that it has the bytes: what the account has elsewhere does not count. It cannot
 * announce an upload, because any upload of the account would list the content in its folder.
 * @returns the id of the receipt of its upload
 * @throws AppError keyFolders without a receipt, nodeSignature for one of something else
 */
function ownReceipt(caller: Member, receipt: string | undefined, cid: string): string {
  if (!receipt) throw new AppError('keyFolders')
  const claims = readReceipt(receipt)
  if (claims?.sub !== caller.uid || readCid(claims.cid).text !== cid) throw new AppError('nodeSignature')
  return claims.jti
}

/** `stored`: no bytes are needed; `uploaded`: a receipt exists, other nodes are offered too; `announced`: the bytes are missing. */
type Outcome =
  | { state: 'exists'; id: number }
  | { state: 'stored' }
  | { state: 'uploaded' | 'announced'; traceId: string; size: number; ended: number }

/**
 * Adds one content to a locked account, or announces it.
 * @param input.folderTrace the trace of the folder that the file is uploaded in; empty or missing: it has one of its own
 * @param input.ongoing more entries follow in this transaction, and the caller calls `afterListing` once for all of them
 */
export async function createEntry(
  context: Context,
  tx: Db,
  caller: Member,
  input: Omit<Creation, 'allow_empty'> & {
    cid: string
    areas: string[]
    proven: boolean
    own: string | undefined
    folderTrace?: string
    ongoing?: true
  },
): Promise<Outcome> {
  const at = now(context)
  const user = await lockAccountForUpdate(tx, caller.userId)
  const folder = await lockTargetFolder(tx, caller.userId, input.group_id)
  if (folder.encrypted && !input.encrypted) throw new AppError('folderEncrypted')
  const content = await placement.lockContent(tx, input.cid)
  const owned = await assets.findAssetWithin(tx, caller, { cid: input.cid })
  const place = { userId: caller.userId, folderId: input.group_id, name: input.asset_name, cid: input.cid }
  const resolved = input.on_conflict && (await resolveConflict(tx, place, input.on_conflict))
  const receipt = content && (await possessionOf(tx, input.cid, { account: caller.uid, receiptId: input.own }))
  if (content && owned?.restricted_to && input.proven) await assets.liftRestriction(tx, content, caller.userId)
  // The bytes may have been sent although the entry has them: the transfer needs a name all the same.
  const nameSent = async () => {
    const sent = receipt?.traceId
    if (sent) await nameTrace(tx, { id: sent, userId: caller.userId, cid: input.cid, name: input.asset_name })
  }
  if (resolved?.listed) {
    await closeUnneededUpload(tx, caller, input, owned?.size ?? input.asset_size, at)
    await nameSent()
    return { state: 'stored' }
  }
  if (owned && !resolved) {
    await closeUnneededUpload(tx, caller, input, owned.size, at)
    await nameSent()
    const more = input.areas.filter((area) => !owned.areas.includes(area))
    if (owned.areas.length === 0 || (input.areas.length > 0 && more.length === 0))
      return { state: 'exists', id: owned.id }
    await assets.setAreas(tx, owned.id, input.areas.length === 0 ? [] : [...owned.areas, ...more].sort())
    await placement.checkContents(tx, [input.cid], at)
    return { state: 'stored' }
  }
  // Another entry of a content gives no more access than the account has already.
  const unrestricted = content && (input.proven || receipt?.nodes === null || owned?.restricted_to === null)
  const restrictedTo = unrestricted ? null : (receipt?.nodes ?? owned?.restricted_to ?? null)
  const held = unrestricted && (await placement.isHeld(tx, input.cid)) ? content : undefined
  // If only edges signed, the asset has the size and kind that they reported: the server's own record must not be revealed.
  const possessed = unrestricted ? held : (receipt ?? owned)
  const size = possessed?.size ?? input.asset_size
  const free = freeStorageOf(user)
  const asset = {
    userId: caller.userId,
    folderId: input.group_id,
    cid: input.cid,
    kind: possessed?.kind ?? input.asset_type,
    name: resolved?.name ?? input.asset_name,
    size,
    md5: input.md5 === '' || input.encrypted ? null : input.md5.toLowerCase(),
    encrypted: input.encrypted,
    areas: input.areas,
    createdAt: at,
  }
  if (input.proven) await clearSoleHolder(tx, input.cid, caller.uid)
  const announced = { ...asset, name: input.asset_name, onConflict: input.on_conflict }
  const reserved = await assets.reservedFor(tx, announced)
  const replaced = resolved?.replaced
    ? await assets.findAsset(tx, caller.userId, { assetId: resolved.replaced })
    : undefined
  // Its bytes become those of a version.
  if (size > free + reserved + (replaced?.size ?? 0)) throw new AppError('quotaExceeded', { free: Math.max(0, free) })
  // A client with a receipt or a proof will not upload, so the content must not be announced.
  if (!possessed && (input.receipt || input.proven)) throw new AppError('proofFailed')
  const begun = { userId: caller.userId, account: caller.uid, kind: 'upload' as const }
  const open = () => input.folderTrace || openTrace(tx, { ...begun, cid: input.cid, name: input.asset_name, at })
  if (!possessed) {
    const ended = await requireOpenAccount(tx, user)
    const traceId = receipt?.traceId || (await open())
    await enforceAccountLimit(context, tx, caller.userId)
    await reserveUpload(tx, caller, { traceId, bytes: size }, at)
    await assets.reserve(tx, announced, traceId)
    return { state: 'announced', traceId, size, ended }
  }
  // What is in the trash may be outside the folders of a key.
  if (!resolved && !caller.folders) await deleteTrashedAsset(tx, caller.userId, input.cid)
  const listed = { ...asset, restrictedTo, expiresAt: assetExpiry(at) }
  const sender = { uid: caller.uid, node: receipt?.node }
  if (replaced) await replaceContent(context, tx, replaced, listed, sender)
  else await assets.listAsset(tx, listed, sender)
  // Nothing was uploaded: the one trace of the upload is closed here, because a client may never report on it.
  const unneeded =
    input.proven || (owned && input.trace_id) ? await closeUnneededUpload(tx, caller, input, size, at) : undefined
  const traceId = unneeded || receipt?.traceId || (await open())
  if (caller.import) await setImport(tx, traceId, caller.import.id)
  if (!unneeded) await nameTrace(tx, { id: traceId, userId: caller.userId, cid: input.cid, name: input.asset_name })
  if (!unneeded && !receipt && !input.folderTrace) await closeTrace(tx, traceId, at)
  if (!input.ongoing) await afterListing(context, tx, caller.userId, [input.cid])
  // An account that has ended keeps what it sent before.
  if (!receipt || owned || user.locked || user.closing) return { state: 'stored' }
  return { state: 'uploaded', traceId, size, ended: await requireOpenAccount(tx, user) }
}

/** What follows when contents were listed in an account. */
export async function afterListing(context: Context, tx: Db, userId: number, cids: readonly string[]): Promise<void> {
  const at = now(context)
  await Promise.all([
    placement.checkContents(tx, cids, at),
    recordStored(tx, userId, at),
    freeQuota(context, tx, userId),
  ])
}

/**
 * Ends the upload that the client asked for before it turned out to be unnecessary.
 * @returns its trace, now closed; undefined if the client does not name it, or if bytes were sent for it
 */
async function closeUnneededUpload(
  tx: Db,
  caller: Member,
  { trace_id: named = '', cid, asset_name: name }: Pick<Creation, 'trace_id' | 'asset_name'> & { cid: string },
  size: number,
  at: Date,
): Promise<string | undefined> {
  const id = named === '' ? undefined : await lockUnnamedUpload(tx, caller.userId, named)
  if (!id || (await hasReceipt(tx, id))) {
    await closeOldestGrant(tx, caller.userId, size, at)
    return undefined
  }
  await closeGrants(tx, id)
  await nameTrace(tx, { id, userId: caller.userId, cid, name })
  await closeTrace(tx, id, at)
  return id
}

export async function moveAsset(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  key: assets.AssetKey,
  folderId: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const folder = await lockTargetFolder(tx, caller.userId, folderId)
    const asset = await assets.findAsset(tx, caller.userId, key)
    if (!asset) throw new AppError('assetUnknown')
    if (asset.folder_id === folderId) throw new AppError('moveSame')
    if (folder.encrypted && !asset.encrypted) throw new AppError('folderEncrypted')
    await assets.setFolder(tx, asset.id, folderId)
  })
}

/**
 * Deletes the asset, or removes it from some areas; removing the last area deletes it.
 * @param toTrash move a deleted asset to the trash
 */
export async function removeAsset(
  context: Context,
  caller: Member,
  key: assets.AssetKey,
  areaIds: readonly string[] | undefined,
  from: From,
  toTrash = false,
): Promise<{ complete: boolean }> {
  const { cid } = key
  const named = readAreas(areaIds)
  const at = now(context)
  return context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const asset = await assets.findAsset(tx, caller.userId, key)
    if (!asset) {
      if (key.assetId !== undefined) throw new AppError('assetUnknown')
      await cancelAnnounced(context, tx, caller, cid)
      return { complete: true }
    }
    if (named.length > 0) {
      const present = asset.areas.length > 0 ? asset.areas : (await countriesOfNodes(tx)).map((row) => row.country)
      const remaining = present.filter((area) => !named.includes(area))
      if (remaining.length === present.length) throw new AppError('assetUnknown')
      if (remaining.length > 0) {
        await assets.setAreas(tx, asset.id, remaining)
        await placement.checkContents(tx, [cid], at)
        return { complete: false }
      }
    }
    if (toTrash) {
      await trashFiles(context, tx, caller.userId, [asset.id])
      await enforceTrashLimit(context, tx, caller)
    } else {
      await assets.deleteAsset(tx, asset)
      const earlier = await assets.versions.deleteVersionsOf(tx, caller.userId, [asset.id])
      await releaseContents(context, tx, [cid, ...earlier], caller)
      await assets.emitDeleted(tx, caller.userId, [asset], { trashed: false, at })
    }
    await recordStored(tx, caller.userId, at)
    await recordItems(tx, context, caller, from, toTrash ? 'file.trash' : 'file.delete', 1)
    return { complete: true }
  })
}

/** Cancels the announced uploads of a content and releases their reservations. @throws AppError assetUnknown */
async function cancelAnnounced(context: Context, tx: Db, caller: Member, cid: string): Promise<void> {
  const announced = await assets.deleteReservationsOf(tx, caller.userId, cid)
  if (announced.length === 0) throw new AppError('assetUnknown')
  await endGrants(tx, caller.uid, { cids: [cid] })
  await releaseContents(context, tx, [cid], caller)
}
