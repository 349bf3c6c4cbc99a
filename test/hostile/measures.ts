import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { type Attacker, DAY, type World } from './harness.ts'

/** Below these, the server prefers other nodes: the share of good transfers, and bytes per second. */
const POOR = 0.75
const SLOW = 200_000

/** What a simulation shows. */
export function createMeasures(world: Pick<World, 'env' | 'honest' | 'attackers' | 'elapsed'>) {
  const { env, honest, attackers } = world
  const honestIds = honest.map(({ id }) => id)
  /** Copies on honest nodes that counted at some time, `node cid` → the node. */
  const held = new Map<string, string>()
  const lost = new Map<string, string>()
  let foreignReads = 0

  return {
    /** Copies on honest nodes that no longer count although nobody deleted the file: `node cid` and the state that they have now. */
    lost,
    /** Contents that somebody read without permission. */
    get foreignReads() {
      return foreignReads
    },
    foreignRead() {
      foreignReads += 1
    },
    /** Honest nodes whose heartbeats came too late, on a busy machine, may lose surplus copies after they have been replaced: no attack. */
    async noteAbsent() {
      const absent = await env.db.rows<{ id: string }>(
        sql`select id from nodes where status = 'offline' and id = any(${honestIds})`,
      )
      const ids = new Set(absent.map(({ id }) => id))
      for (const [key, node] of held) if (ids.has(node)) held.delete(key)
    },
    /** Compares with the last step. */
    async note() {
      const rows = await env.db.rows<{ key: string; state: string; node: string }>(sql`
        select n.kind || ' ' || r.node_id || ' ' || r.cid as key, r.state, n.id as node from replicas r join nodes n on n.id = r.node_id
        where r.node_id = any(${honestIds})`)
      const now = new Map(rows.map(({ key, state }) => [key, state]))
      for (const { key, state, node } of rows) if (state === 'stored') held.set(key, node)
      for (const key of held.keys()) if (now.get(key) !== 'stored') lost.set(key, now.get(key) ?? 'removed')
      const found = await env.db.rows<{ id: string; by: string }>(sql`
        select id, case when status = 'abnormal' then 'failed audits' when draining_since is not null then 'draining'
          when uncounted_since is not null then 'out of reach' when quality < ${POOR} then 'reports' else 'speed' end as by
        from nodes where id = any(${attackers.map(({ id }) => id)}) and (status = 'abnormal' or draining_since is not null
          or uncounted_since is not null or quality < ${POOR} or rate > 0 and rate < ${SLOW})`)
      const byId = new Map(found.map(({ id, by }) => [id, by]))
      for (const attacker of attackers) {
        const by = byId.get(attacker.id)
        if (by) attacker.noticed ??= { at: world.elapsed, by }
      }
    },
    /** Honest nodes that the server takes for failing, and why. */
    blamed: () =>
      env.db.rows<{ kind: string; status: string; errors: string[] }>(sql`
        select kind, status, array(select a.error from audits a where a.node_id = n.id and a.state = 'failed') as errors from nodes n
        where (status = 'abnormal' or draining_since is not null) and id = any(${honestIds})`),
    /** Copies that count, of honest and hostile nodes. */
    async counted() {
      const rows = await env.db.rows<{ node_id: string; n: number }>(
        sql`select node_id, count(*)::int as n from replicas where state = 'stored' group by node_id`,
      )
      const of = new Set(honestIds)
      const sum = (own: boolean) =>
        rows.filter((row) => of.has(row.node_id) === own).reduce((total, row) => total + row.n, 0)
      return { honest: sum(true), hostile: sum(false) }
    },
    /** Attack → after how long its first and its last node was noticed, and how. */
    detections() {
      const names = [...new Set(attackers.map(({ attack }) => attack.name))]
      return names.map((attack) => {
        const of = attackers.filter((attacker) => attacker.attack.name === attack)
        const noticed = of.flatMap((attacker) => attacker.noticed ?? []).sort((one, other) => one.at - other.at)
        const by = [...new Set(noticed.map((each) => each.by))].join(', ')
        return {
          attack,
          nodes: of.length,
          noticed: noticed.length,
          first: days(noticed[0]),
          last: days(noticed.at(-1)),
          by,
        }
      })
    },
    /** Bytes that nodes reported as sent and that count: those of vetted edges, and all. */
    async sent() {
      return env.db.one<{ vetted: number; all: number }>(sql`
        select coalesce(sum(t.sent) filter (where n.kind = 'edge' and n.vetted_at is not null), 0)::float8 as vetted,
          coalesce(sum(t.sent), 0)::float8 as all
        from node_traffic t join nodes n on n.id = t.node_id`)
    },
    /** How many edges are vetted now, honest and hostile ones. */
    async vetted() {
      const rows = await env.db.rows<{ id: string }>(
        sql`select id from nodes where kind = 'edge' and vetted_at is not null`,
      )
      const of = new Set(honestIds)
      const own = rows.filter(({ id }) => of.has(id)).length
      return { honest: own, hostile: rows.length - own }
    },
  }
}

const days = (noticed: { at: number } | undefined) =>
  noticed === undefined ? '-' : `${(noticed.at / DAY).toFixed(1)} days`

/** What the attacks gained together, by name. */
export async function gainsOf(world: World, long: boolean): Promise<Record<string, number>> {
  const total: Record<string, number> = {}
  const add = async (attacker: Attacker) => {
    const gains = (await attacker.attack.gains?.(attacker, world)) ?? {}
    for (const [name, count] of Object.entries(gains)) total[name] = (total[name] ?? 0) + count
  }
  for (const attacker of world.attackers) {
    await add(attacker)
    const { attack, noticed } = attacker
    if ((attack.noticeable === 'soon' || (long && attack.noticeable)) && noticed === undefined)
      total[`not noticed: ${attack.name}`] = 1
  }
  return total
}
