import type { Db } from '../../platform/db/db.ts'
import { insertUser, insertUserWithoutEmail } from './repository.ts'
import { newUid } from './uids.ts'

export {
  type AccountUsage,
  findAccountUsage,
  findCredentials,
  findProfile,
  lockAccountForUpdate,
  lockCredentialsForShare,
  lockEmailForUpdate,
  lockUidForUpdate,
  setEmail,
  setPasskeyRequired,
  setPassword,
  setUnlisted,
  takeUploadReceipt,
  takeUploadReceipts,
  UNIQUE_EMAIL,
} from './repository.ts'

export interface Account {
  id: number
  uid: string
}

/** @returns undefined if the e-mail address is taken */
export async function openAccount(
  tx: Db,
  { email, passwordHash = null, at }: { email: string; passwordHash?: string | null; at: Date },
): Promise<Account | undefined> {
  const uid = newUid()
  const created = await insertUser(tx, { uid, email, passwordHash, at })
  return created && { id: created.id, uid }
}

export async function openAccountWithoutEmail(tx: Db, at: Date): Promise<Account> {
  const uid = newUid()
  const { id } = await insertUserWithoutEmail(tx, uid, at)
  return { id, uid }
}
