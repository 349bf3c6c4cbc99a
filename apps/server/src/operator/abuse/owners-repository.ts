import type { BlockCategory } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'

/** An account that has a blocked content, and was told. */
export interface OwnerRow {
  id: number
  user_id: number
  cid: string
  name: string
  category: BlockCategory
  told_at: Date
  lifted_at: Date | null
  objection: string
  objected_at: Date | null
  answered_at: Date | null
  answered_by: string
  answer: string
}

const columns = sql`id, user_id, cid, name, category, told_at, lifted_at, objection, objected_at, answered_at, answered_by, answer`

/** @returns whether the account was not told yet */
export const insertOwner = async (
  tx: Db,
  owner: Pick<OwnerRow, 'user_id' | 'cid' | 'name' | 'category' | 'told_at'>,
): Promise<boolean> =>
  (await tx.run(sql`
    insert into blocked_owners (user_id, cid, name, category, told_at)
    values (${owner.user_id}, ${owner.cid}, ${owner.name}, ${owner.category}, ${owner.told_at})
    on conflict (user_id, cid) where lifted_at is null do nothing`)) === 1

/** Ends the blocks of some owners who were told of them. */
export const liftOwners = (tx: Db, cid: string, at: Date, limit: number) =>
  tx.rows<Pick<OwnerRow, 'user_id' | 'name' | 'category'>>(sql`
    update blocked_owners set lifted_at = ${at} where id in (
      select id from blocked_owners where cid = ${cid} and lifted_at is null limit ${limit} for update skip locked)
    returning user_id, name, category`)

export const ownBlocked = (db: Db, userId: number, limit: number, offset: number) =>
  db.rows<OwnerRow>(sql`
    select ${columns} from blocked_owners where user_id = ${userId} and lifted_at is null order by id desc limit ${limit} offset ${offset}`)

export const countOwnBlocked = async (db: Db, userId: number): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) as count from blocked_owners where user_id = ${userId} and lifted_at is null`,
    )
  ).count

export const lockOwnBlocked = (tx: Db, userId: number, cid: string) =>
  tx.maybe<OwnerRow>(
    sql`select ${columns} from blocked_owners where user_id = ${userId} and cid = ${cid} and lifted_at is null for update`,
  )

export const setObjection = (tx: Db, id: number, text: string, at: Date) =>
  tx.one<OwnerRow>(
    sql`update blocked_owners set objection = ${text}, objected_at = ${at} where id = ${id} returning ${columns}`,
  )

/** Newest first. @param answered also true if the block was lifted, which is an answer */
export const pageOfObjections = (db: Db, answered: boolean | undefined, before: number | undefined, limit: number) =>
  db.rows<OwnerRow>(sql`
    select ${columns} from blocked_owners where objected_at is not null
      ${answered === undefined ? none : answered ? sql`and (answered_at is not null or lifted_at is not null)` : sql`and answered_at is null and lifted_at is null`}
      ${before === undefined ? none : sql`and id < ${before}`}
    order by id desc limit ${limit}`)

export const lockObjection = (tx: Db, id: number) =>
  tx.maybe<OwnerRow>(
    sql`select ${columns} from blocked_owners where id = ${id} and objected_at is not null and lifted_at is null for update`,
  )

export const answerObjection = (tx: Db, id: number, { answer, by, at }: { answer: string; by: string; at: Date }) =>
  tx.one<OwnerRow>(sql`
    update blocked_owners set answer = ${answer}, answered_by = ${by}, answered_at = ${at} where id = ${id} returning ${columns}`)

export const countOpenObjections = (db: Db) =>
  db.one<{ count: number; since: Date | null }>(sql`
    select count(*) as count, min(objected_at) as since from blocked_owners
    where objected_at is not null and answered_at is null and lifted_at is null`)

export const erased = (userId: number): Sql[] => [sql`delete from blocked_owners where user_id = ${userId}`]

export const exported = (userId: number): Sql =>
  sql`select id as row_key, cid, name, category, told_at, lifted_at, objection, objected_at, answered_at, answer from blocked_owners where user_id = ${userId}`
