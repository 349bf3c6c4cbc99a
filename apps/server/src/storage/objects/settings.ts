import { AppError, type contract, type Output, type Parsed } from '@tidenet/contract'
import { lockAccountForUpdate } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Member, requirePermission } from '../../platform/http/callers.ts'
import { type Context, now } from '../context.ts'
import { requireBucket } from './objects.ts'
import * as repository from './settings-repository.ts'

type Settings = Output<(typeof contract)['s3']['settings']>

/**
 * The settings of a bucket. For a key that is limited to folders, these are those of the folder of the root that its bucket is in.
 * @throws AppError folderUnknown
 */
export async function settingsOf(db: Db, caller: Pick<Member, 'userId' | 'folders'>, name: string): Promise<Settings> {
  const bucket = await requireBucket(db, caller, name)
  const row = await repository.findSettings(db, caller.userId, bucket.id)
  return {
    versioning: row?.versioning ?? '',
    cors: (row?.cors ?? []) as Settings['cors'],
    lifecycle: caller.folders ? [] : ((row?.lifecycle ?? []) as Settings['lifecycle']),
  }
}

/** @returns none for a bucket that there is not: nobody learns from it whether there is one */
export const corsOf = async (
  db: Db,
  caller: Pick<Member, 'userId' | 'folders'>,
  name: string,
): Promise<Settings['cors']> => {
  try {
    return (await settingsOf(db, caller, name)).cors
  } catch (error) {
    if (error instanceof AppError && error.key === 'folderUnknown') return []
    throw error
  }
}

/** @throws AppError folderUnknown, forbidden; keyFolders for a key that is limited to folders */
export async function changeSettings(
  context: Pick<Context, 'db' | 'clock'>,
  caller: Member,
  { bucket: name, ...changed }: Parsed<(typeof contract)['s3']['changeSettings']>,
): Promise<void> {
  if (caller.folders) throw new AppError('keyFolders')
  const isDeleting = changed.versioning === 'Suspended' || changed.lifecycle !== undefined
  if (isDeleting) requirePermission(caller, 'deleteFile')
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const bucket = await requireBucket(tx, caller, name)
    await repository.changeSettings(tx, { userId: caller.userId, folderId: bucket.id }, changed, now(context))
  })
}
