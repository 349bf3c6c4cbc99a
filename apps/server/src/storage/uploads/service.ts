import type { Lang } from '@tidenet/contract'
import { AppError, type contract, type Output, type Parsed } from '@tidenet/contract'
import { areaName } from '@tidenet/contract/areas'
import { findAccountUsage, freeStorageOf, isTrafficCapped, lockAccountForUpdate } from '../../identity/index.ts'
import { countriesOfNodes, placement } from '../../network/index.ts'
import { EVERYWHERE, readAreas } from '../../platform/areas.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Member, Visitor } from '../../platform/http/callers.ts'
import { type AssetKey, type AssetRow, deleteReservations } from '../assets/assets.ts'
import { readKey } from '../assets/key.ts'
import { spendUnlisted } from '../contents/receipts.ts'
import { releaseContents } from '../contents/release.ts'
import { type Context, type Db, now } from '../context.ts'
import { requireOpenAccount } from '../grants/ended-accounts.ts'
import { endGrants, grantUpload, renewUpload, requireQuota } from '../grants/grants.ts'
import { uploadNodes, uploadTargets } from '../grants/targets.ts'
import { openShare } from '../shares/access.ts'
import { findTempFile } from '../temp-files/temp-files.ts'
import { isOfImport, listOpenOfImport, openTrace, reserveUpload } from '../traces/service.ts'
import { findFolder } from '../tree/tree.ts'
import { createProofRequest, PROOF_MIN_BYTES } from './proofs.ts'

type Info = Output<typeof contract.uploads.info>

/** Areas that a user can choose: those with nodes, or with `cid` those that hold the content, if the caller may read it. */
export async function listAreas(
  context: Context,
  caller: Visitor | Member,
  lang: Lang,
  { cid, asset_id, user_id }: Parsed<typeof contract.uploads.areas>,
) {
  const { db } = context
  const content = cid ? readKey(cid, asset_id) : undefined
  const holding = async (key: AssetKey) => {
    const visible = await findVisible(context, caller, key, user_id)
    return visible ? placement.countriesHolding(db, { cid: key.cid, restricted_to: visible.restricted_to }) : []
  }
  const rows = await (content ? holding(content) : countriesOfNodes(db))
  const list = rows.map((row) => row.country)
  const maps = list.map((country) => ({ key: areaName(country, lang), value: country }))
  return { list, area_maps: cid ? maps : [{ key: areaName(EVERYWHERE, lang), value: EVERYWHERE }, ...maps] }
}

/** A content that the caller owns, that is shared with the caller, or that is anonymous; and the nodes that it may be read from. */
async function findVisible(
  context: Context,
  caller: Visitor | Member,
  key: AssetKey,
  owner: string | undefined,
): Promise<Pick<AssetRow, 'restricted_to'> | undefined> {
  const uid = owner || (caller.kind === 'member' ? caller.uid : '')
  const anonymous = key.assetId === undefined ? await findTempFile(context.db, key.cid, now(context)) : undefined
  if (anonymous?.restricted_to === null) return anonymous
  return openShare(context, { caller, uid, ...key }).then(
    ({ asset }) => asset,
    (error: unknown) => {
      if (error instanceof AppError) return anonymous
      throw error
    },
  )
}

