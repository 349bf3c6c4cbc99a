import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export interface HourRow {
  hour: Date
  users: number
  nodes: number
  nodes_online: number
  contents: number
  short: number
  bytes: number
  transferred: number
}

export const hasHour = async (db: Db, hour: Date): Promise<boolean> =>
  (await db.maybe(sql`select 1 from operator_hours where hour = ${hour}`)) !== undefined

/** Another server may have recorded the hour meanwhile. */
export const insertHour = (db: Db, row: HourRow): Promise<number> =>
  db.run(sql`
    insert into operator_hours (hour, users, nodes, nodes_online, contents, short, bytes, transferred)
    values (${row.hour}, ${row.users}, ${row.nodes}, ${row.nodes_online}, ${row.contents}, ${row.short}, ${row.bytes}, ${row.transferred})
    on conflict do nothing`)

export const hoursSince = (db: Db, since: Date): Promise<HourRow[]> =>
  db.rows(sql`
    select hour, users, nodes, nodes_online, contents, short, bytes, transferred from operator_hours
    where hour >= ${since} order by hour`)

const KEPT_DAYS = 90

export const expired = (at: Date): Sql[] => [sql`delete from operator_hours where hour < ${ago(at, KEPT_DAYS * DAY)}`]
