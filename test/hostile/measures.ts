import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { type Attacker, HOUR, type World } from './harness.ts'

/** What a simulation shows. */
export function createMeasures(world: Pick<World, 'env' | 'honest' | 'attackers' | 'elapsed'>) {
  const { env, honest, attackers } = world
  const honestIds = honest.map(({ id }) => id)
  /** Copies on honest nodes that counted at some time, `node cid`. */
  const held = new Set<string>()
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
    /** Compares with the last step. */
    async note() {
      const rows = await env.db.rows<{ key: string; state: string; kind: string }>(sql`
        select n.kind || ' ' || r.node_id || ' ' || r.cid as key, r.state, n.kind from replicas r join nodes n on n.id = r.node_id
        where r.node_id = any(${honestIds})`)
      const now = new Map(rows.map(({ key, state }) => [key, state]))
      for (const [key, state] of now) if (state === 'stored') held.add(key)
      for (const key of held) if (now.get(key) !== 'stored') lost.set(key, now.get(key) ?? 'removed')
      const failing = await env.db.rows<{ id: string }>(sql`
        select id from nodes where status = 'abnormal' and id = any(${attackers.map(({ id }) => id)})`)
      const found = new Set(failing.map(({ id }) => id))
      for (const attacker of attackers) if (found.has(attacker.id)) attacker.noticed ??= world.elapsed
    },
    /** Honest nodes that the server takes for failing. */
    async blamed(): Promise<string[]> {
      const rows = await env.db.rows<{ id: string }>(
        sql`select id from nodes where status <> 'online' and id = any(${honestIds})`,
      )
      return rows.map(({ id }) => id)
    },
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
    /** Attack → after how long its first and its last node was noticed. */
    detections(): { attack: string; nodes: number; noticed: number; first: string; last: string }[] {
      const names = [...new Set(attackers.map(({ attack }) => attack.name))]
      return names.map((attack) => {
        const of = attackers.filter((attacker) => attacker.attack.name === attack)
        const times = of.flatMap(({ noticed }) => noticed ?? []).sort((one, other) => one - other)
        return { attack, nodes: of.length, noticed: times.length, first: hours(times[0]), last: hours(times.at(-1)) }
      })
    },
  }
}

const hours = (ms: number | undefined) => (ms === undefined ? '-' : `${(ms / HOUR).toFixed(1)} h`)

/** What the attacks gained together, by name. */
export async function gainsOf(world: World): Promise<Record<string, number>> {
  const total: Record<string, number> = {}
  const add = async (attacker: Attacker) => {
    const gains = (await attacker.attack.gains?.(attacker, world)) ?? {}
    for (const [name, count] of Object.entries(gains)) total[name] = (total[name] ?? 0) + count
  }
  for (const attacker of world.attackers) {
    await add(attacker)
    const { attack, noticed } = attacker
    if (attack.noticeable && noticed === undefined) total[`not noticed: ${attack.name}`] = 1
  }
  return total
}
