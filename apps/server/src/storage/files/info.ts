import { type contract, type Lang, type Output, type Parsed, REPLICA_STATUS } from '@tidenet/contract'
import { areaName } from '@tidenet/contract/areas'
import { mapOf, nodeTable, placement } from '../../network/index.ts'
import { readAreas } from '../../platform/areas.ts'
import type { Member, Visitor } from '../../platform/http/callers.ts'
import { countByCountry, downloadsOf, findHoldersOfAccount } from '../assets/assets.ts'
import { readKey } from '../assets/key.ts'
import type { Context } from '../context.ts'
import { type AssetAccess, openShare } from '../shares/access.ts'
import { shareStatus } from '../shares/service.ts'
import { termsOf } from '../shares/terms.ts'
import { countsFor, NO_REPLICAS } from '../third-party-records/records.ts'
import { listFiles } from '../tree/listing.ts'

type Assets = (typeof contract)['assets']
type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'config'>
type Caller = Member | Visitor

/** Finds an asset that the caller owns or that is shared with them. @throws AppError as `openShare` */
async function requireReadable(
  context: Deps,
  caller: Caller,
  input: Pick<Parsed<Assets['detail']>, 'cid' | 'asset_id' | 'user_id' | 'group_id' | 'ticket'>,
): Promise<AssetAccess> {
  const key = readKey(input.cid, input.asset_id)
  const uid = input.user_id || (caller.kind === 'member' ? caller.uid : '')
  return openShare(context, { caller, uid, ...key, groupId: input.group_id, token: input.ticket })
}

/** Map points of the nodes that hold an asset, and the terms of its share. */
export async function detail(
  context: Deps,
  caller: Caller,
  input: Parsed<Assets['detail']>,
): Promise<Output<Assets['detail']>> {
  const opened = await requireReadable(context, caller, input)
  const { asset } = opened
  const { holders, wanted } = await placement.findHolders(context.db, asset)
  const list = await mapOf(context, holders)
  const thirdParty = await countsFor(context.db, opened.owner.userId, [asset])
  return {
    cid: asset.cid,
    cid_name: asset.name,
    ReplicaInfo_count: holders.length,
    area_count: new Set(list.map((point) => point.area_id)).size,
    titan_count: holders.length,
    network_count: holders.length,
    fileCoin_count: thirdParty.get(asset.cid)?.stored ?? 0,
    third_party: thirdParty.get(asset.cid) ?? NO_REPLICAS,
    wanted_count: wanted,
    list,
    total: list.length,
    terms: await termsOf(context, opened, {
      target: { assetId: asset.id },
      shared: asset.shared,
      downloads: await downloadsOf(context.db, asset.id),
    }),
  }
}

/** A page of the nodes of an asset. */
export async function location(
  context: Deps,
  caller: Caller,
  input: Parsed<Assets['location']>,
): Promise<Output<Assets['location']>> {
  const { asset } = await requireReadable(context, caller, input)
  const [total, replicas] = await Promise.all([
    placement.countReplicas(context.db, asset),
    placement.findReplicaPage(context.db, asset, input.page_size, (input.page - 1) * input.page_size),
  ])
  return {
    total,
    node_list: replicas.map(({ node_id, area_id, state }) => ({
      DeviceId: node_id,
      IpLocation: area_id,
      Status: REPLICA_STATUS[state],
    })),
  }
}

/** Map points of the replicas of an asset, optionally only in some areas. */
export async function mapOfCid(
  context: Deps,
  caller: Caller,
  input: Parsed<Assets['mapOfCid']>,
): Promise<Output<Assets['mapOfCid']>> {
  const { asset } = await requireReadable(context, caller, input)
  const areas = readAreas(input.area_id)
  const points = await mapOf(context, (await placement.findHolders(context.db, asset)).holders)
  const list = points.filter(({ area_id }) => areas.length === 0 || areas.includes(area_id.split('-')[1] ?? ''))
  return { list, total: list.length }
}

/** Whether a shared asset or folder exists, has expired, or has used up its downloads. */
export const status = (context: Deps, input: Parsed<Assets['status']>): Promise<Output<Assets['status']>> =>
  shareStatus(context, input)

/** Distinct areas, L1 and L2 nodes that hold assets of the account. */
export async function count(context: Deps, caller: Member): Promise<Output<Assets['count']>> {
  const ids = await findHoldersOfAccount(context.db, caller.userId)
  const nodes = (await nodeTable(context)).filter((node) => ids.has(node.id))
  return {
    area_count: new Set(nodes.map((node) => node.country)).size,
    candidate_count: nodes.filter((node) => node.kind !== 'edge').length,
    edge_count: nodes.filter((node) => node.kind === 'edge').length,
  }
}

/** Counts replicas of the account's files by area. */
export async function areas({ db }: Deps, caller: Member, lang: Lang): Promise<Output<Assets['areas']>> {
  const rows = await countByCountry(db, caller.userId)
  return {
    list: rows.map(({ country, ...counts }) => ({ area: country, name: areaName(country, lang), ...counts })),
    copies: rows.reduce((sum, { copies }) => sum + copies, 0),
  }
}

/** The files of one folder, newest first. @throws AppError folderUnknown */
export const list = (
  context: Deps,
  caller: Member,
  input: Parsed<Assets['list']>,
  lang: Lang,
): Promise<Output<Assets['list']>> => listFiles(context, caller, lang, input.group_id, input)
