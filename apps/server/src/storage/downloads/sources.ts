import { AppError, type AssetType, type DownloadInfo } from '@tidenet/contract'
import { leaveKeyTraffic } from '../../identity/index.ts'
import {
  expectedFirstByte,
  isTrusted,
  lastEnded,
  type NodeRow,
  nodeTable,
  placement,
  readerAddress,
  requireNotBlocked,
  type ShareGrant,
} from '../../network/index.ts'
import type { NearReader } from '../acceleration/acceleration.ts'
import type { Context } from '../context.ts'
import { recordOffered } from '../traces/service.ts'

/** More than a client reads from at the same time, so that it can replace some. */
const OFFERED_MAX = 20
/**
 * Finds reachable nodes that hold a content, best first, optionally only in some areas. Replicas that failed an audit and unverified
 * replicas are used only if no trusted node has another: clients verify every leaf, and some of these may be intact.
 * @param from.restrictedTo the only nodes that the caller may read it from; null: any
 * @param from.reader of accelerated content: nodes whose first byte arrives early come first
 * @returns the nodes to offer, and how many hold the content
 */
export async function findSourceNodes(
  context: Pick<Context, 'db' | 'clock' | 'policy'>,
  cid: string,
  areas: readonly string[],
  { restrictedTo = null, reader }: { restrictedTo?: readonly string[] | null; reader?: NearReader | undefined } = {},
): Promise<{ nodes: NodeRow[]; available: number }> {
  const nodes = (await nodeTable(context)).filter((node) => areas.length === 0 || areas.includes(node.country))
  const order = (holders: readonly NodeRow[]) =>
    placement.orderSources(holders, {
      count: OFFERED_MAX,
      random: Math.random,
      policy: context.policy,
      ...(reader && { firstByte: (node) => expectedFirstByte(reader.firstBytes, reader.country, node) }),
    })
  const answer = (chosen: NodeRow[], holders: readonly NodeRow[]) => ({
    nodes: chosen.slice(0, OFFERED_MAX),
    available: holders.filter((node) => node.status !== 'offline' && node.reachable).length,
  })
  // The nodes that signed the receipts, whether or not they hold replicas: the answer must not reveal that.
  if (restrictedTo) {
    const signers = nodes.filter(({ id }) => restrictedTo.includes(id))
    return answer(order(signers), signers)
  }
  const replicas = await placement.findServing(context.db, cid)
  const holding = (...states: string[]) => {
    const ids = new Set(replicas.filter(({ state }) => states.includes(state)).map((replica) => replica.node_id))
    const holders = nodes.filter((node) => ids.has(node.id))
    const serving = order(holders.filter((node) => !node.out))
    // A node that is out of service is better than none.
    return answer(serving.length > 0 ? serving : order(holders), holders)
  }
  const stored = holding('stored')
  if (stored.nodes.some(isTrusted)) return stored
  const doubtful = holding('lost', 'unverified')
  return {
    nodes: [...stored.nodes, ...doubtful.nodes].slice(0, OFFERED_MAX),
    available: stored.available + doubtful.available,
  }
}

export interface SourceRequest {
  cid: string
  size: number
  name: string
  kind: AssetType
  encrypted: boolean
  areas: readonly string[]
  /** The only nodes that may be offered; null: any. */
  restricted_to: readonly string[] | null
  /** The account that the traffic counts for. */
  account: string
  traceId: string
  /** The client's public key for what it receives. */
  receiptKey?: string | undefined
  /** Set if the caller has access through a share. */
  share?: ShareGrant
  /** `lastEnded` before the share was checked; absent for the account itself. */
  ended?: number
  /** Set if the content is accelerated and the reader's country is known. */
  reader?: NearReader | undefined
}

/** Signed node addresses for one transfer. Without any, the reservation of a key with a cap of traffic ends. @throws AppError contentBlocked, nodesOffline, or noArea if areas were requested, when no node can serve it */
export async function sourcesOf(
  context: Pick<Context, 'db' | 'clock' | 'keys' | 'policy'>,
  fetch: SourceRequest,
): Promise<DownloadInfo> {
  const { nodes: offered, available } = await requireSourceNodes(context, fetch).catch(async (error: unknown) => {
    await leaveKeyTraffic(context.db, fetch.traceId)
    throw error
  })
  const ids = offered.map((node) => node.id)
  const ended = fetch.ended ?? (await lastEnded(context.db))
  const [url] = await Promise.all([
    Promise.all(offered.map(async (node) => (await readerAddress(context, node, { ...fetch, ended })).url)),
    // Traffic reports are accepted only from these nodes.
    recordOffered(context.db, fetch.traceId, ids),
  ])
  return {
    asset_cid: fetch.cid,
    size: fetch.size,
    url,
    node_ids: ids,
    ...(offered.some(({ relayed, more_urls }) => relayed || more_urls.length > 0) && {
      routes: offered.map(({ relayed = false, more_urls }) => ({ relayed, more_origins: more_urls })),
    }),
    file_name: fetch.name,
    asset_type: fetch.kind,
    encrypted: fetch.encrypted,
    redirect: false,
    trace_id: fetch.traceId,
    available_nodes: available,
  }
}

/** @throws AppError as `sourcesOf` */
async function requireSourceNodes(context: Pick<Context, 'db' | 'clock' | 'policy'>, fetch: SourceRequest) {
  await requireNotBlocked(context.db, fetch.cid)
  const found = await findSourceNodes(context, fetch.cid, fetch.areas, {
    restrictedTo: fetch.restricted_to,
    reader: fetch.reader,
  })
  // An object of S3 without bytes is on no node.
  if (found.nodes.length === 0 && fetch.size > 0) throw new AppError(fetch.areas.length > 0 ? 'noArea' : 'nodesOffline')
  return found
}
