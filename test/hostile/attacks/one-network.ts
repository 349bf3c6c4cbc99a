import { sql } from '../../../apps/server/src/platform/db/sql.ts'
import type { Attack } from '../harness.ts'

/** Most copies of a file that the edges of one network may hold together. */
const MOST = 10

/** Many good nodes of one network, which hold most copies of a content after a while and leave together on the second day. */
export default {
  name: 'one network',
  oneNetwork: true,
  async step({ day, real }) {
    real?.vanish(day >= 2)
  },
  async gains({ address, id }, { env, attackers }): Promise<Record<string, number>> {
    const network = `${address.split('.').slice(0, 3).join('.')}.`
    const ids = attackers.filter((other) => other.address.startsWith(network)).map((other) => other.id)
    // Once for all of them.
    if (ids[0] !== id) return {}
    const { most } = await env.db.one<{ most: number }>(sql`
      select coalesce(max(n), 0)::int as most from (
        select count(*) as n from replicas where node_id = any(${ids}) and state = 'stored' group by cid) c`)
    return { 'copies of one network above its share': Math.max(0, most - MOST) }
  },
  bend: () => ({}),
} satisfies Attack
