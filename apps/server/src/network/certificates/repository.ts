import { DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

/** Times at which certificates of a label were issued since then, oldest first. The label is locked until the transaction ends. */
export async function lockIssuedTimes(tx: Db, label: string, since: Date): Promise<Date[]> {
  await tx.run(sql`insert into node_certificates (label) values (${label}) on conflict do nothing`)
  const { issued_at } = await tx.one<{ issued_at: Date[] }>(
    sql`select issued_at from node_certificates where label = ${label} for update`,
  )
  return issued_at.filter((at) => at > since)
}

/** Replaces the times of a label. */
export const setIssuedTimes = (tx: Db, label: string, times: readonly Date[], at: Date) =>
  tx.run(sql`update node_certificates set issued_at = ${[...times]}, last_at = ${at} where label = ${label}`)

export const expired = (at: Date): readonly Sql[] => [
  sql`delete from node_certificates where label in (
    select label from node_certificates where last_at is null or last_at < ${new Date(at.getTime() - DAY)} limit ${EXPIRED_BATCH})`,
]
