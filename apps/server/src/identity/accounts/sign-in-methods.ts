import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** Everything that lets somebody into an account. A mailed code lets in whoever has an address. */
export interface SignInMethods {
  mail: boolean
  password: boolean
  wallets: number
  passkeys: number
  /** At services that the configuration still names. */
  identities: number
}

/** @param providers the ids of the services that people may sign in by */
export const findSignInMethods = (db: Db, userId: number, providers: readonly string[]): Promise<SignInMethods> =>
  db.one(sql`
    select email is not null as mail, password_hash is not null and email is not null as password,
      (select count(*) from wallets where user_id = u.id) as wallets,
      (select count(*) from passkeys where user_id = u.id) as passkeys,
      (select count(*) from identities where user_id = u.id and provider = any(${providers}::text[])) as identities
    from users u where u.id = ${userId}`)

export const countSignInMethods = ({ mail, wallets, passkeys, identities }: SignInMethods): number =>
  Number(mail) + wallets + passkeys + identities
