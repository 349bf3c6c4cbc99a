import { ChainUnreachable } from '@tidenet/chain-client'
import { isUnpaid, ORDER } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { autoRenew, checkAutoRenew } from './auto-renew.ts'
import { applyExtension, applyExternalEnd, applyPayment, checkHash, NotIndexed } from './confirm.ts'
import { notifyOwner } from './notices.ts'
import { type OnChain, readOrders } from './on-chain.ts'
import { changePayment, paymentsOf } from './payments-repository.ts'
import { canWaitForCluster, provision, recordFailure, refundUnprovisioned, remove, suspend } from './provision.ts'
import {
  addEvent,
  changeOrder,
  isAwaited,
  leaseDueOrders,
  leaseOrder,
  lockOrder,
  lockUpgrade,
  type OrderRow,
} from './repository.ts'
import { release } from './settle.ts'
import { nextStep, type Step, type StepName, type View } from './steps.ts'
import { releaseStrays } from './strays.ts'
import { backoff, CLUSTER_RETRY_INTERVAL, DAY, dueEndNotice, GRACE } from './times.ts'

/**
 * Advances orders: a server leases due orders, reads their state on the chain, and runs steps until nothing is left to do before a later
 * time. If the server crashes, another one continues when the lease expires, and every step can run twice.
 */

/** Lease duration; renewed while steps are running. */
const LEASE_MS = 2 * 60_000
const LEASE_RENEWAL_MS = 30_000
const BATCH = 50
/** Orders at the same time, which wait for the database, the chain and clusters: one slow cluster must not delay all others. */
const AT_ONCE = 8
const MAX_STEPS = 40

/** Advances all due orders. @returns their number */
export async function advanceDue(context: Context, signal?: AbortSignal): Promise<number> {
  let count = 0
  for (;;) {
    const at = now(context)
    const leased = await leaseDueOrders(context.db, at, new Date(at.getTime() + LEASE_MS), BATCH)
    if (leased.length === 0) return count
    await advanceLeased(context, leased)
    count += leased.length
    if (leased.length < BATCH || signal?.aborted) return count
  }
}

/**
 * Advances one order now, unless another server has leased it.
 * @param only runs only these steps and leaves all others to the task
 */
export async function advanceOrder(context: Context, id: string, only?: ReadonlySet<StepName>): Promise<void> {
  const at = now(context)
  const leased = await leaseOrder(context.db, id, at, new Date(at.getTime() + LEASE_MS))
  if (leased) await advanceLeased(context, [leased], only)
}

interface Snapshot {
  height: number | undefined
  time: Date | undefined
  found: Map<string, OnChain> | undefined
}

async function advanceLeased(
  context: Context,
  orders: readonly OrderRow[],
  only?: ReadonlySet<StepName>,
): Promise<void> {
  const snapshot = await readSnapshot(context, orders)
  const renewal = setInterval(() => void renewLeases(context, orders), LEASE_RENEWAL_MS)
  renewal.unref()
  try {
    const left = orders.values()
    const advanceLeft = async () => {
      for (const { id } of left) await advance(context, id, snapshot, only)
    }
    // All of them end before their leases are no longer renewed.
    for (const result of await Promise.allSettled(Array.from({ length: AT_ONCE }, advanceLeft)))
      if (result.status === 'rejected') throw result.reason
    // Last, and not while a call waits: other payers must not delay ours.
    if (only === undefined && snapshot.height !== undefined) await releaseStrays(context, orders, snapshot.height)
  } finally {
    clearInterval(renewal)
  }
}

const renewLeases = (context: Context, orders: readonly OrderRow[]) =>
  Promise.all(
    orders.map(({ id }) => changeOrder(context.db, id, { leased_until: new Date(context.clock.now() + LEASE_MS) })),
  ).catch(() => {})

async function readSnapshot({ chain, log }: Context, orders: readonly OrderRow[]): Promise<Snapshot> {
  const unknown = { height: undefined, time: undefined, found: undefined }
  if (!chain) return unknown
  try {
    return await readOrders(chain, orders)
  } catch (error) {
    log.debug({ err: error }, 'the chain is unavailable')
    return unknown
  }
}

