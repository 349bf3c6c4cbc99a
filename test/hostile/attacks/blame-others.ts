import { TRACE } from '@tidenet/contract'
import { sql } from '../../../apps/server/src/platform/db/sql.ts'
import type { Attack } from '../harness.ts'

const REPORTS = 10
/** The share of successful attempts that an honest node must keep. */
const GOOD = 0.9

/** One account opens shares again and again and reports that every honest node failed. */
export default {
  name: 'blame others',
  async step({ account: { token }, address }, { env, files, honest }) {
    const file = files.at(-1)
    if (!file) return
    // Not the network of honest clients, whose reports would be limited together with its own.
    const account = { token, ip: address }
    const failed = { state: TRACE.failed, transfer_type: 'download', size: 0, error: 'wrong bytes' }
    await env.call('shares.setStatus', { cid: file.cid, status: 1 }, file.owner)
    for (let time = 0; time < REPORTS; time++) {
      const visit = await env.call('downloads.open', { asset_cid: file.cid, user_id: file.owner.uid }, account)
      if (visit.code !== 0) continue
      const details = honest.map(({ id }) => ({ node_id: id, ...failed }))
      const { trace_id } = visit.data
      const report = { trace_id, cid: file.cid, state: TRACE.failed, transfer_type: 'download' as const, details }
      await env.call('traces.report', report, account)
    }
    await env.call('shares.setStatus', { cid: file.cid, status: 0 }, file.owner)
  },
  async gains(_attacker, { env, honest }) {
    const blamed = await env.db.rows<{ kind: string; quality: number; audits_passed: number }>(sql`
      select kind, quality, audits_passed from nodes where id = any(${honest.map(({ id }) => id)}) and quality < ${GOOD}`)
    if (blamed.length > 0) console.table(blamed)
    return { 'honest nodes that reports gave a bad name': blamed.length }
  },
} satisfies Attack
