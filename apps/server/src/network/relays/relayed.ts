import type { contract, Parsed } from '@tidenet/contract'
import { isRelayedSigned } from '@tidenet/daemon'
import { ago, DAY } from '../../platform/ago.ts'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import { COUNTER_MAX } from '../../platform/db/counters.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { publicKeysOf } from '../nodes/nodes.ts'
import { nodesOfRelay } from './choose.ts'
import { addPaidDownloads, addRelayed, findRelayed, type Signed } from './relayed-repository.ts'

type Statement = Parsed<typeof contract.nodeControl.relays>['relayed'][number]

/** Sessions last a day; visitors may stay longer, and the relay may not reach the server at once. */
const SESSION_LIFE_MS = 3 * DAY
/** Clocks of relays may be fast. */
const EARLY_MS = 5 * 60_000
const SHOWN_MS = 30 * DAY

/**
 * Records what a relay passed on, as far as both signed it. Reports can be repeated and arrive in any order: of each session, the largest
 * number counts. Others are ignored: of sessions that are over since days, of nodes that were not given this relay, or without both signatures.
 */
export async function recordRelayed(
  context: Pick<Context, 'db' | 'clock'>,
  relay: { id: string; key: string },
  statements: readonly Statement[],
): Promise<void> {
  const at = now(context)
  const began = ({ session }: Statement) => Number(session.slice(0, 10)) * 1000
  const largest = new Map<string, Statement>()
  for (const statement of statements) {
    const { device, session, bytes } = statement
    const age = at.getTime() - began(statement)
    if (device === relay.id || bytes > COUNTER_MAX || age < -EARLY_MS || age > SESSION_LIFE_MS) continue
    const key = `${device} ${session}`
    if (bytes > (largest.get(key)?.bytes ?? 0)) largest.set(key, statement)
  }
  const devices = [...new Set([...largest.values()].map(({ device }) => device))]
  if (devices.length === 0) return
  const given = await nodesOfRelay(context.db, relay.id, devices)
  const keys = await publicKeysOf(context.db, devices)
  const signed = await Promise.all(
    [...largest.values()].map(async (statement): Promise<Signed | undefined> => {
      const { device, session, bytes, signature, relay_signature } = statement
      const key = keys.get(device)
      if (!key || !given.has(device)) return undefined
      const text = { session, relayId: relay.id, deviceId: device, bytes }
      const isSigned =
        (await isRelayedSigned(key, { ...text, signature })) &&
        (await isRelayedSigned(relay.key, { ...text, signature: relay_signature }))
      return isSigned
        ? { node_id: device, session, bytes, until: new Date(began(statement) + SESSION_LIFE_MS) }
        : undefined
    }),
  )
  const valid = signed.filter((one) => one !== undefined)
  if (valid.length === 0) return
  await context.db.transaction(async (tx) => {
    await advisoryLock(tx, `relayed bytes of ${relay.id}`)
    await addRelayed(tx, relay.id, valid, at)
  })
}

/**
 * Records paid bytes that reader and node signed. What relays pass on for a node proves nothing by itself, because the owner of both can sign
 * any number; with these, it is known how much of it anybody paid for.
 */
export const recordPaidDownloads = async (tx: Db, nodeId: string, bytes: number, at: Date): Promise<void> => {
  if (bytes > 0) await addPaidDownloads(tx, nodeId, bytes, at)
}

/** Bytes that relays passed on in 30 days, of those that did: signed by both sides, and of these at most so many of paid downloads. */
export async function relayedBy(
  db: Db,
  relayIds: readonly string[],
  at: Date,
): Promise<Map<string, { signed: number; paid: number }>> {
  const rows = await findRelayed(db, relayIds, ago(at, SHOWN_MS))
  return new Map(rows.map(({ relay_id, ...bytes }) => [relay_id, bytes]))
}
