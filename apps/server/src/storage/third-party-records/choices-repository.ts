import type { ThirdPartyChoice } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

/** What accounts without a choice agreed to: the bytes of encrypted files are useless to others. */
export const DEFAULT_CHOICE: ThirdPartyChoice = 'encrypted'

export const findChoice = async (db: Db, userId: number): Promise<ThirdPartyChoice> =>
  (await db.maybe<{ choice: ThirdPartyChoice }>(sql`select choice from third_party_choices where user_id = ${userId}`))
    ?.choice ?? DEFAULT_CHOICE

/** When the account chose last, as text. */
export const lastChange = async (db: Db, userId: number): Promise<string | undefined> =>
  (
    await db.maybe<{ changed_at: Date }>(sql`select changed_at from third_party_choices where user_id = ${userId}`)
  )?.changed_at.toISOString()

/** A choice that is the same changes nothing, so that `lastChange` is the time of a change. @returns the choice before */
export async function setChoice(tx: Db, userId: number, choice: ThirdPartyChoice, at: Date): Promise<ThirdPartyChoice> {
  const before = await findChoice(tx, userId)
  if (before === choice) return before
  await tx.run(sql`
    insert into third_party_choices (user_id, choice, changed_at) values (${userId}, ${choice}, ${at})
    on conflict (user_id) do update set choice = excluded.choice, changed_at = excluded.changed_at`)
  return before
}

/**
 * Condition on an entry `a` of an account, with its choice `c`: the owner lets third parties have the content. Not entries that are limited
 * to areas, because a provider does not say where it stores; nor those restricted to nodes, because the account may not have the bytes.
 */
export const isAgreed: Sql = sql`(a.restricted_to is null and cardinality(a.areas) = 0
  and case coalesce(c.choice, ${DEFAULT_CHOICE}) when 'all' then true when 'encrypted' then a.encrypted else false end)`

export const erased = (userId: number): Sql[] => [sql`delete from third_party_choices where user_id = ${userId}`]

export const exported = (userId: number): Sql => sql`
  select user_id as row_key, choice, changed_at from third_party_choices where user_id = ${userId}`
