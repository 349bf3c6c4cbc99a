import { fetchAgain } from '../fetch-again.ts'
import type { Attack } from '../harness.ts'

/** Its account opens a share, keeps the addresses, and goes on reading from honest nodes after the share has ended. */
export default {
  name: 'read after the end of a share',
  async step({ account }, { env, files, honest, measures }) {
    const file = files.at(-1)
    if (!file) return
    await env.call('shares.setStatus', { cid: file.cid, status: 1 }, file.owner)
    const { data } = await env.call('downloads.open', { asset_cid: file.cid, user_id: file.owner.uid }, account)
    await env.call('shares.setStatus', { cid: file.cid, status: 0 }, file.owner)
    // Within a minute every node sends a heartbeat; it sends the second one when it has dealt with the answer to the first.
    for (let time = 0; time < 2; time++) await Promise.all(honest.map((node) => node.beat()))
    const own = new Set(honest.map(({ id }) => id))
    for (const [index, url] of (data?.url ?? []).entries()) {
      if (!own.has(data.node_ids[index] ?? '')) continue
      const answer = await fetchAgain(url)
      if (answer.ok) measures.foreignRead()
      await answer.body?.cancel()
    }
  },
} satisfies Attack
