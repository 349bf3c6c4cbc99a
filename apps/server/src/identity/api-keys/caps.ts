import { AppError, type Permission } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Context, now } from '../context.ts'
import * as repository from './caps-repository.ts'

export {
  addCounted as countKeyTraffic,
  deleteOrder as releaseKeySpending,
  deleteTransfer as leaveKeyTraffic,
} from './caps-repository.ts'

type Caller = Pick<Member, 'via' | 'credential'>

/** Whether the caller is a key with a cap of traffic; it cannot cause traffic that only the account could count, such as imports. */
export const isTrafficCapped = (caller: Pick<Member, 'hasTrafficCap'>): boolean => caller.hasTrafficCap === true

/** The start of the calendar month (UTC). */
export const monthOf = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()))
const nextMonth = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))

/**
 * Reserves the bytes of a transfer that a key with a cap of traffic asks for; call it before tokens are issued. The reservation shrinks by
 * what nodes prove, and ends with the tokens. Without a cap, nothing happens.
 * @param transfer.bytes undefined: unknown, so all that is left is reserved until a receipt says the size. Issue one token only
 * @returns the bytes that the transfer may have at most; undefined without a cap
 * @throws AppError keyTraffic
 */
export async function reserveKeyTraffic(
  tx: Db,
  caller: Caller,
  { traceId, bytes, until }: { traceId: string; bytes: number | undefined; until: Date },
  at: Date,
): Promise<number | undefined> {
  if (caller.via !== 'key') return undefined
  const keyId = caller.credential
  const month = monthOf(at)
  const cap = (await repository.findCaps(tx, keyId))?.traffic_cap ?? null
  if (cap === null) return undefined
  const used = await repository.lockUsage(tx, keyId, month)
  const reserved = await repository.sumReserved(tx, keyId, month, at, traceId)
  const counted = await repository.findCounted(tx, traceId)
  const free = Math.max(0, cap - used.bytes - reserved)
  const more = bytes === undefined ? free : Math.max(0, bytes - counted)
  if (more > free || (bytes === undefined && free === 0)) throw new AppError('keyTraffic', { free })
  await repository.upsertTransfer(tx, {
    traceId,
    keyId,
    month,
    bytes: counted + more,
    unsized: bytes === undefined,
    until,
  })
  return more
}

/**
 * Counts the cost of an order that a key makes. Only keys with a cap of spending can order.
 * @param order.cost whole coins
 * @throws AppError keyCannotOrder, keySpending
 */
export async function spendByKey(
  tx: Db,
  caller: Caller,
  { orderId, cost }: { orderId: string; cost: number },
  at: Date,
): Promise<void> {
  if (caller.via !== 'key') return
  const keyId = caller.credential
  const cap = (await repository.findCaps(tx, keyId))?.spending_cap ?? null
  if (cap === null) throw new AppError('keyCannotOrder')
  const month = monthOf(at)
  const { spent } = await repository.lockUsage(tx, keyId, month)
  if (spent + cost > cap) throw new AppError('keySpending', { cap, left: Math.max(0, cap - spent) })
  await repository.addSpent(tx, keyId, month, cost)
  await repository.insertOrder(tx, { orderId, keyId, month, cost })
}

/** Caps as the API writes them. */
const toWire = (
  caps: Pick<repository.CapsRow, 'traffic_cap' | 'spending_cap'>,
  { bytes = 0, reserved = 0, spent = 0 }: { bytes?: number; reserved?: number; spent?: number } = {},
  at: Date,
) => ({
  traffic_cap: caps.traffic_cap,
  traffic_used: bytes,
  traffic_reserved: reserved,
  spending_cap: caps.spending_cap,
  spent,
  caps_renewed_at: nextMonth(at).toISOString(),
})

/** The caps of the account's keys, by the id of the key. */
export async function capsOfKeys(db: Db, userId: number, at: Date) {
  const rows = await repository.listUsage(db, userId, monthOf(at), at)
  const byKey = new Map(rows.map((row) => [row.key_id, row]))
  return (key: { id: number; traffic_cap: number | null; spending_cap: number | null }) =>
    toWire(key, byKey.get(key.id), at)
}

/** The calling key, with its caps; without a name for a session, which has none. */
export async function ownKey(context: Pick<Context, 'db' | 'clock'>, caller: Member) {
  const at = now(context)
  const keyId = caller.credential
  const key = caller.via === 'key' ? await repository.findCaps(context.db, keyId) : undefined
  const permissions: 'all' | Permission[] = caller.permissions === 'all' ? 'all' : [...caller.permissions]
  const limited = caller.folders !== null
  if (!key) return { name: '', permissions, limited, ...toWire({ traffic_cap: null, spending_cap: null }, {}, at) }
  const [usage, reserved] = await Promise.all([
    repository.findUsage(context.db, keyId, monthOf(at)),
    repository.sumReserved(context.db, keyId, monthOf(at), at),
  ])
  return { name: key.name, permissions, limited, ...toWire(key, { ...usage, reserved }, at) }
}
