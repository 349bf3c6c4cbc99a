import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** The sign-in methods of an account. Accounts with an e-mail address can use e-mailed codes. */
export interface SignInMethods {
  mail: boolean
  password: boolean
  wallets: number
  passkeys: number
  /** Of services that are still configured. */
  identities: number
}

/** @param providers ids of the configured services */
export const findSignInMethods = (db: Db, userId: number, providers: readonly string[]): Promise<SignInMethods> =>
  db.one(sql`
    select email is not null as mail, password_hash is not null and email is not null as password,
      (select count(*) from wallets where user_id = u.id) as wallets,
      (select count(*) from passkeys where user_id = u.id) as passkeys,
      (select count(*) from identities where user_id = u.id and provider = any(${providers}::text[])) as identities
    from users u where u.id = ${userId}`)

export const countSignInMethods = ({ mail, wallets, passkeys, identities }: SignInMethods): number =>
  Number(mail) + wallets + passkeys + identities
