import type { Attack } from '../harness.ts'

/** A node reports of each copy that it should pull that every honest node sent it wrong bytes. */
export default {
  name: 'blame sources',
  async step({ made }, { honest }) {
    if (!made) return
    const bad_sources = honest.map(({ id }) => ({ node_id: id, error: 'wrong bytes' }))
    const { code, msg, data } = await made.heartbeat()
    if (code !== 0) throw new Error(`the server refused a heartbeat: ${msg}`)
    for (const { type, cid } of data.work)
      if (type === 'pull') await made.replicas({ cid, state: 'failed', error: 'no source could give it', bad_sources })
  },
} satisfies Attack
