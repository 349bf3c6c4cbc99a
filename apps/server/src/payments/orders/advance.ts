import { ChainUnreachable } from '@tidenet/chain-client'
import { ClusterError } from '../../compute/index.ts'
import { type Context, now } from '../context.ts'
import { autoRenew, checkAutoRenew } from './auto-renew.ts'
import { applyExtension, applyExternalEnd, applyPayment, checkHash, NotIndexed } from './confirm.ts'
import { groupCommit } from './group-commit.ts'
import { type Lease, plan, readSnapshot, type Snapshot } from './plan.ts'
import {
  canWaitForCluster,
  provision,
  recordFailure,
  refundUnprovisioned,
  remove,
  suspend,
  workspaceOf,
} from './provision.ts'
import { changeOrder, leaseDueOrders, leaseOrders, type OrderRow } from './repository.ts'
import { release } from './settle.ts'
import { expire, finish, notify, notifyDeletion, withdraw, withdrawRenewal } from './status-steps.ts'
import type { StepName } from './steps.ts'
import { releaseStrays } from './strays.ts'
import { backoff, CLUSTER_RETRY_INTERVAL } from './times.ts'
import { advanceTogether, finishProvisioning, isNew } from './together.ts'

/**
 * Advances orders: a server leases due orders, reads their state on the chain, and runs steps until nothing is left to do before a later
 * time. If the server crashes, another one continues when the lease expires, and every step can run twice.
 */

/** Lease duration; renewed while steps are running. */
const LEASE_MS = 2 * 60_000
const LEASE_RENEWAL_MS = 30_000
const BATCH = 100
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
 * Advances these orders now, but for those that another server has leased.
 * @param only runs only these steps and leaves all others to the task
 */
export async function advanceOrders(
  context: Context,
  ids: readonly string[],
  only?: ReadonlySet<StepName>,
): Promise<void> {
  const at = now(context)
  const leased = await leaseOrders(context.db, ids, at, new Date(at.getTime() + LEASE_MS))
  if (leased.length > 0) await advanceLeased(context, leased, only)
}

async function advanceLeased(
  context: Context,
  orders: readonly OrderRow[],
  only?: ReadonlySet<StepName>,
): Promise<void> {
  const snapshot = await readSnapshot(context, orders)
  const renewal = setInterval(() => void renewLeases(context, orders), LEASE_RENEWAL_MS)
  renewal.unref()
  const lease: Lease = { context, snapshot, only, done: new Map(orders.map(({ id }) => [id, new Set()])) }
  try {
    const planned = await advanceTogether(
      lease,
      orders.map(({ id }) => id),
    )
    const left = planned.values()
    const store = groupCommit((running: readonly OrderRow[]) => finishProvisioning(lease, running))
    const advanceLeft = async () => {
      for (const next of left)
        if (isNew(next)) await advanceNew(lease, next.order, store)
        else await advance(lease, next.order.id)
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

/** Provisions a new order; all that end at the same time are stored together. */
async function advanceNew(
  lease: Lease,
  order: OrderRow,
  store: (order: OrderRow) => Promise<boolean | undefined>,
): Promise<void> {
  const { context } = lease
  try {
    await context.workspaces.create(context, workspaceOf(order)).catch(async (error: unknown) => {
      await recordFailure(context, order, error)
      throw error
    })
    if (await store(order)) await advance(lease, order.id)
  } catch (error) {
    await postpone(context, order, 'provision', error)
  }
}

const renewLeases = (context: Context, orders: readonly OrderRow[]) =>
  Promise.all(
    orders.map(({ id }) => changeOrder(context.db, id, { leased_until: new Date(context.clock.now() + LEASE_MS) })),
  ).catch(() => {})

/** Runs the steps of one order until it waits. Each is planned just before it runs: the owner may have changed the order since the last. */
async function advance(lease: Lease, id: string): Promise<void> {
  const { context, snapshot } = lease
  const done = lease.done.get(id) ?? new Set()
  for (let count = 0; count < MAX_STEPS; count++) {
    const [next] = await plan(lease, [id])
    if (!next) return
    const { order, step } = next
    done.add(step)
    try {
      await runStep(context, step, order, snapshot, done)
    } catch (error) {
      if (!NON_BLOCKING.has(step)) return postpone(context, order, step, error)
      const level = isExpected(error) ? 'debug' : 'warn'
      context.log[level]({ order: id, step, err: error }, 'a step of an order failed; the next steps continue')
    }
  }
  await changeOrder(context.db, id, { leased_until: null, due_at: new Date(context.clock.now() + 60_000) })
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

const isExpected = (error: unknown): boolean =>
  error instanceof ChainUnreachable ||
  error instanceof NotIndexed ||
  (error instanceof ClusterError && error.failure === 'saving')

async function postpone(context: Context, order: OrderRow, step: StepName, error: unknown): Promise<void> {
  context.log[isExpected(error) ? 'debug' : 'warn']({ order: order.id, step, err: error }, 'a step of an order failed')
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
