import { AppError, type contract, type Output } from '@tidenet/contract'
import { lockAccountForUpdate } from '../../identity/index.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Context, now } from '../context.ts'
import { folderLimit } from '../folders/service.ts'
import { requireOpenAccount } from '../grants/ended-accounts.ts'
import { type From, recordItems } from '../trash/record.ts'
import { enforceTrashLimit, trashFolder } from '../trash/service.ts'
import * as tree from '../tree/tree.ts'
import { recordStored } from '../usage/service.ts'
import { hasObjects } from './list.ts'
import { bucketsOf, requireBucket } from './objects.ts'

export async function listBuckets(
  { db }: Pick<Context, 'db'>,
  caller: Member,
): Promise<Output<(typeof contract)['s3']['buckets']>> {
  const list = await bucketsOf(db, caller)
  return { owner: caller.uid, list: list.map(({ name, created }) => ({ name, created: created.toISOString() })) }
}

/** New buckets have the names that S3 allows. */
const NEW_NAME = /^(?!\d+\.\d+\.\d+\.\d+$)(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

/** @throws AppError nameForbidden, nameTaken, tooManyFolders; keyFolders for a key that is limited to folders */
export async function createBucket(
  context: Pick<Context, 'db' | 'clock'>,
  caller: Member,
  name: string,
): Promise<void> {
  if (caller.folders) throw new AppError('keyFolders')
  if (!NEW_NAME.test(name)) throw new AppError('nameForbidden')
  await context.db.transaction(async (tx) => {
    const user = await lockAccountForUpdate(tx, caller.userId)
    await requireOpenAccount(tx, user)
    const [taken] = await tree.findFoldersOfParts(tx, caller.userId, [{ parent: 0, part: name }])
    if (taken) throw new AppError('nameTaken', { name })
    const max = folderLimit(user)
    if ((await tree.countFolders(tx, caller.userId)) >= max) throw new AppError('tooManyFolders', { max })
    await tree.insertFolder(tx, caller.userId, 0, name, now(context))
  })
}

/** Empty folders below it go with it. @throws AppError folderUnknown, folderNotEmpty, keyFolders */
export async function removeBucket(context: Context, caller: Member, name: string, from: From): Promise<void> {
  if (caller.folders) throw new AppError('keyFolders')
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const bucket = await requireBucket(tx, caller, name)
    if (await hasObjects(tx, caller.userId, bucket.id)) throw new AppError('folderNotEmpty')
    await trashFolder(context, tx, caller, bucket.id)
    await enforceTrashLimit(context, tx, caller)
    await recordStored(tx, caller.userId, now(context))
    await recordItems(tx, context, caller, from, 'file.trash', 1)
  })
}
