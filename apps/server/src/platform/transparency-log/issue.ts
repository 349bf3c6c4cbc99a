import { receiptClaims, type Stated } from '@tidenet/receipts'
import type { Db } from '../db/db.ts'
import { insertQueued } from './repository.ts'

/** In production, a wrong claim must not undo the event that it is about. */
const VALIDATED = process.env.TIDENET_ENV !== 'production'

/** What the log adds. */
const ADDED = { iss: 'tidenet-log-00000000', id: 0, index: 0, iat: 0 }

/** Issues one receipt in the transaction of its event. @returns its id; the receipt is in the log about a second after the commit */
export async function issueReceipt(tx: Db, stated: Stated, at: Date): Promise<number> {
  const [id] = await issueReceipts(tx, [stated], at)
  return id as number
}

/** Issues many receipts in one statement. @returns their ids, in the order given */
export async function issueReceipts(tx: Db, stated: readonly Stated[], at: Date): Promise<number[]> {
  if (VALIDATED) for (const claims of stated) receiptClaims.parse({ ...claims, ...ADDED })
  const ids = await insertQueued(
    tx,
    stated.map((claims) => JSON.stringify(claims)),
    at,
  )
  return ids.sort((a, b) => a - b)
}
