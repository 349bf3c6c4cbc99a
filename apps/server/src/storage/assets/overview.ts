import { type AssetOverview, type AssetType, type Lang, SHARE, SHARE_VISITS, type ShareState } from '@tidenet/contract'
import { areaName } from '@tidenet/contract/areas'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** The account whose assets are shown. */
export interface Owner {
  userId: number
  uid: string
  vip: boolean
}

interface Row {
  cid: string
  kind: AssetType
  name: string
  size: number
  encrypted: boolean
  areas: string[]
  folder_id: number
  shared: boolean
  visits: number
  created_at: Date
  expires_at: Date
  hash: string
  content_size: number
  blocks: number
  wanted: number
  stored: number
  countries: string[] | null
  /** Whether every node that holds it is offline. */
  away: boolean | null
  /** Whether a replica is on its way. */
  coming: boolean | null
}

/** Who may read a content from some nodes alone is told nothing of what others have under its name. */
const findRows = (db: Db, userId: number, ids: readonly number[]) =>
  db.rows<Row>(sql`
    select a.cid, a.kind, a.name, a.size, a.encrypted, a.areas, a.folder_id, a.share_status = ${SHARE.on} as shared, a.visits, a.created_at, a.expires_at,
      c.hash, held.countries, held.away, held.coming,
      case when a.only_from is null then c.size else a.size end as content_size,
      case when a.only_from is null then c.blocks else 0 end as blocks,
      case when a.only_from is null then c.wanted else cardinality(a.only_from) end as wanted,
      case when a.only_from is null then c.stored else held.stored end as stored
    from unnest(${ids}::bigint[]) with ordinality as asked (id, place)
    join assets a on a.id = asked.id and a.user_id = ${userId}
    join contents c on c.cid = a.cid
    cross join lateral (
      select array_agg(distinct n.country order by n.country) filter (where r.state = 'stored') as countries,
        bool_and(n.status = 'offline') filter (where r.state = 'stored') as away,
        bool_or(r.state in ('wanted', 'pulling', 'claimed')) as coming, count(*) filter (where r.state = 'stored') as stored
      from replicas r join nodes n on n.id = r.node_id
      where r.cid = a.cid and (a.only_from is null or r.node_id = any(a.only_from))
    ) held
    order by asked.place`)

/** Assets of one account as the wire shows them, in the order of `ids`; ids of other accounts are left out. */
export async function overviewsOf(db: Db, owner: Owner, lang: Lang, ids: readonly number[]): Promise<AssetOverview[]> {
  if (ids.length === 0) return []
  return (await findRows(db, owner.userId, ids)).map((row) => overview(owner, lang, row))
}

/** Whether the free downloads of a shared file are used up. */
export const visitsSpent = (owner: Pick<Owner, 'vip'>, visits: number): boolean => !owner.vip && visits >= SHARE_VISITS

const shareState = (owner: Owner, { shared, visits }: Row): ShareState =>
  !shared ? SHARE.off : visitsSpent(owner, visits) ? SHARE.usedUp : SHARE.on

function overview(owner: Owner, lang: Lang, row: Row): AssetOverview {
  const areas = row.areas.length > 0 ? row.areas : (row.countries ?? [])
  const created = row.created_at.toISOString()
  const expires = row.expires_at.toISOString()
  return {
    AssetRecord: {
      CID: row.cid,
      Hash: row.hash,
      TotalSize: row.content_size,
      TotalBlocks: row.blocks,
      CreatedTime: created,
      Expiration: expires,
      EndTime: expires,
      State: stateOf(row),
      replica_num: row.stored,
      NeedEdgeReplica: row.wanted,
      NeedCandidateReplicas: 0,
      SPCount: 0,
      Source: 0,
      Note: '',
      ServerID: '',
    },
    UserAssetDetail: {
      UserID: owner.uid,
      Hash: row.hash,
      Cid: row.cid,
      area_ids: areas,
      area_maps: areas.map((area) => ({ key: areaName(area, lang), value: area })),
      AssetName: row.name,
      AssetType: row.kind,
      ShareStatus: shareState(owner, row),
      Expiration: expires,
      CreatedTime: created,
      TotalSize: row.size,
      Encrypted: row.encrypted,
      GroupID: row.folder_id,
      VisitCount: row.visits,
    },
    VisitCount: row.visits,
    RemainVisitCount: Math.max(0, SHARE_VISITS - row.visits),
    FilcoinCount: 0,
  }
}

/** The words of older clients: served, every holder away, on its way, not placed yet. */
function stateOf(row: Pick<Row, 'stored' | 'away' | 'coming'>): string {
  if (row.stored > 0) return row.away ? 'NodesOffline' : 'Servicing'
  return row.coming ? 'EdgesPulling' : 'EdgesSelect'
}
