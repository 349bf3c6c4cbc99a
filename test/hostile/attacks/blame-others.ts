import type { Attack } from '../harness.ts'

/** Its account reports failures of honest nodes in transfers that it opened, and successes of none. */
export default {
  name: 'blame others',
  async step({ account }, { env, files, honest }) {
    const file = files.at(-1)
    if (!file) return
    await env.call('shares.setStatus', { cid: file.cid }, file.owner)
    const { data, code } = await env.call('downloads.open', { asset_cid: file.cid, user_id: file.owner.uid }, account)
    await env.call('shares.setStatus', { cid: file.cid, status: 0 }, file.owner)
    if (code !== 0) return
    await env.call(
      'traces.report',
      {
        trace_id: data.trace_id,
        cid: file.cid,
        state: 2,
        transfer_type: 'download',
        rate: 1,
        cost_ms: 60_000,
        total_size: file.size,
        details: honest.map(({ id }) => ({ node_id: id, status: 'failed', size: 0, error: 'wrong bytes' })),
      } as never,
      account,
    )
  },
} satisfies Attack
