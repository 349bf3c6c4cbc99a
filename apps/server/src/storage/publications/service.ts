import {
  AppError,
  type contract,
  type Output,
  type Parsed,
  PUBLICATIONS_MAX,
  type Publication,
} from '@tidenet/contract'
import { lockAccountForUpdate } from '../../identity/index.ts'
import { requireNotBlocked } from '../../network/index.ts'
import { DAY } from '../../platform/ago.ts'
import { countFailure, type FailureLimit } from '../../platform/attempts/attempts.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import { readCid } from '../../platform/cids.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type AssetRow, findAsset } from '../assets/assets.ts'
import { readKey } from '../assets/key.ts'
import { type Context, now } from '../context.ts'
import { requireOpenAccount } from '../grants/ended-accounts.ts'
import * as repository from './repository.ts'

type Publications = (typeof contract)['publications']
export type Deps = Pick<Context, 'db' | 'clock' | 'config'>
type Named = { cid: string; asset_id?: number | undefined }

/** @throws AppError assetUnknown */
async function requireOwnAsset(tx: Db, caller: Member, { cid, asset_id }: Named): Promise<AssetRow> {
  const asset = await findAsset(tx, caller.userId, readKey(cid, asset_id))
  if (!asset) throw new AppError('assetUnknown')
  return asset
}

/**
 * Publishes an entry. What is published already stays as it is, and one that failed is tried again.
 * @throws AppError as the contract declares
 */
export async function publish(
  context: Deps,
  caller: Member,
  named: Named,
  from: { ip: string },
): Promise<Output<Publications['create']>> {
  const at = now(context)
  return context.db.transaction(async (tx) => {
    await requireOpenAccount(tx, await lockAccountForUpdate(tx, caller.userId))
    const asset = await requireOwnAsset(tx, caller, named)
    if (asset.expires_at <= at) throw new AppError('fileExpired')
    if (asset.encrypted) throw new AppError('publicationEncrypted')
    // Only edges say that the account has the bytes.
    if (asset.restricted_to !== null) throw new AppError('publicationUnproven')
    await requireNotBlocked(tx, asset.cid)
    const all = { userId: caller.userId, folders: null }
    const own = { ...all, assetId: asset.id }
    if ((await repository.countPublications(tx, own)) > 0) {
      if ((await repository.restart(tx, asset.id, at)) > 0) await countBegin(tx, context, caller, asset.cid)
    } else {
      if ((await repository.countPublications(tx, all)) >= PUBLICATIONS_MAX)
        throw new AppError('tooManyPublications', { max: PUBLICATIONS_MAX })
      await countBegin(tx, context, caller, asset.cid)
      await repository.insertPublication(tx, { userId: caller.userId, assetId: asset.id, cid: asset.cid, at })
      const detail = { of: asset.cid, asset: asset.id, name: asset.name }
      await audit(tx, context, caller, from, { action: 'publication.create', subject: `user:${caller.uid}`, detail })
    }
    const [row] = await repository.pageOfPublications(tx, own, { limit: 1, offset: 0 })
    if (!row) throw new AppError('assetUnknown')
    return toPublication(context, row)
  })
}

/** Each time, the server reads and records the blocks. */
const BEGINNINGS: FailureLimit = { kind: 'publications', max: 2 * PUBLICATIONS_MAX, within: DAY }
const BEGINNINGS_OF_ONE: FailureLimit = { kind: 'publications-of-one', max: 20, within: DAY }

/** @throws AppError tooManyRequests */
export async function countBegin(tx: Db, { clock }: Deps, { userId }: Member, item: string): Promise<void> {
  for (const [limit, subject] of [
    [BEGINNINGS, String(userId)],
    [BEGINNINGS_OF_ONE, `${userId} ${item}`],
  ] as const) {
    const seconds = await countFailure({ db: tx, clock }, limit, subject)
    if (seconds > 0) throw new AppError('tooManyRequests', { seconds })
  }
}

/** @throws AppError assetUnknown, notFound if it is not published */
export async function unpublish(context: Deps, caller: Member, named: Named, from: { ip: string }): Promise<void> {
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const asset = await requireOwnAsset(tx, caller, named)
    if ((await repository.deletePublication(tx, caller.userId, asset.id)) === 0) throw new AppError('notFound')
    const detail = { of: asset.cid, asset: asset.id, name: asset.name }
    await audit(tx, context, caller, from, { action: 'publication.remove', subject: `user:${caller.uid}`, detail })
  })
}

export async function listPublications(
  context: Deps,
  caller: Member,
  { cid, asset_id: assetId, folder_id: publishedFolder, page, page_size }: Parsed<Publications['list']>,
): Promise<Output<Publications['list']>> {
  const { userId, folders = null } = caller
  const filter = { userId, folders, assetId, publishedFolder, ...(cid !== undefined && { cid: readCid(cid).text }) }
  const [rows, total] = await Promise.all([
    repository.pageOfPublications(context.db, filter, { limit: page_size, offset: (page - 1) * page_size }),
    repository.countPublications(context.db, filter),
  ])
  return { list: rows.map((row) => toPublication(context, row)), total }
}

export const toPublication = ({ config }: Pick<Deps, 'config'>, row: repository.PublicationRow): Publication => ({
  cid: row.cid,
  asset_id: row.asset_id,
  folder_id: row.published_folder,
  files: row.parts,
  files_ended: row.ended,
  kind: row.kind,
  name: row.name,
  size: row.size,
  folder: row.folder_id,
  state: row.state,
  reason: row.reason,
  published_at: row.created_at.toISOString(),
  url: config.ipfsUrl === '' || row.cid === '' ? '' : addressOf(config.ipfsUrl, row),
})

/** A file gets its name, so that browsers know how to show it; a folder shows its list. */
const addressOf = (ipfsUrl: string, { cid, kind, name }: repository.PublicationRow): string =>
  `${ipfsUrl}/ipfs/${cid}${kind === 'folder' ? '/' : `?filename=${encodeURIComponent(name)}`}`
