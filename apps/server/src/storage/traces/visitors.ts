import { createHmac } from 'node:crypto'
import { GiB } from '@tidenet/contract'
import { visitorNetworkOf } from '@tidenet/daemon'
import { DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Context } from '../context.ts'

/** Visitors of shares, by their network: what they use up of the sharer's download traffic is limited. */

/** The part of the monthly quota that visitors from one network can use up with what they open in a day, or `AT_LEAST` if that is more. */
const SHARE_OF_QUOTA = 1 / 4
const AT_LEAST = 10 * GiB

export const visitorLimit = (quota: number): number => Math.max(AT_LEAST, quota * SHARE_OF_QUOTA)

/** A pseudonym of a visitor's network. It differs for each sharer, so that nobody learns who visited two of them. */
export const visitorOf = ({ keys }: Pick<Context, 'keys'>, account: string, ip: string): string =>
  createHmac('sha256', keys.pepper)
    .update(`visitor of ${account} ${visitorNetworkOf(ip)}`)
    .digest('base64url')
    .slice(0, 22)

/** The day (UTC) in which a visitor opened something. */
export const dayOf = (time: Date): Date => new Date(Math.floor(time.getTime() / DAY) * DAY)

export interface Visit {
  account: string
  visitor: string
  day: Date
}

/** Bytes that nodes sent for what visitors opened in these days, in the order of the visits. */
export const sentToVisitors = (db: Db, visits: readonly Visit[]): Promise<number[]> =>
  sumOf(db, visits, sql`select sum(t.node_bytes) from traces t`)

/** … and bytes that visitors and nodes signed. */
export const signedByVisitors = (db: Db, visits: readonly Visit[]): Promise<number[]> =>
  sumOf(db, visits, sql`select sum(s.signed) from traces t join trace_sent s on s.trace_id = t.id`)

const sumOf = async (db: Db, visits: readonly Visit[], sum: Sql): Promise<number[]> =>
  visits.length === 0
    ? []
    : (
        await db.rows<{ bytes: number }>(sql`
          select coalesce((${sum}
            where t.account = f.account and t.visitor = f.visitor and t.created_at >= f.day and t.created_at < f.day + interval '1 day'), 0)::bigint as bytes
          from unnest(${visits.map(({ account }) => account)}::text[], ${visits.map(({ visitor }) => visitor)}::text[],
            ${visits.map(({ day }) => day)}::timestamptz[]) with ordinality f (account, visitor, day, place)
          order by f.place`)
      ).map(({ bytes }) => bytes)
