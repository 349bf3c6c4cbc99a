import type { NodeSource, NodeWork } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { assignAudits, validatorsWithAudits } from '../audits/service.ts'
import { type Context, now } from '../context.ts'
import { signDownloadToken } from '../nodes/node-tokens.ts'
import type { HeartbeatRow } from '../nodes/nodes.ts'
import {
  claimReplicas,
  nodesWithReplicasDue,
  orderSources,
  pullSources,
  type SourceRow,
} from '../placement/placement.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'demand' | 'policy'>

/** Sources per pull; a node tries the next one if a source is bad or slow. */
const MAX_SOURCES = 8

/** Claims up to `limit` pieces of work for a node: audits first, then removals and pulls, oldest first. */
export async function claimWork(
  context: Deps,
  node: Pick<HeartbeatRow, 'id' | 'kind'>,
  limit: number,
): Promise<NodeWork[]> {
  const at = now(context)
  const audits = node.kind === 'validator' ? await assignAudits(context, context.db, node.id, limit) : []
  const left = limit - audits.length
  const replicas = left > 0 ? await claimReplicas(context.db, node.id, left, at) : []
  const pulls = replicas.filter((replica) => replica.state === 'pulling').map((replica) => replica.cid)
  const sources = pulls.length > 0 ? await pullSources(context, pulls) : new Map<string, SourceRow[]>()

  const work: Promise<NodeWork | undefined>[] = audits.map(
    async ({ id, cid, kind, size, position, node_id, address }) => {
      const { url, token, listUrl, via } = address
      const source = { node_id, url, token, ...(listUrl !== undefined && { list_url: listUrl }), ...(via && { via }) }
      return { type: 'audit' as const, id, cid, kind, size, position, source }
    },
  )
  for (const { cid, state, size, kind } of replicas)
    work.push(
      state === 'removed'
        ? Promise.resolve({ type: 'remove' as const, cid, decided: at.getTime() })
        : Promise.all(
            bestSources(context, sources.get(cid) ?? []).map((source) => sourceOf(context, source, node.id, cid)),
          ).then((list) =>
            // The only holder just went offline; the replica is wanted again when the lease expires.
            list.length > 0 ? { type: 'pull' as const, cid, size, kind, sources: list } : undefined,
          ),
    )
  return (await Promise.all(work)).filter((piece) => piece !== undefined)
}

/** The given nodes for which `claimWork` may find work. */
export async function nodesWithWork(
  db: Db,
  nodes: readonly Pick<HeartbeatRow, 'id' | 'kind'>[],
  at: Date,
): Promise<Set<string>> {
  const ids = nodes.map(({ id }) => id)
  const validators = nodes.filter(({ kind }) => kind === 'validator').map(({ id }) => id)
  return new Set([
    ...(await nodesWithReplicasDue(db, ids, at)),
    ...(validators.length > 0 ? await validatorsWithAudits(db, validators) : []),
  ])
}

/** Sources in random order, so that nodes do not all pull from the same one; unverified copies only if there are no stored ones. */
function bestSources({ policy }: Pick<Deps, 'policy'>, rows: readonly SourceRow[]): SourceRow[] {
  const stored = rows.filter((row) => row.state === 'stored')
  return orderSources(stored.length > 0 ? stored : rows, {
    count: MAX_SOURCES,
    random: Math.random,
    spread: 1,
    policy,
  })
}

async function sourceOf(
  context: Deps,
  source: { id: string; url: string; more_urls: string[] },
  forNode: string,
  cid: string,
): Promise<NodeSource> {
  const token = await signDownloadToken(context, { typ: 'pull', aud: source.id, sub: `node:${forNode}`, cid, tid: '' })
  return { node_id: source.id, url: source.url, more_urls: source.more_urls, token }
}
