import { FREE_DOWNLOAD_TRAFFIC } from '@tidenet/contract'
import { sql } from '../../../apps/server/src/platform/db/sql.ts'
import type { Attack } from '../harness.ts'

const SIZE = 50_000_000

/** The account opens downloads of its own file again and again, and the node reports as much traffic for each as it can. */
export default {
  name: 'colluding account',
  area: 'Space-Mars-Mars-Mars',
  async step({ made, account, notes }, { env }) {
    if (!made) return
    let cid = notes.get('cid') as string | undefined
    if (!cid) {
      cid = await ownFile(made, account, env)
      notes.set('cid', cid)
    }
    for (let time = 0; time < 10; time++) {
      const { data, code } = await env.call('downloads.own', { asset_cid: cid }, account)
      if (code !== 0) return
      await made.served([{ account: account.uid, cid, trace_id: data.trace_id, bytes: 1e12, requests: 1_000_000 }])
    }
  },
  async gains({ account }, { env }) {
    const { sent } = await env.db.one<{ sent: number }>(
      sql`select coalesce(sum(sent), 0)::float8 as sent from usage_hours where user_id = ${account.id}`,
    )
    return { 'bytes above the quota of the account': Math.max(0, sent - FREE_DOWNLOAD_TRAFFIC) }
  },
} satisfies Attack

/** A file that only this node says it has, where there is no other node. */
async function ownFile(
  node: NonNullable<Parameters<NonNullable<Attack['step']>>[0]['made']>,
  account: { token: string },
  env: Parameters<NonNullable<Attack['step']>>[1]['env'],
): Promise<string> {
  const { randomUUID } = await import('node:crypto')
  const { rawCid } = await import('@tidenet/content/cid')
  const cid = (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
  const { data } = await env.call('uploads.info', { size: SIZE, area_id: ['Mars'] }, account)
  const granted = data.List.find(({ NodeID }) => NodeID === node.id)
  if (!granted) return ''
  const receipt = await node.receiptFor(granted.Token, { cid })
  const fields = { asset_name: 'a', asset_type: 'file' as const, asset_size: SIZE, asset_cid: cid, receipt }
  return (await env.call('assets.create', fields, account)).code === 0 ? cid : ''
}
