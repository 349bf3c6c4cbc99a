import { sql } from '../../../apps/server/src/platform/db/sql.ts'
import type { Attack } from '../harness.ts'

/** Copies of a content that new edges of one network may hold together. */
const MOST = 1
const LEAVE_AT = 2

/** Several good nodes of one network, which get copies of the same contents and leave together on the second day. */
export default {
  name: 'one network',
  oneNetwork: true,
  weight: 4,
  bend: () => ({}),
  async step({ day, real, attack, notes }, { env, attackers }) {
    const ids = attackers.filter((other) => other.attack === attack).map(({ id }) => id)
    if (day < LEAVE_AT && ids[0] === real?.id) {
      const { most } = await env.db.one<{ most: number }>(sql`
        select coalesce(max(n), 0)::int as most from (
          select count(*) as n from replicas where node_id = any(${ids}) and state = 'stored' group by cid) c`)
      notes.set('most', Math.max(most, (notes.get('most') as number) ?? 0))
    }
    real?.vanish(day >= LEAVE_AT)
  },
  async gains({ notes }) {
    return { 'copies of one network above its share': Math.max(0, ((notes.get('most') as number) ?? 0) - MOST) }
  },
} satisfies Attack
