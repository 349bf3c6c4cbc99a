import { EARNING_PER_GB_MAX, earningsMaxOf, planPriceMin, VIP_STORAGE } from '@tidenet/contract'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { earningsOf, type NodeHour } from '../../packages/receipts/src/earnings/index.ts'
import type { Attacker, World } from './harness.ts'

/** Millionths of a point. */
const POINT = 1_000_000
const GB = 1_000_000_000
const HOUR_MS = 3_600_000

/** What attackers earned that they should not have. Each number must be 0. */
export async function earningGains({
  env,
  honest,
  attackers,
  clients,
  elapsed,
}: World): Promise<Record<string, number>> {
  const rows = await env.db.rows<{ node_id: string; traffic: number; storage: number }>(sql`
    select node_id, sum(traffic)::float8 as traffic, sum(storage)::float8 as storage from device_days group by node_id`)
  const earned = new Map(rows.map((row) => [row.node_id, row]))
  const sum = (of: readonly Attacker[], cause: 'traffic' | 'storage') =>
    of.reduce((total, { id }) => total + (earned.get(id)?.[cause] ?? 0), 0)
  const honestSum = [...honest].reduce((total, { id }) => {
    const { traffic = 0, storage = 0 } = earned.get(id) ?? {}
    return total + Math.min(traffic, storage)
  }, 0)
  console.table({
    'honest invited nodes': honestSum,
    'colluding, traffic': sum(
      attackers.filter(({ attack }) => attack.plan),
      'traffic',
    ),
    'colluding, storage': sum(
      attackers.filter(({ attack }) => attack.plan),
      'storage',
    ),
    'other attackers, traffic': sum(
      attackers.filter(({ attack }) => !attack.plan),
      'traffic',
    ),
    'other attackers, storage': sum(
      attackers.filter(({ attack }) => !attack.plan),
      'storage',
    ),
  })
  const colluding = attackers.filter(({ attack }) => attack.plan)
  const alone = attackers.filter(({ attack }) => !attack.plan)

  const paid = await env.db.one<{ bytes: number }>(sql`
    select coalesce(sum(used_bytes), 0)::float8 as bytes from users where vip and id <> all(${colluding.map(({ account }) => account.id)})`)
  const hours = elapsed / HOUR_MS + 1
  const storageMost = (earningsMaxOf({ storage: paid.bytes, downloadTraffic: 0 }) * POINT * hours) / 720
  // Months of the plans, which begin with the simulation.
  const price =
    Math.ceil(hours / (28 * 24)) *
    colluding.reduce((total, { attack }) => {
      const downloadTraffic = attack.plan?.downloadQuota ?? 0
      return total + planPriceMin({ storage: VIP_STORAGE, downloadTraffic })
    }, 0)
  return {
    'honest nodes that earned nothing by traffic or by storage': honestSum > 0 ? 0 : 1,
    'points that attackers earned by bytes that no honest reader received': Math.max(
      0,
      sum(alone, 'traffic') - (clients.received / GB) * EARNING_PER_GB_MAX * POINT,
    ),
    'points that attackers earned by storage above what accounts paid for': Math.max(
      0,
      sum(alone, 'storage') - storageMost,
    ),
    'points that colluding accounts earned above the price of their plans': Math.max(
      0,
      sum(colluding, 'traffic') + sum(colluding, 'storage') - price * POINT,
    ),
    ...(await contradictions(env)),
  }
}

/** Days whose sums do not follow from their hours, and hours whose amounts do not follow from their inputs. */
async function contradictions(env: World['env']): Promise<Record<string, number>> {
  const hours = await env.db.rows<
    Omit<NodeHour, 'sub' | 'hour' | 'audited'> & { hour: Date; audited: Date | null; owner: number | null } & {
      traffic: number
      storage: number
    }
  >(sql`
    select hour, user_id as owner, trusted, failed, audited, held, online, crowd, signed, paid_share, traffic, storage from node_hours`)
  const unix = (at: Date | null) => (at ? Math.floor(at.getTime() / 1000) : 0)
  const wrong = hours.filter(({ hour, audited, owner, traffic, storage, ...rest }) => {
    const input = { ...rest, hour: unix(hour), audited: unix(audited), ...(owner !== null && { sub: String(owner) }) }
    const computed = earningsOf(input)
    return computed.traffic !== traffic || computed.storage !== storage
  })
  const days = await env.db.rows(sql`
    select 1 from device_days d where (d.traffic, d.storage) <> (
      select coalesce(sum(h.traffic), 0), coalesce(sum(h.storage), 0) from node_hours h
      where h.node_id = d.node_id and h.user_id = d.user_id and (h.hour at time zone 'UTC')::date = d.day)`)
  return {
    'hours that do not follow from their inputs': wrong.length,
    'days that are not the sum of their hours': days.length,
  }
}
