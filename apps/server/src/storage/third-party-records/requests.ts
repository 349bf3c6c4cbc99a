import type { Db } from '../../platform/db/db.ts'
import { recheckContents } from './plan-repository.ts'
import { requestRestore } from './restore-repository.ts'

/** What the other modules of storage ask of this one. */

/** An account no longer refers to these contents: their replicas may have to be removed. */
export const contentsReleased = (tx: Db, cids: readonly string[], at: Date): Promise<number> =>
  recheckContents(tx, cids, at)

/** No node has these contents: they are fetched back. @returns those that a third party has */
export const contentsMissing = (tx: Db, cids: readonly string[], at: Date): Promise<string[]> =>
  requestRestore(tx, cids, at)
