import type { AssetType } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** Contents that no node has, and that third parties may have. */

/** Has contents fetched back, the sooner the better. @returns those that a provider really stores */
export const requestRestore = async (tx: Db, cids: readonly string[], at: Date): Promise<string[]> =>
  (
    await tx.rows<{ cid: string }>(sql`
      update third_party_contents c set restore_at = coalesce(restore_at, ${at}) where cid = any(${cids})
        and exists (select 1 from third_party_replicas r where r.cid = c.cid and r.state in ('stored', 'inProgress', 'failed') and r.stored_at is not null
          and r.adapter <> 'simulation')
      returning cid`)
  ).map(({ cid }) => cid)

export interface Restoring {
  cid: string
  tries: number
}

/** Leases contents to be fetched back. */
export const claimRestores = (db: Db, at: Date, until: Date, limit: number) =>
  db.rows<Restoring>(sql`
    with picked as (
      select cid from third_party_contents where restore_at <= ${at} order by restore_at limit ${limit} for update skip locked
    )
    update third_party_contents c set restore_at = ${until} from picked p where c.cid = p.cid
    returning c.cid, c.restore_tries as tries`)

export const renewRestore = (db: Db, cid: string, until: Date) =>
  db.run(sql`update third_party_contents set restore_at = ${until} where cid = ${cid}`)

export const endRestore = (db: Db, cid: string) =>
  db.run(sql`
    update third_party_contents set restore_at = null, restore_tries = 0, restore_error = '' where cid = ${cid}`)

export const retryRestore = (db: Db, cid: string, error: string, at: Date) =>
  db.run(sql`
    update third_party_contents set restore_at = ${at}, restore_tries = restore_tries + 1, restore_error = ${error} where cid = ${cid}`)

export interface Copy {
  provider: string
  key: string
  kind: AssetType
  size: number
}

/** Where the content can be fetched back from, those checked last first. */
export const findCopies = (db: Db, cid: string) =>
  db.rows<Copy>(sql`
    select provider, key, kind, size from third_party_replicas
    where cid = ${cid} and stored_at is not null and adapter <> 'simulation'
    order by state = 'stored' desc, checked_at desc nulls last`)

export const countRestoring = async (db: Db): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) as count from third_party_contents where restore_at is not null`,
    )
  ).count
