import { AppError, type contract, type Parsed } from '@tidenet/contract'
import { lockAccountForUpdate } from '../../identity/index.ts'
import { type Member, requirePermission } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'
import { requireObject } from './objects.ts'
import * as repository from './repository.ts'
import { requireVersion } from './versions.ts'

/**
 * Replaces the tags of what an object contains, now or in a version. Lifecycle rules can delete by tags, so it needs the permission to delete.
 * @throws AppError folderUnknown, assetUnknown, forbidden
 */
export async function setTags(
  context: Pick<Context, 'db'>,
  caller: Member,
  { bucket, key, version_id, tags }: Parsed<(typeof contract)['s3']['setTags']>,
): Promise<void> {
  requirePermission(caller, 'deleteFile')
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const object =
      version_id === undefined
        ? await requireObject(tx, caller, bucket, key)
        : (await requireVersion(tx, caller, { bucket, key, version_id })).object
    if (object.marker) throw new AppError('assetUnknown')
    await repository.setTags(tx, { userId: caller.userId, assetId: object.asset_id, version: object.version }, tags)
  })
}
