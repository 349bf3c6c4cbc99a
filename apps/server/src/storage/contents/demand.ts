import { NEAR_AREAS_MAX, NEAR_COPIES, REPLICA_TARGET } from '@tidenet/contract'
import { accountsOf } from '../../identity/index.ts'
import type { Copy, Demand, Reader } from '../../network/index.ts'
import { sql } from '../../platform/db/sql.ts'
import { newTraceId } from '../../platform/trace-ids.ts'
import { nearOfContents } from '../acceleration/acceleration.ts'
import { contentsMissing } from '../third-party-records/records.ts'
import { openTrace } from '../traces/service.ts'
import { isPossession } from './possession.ts'
import { spendReceipts } from './receipts.ts'

/** The account of an anonymous file. */
const anonymous = (cid: string): string => `temp:${cid}`

/** Countries with extra copies of a content, of all accounts that accelerate it. */
const NEAR_AREAS_OF_CONTENT = 2 * NEAR_AREAS_MAX

/** Implements placement's `Demand` with assets, their versions, the trash, anonymous files, attachments and receipts. */
export const demand: Demand = {
  /**
   * Only accounts that possess the bytes count. An announcement, or an entry restricted to some nodes, could otherwise spread
   * content that others limit to one area, or keep content that they deleted.
   */
  async wantedOf(tx, cids) {
    const rows = await tx.rows<{ cid: string; everywhere: boolean; areas: string[] | null }>(sql`
      select o.cid, bool_or(cardinality(o.areas) = 0) as everywhere, array_agg(distinct area) filter (where area is not null) as areas
      from (
        select cid, areas from assets where cid = any(${cids}) and restricted_to is null
        union all select cid, areas from trashed_assets where cid = any(${cids}) and restricted_to is null
        union all select v.cid, coalesce(a.areas, t.areas, '{}') from asset_versions v left join assets a on a.id = v.asset_id
          left join trashed_assets t on t.asset_id = v.asset_id where v.cid = any(${cids}) and v.restricted_to is null
        union all select cid, areas from temp_files where cid = any(${cids}) and stored and restricted_to is null
        union all select cid, '{}'::text[] from attachments where cid = any(${cids}) and restricted_to is null
      ) o left join lateral unnest(o.areas) area on true
      group by o.cid`)
    const near = new Map((await nearOfContents(tx, cids)).map((row) => [row.cid, row.countries]))
    return new Map(
      rows.map((row) => [
        row.cid,
        {
          areas: row.everywhere ? [] : (row.areas ?? []),
          target: REPLICA_TARGET,
          near: (near.get(row.cid) ?? [])
            .slice(0, NEAR_AREAS_OF_CONTENT)
            .map((country) => ({ country, copies: NEAR_COPIES })),
        },
      ]),
    )
  },

  async lastSent(tx, contents) {
    const rows = await tx.rows<{ cid: string; received_at: Date }>(sql`
      select r.cid, max(r.received_at) as received_at
      from unnest(${contents.map(({ cid }) => cid)}::text[], ${contents.map(({ sole_holder }) => sole_holder)}::text[]) c (cid, sole_holder)
        join receipts r on r.cid = c.cid
      where not r.spent and ${isPossession} group by r.cid`)
    return new Map(rows.map((row) => [row.cid, row.received_at]))
  },

  onlyCopies: (tx, cids) =>
    tx.rows<Copy>(sql`
      select cid, unnest(restricted_to) as "nodeId" from assets where cid = any(${cids}) and restricted_to is not null
      union select cid, unnest(restricted_to) from trashed_assets where cid = any(${cids}) and restricted_to is not null
      union select cid, unnest(restricted_to) from asset_versions where cid = any(${cids}) and restricted_to is not null
      union select cid, unnest(restricted_to) from temp_files where cid = any(${cids}) and stored and restricted_to is not null
      union select cid, unnest(restricted_to) from attachments where cid = any(${cids}) and restricted_to is not null`),

  async neededFrom(db, nodeId, cids) {
    const rows = await db.rows<{ cid: string }>(sql`
      select cid from assets where cid = any(${cids}) and ${nodeId} = any(restricted_to)
      union select cid from trashed_assets where cid = any(${cids}) and ${nodeId} = any(restricted_to)
      union select cid from asset_versions where cid = any(${cids}) and ${nodeId} = any(restricted_to)
      union select cid from temp_files where cid = any(${cids}) and stored and ${nodeId} = any(restricted_to)
      union select cid from attachments where cid = any(${cids}) and ${nodeId} = any(restricted_to)
      union select cid from receipts where cid = any(${cids}) and node_id = ${nodeId} and not spent and not invited`)
    return rows.map((row) => row.cid)
  },

  async listed(tx, cids) {
    const rows = await tx.rows<{ cid: string }>(sql`
      select cid from assets where cid = any(${cids}) union select cid from trashed_assets where cid = any(${cids})
      union select cid from asset_versions where cid = any(${cids})`)
    return new Set(rows.map((row) => row.cid))
  },

  async readersOf(db, cids) {
    const rows = await db.rows<{ cid: string; user_id: number | null; name: string }>(sql`
      select c.cid, o.user_id, o.name from unnest(${cids}::text[]) c (cid), lateral (
        (select a.user_id, a.name, 1 as rank from assets a where a.cid = c.cid limit 1)
        union all (select a.user_id, a.name, 2 from trashed_assets a where a.cid = c.cid limit 1)
        union all (select v.user_id, coalesce(a.name, t.name, ''), 2 from asset_versions v left join assets a on a.id = v.asset_id
          left join trashed_assets t on t.asset_id = v.asset_id where v.cid = c.cid limit 1)
        union all (select null::bigint, f.name, 3 from temp_files f where f.cid = c.cid limit 1)
        union all (select null::bigint, f.name, 4 from attachments f where f.cid = c.cid limit 1)
        order by rank limit 1
      ) o`)
    const accounts = await accountsOf(
      db,
      rows.flatMap((row) => row.user_id ?? []),
    )
    return new Map<string, Reader>(
      rows.flatMap(({ cid, user_id, name }) => {
        const account = user_id === null ? anonymous(cid) : accounts.get(user_id)?.uid
        return account === undefined ? [] : [[cid, { account, name }]]
      }),
    )
  },

  /** Only the traces of anonymous files are open to others than the account itself. */
  openReads: (db, reads, at) =>
    Promise.all(
      reads.map(({ nodeId, ...read }) =>
        read.account === anonymous(read.cid)
          ? openTrace(db, { ...read, kind: 'download', offered: [nodeId], at })
          : newTraceId(),
      ),
    ),

  async missing(tx, cids, at) {
    await contentsMissing(tx, cids, at)
  },

  async giveUp(tx, cids) {
    await spendReceipts(tx, cids)
  },
}
