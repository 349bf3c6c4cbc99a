import { EDGES_PER_NETWORK_DAY } from '@tidenet/contract'
import { sql } from '../../../apps/server/src/platform/db/sql.ts'
import { hostileNode } from '../../attacks/hostile-node.ts'
import type { Attack } from '../harness.ts'

const EACH_STEP = 15

/** Registers one edge after the other from its network; they say that they are there, and are not. */
export default {
  name: 'many edges',
  async step({ address }, { env, origin }) {
    for (let time = 0; time < EACH_STEP; time++) await hostileNode({ origin, clock: env.clock }, { address })
  },
  async gains({ address }, { env }) {
    const { most } = await env.db.one<{ most: number }>(sql`
      select coalesce(max(n), 0)::int as most from (
        select count(*) over (order by created_at range between interval '1 day' preceding and current row) as n
        from nodes where ip = ${address}) c`)
    return { 'new edges of a network above the limit of a day': Math.max(0, most - EDGES_PER_NETWORK_DAY) }
  },
} satisfies Attack
