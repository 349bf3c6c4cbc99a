import { AppError, type DownloadInfo } from '@tidenet/contract'
import { nodeTable, placement, readerAddress, type ShareGrant } from '../../network/index.ts'
import type { Context } from '../context.ts'
import { recordOffered } from '../traces/service.ts'

/** A client needs no more than this many to fill its concurrency, with some to spare. */
const OFFERED = 20
/** So many of these are nodes of the operators, if as many have it: whatever edges say of themselves, they do not crowd them out. */
const INVITED = OFFERED / 2

/**
 * Nodes that hold a content and can be reached now, best first; with `areas` only those there. What failed an audit, and what edges
 * claim without any, comes into it when there is no other: whoever fetches verifies every leaf, and some may be right.
 * @param restrictedTo the only nodes that the caller may read it from; null: any
 */
export async function heldBy(
  context: Pick<Context, 'db' | 'clock'>,
  cid: string,
  areas: readonly string[],
  restrictedTo: readonly string[] | null = null,
) {
  // These signed for the bytes, whatever is known of copies: who asks must not learn it from the answer.
  if (restrictedTo) {
    const signers = (await nodeTable(context)).filter(({ id }) => restrictedTo.includes(id))
    return placement.orderSources(signers.filter(({ country }) => areas.length === 0 || areas.includes(country)))
  }
  const replicas = await placement.findServing(context.db, cid)
  const nodes = (await nodeTable(context)).filter((node) => areas.length === 0 || areas.includes(node.country))
  const holding = (...states: string[]) => {
    const ids = new Set(replicas.filter(({ state }) => states.includes(state)).map((replica) => replica.node_id))
    const holders = nodes.filter((node) => ids.has(node.id))
    const serving = placement.orderSources(
      holders.filter((node) => !node.out),
      { invited: INVITED },
    )
    // Out of service is still better than out of reach.
    return serving.length > 0 ? serving : placement.orderSources(holders, { invited: INVITED })
  }
  const sound = holding('stored')
  return sound.length > 0 ? sound : holding('lost', 'unverified')
}

export interface Fetch {
  cid: string
  size: number
  name: string
  kind: 'file' | 'folder'
  encrypted: boolean
  areas: readonly string[]
  /** The only nodes that may be named; null: any. */
  restricted_to: readonly string[] | null
  /** The account that the traffic counts for. */
  account: string
  traceId: string
  /** Of somebody whom a share lets in. */
  share?: ShareGrant
}

/** Addresses with tokens for one transfer. @throws AppError nodesOffline when nobody can serve it now, noArea when nobody there can */
export async function sourcesOf(context: Pick<Context, 'db' | 'clock' | 'keys'>, fetch: Fetch): Promise<DownloadInfo> {
  const nodes = await heldBy(context, fetch.cid, fetch.areas, fetch.restricted_to)
  if (nodes.length === 0) throw new AppError(fetch.areas.length > 0 ? 'noArea' : 'nodesOffline')
  const offered = nodes.slice(0, OFFERED)
  const ids = offered.map((node) => node.id)
  const [url] = await Promise.all([
    Promise.all(offered.map(async (node) => (await readerAddress(context, node, fetch)).url)),
    // Only these are believed when they say that they have sent something.
    recordOffered(context.db, fetch.traceId, ids),
  ])
  return {
    asset_cid: fetch.cid,
    size: fetch.size,
    url,
    node_ids: ids,
    file_name: fetch.name,
    asset_type: fetch.kind,
    encrypted: fetch.encrypted,
    redirect: false,
    trace_id: fetch.traceId,
    available_nodes: nodes.length,
  }
}
