import pg from 'pg'
import { earningsOf, type NodeHour } from '../../packages/receipts/src/earnings/index.ts'
import type { TestUser } from './test-env.ts'

const GB = 1_000_000_000
const HOUR = 3600
const DAY = 24 * HOUR

export const dayBefore = (days: number): string => new Date(Date.now() - days * DAY * 1000).toISOString().slice(0, 10)

/**
 * Stores yesterday's earnings of a device that is gone, as the server would: three hours with their receipts, and one of the day. The server
 * signs them. @returns the id of the device
 */
export async function seedEarnings({ uid }: TestUser, name: string, moreDays = 0): Promise<string> {
  const client = new pg.Client({ connectionString: String(process.env.TIDENET_BROWSER_DATABASE) })
  await client.connect()
  try {
    const node = `e_${name}${Date.now()}`
    const day = dayBefore(1)
    const start = Date.parse(day) / 1000
    const userId = await one(client, 'select id from users where uid = $1', [uid])
    const queue = (claims: object) =>
      one(client, 'insert into log_queue (claims, issued_at) values ($1::json, now()) returning id', [
        JSON.stringify(claims),
      ])
    const hours: { hour: number; version: number; receipt: number; traffic: number; storage: number }[] = []
    for (const more of [{ signed: 1.25 * GB }, { failed: 1, signed: GB }, { held: 350 * GB, crowd: 2 }]) {
      const input: NodeHour = { ...inputOf(uid, start + (9 + hours.length) * HOUR), ...more }
      const { version, traffic, storage } = earningsOf(input)
      const receipt = await queue({ kind: 'node_hour', node, passed: 3, ...input })
      hours.push({ hour: input.hour, version, receipt, traffic, storage })
      await client.query(
        `insert into node_hours (node_id, hour, user_id, trusted, passed, failed, audited, held, online, crowd, signed, paid_share, version,
          traffic, storage, receipt_id)
         values ($1, to_timestamp($2), $3, true, 3, $4, to_timestamp($5), $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
        [
          ...[node, input.hour, userId, input.failed, input.audited, input.held, input.online, input.crowd],
          ...[input.signed, input.paid_share, version, traffic, storage, receipt],
        ],
      )
    }
    const sum = (cause: 'traffic' | 'storage') => hours.reduce((total, hour) => total + hour[cause], 0)
    const sums = { traffic: sum('traffic'), storage: sum('storage') }
    const receipt = await queue({ kind: 'earnings', sub: uid, node, day, ...sums, hours })
    for (let days = 1; days <= 1 + moreDays; days++)
      await client.query(
        'insert into device_days (user_id, day, node_id, traffic, storage, receipt_id) values ($1, $2::date, $3, $4, $5, $6)',
        [
          userId,
          dayBefore(days),
          node,
          Math.round(sums.traffic / (1 + (days % 5))),
          sums.storage * (1 + (days % 3)),
          receipt,
        ],
      )
    await client.query('update device_days set traffic = $1, storage = $2 where node_id = $3 and day = $4::date', [
      sums.traffic,
      sums.storage,
      node,
      day,
    ])
    return node
  } finally {
    await client.end()
  }
}

const inputOf = (sub: string, hour: number): NodeHour => ({
  sub,
  hour,
  trusted: true,
  failed: 0,
  audited: hour + 600,
  held: 120 * GB,
  online: 3540,
  crowd: 1,
  signed: 0,
  paid_share: 420_000,
})

const one = async (client: pg.Client, text: string, values: unknown[]): Promise<number> =>
  Number((await client.query<{ id: string }>(text, values)).rows[0]?.id)
