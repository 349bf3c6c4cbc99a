import type { contract, Parsed } from '@tidenet/contract'
import { lockAccountForUpdate } from '../../identity/index.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Context, now } from '../context.ts'
import { type From, recordItems } from '../trash/record.ts'
import { enforceTrashLimit, trashFiles } from '../trash/service.ts'
import { recordStored } from '../usage/service.ts'
import { findEntries, requireBucket } from './objects.ts'

/** Moves objects to the trash; keys without an object are ignored. @throws AppError folderUnknown */
export async function removeObjects(
  context: Context,
  caller: Member,
  input: Parsed<(typeof contract)['s3']['remove']>,
  from: From,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const bucket = await requireBucket(tx, caller, input.bucket)
    const entries = await findEntries(tx, caller.userId, bucket, [...new Set(input.keys)])
    if (entries.size === 0) return
    await trashFiles(
      context,
      tx,
      caller.userId,
      [...entries.values()].map(({ id }) => id),
    )
    await enforceTrashLimit(context, tx, caller)
    await recordStored(tx, caller.userId, now(context))
    await recordItems(tx, context, caller, from, 'file.trash', entries.size)
  })
}
