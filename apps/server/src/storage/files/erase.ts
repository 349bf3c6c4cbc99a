import { lockAccountForUpdate } from '../../identity/index.ts'
import { deleteSomeAssets, deleteSomeReservations, versions } from '../assets/assets.ts'
import { findUnspent } from '../contents/receipts.ts'
import { releaseContents } from '../contents/release.ts'
import type { Context, Db } from '../context.ts'

type Deps = Pick<Context, 'db' | 'clock'>
interface Account {
  id: number
  uid: string
}

/** Contents per transaction. */
export const ERASE_BATCH = 500

/** Deletes a part of an account's files and releases their contents. @returns whether there may be more */
export const eraseAssets = (context: Deps, account: Account): Promise<boolean> =>
  erase(context, account, (tx) => deleteSomeAssets(tx, account.id, ERASE_BATCH))

/** The same for earlier versions. */
export const eraseVersions = (context: Deps, account: Account): Promise<boolean> =>
  erase(context, account, async (tx) => {
    const oldest = await versions.findOldestVersions(tx, account.id, ERASE_BATCH, { kept: true })
    return versions.deleteVersions(
      tx,
      account.id,
      oldest.map(({ id }) => id),
    )
  })

/** The same for uploads that were announced. */
export const eraseReservations = (context: Deps, account: Account): Promise<boolean> =>
  erase(context, account, (tx) => deleteSomeReservations(tx, account.id, ERASE_BATCH))

/** The same for contents that were uploaded and are in no file. Their receipts are spent, and deleted later like all others. */
export const eraseUnlisted = (context: Deps, account: Account): Promise<boolean> =>
  erase(context, account, (tx) => findUnspent(tx, account.uid, ERASE_BATCH))

const erase = (context: Deps, { id, uid }: Account, take: (tx: Db) => Promise<string[]>): Promise<boolean> =>
  context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, id)
    const cids = await take(tx)
    await releaseContents(context, tx, cids, { userId: id, uid })
    return cids.length > 0
  })