async function advance(
  context: Context,
  id: string,
  snapshot: Snapshot,
  only: ReadonlySet<StepName> | undefined,
): Promise<void> {
  const done = new Set<StepName>()
  for (let count = 0; count < MAX_STEPS; count++) {
    const next = await nextStepOf(context, id, snapshot, done, only)
    if (!next) return
    const { order, step } = next
    done.add(step)
    try {
      await runStep(context, step, order, snapshot, done)
    } catch (error) {
      if (!NON_BLOCKING.has(step)) return postpone(context, order, step, error)
      context.log.warn({ order: id, step, err: error }, 'a step of an order failed; the next steps continue')
    }
  }
  await changeOrder(context.db, id, { leased_until: null, due_at: new Date(context.clock.now() + 60_000) })
}

/** The next step; undefined if there is none now: then the lease is released until the order is due again. */
async function nextStepOf(
  context: Context,
  id: string,
  snapshot: Snapshot,
  done: ReadonlySet<StepName>,
  only: ReadonlySet<StepName> | undefined,
): Promise<{ order: OrderRow; step: StepName } | undefined> {
  return context.db.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    if (!order) return undefined
    const payments = await paymentsOf(tx, id)
    const at = context.clock.now()
    const view: View = {
      now: at,
      chainTime: snapshot.time?.getTime(),
      onChain: snapshot.found === undefined ? undefined : (snapshot.found.get(id) ?? null),
      submitted: payments.some(({ state }) => state === 'submitted'),
      requested: payments.some(({ state, created_at }) => state !== 'confirmed' && at - created_at.getTime() < DAY),
      awaited: order.workspace === 'suspended' && (await isAwaited(tx, id, new Date(at))),
      done,
    }
    const step: Step = nextStep(order, view)
    if (step.do !== 'wait' && (only === undefined || only.has(step.do))) return { order, step: step.do }
    const due = step.do !== 'wait' ? at : step.until
    await changeOrder(tx, id, { due_at: due === undefined ? null : new Date(due), leased_until: null })
    return undefined
  })
}

async function runStep(
  context: Context,
  step: StepName,
  order: OrderRow,
  snapshot: Snapshot,
  done: Set<StepName>,
): Promise<void> {
  const { chain } = context
  const onChain = snapshot.found?.get(order.id)
  switch (step) {
    case 'applyPayment':
      return chain && onChain && applyPayment(context, chain, order, onChain)
    case 'checkHash':
      return chain && checkHash(context, chain, order)
    case 'withdraw':
      return withdraw(context, order)
    case 'provision':
      await provision(context, order).catch(async (error: unknown) => {
        await recordFailure(context, order, error)
        throw error
      })
      return
    case 'refundUnprovisioned':
      return refundUnprovisioned(context, order)
    case 'applyExtension':
      if (chain) await applyExtension(context, chain, order)
      return
    case 'withdrawRenewal':
      return withdrawRenewal(context, order)
    case 'notify':
      return notify(context, order)
    case 'checkAutoRenew':
      return chain && checkAutoRenew(context, chain, order)
    case 'notifyDeletion':
      return notifyDeletion(context, order)
    case 'autoRenew':
      return chain && autoRenew(context, chain, order, snapshot)
    case 'expire':
      return expire(context, order)
    case 'applyExternalEnd':
      return chain && onChain && applyExternalEnd(context, chain, order, onChain)
    case 'suspend':
      return suspend(context, order)
    case 'remove':
      return remove(context, order)
    case 'release':
      if (!chain) throw new Error('no chain is configured')
      // Once the money is settled, `nextStep` does not return 'release' again.
      if (await release(context, chain, order)) done.delete('release')
      return
    case 'finish':
      return finish(context, order)
  }
}

/** If one of these fails, the next steps still run, and it is retried afterwards. */
const NON_BLOCKING = new Set<StepName>(['remove', 'suspend', 'autoRenew', 'checkAutoRenew'])

async function postpone(context: Context, order: OrderRow, step: StepName, error: unknown): Promise<void> {
  const expected = error instanceof ChainUnreachable || error instanceof NotIndexed
  context.log[expected ? 'debug' : 'warn']({ order: order.id, step, err: error }, 'a step of an order failed')
  const at = context.clock.now()
  const waits = step === 'provision' && canWaitForCluster(order, error, at)
  // Waiting for an unavailable cluster does not count towards the attempts after which the order is refunded.
  const tries = waits ? Math.max(1, order.tries) : order.tries + 1
  await changeOrder(context.db, order.id, {
    tries,
    due_at: new Date(at + (waits ? CLUSTER_RETRY_INTERVAL : backoff(tries))),
    leased_until: null,
  })
}

