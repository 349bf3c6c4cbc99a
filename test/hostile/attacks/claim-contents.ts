import { sql } from '../../../apps/server/src/platform/db/sql.ts'
import type { Attack } from '../harness.ts'

/** Says that it has every content, in every way that a node can say it, and has none. */
export default {
  name: 'claim contents',
  async step({ made }, { files }) {
    const cids = files.map(({ cid }) => cid)
    if (!made || cids.length === 0) return
    await made.inventory(cids)
    await made.replicas(...files.slice(-500).map(({ cid, size }) => ({ cid, size })))
  },
  async gains({ id }, { env }) {
    const { counted } = await env.db.one<{ counted: number }>(
      sql`select count(*)::int as counted from replicas where node_id = ${id} and state = 'stored'`,
    )
    return { 'claimed copies that count': counted }
  },
} satisfies Attack
