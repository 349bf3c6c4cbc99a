import { AppError, type contract, type Output, type Parsed, THUMBNAILS_MAX } from '@tidenet/contract'
import { isThumbnail } from '@tidenet/contract/thumbnail-images'
import { lockAccountForUpdate } from '../../identity/index.ts'
import { ago, DAY } from '../../platform/ago.ts'
import { readCid } from '../../platform/cids.ts'
import type { Member } from '../../platform/http/callers.ts'
import * as assets from '../assets/assets.ts'
import { type Context, now } from '../context.ts'
import * as repository from './repository.ts'

type Thumbnails = (typeof contract)['thumbnails']
type Deps = Pick<Context, 'db' | 'clock'>

/** @throws AppError badCid */
export async function getThumbnails(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  { cids }: Parsed<Thumbnails['get']>,
): Promise<Output<Thumbnails['get']>> {
  const known = cids.map((cid) => readCid(cid).text)
  const rows = await repository.findThumbnails(db, caller.userId, known)
  return { list: rows.map(({ cid, image }) => ({ cid, image: image.toString('base64') })) }
}

/**
 * The first one stays, so that a member of a team cannot replace what others see of a file.
 * @throws AppError badCid, assetUnknown, badThumbnail
 */
export async function keepThumbnail(
  context: Deps,
  caller: Member,
  { cid, image }: Parsed<Thumbnails['keep']>,
): Promise<Output<Thumbnails['keep']>> {
  const bytes = Buffer.from(image, 'base64')
  const text = readCid(cid).text
  return context.db.transaction(async (tx) => {
    // Calls of one account wait for each other: together they must not exceed the limit, nor outlive the deletion of the account.
    const { used_bytes, trash_bytes, version_bytes } = await lockAccountForUpdate(tx, caller.userId)
    const asset = await assets.findAsset(tx, caller.userId, { cid: text })
    if (!asset) throw new AppError('assetUnknown')
    if (asset.kind !== 'file' || !isThumbnail(bytes, asset.encrypted)) throw new AppError('badThumbnail')
    // A file that is smaller than its thumbnail is downloaded as fast; so thumbnails need no more space than files that count.
    if (bytes.length > asset.size) return { kept: false }
    const kept = await repository.countThumbnails(tx, caller.userId)
    if (kept.count >= THUMBNAILS_MAX) return { kept: false }
    // Those of deleted files stay for hours.
    if (kept.bytes + bytes.length > used_bytes + trash_bytes + version_bytes) return { kept: false }
    return { kept: (await repository.insertThumbnail(tx, caller.userId, asset.cid, bytes, now(context))) > 0 }
  })
}

const BATCH = 500
/** Within this time after the account has deleted its content, a thumbnail is gone; until then nobody can read it. */
const CHECK_AFTER = DAY / 2

/** Deletes thumbnails of contents that their accounts no longer have. */
export async function dropThumbnails(context: Deps): Promise<void> {
  const at = now(context)
  await repository.dropUnheld(context.db, at, ago(at, CHECK_AFTER), BATCH)
}