/** Not paid in time. If it is an upgrade, the old order continues. */
async function withdraw(context: Context, order: OrderRow): Promise<void> {
  await context.db.transaction(async (tx) => {
    const old = order.replaces === '' ? undefined : await lockOrder(tx, order.replaces)
    const own = await lockOrder(tx, order.id)
    if (own?.money !== 'none' || !isUnpaid(own.status)) return
    const at = now(context)
    await withdrawOrder(tx, own, old, at, own.status === ORDER.upgradePending ? 'upgradeWithdrawn' : 'payTimeout')
  })
}

/** The caller has locked both orders, the old one first. */
export async function withdrawOrder(
  tx: Db,
  own: OrderRow,
  old: OrderRow | undefined,
  at: Date,
  event: 'upgradeWithdrawn' | 'payTimeout' | 'cancelled',
): Promise<void> {
  await changeOrder(
    tx,
    own.id,
    {
      status: ORDER.refunded,
      pay_until: null,
      due_at: at,
      tries: 0,
      ...(event === 'cancelled' && { cancelled: true }),
    },
    at,
  )
  await addEvent(tx, { id: own.id, event, at })
  for (const each of await paymentsOf(tx, own.id))
    if (each.state === 'open' || each.state === 'submitted') await changePayment(tx, each.id, { state: 'expired' })
  if (old?.status === ORDER.replacing) await changeOrder(tx, old.id, { status: ORDER.running, due_at: at }, at)
}

async function withdrawRenewal(context: Context, order: OrderRow): Promise<void> {
  await context.db.transaction(async (tx) => {
    const own = await lockOrder(tx, order.id)
    if (own?.status !== ORDER.renewalPending) return
    const at = now(context)
    await changeOrder(tx, own.id, { status: ORDER.running, pay_until: null, due_at: at }, at)
    await addEvent(tx, { id: own.id, event: 'renewalWithdrawn', at })
    for (const each of await paymentsOf(tx, own.id))
      if (each.kind === 'renewal' && (each.state === 'open' || each.state === 'submitted'))
        await changePayment(tx, each.id, { state: 'expired' })
  })
}

async function notify(context: Context, order: OrderRow): Promise<void> {
  const startedAt = order.started_at?.getTime() ?? order.created_at.getTime()
  const kind = dueEndNotice(startedAt, order.expired_at.getTime(), context.clock.now())
  if (!kind) return
  const end = order.expired_at.toISOString()
  await context.db.transaction((tx) => notifyOwner(context, tx, order, kind, { fact: end, about: end }))
}

async function notifyDeletion(context: Context, order: OrderRow): Promise<void> {
  await context.db.transaction(async (tx) => {
    const own = await lockOrder(tx, order.id)
    if (own?.workspace !== 'suspended' || !own.kept_until) return
    const kept = own.kept_until.toISOString()
    await notifyOwner(context, tx, own, 'deletedInADay', { fact: kept, about: kept })
  })
}

/** The status changes first; stopping the workspace and settling the money are later steps. */
async function expire(context: Context, order: OrderRow): Promise<void> {
  await context.db.transaction(async (tx) => {
    const own = await lockOrder(tx, order.id)
    if (own?.money !== 'held' || own.ending !== null) return
    const at = now(context)
    const upgrade = own.status === ORDER.replacing ? await lockUpgrade(tx, own.id) : undefined
    const kept = new Date(at.getTime() + GRACE)
    await changeOrder(
      tx,
      own.id,
      {
        status: ORDER.expired,
        ending: 'expired',
        kept_until: kept,
        pay_until: null,
        tries: 0,
        due_at: at,
        // A failed restore may have started part of it.
        ...(own.workspace === 'suspended' && { workspace: 'active' }),
      },
      at,
    )
    await addEvent(tx, { id: own.id, event: 'expired', at })
    if (upgrade) await withdrawOrder(tx, upgrade, undefined, at, 'upgradeWithdrawn')
    await notifyOwner(context, tx, own, 'expired', { fact: kept.toISOString(), about: own.expired_at.toISOString() })
  })
}

/** The final status, once the money is settled. */
async function finish(context: Context, order: OrderRow): Promise<void> {
  await context.db.transaction(async (tx) => {
    const own = await lockOrder(tx, order.id)
    if (own?.money !== 'settled') return
    const at = now(context)
    await changeOrder(
      tx,
      own.id,
      { status: own.ending === 'terminated' ? ORDER.terminated : ORDER.refunded, due_at: at },
      at,
    )
  })
}
