import {
  type AssetOverview,
  type AssetType,
  type Lang,
  SHARE,
  SHARE_DOWNLOADS,
  type ShareState,
} from '@tidenet/contract'
import { areaName } from '@tidenet/contract/areas'
import { placement } from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { linksOfAsset } from '../links/short-links.ts'
import { type Counts, countsFor, NO_REPLICAS } from '../third-party-records/records.ts'

/** The account whose assets are listed. */
export interface Owner {
  userId: number
  uid: string
  vip: boolean
}

interface Row {
  id: number
  version: number
  cid: string
  kind: AssetType
  name: string
  size: number
  encrypted: boolean
  areas: string[]
  folder_id: number
  shared: boolean
  links: number
  downloads: number
  created_at: Date
  expires_at: Date
  restricted_to: string[] | null
  receipt_id: number | null
}

const findRows = (db: Db, userId: number, ids: readonly number[]) =>
  db.rows<Row>(sql`
    select a.id, a.version, a.cid, a.kind, a.name, a.size, a.encrypted, a.areas, a.folder_id, a.share_status = ${SHARE.on} as shared,
      ${linksOfAsset} as links, a.downloads, a.created_at,
      a.expires_at, a.restricted_to, a.receipt_id
    from unnest(${ids}::bigint[]) with ordinality as asked (id, place)
    join assets a on a.id = asked.id and a.user_id = ${userId}
    order by asked.place`)

/** Assets of one account in the format of the API, in the order of `ids`; ids of other accounts are left out. */
export async function overviewsOf(db: Db, owner: Owner, lang: Lang, ids: readonly number[]): Promise<AssetOverview[]> {
  if (ids.length === 0) return []
  const rows = await findRows(db, owner.userId, ids)
  const [placed, thirdParty] = await Promise.all([placement.findOverviews(db, rows), countsFor(db, owner.userId, rows)])
  return rows.flatMap((row) => {
    const content = placed.get(row.cid)
    return content ? [overview(owner, lang, row, content, thirdParty.get(row.cid))] : []
  })
}

/** Whether the free downloads of a shared file are used up. */
export const hasUsedUpDownloads = (owner: Pick<Owner, 'vip'>, downloads: number): boolean =>
  !owner.vip && downloads >= SHARE_DOWNLOADS

const shareState = (owner: Owner, { shared, downloads }: Row): ShareState =>
  !shared ? SHARE.off : hasUsedUpDownloads(owner, downloads) ? SHARE.usedUp : SHARE.on

function overview(
  owner: Owner,
  lang: Lang,
  row: Row,
  content: placement.Overview,
  thirdParty: Counts = NO_REPLICAS,
): AssetOverview {
  // An account that is restricted to some nodes learns nothing about other replicas of the content.
  const unrestricted = row.restricted_to === null
  const stored = unrestricted ? content.stored : content.reached
  const areas = row.areas.length > 0 ? row.areas : (content.countries ?? [])
  const created = row.created_at.toISOString()
  const expires = row.expires_at.toISOString()
  return {
    AssetRecord: {
      CID: row.cid,
      Hash: content.hash,
      TotalSize: unrestricted ? content.size : row.size,
      TotalBlocks: unrestricted ? content.blocks : 0,
      CreatedTime: created,
      Expiration: expires,
      EndTime: expires,
      State: stateOf({ ...content, stored }),
      replica_num: stored,
      NeedEdgeReplica: row.restricted_to === null ? content.wanted : row.restricted_to.length,
      NeedCandidateReplicas: 0,
      SPCount: 0,
      Source: 0,
      Note: '',
      ServerID: '',
    },
    UserAssetDetail: {
      UserID: owner.uid,
      Hash: content.hash,
      Cid: row.cid,
      AssetID: row.id,
      Version: row.version,
      area_ids: areas,
      area_maps: areas.map((area) => ({ key: areaName(area, lang), value: area })),
      AssetName: row.name,
      AssetType: row.kind,
      ShareStatus: shareState(owner, row),
      links: row.links,
      Expiration: expires,
      CreatedTime: created,
      TotalSize: row.size,
      Encrypted: row.encrypted,
      GroupID: row.folder_id,
      VisitCount: row.downloads,
      receipt_id: row.receipt_id,
    },
    VisitCount: row.downloads,
    RemainVisitCount: Math.max(0, SHARE_DOWNLOADS - row.downloads),
    FilcoinCount: thirdParty.stored,
    third_party: thirdParty,
  }
}

/** The states of older clients: available, all holders offline, being copied, not placed yet. */
function stateOf(row: Pick<placement.Overview, 'stored' | 'away' | 'coming'>): string {
  if (row.stored > 0) return row.away ? 'NodesOffline' : 'Servicing'
  return row.coming ? 'EdgesPulling' : 'EdgesSelect'
}
