import type { AssetType } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { none, sql } from '../../platform/db/sql.ts'

/** What accounts have published, for operators. */
export interface PublishedRoot {
  id: number
  user_id: number
  /** Empty: a folder of single files whose CID is not known yet. */
  cid: string
  kind: AssetType
  name: string
  /** Bytes. */
  size: number
  state: 'preparing' | 'ready' | 'failed'
  created_at: Date
}

interface RootFilter {
  /** Only what has this root, or a single file with it. */
  cid: string | undefined
  /** Only older ones. */
  after: number | undefined
  limit: number
}

/** Roots of all accounts, the newest first; parts of folders are not listed by themselves. */
export const pageOfRoots = (db: Db, { cid, after, limit }: RootFilter) =>
  db.rows<PublishedRoot>(sql`
    select p.id, p.user_id, p.cid, p.state, p.created_at, coalesce(a.kind, 'folder') as kind, coalesce(a.name, f.name, '') as name,
      coalesce(a.size, p.bytes) as size
    from publications p left join assets a on a.id = p.asset_id left join folders f on f.id = p.folder_id
    where p.part_of is null
      ${cid === undefined ? none : sql`and p.id in (select coalesce(q.part_of, q.id) from publications q where q.cid = ${cid})`}
      ${after === undefined ? none : sql`and p.id < ${after}`}
    order by p.id desc limit ${limit}`)
