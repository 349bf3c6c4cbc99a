import { sql } from '../../../apps/server/src/platform/db/sql.ts'
import type { Attack } from '../harness.ts'

/** Reports traffic of strangers that never happened. */
export default {
  name: 'fake traffic',
  async step({ made }, { files, env }) {
    const file = files.at(-1)
    if (!made || !file) return
    const trace = await env.db.maybe<{ id: string }>(
      sql`select id from traces where account = ${file.owner.uid} and kind = 'download' order by id desc limit 1`,
    )
    // It even guesses the id of a transfer in which it took no part.
    await made.served([
      { account: file.owner.uid, cid: file.cid, trace_id: trace?.id ?? 'x', bytes: 1e12, requests: 1000 },
    ])
  },
  async gains({ id }, { env }) {
    const { bytes } = await env.db.one<{ bytes: number }>(
      sql`select coalesce(sum(bytes), 0)::float8 as bytes from trace_sent where node_id = ${id}`,
    )
    return { 'bytes charged to strangers': bytes }
  },
} satisfies Attack
