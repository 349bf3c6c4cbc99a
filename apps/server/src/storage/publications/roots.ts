import type { Cid } from '@tidenet/content/cid'
import type { AssetType } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { DIGEST_BYTES } from './repository.ts'

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

/** Publications that are read per block, the newest first: an empty file, for example, is in very many. */
const SAME_BLOCK_MAX = 1000

interface RootFilter {
  /** Only what has this block, at its root or further down. Version 1. */
  cid: Cid | undefined
  /** Only older ones. */
  after: number | undefined
  limit: number
}

const havingBlock = (cid: Cid): Sql => sql`(
  select coalesce(q.part_of, q.id) from publications q where q.cid = ${cid.toString()}
  union select coalesce(q.part_of, q.id) from publications q join (
    select publication_id from publication_blocks where digest = ${Buffer.from(cid.multihash.digest.subarray(0, DIGEST_BYTES))}
    order by publication_id desc limit ${SAME_BLOCK_MAX}
  ) b on b.publication_id = q.id)`

/** Roots of all accounts, the newest first; parts of folders are not listed by themselves. */
export const pageOfRoots = (db: Db, { cid, after, limit }: RootFilter) =>
  db.rows<PublishedRoot>(sql`
    select p.id, p.user_id, p.cid, p.state, p.created_at, coalesce(a.kind, 'folder') as kind, coalesce(a.name, f.name, '') as name,
      coalesce(a.size, p.bytes) as size
    from publications p left join assets a on a.id = p.asset_id left join folders f on f.id = p.folder_id
    where p.part_of is null
      ${cid === undefined ? none : sql`and p.id in ${havingBlock(cid)}`}
      ${after === undefined ? none : sql`and p.id < ${after}`}
    order by p.id desc limit ${limit}`)
