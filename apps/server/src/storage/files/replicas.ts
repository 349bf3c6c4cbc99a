import { AppError, type contract, type Output, type Parsed } from '@tidenet/contract'
import {
  auditOnRequest,
  canCheck,
  isCheckable,
  lastEnded,
  mapPoints,
  nodeTable,
  placement,
  readerAddress,
  requireNotBlocked,
} from '../../network/index.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type AssetKey, type AssetRow, findAsset } from '../assets/assets.ts'
import { readKey } from '../assets/key.ts'
import { type Context, now } from '../context.ts'
import { openOwnDownload } from '../traces/service.ts'
import { downloadTrafficLeft } from '../usage/service.ts'

type Assets = (typeof contract)['assets']
type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'config' | 'log'>

async function requireOwnAsset({ db }: Pick<Context, 'db'>, caller: Member, key: AssetKey): Promise<AssetRow> {
  const asset = await findAsset(db, caller.userId, key)
  if (!asset) throw new AppError('assetUnknown')
  return asset
}

/** Lists the replicas of an asset of the account. @throws AppError assetUnknown */
export async function replicas(context: Deps, caller: Member, key: AssetKey): Promise<Output<Assets['replicas']>> {
  const asset = await requireOwnAsset(context, caller, key)
  const [rows, wanted, table] = await Promise.all([
    placement.findReplicas(context.db, asset),
    placement.wantedOf(context.db, asset.cid),
    nodeTable(context),
  ])
  const ids = new Set(rows.map((row) => row.node_id))
  const nodes = new Map(table.filter(({ id }) => ids.has(id)).map((node) => [node.id, node]))
  const at = now(context)
  const points = new Map(mapPoints([...nodes.values()]).map((point) => [point.node_id, point]))
  return {
    wanted,
    list: rows.flatMap((row) => {
      const [node, point] = [nodes.get(row.node_id), points.get(row.node_id)]
      if (!node || !point) return []
      return {
        node_id: row.node_id,
        name: node.name,
        area_id: node.area_id,
        value: point.value,
        nodeType: point.nodeType,
        status: node.status,
        state: row.state,
        changed_at: row.changed_at.toISOString(),
        reachable: node.reachable && node.status !== 'offline',
        audit: row.audited_at === null ? null : { at: row.audited_at.toISOString(), passed: row.passed === true },
        checkable: isCheckable({ ...row, state: row.exact }, at),
      }
    }),
  }
}

/**
 * The address of one replica, from which the caller's browser fetches blocks to verify. It is that of a download, so that a node cannot
 * answer only checks correctly.
 * @throws AppError assetUnknown; contentBlocked; nodesOffline if this node has no replica or is not reachable; downloadQuotaExceeded
 */
export async function replicaCheck(
  context: Deps,
  caller: Member,
  { cid, asset_id, node_id }: Parsed<Assets['challenge']>,
): Promise<Output<Assets['challenge']>> {
  const asset = await requireOwnAsset(context, caller, readKey(cid, asset_id))
  await requireNotBlocked(context.db, asset.cid)
  const node = (await nodeTable(context)).find(({ id }) => id === node_id)
  if (!node?.reachable || node.status === 'offline' || !(await canCheck(context, asset, node_id)))
    throw new AppError('nodesOffline')
  if ((await downloadTrafficLeft(context.db, context.clock, caller.userId)) <= 0)
    throw new AppError('downloadQuotaExceeded')
  const { name } = asset
  const opening = {
    userId: caller.userId,
    account: caller.uid,
    cid: asset.cid,
    name,
    preview: true,
    offered: [node.id],
    at: now(context),
  }
  const traceId = await openOwnDownload(context.db, caller, opening, asset.size)
  const ended = await lastEnded(context.db)
  const { url } = await readerAddress(context, node, { cid: asset.cid, account: caller.uid, traceId, name, ended })
  return { url, node_id: node.id, size: asset.size, kind: asset.kind }
}

/** Has a replica audited that failed the caller's check. @throws AppError assetUnknown */
export async function replicaCheckFailed(
  context: Deps,
  caller: Member,
  { cid, asset_id, node_id, error }: Parsed<Assets['challengeFailed']>,
): Promise<Output<Assets['challengeFailed']>> {
  const asset = await requireOwnAsset(context, caller, readKey(cid, asset_id))
  context.log.info({ cid: asset.cid, node: node_id, error }, 'a replica failed the check of its owner')
  return auditOnRequest(context, asset, { nodeId: node_id, userId: caller.userId })
}
