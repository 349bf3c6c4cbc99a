import { THIRD_PARTY_WARNING_DAYS } from '@tidenet/contract'
import { notify } from '../../identity/index.ts'
import { DAY } from '../../platform/ago.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Context, now } from '../context.ts'
import { isAgreed, replicas } from '../third-party-records/records.ts'
import { type Expiring, expiringEmail } from './emails.ts'

const BATCH = 200

/** Tells owners about replicas that expire within a week: they were not renewed before. */
export async function notifyOfExpiry(context: Pick<Context, 'db' | 'clock' | 'keys' | 'portalUrl'>): Promise<void> {
  const at = now(context)
  const before = new Date(at.getTime() + THIRD_PARTY_WARNING_DAYS * DAY)
  await context.db.transaction(async (tx) => {
    const expiring = await replicas.claimExpiring(tx, before, at, BATCH)
    if (expiring.length === 0) return
    const cids = [...new Set(expiring.map(({ cid }) => cid))]
    const owned = await tx.rows<{ cid: string; user_id: number; name: string }>(sql`
      select distinct on (a.user_id, a.cid) a.cid, a.user_id, a.name from assets a left join third_party_choices c on c.user_id = a.user_id
      where a.cid = any(${cids}) and ${isAgreed} order by a.user_id, a.cid, a.id`)
    const byOwner = new Map<number, Expiring[]>()
    for (const { cid, user_id, name } of owned)
      for (const { provider, simulated, expires_at: expiresAt, ...replica } of expiring)
        if (replica.cid === cid)
          byOwner.set(user_id, [...(byOwner.get(user_id) ?? []), { name, provider, simulated, expiresAt }])
    const page = `${context.portalUrl()}/filemanager`
    for (const [userId, list] of byOwner) await notify(context, tx, userId, 'ending', () => expiringEmail(list, page))
  })
}
