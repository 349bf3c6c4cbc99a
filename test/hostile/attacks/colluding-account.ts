import { randomUUID } from 'node:crypto'
import { EARNING_PER_GB_MAX, PRICE_PER_GB, sentText } from '@tidenet/contract'
import { createStorage } from '@tidenet/storage'
import { type PlanDates, quotaSince } from '../../../apps/server/src/identity/accounts/plan-months.ts'
import { sql } from '../../../apps/server/src/platform/db/sql.ts'
import { clientKey } from '../../../apps/server/src/storage/download-traffic/client-key.fixture.ts'
import type { Attack } from '../harness.ts'

/** Each file may get a copy on the attacker's node. */
const FILES = 12
const SIZE = 50_000
const QUOTA = 1_000_000
const DOWNLOADS = 4
const MUCH = 1e12

/**
 * Its account downloads its own files again and again. The node reports as many sent bytes as it can, and the account, which has a plan
 * that earns, signs as many received ones; the node signs the same number.
 */
export default {
  name: 'colluding account',
  plan: { vip: true, downloadQuota: QUOTA },
  bend: () => ({}),
  async step({ real, account, notes }, { env, origin }) {
    if (!real) return
    const storage = createStorage({ token: account.token, url: origin, lang: 'en' })
    const cids = (notes.get('cids') as string[] | undefined) ?? []
    for (let index = cids.length; index < FILES; index++) {
      const bytes = new Uint8Array(SIZE).fill(index + 1)
      bytes.set(new TextEncoder().encode(randomUUID()))
      const { data } = await storage.uploadAsset(new File([bytes], `own-${index}`), { md5: false })
      if (typeof data?.cid === 'string') cids.push(data.cid)
    }
    notes.set('cids', cids)
    for (const cid of cids) {
      for (let time = 0; time < DOWNLOADS; time++) {
        const client = clientKey()
        const { data } = await env.call('downloads.own', { asset_cid: cid, receipt_key: client.receiptKey }, account)
        // It reports for its accomplices' nodes too, and when it was not offered.
        if (!data?.trace_id) break
        const signature = client.signature(data.trace_id, real.id, cid, MUCH)
        const transfer = { account: account.uid, trace_id: data.trace_id, cid, bytes: MUCH, requests: 1_000_000 }
        const sent_signature = real.sign(sentText(data.trace_id, real.id, cid, MUCH))
        const more = { peak: 1, time: env.clock.now(), received: MUCH, signature, sent: MUCH, sent_signature }
        await real.call('served', { batch: randomUUID(), transfers: [{ ...transfer, ...more }] })
        if (data.node_ids.includes(real.id)) notes.set('offered', ((notes.get('offered') as number) ?? 0) + 1)
      }
    }
  },
  async gains({ account }, { env }) {
    // The quota is that of a month of the plan. Honest accounts read from the node too.
    const plan = await env.db.one<PlanDates>(
      sql`select vip, plan_since, created_at from users where id = ${account.id}`,
    )
    const hours = await env.db.rows<{ hour: Date; sent: number; signed: number }>(
      sql`select hour, sent::float8 as sent, signed::float8 as signed from usage_hours where user_id = ${account.id}`,
    )
    const most = (what: 'sent' | 'signed') => {
      const months = new Map<number, number>()
      for (const hour of hours) {
        const month = quotaSince(plan, hour.hour).getTime()
        months.set(month, (months.get(month) ?? 0) + hour[what])
      }
      return Math.max(0, ...months.values())
    }
    const [sent, signed] = [most('sent'), most('signed')]
    const { earned, paid } = await env.db.one<{ earned: number; paid: number }>(sql`
      select (select coalesce(sum(signed), 0) from node_traffic where account_kind = 'vip')::float8 as earned,
        (select coalesce(sum(signed), 0) from usage_hours)::float8 as paid`)
    const gb = 1e9
    return {
      'signed bytes of nodes that no account paid for': Math.max(0, earned - paid),
      'bytes above the quota of the account': Math.max(0, sent - QUOTA),
      'signed bytes above the quota of the account': Math.max(0, signed - QUOTA),
      'coins that collusion earns above its price': Math.max(
        0,
        (signed / gb) * EARNING_PER_GB_MAX - (QUOTA / gb) * PRICE_PER_GB,
      ),
    }
  },
} satisfies Attack
