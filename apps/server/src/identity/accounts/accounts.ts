import type { Db } from '../../platform/db/db.ts'
import { insertUnaddressed, insertUser } from './repository.ts'
import { newUid } from './uids.ts'

export {
  findCredentials,
  findProfile,
  lockAccountForUpdate,
  lockCredentialsForShare,
  setPasskeyRequired,
  setPassword,
} from './repository.ts'

export interface Account {
  id: number
  uid: string
}

/** Opens an account; none when the e-mail address is taken. */
export async function openAccount(
  tx: Db,
  { email, passwordHash = null, at }: { email: string; passwordHash?: string | null; at: Date },
): Promise<Account | undefined> {
  const uid = newUid()
  const made = await insertUser(tx, { uid, email, passwordHash, at })
  return made && { id: made.id, uid }
}

/** Opens an account without an e-mail address. */
export async function openUnaddressed(tx: Db, at: Date): Promise<Account> {
  const uid = newUid()
  const { id } = await insertUnaddressed(tx, uid, at)
  return { id, uid }
}