/** Where to upload; or that the caller already has the content; or the request of a proof that the caller possesses it. */
export async function uploadInfo(
  context: Context,
  caller: Member,
  input: Parsed<typeof contract.uploads.info>,
): Promise<Info> {
  const { db } = context
  const at = now(context)
  if (input.size === 0 && !input.allow_empty) throw new AppError('emptyFile')
  if (input.group_id !== 0 && !input.encrypted && (await findFolder(db, caller.userId, input.group_id))?.encrypted)
    throw new AppError('folderEncrypted')
  const md5 = /^[0-9a-f]{32}$/i.test(input.md5 ?? '') ? (input.md5 as string).toLowerCase() : undefined
  const areas = readAreas(input.area_id)
  const base: Info = {
    AlreadyExists: false,
    CID: '',
    List: [],
    AreaID: '',
    TraceID: '',
    available_nodes: 0,
    Log: '',
    SizeKnown: false,
    Proof: null,
  }

  // A key that is limited to folders does not learn what the account has elsewhere; it can prove that it has the bytes.
  if (md5 && !caller.folders) {
    // An asset restricted to edges does not count: the account may upload it again, to invited nodes.
    const own = await db.maybe<{ cid: string }>(
      sql`select cid from assets where user_id = ${caller.userId} and md5 = ${md5} and restricted_to is null order by id desc limit 1`,
    )
    if (own) return { ...base, AlreadyExists: true, CID: own.cid }
  }
  const user = await findAccountUsage(db, caller.userId)
  const free = freeStorageOf(user)
  if (free <= 0 || (input.size ?? 0) > free) throw new AppError('quotaExceeded', { free: Math.max(0, free) })

  // Chosen before the transaction locks anything, because it uses another connection.
  const chosen = await uploadNodes(context, { areas, size: input.size })
  // What all tokens together allow must fit the reservation, which ends with the first receipt.
  const nodes = input.size === undefined && isTrafficCapped(caller) ? chosen.slice(0, 1) : chosen
  const { traceId, tokens, max, ended } = await db.transaction(async (tx) => {
    const account = await lockAccountForUpdate(tx, caller.userId)
    const ended = await requireOpenAccount(tx, account)
    const left = freeStorageOf(account)
    if (input.trace_id && input.size) {
      const again = {
        userId: caller.userId,
        account: caller.uid,
        traceId: input.trace_id,
        size: input.size,
        free: left,
      }
      const renewed = await renewUpload(context, tx, again, nodes)
      if (renewed) {
        await reserveUpload(tx, caller, { traceId: input.trace_id, bytes: input.size }, at)
        return { traceId: input.trace_id, tokens: renewed, max: input.size, ended }
      }
    }
    const quota = await requireQuota(context, tx, { userId: caller.userId, size: input.size, free: left })
    const { reserved } = quota
    const traceId = await openTrace(tx, {
      userId: caller.userId,
      account: caller.uid,
      kind: 'upload',
      cid: '',
      name: '',
      offered: nodes.map(({ id }) => id),
      at,
    })
    const capped = await reserveUpload(tx, caller, { traceId, bytes: input.size, isNew: true }, at)
    const max = Math.min(quota.max, capped ?? quota.max)
    const granting = {
      traceId,
      account: caller.uid,
      userId: caller.userId,
      kind: 'file' as const,
      max,
      size: input.size,
    }
    return { traceId, tokens: await grantUpload(context, tx, { ...granting, reserved }, nodes), max, ended }
  })
  const upload = { account: caller.uid, areas, traceId, kind: 'file' as const, max, size: input.size, ended }
  const { list, area } = await uploadTargets(context, upload, nodes, tokens)
  const match =
    md5 && input.proof && input.size && input.size >= PROOF_MIN_BYTES
      ? await findLikelyMatch(db, md5, input.size)
      : undefined
  return {
    ...base,
    List: list,
    AreaID: area,
    TraceID: traceId,
    available_nodes: list.length,
    SizeKnown: input.size ? await placement.isSizeKnown(db, input.size) : false,
    Proof: match ? await createProofRequest(context, caller, match) : null,
  }
}

/**
 * Contents of one MD5 and size, the most common first. MD5 collisions can be made on purpose: the bound limits the work, and beyond it
 * the file is simply uploaded.
 */
const MATCHES_MAX = 10

/**
 * Finds the content that the file probably is; a proof of possession decides. Contents that no invited node holds do not count: edges
 * could drop them, and the account would have neither the content nor an upload.
 */
export async function findLikelyMatch(
  db: Db,
  md5: string,
  size: number,
): Promise<{ cid: string; size: number } | undefined> {
  const candidates = await db.rows<{ cid: string; size: number }>(sql`
    select cid, size from assets where md5 = ${md5} and size = ${size} and kind = 'file' and not encrypted and restricted_to is null
    group by cid, size order by count(*) desc, cid limit ${MATCHES_MAX}`)
  const lasting = await placement.heldByInvited(
    db,
    candidates.map(({ cid }) => cid),
  )
  return candidates.find(({ cid }) => lasting.has(cid))
}

/** Releases the reservation of a cancelled upload, and the contents that nodes already received for it. */
export async function cancelUpload(
  context: Context,
  caller: Member,
  input: { trace_id: string; asset_cid: string },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    if (!caller.import) return cancelIn(context, tx, caller, { traceId: input.trace_id, cid: input.asset_cid })
    if (!(await isOfImport(tx, input.trace_id, caller.import.id))) throw new AppError('forbidden')
    await cancelIn(context, tx, caller, { traceId: input.trace_id, cid: '' })
  })
}

type Account = Pick<Member, 'userId' | 'uid'>

async function cancelIn(
  context: Context,
  tx: Db,
  account: Account,
  { traceId, cid }: { traceId: string; cid: string },
): Promise<void> {
  const reserved = await deleteReservations(tx, account.userId, { traceId, cid })
  const traceIds = [traceId, ...reserved.map((row) => row.trace_id)]
  await endGrants(tx, account.uid, { traceIds, cids: reserved.map((row) => row.cid) })
  const sent = traceId === '' ? [] : await spendUnlisted(tx, account, traceId)
  await releaseContents(context, tx, [...new Set([...reserved, ...sent].map((row) => row.cid))])
}

/** Cancels what a worker of an import has left. The caller has locked the account. */
export async function cancelUploadsOfImport(context: Context, tx: Db, account: Account, id: number): Promise<void> {
  for (const traceId of await listOpenOfImport(tx, id)) await cancelIn(context, tx, account, { traceId, cid: '' })
}
