import { randomInt } from 'node:crypto'
import type { AssetType, NodeSource, NodeWork } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { giveAudits } from '../audits/repository.ts'
import { type Context, now } from '../context.ts'
import { auditAddress, signDownloadToken } from '../nodes/node-tokens.ts'
import type { Beaten } from '../nodes/repository.ts'
import { LEASE } from '../nodes/times.ts'
import { type NodeFacts, orderSources } from '../placement/choose.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'keys'>

/** A node pulls from several sources when the first is bad or slow. */
const SOURCES = 8
/** As many may pull one content at once as this times those that have it: it spreads like a tree instead of choking its first holder. */
const PULLS_PER_SOURCE = 3

/** Takes up to `room` pieces of work for a node: audits first, then removals and pulls, oldest first. */
export async function takeWork(context: Needs, node: Pick<Beaten, 'id' | 'kind'>, room: number): Promise<NodeWork[]> {
  const at = now(context)
  const audits = node.kind === 'validator' ? await giveAudits(context.db, node.id, room, at) : []
  const left = room - audits.length
  const replicas = left > 0 ? await takeReplicas(context.db, node.id, left, at) : []
  const pulls = replicas.filter((replica) => replica.state === 'pulling').map((replica) => replica.cid)
  const sources = pulls.length > 0 ? await sourcesByContent(context.db, pulls) : new Map<string, SourceRow[]>()

  const work: Promise<NodeWork | undefined>[] = []
  for (const audit of audits) {
    const { id, cid, kind, position, node_id } = audit
    work.push(
      auditAddress(context, audit).then((address) => ({
        type: 'audit' as const,
        id,
        cid,
        kind,
        position,
        source: { node_id, ...address },
      })),
    )
  }
  for (const { cid, state, size, kind } of replicas)
    work.push(
      state === 'removed'
        ? Promise.resolve({ type: 'remove' as const, cid, decided: at.getTime() })
        : Promise.all(
            bestSources(sources.get(cid) ?? []).map((source) => sourceOf(context, source, node.id, cid)),
          ).then((list) =>
            // Its only holder has just left: the lease runs out and it is wanted again.
            list.length > 0 ? { type: 'pull' as const, cid, size, kind, sources: list } : undefined,
          ),
    )
  return (await Promise.all(work)).filter((piece) => piece !== undefined)
}

/** Those of many nodes for which `takeWork` may find something; asking for all at once costs little more than for one. */
export const nodesWithWork = async (db: Db, nodeIds: readonly string[], at: Date): Promise<Set<string>> =>
  new Set(
    (
      await db.rows<{ id: string }>(sql`
        select n.id from unnest(${nodeIds}::text[]) n (id)
        where exists (select 1 from replicas r where r.node_id = n.id and r.state in ('wanted', 'removed')
            and (r.lease_until is null or r.lease_until <= ${at}) and (r.retry_at is null or r.retry_at <= ${at}))
          or exists (select 1 from audits a where a.validator_id = n.id and a.state = 'open' and a.given_at is null)`)
    ).map(({ id }) => id),
  )

/** Keeps pulls alive that are under way; one that was given up already is taken back. */
export const renewLeases = (context: Pick<Context, 'db' | 'clock'>, nodeId: string, cids: readonly string[]) =>
  context.db.run(sql`
    update replicas set state = 'pulling', lease_until = ${new Date(context.clock.now() + LEASE)}
    where node_id = ${nodeId} and cid = any(${cids}) and state in ('wanted', 'pulling')`)

const takeReplicas = (db: Db, nodeId: string, limit: number, at: Date) =>
  db.rows<{ cid: string; state: 'pulling' | 'removed'; size: number; kind: AssetType }>(sql`
    with picked as (
      select r.cid from replicas r
      where r.node_id = ${nodeId} and r.state in ('wanted', 'removed')
        and (r.lease_until is null or r.lease_until <= ${at}) and (r.retry_at is null or r.retry_at <= ${at})
        and (r.state = 'removed' or
          (select count(*) from replicas p where p.cid = r.cid and p.state = 'pulling') < ${PULLS_PER_SOURCE} *
          (select coalesce(nullif(count(*) filter (where s.state = 'stored'), 0), least(1, count(*)))
            from replicas s join nodes n on n.id = s.node_id
            where s.cid = r.cid and s.state in ('stored', 'claimed') and n.status <> 'offline' and n.reachable))
      order by r.changed_at limit ${limit} for update of r skip locked
    )
    update replicas r set state = case when r.state = 'wanted' then 'pulling' else r.state end,
      lease_until = ${new Date(at.getTime() + LEASE)}, changed_at = ${at}
    from picked p, contents c
    where r.node_id = ${nodeId} and r.cid = p.cid and c.cid = r.cid
    returning r.cid, r.state, c.size, c.kind`)

type SourceRow = NodeFacts & { cid: string; url: string; state: 'stored' | 'claimed' }

async function sourcesByContent(db: Db, cids: readonly string[]): Promise<Map<string, SourceRow[]>> {
  const rows = await db.rows<SourceRow>(sql`
    select r.cid, r.state, n.id, n.kind, n.country, n.url, n.capacity, n.free, n.load, n.send_rate, n.receive_rate, n.status, n.reachable, n.quality
    from replicas r join nodes n on n.id = r.node_id
    where r.cid = any(${cids}) and r.state in ('stored', 'claimed') and n.status <> 'offline' and n.reachable`)
  const byContent = new Map<string, SourceRow[]>()
  for (const row of rows) byContent.set(row.cid, [...(byContent.get(row.cid) ?? []), row])
  return byContent
}

/** What edges claim is asked for only where nobody else has it. The best, in a different order each time among those in good standing, so that not all pull from the same one. */
function bestSources(rows: readonly SourceRow[]): SourceRow[] {
  const proven = rows.filter((row) => row.state === 'stored')
  const best = orderSources(proven.length > 0 ? proven : rows, { count: SOURCES, invited: SOURCES / 2 })
  const good = best.filter((row) => row.status === 'online')
  const start = good.length > 1 ? randomInt(good.length) : 0
  return [...good.slice(start), ...good.slice(0, start), ...best.filter((row) => row.status !== 'online')]
}

async function sourceOf(
  context: Needs,
  source: { id: string; url: string },
  forNode: string,
  cid: string,
): Promise<NodeSource> {
  const token = await signDownloadToken(context, { typ: 'pull', aud: source.id, sub: `node:${forNode}`, cid, tid: '' })
  return { node_id: source.id, url: source.url, token }
}
