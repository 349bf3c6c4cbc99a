import type { Lang, NoticeKind, OptionalNotice } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export interface Choice {
  email: boolean
  portal: boolean
}

/** What differs from the default. */
export const choicesOf = (db: Db, userId: number) =>
  db.rows<Choice & { kind: OptionalNotice }>(
    sql`select kind, email, portal from notification_choices where user_id = ${userId}`,
  )

/** Changes what is given. @returns what is in force now */
export const setChoice = (
  db: Db,
  userId: number,
  kind: OptionalNotice,
  { email, portal }: { email?: boolean | undefined; portal?: boolean | undefined },
) =>
  db.one<Choice>(sql`
    insert into notification_choices as c (user_id, kind, email, portal) values (${userId}, ${kind}, ${email ?? true}, ${portal ?? true})
    on conflict (user_id, kind) do update set email = coalesce(${email ?? null}::boolean, c.email), portal = coalesce(${portal ?? null}::boolean, c.portal)
    returning email, portal`)

/** Records the language in which an account is used. */
export const setLanguage = (db: Db, userId: number, lang: Lang) =>
  db.run(sql`
    insert into account_languages as l (user_id, lang) values (${userId}, ${lang})
    on conflict (user_id) do update set lang = excluded.lang where l.lang <> excluded.lang`)

export interface Recipient {
  id: number
  uid: string
  email: string
  lang: Lang | null
}

/** Kinds that locked accounts get too: they may have money in orders, and somebody may have tried to take them over. */
const LOCKED_TOO: ReadonlySet<NoticeKind> = new Set(['security', 'orders'])

/** Who gets an e-mail of a kind to an account, or to the owners of a team: who has an address and did not turn it off. */
export const findRecipients = (db: Db, userId: number, kind: NoticeKind) =>
  db.rows<Recipient>(sql`
    select u.id, u.uid, u.email, l.lang from users u
      left join account_languages l on l.user_id = u.id
      left join notification_choices c on c.user_id = u.id and c.kind = ${kind}
    where u.id in (select ${userId}::bigint union select user_id from team_members where team_id = ${userId} and role = 'owner')
      and u.email is not null and (u.locked_at is null or ${LOCKED_TOO.has(kind)}) and coalesce(c.email, true)
    order by u.id`)

export const findByUid = (db: Db, uid: string) =>
  db.maybe<{ id: number }>(sql`select id from users where uid = ${uid} and erased_at is null`)

export const erased = (userId: number): Sql[] => [
  sql`delete from notification_choices where user_id = ${userId}`,
  sql`delete from account_languages where user_id = ${userId}`,
]

export const exported = (userId: number): Sql => sql`
  select row_number() over (order by kind) as row_key, kind, email, portal from notification_choices where user_id = ${userId}`
