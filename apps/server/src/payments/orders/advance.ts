import { ChainUnreachable } from '@tidenet/chain-client'
import { isUnpaid, ORDER } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { autoRenew } from './auto-renew.ts'
import { checkHash, endedElsewhere, NotIndexed, takeExtension, takePayment } from './confirm.ts'
import { tellOwner } from './notices.ts'
import { type OnChain, readOrders } from './on-chain.ts'
import { changePayment, paymentsOf } from './payments-repository.ts'
import { awaitsCluster, giveUp, noteFailure, provision, remove, suspend } from './provision.ts'
import { addEvent, changeOrder, lockOrder, lockUpgrade, type OrderRow, takeDue, takeOrder } from './repository.ts'
import { release } from './settle.ts'
import { nextStep, type Step, type StepName, type View } from './steps.ts'
import { DAY, endNotice, GRACE, LOOK_FOR_CLUSTER, waitAfter } from './times.ts'

/**
 * Brings orders on: each is taken by one server for a while, looked at together with what the chain says of it, and carried on step by step
 * until there is nothing to do before a later moment. A server that dies in between loses nothing: the order is taken up by the next one when
 * its hold has run out, and every step may be carried out twice.
 */

/** For so long an order belongs to who has taken it; renewed while a step takes longer. */
const HOLD = 2 * 60_000
const RENEW_HOLD = 30_000
const BATCH = 50
const STEPS = 40

/** All orders that are due. @returns how many were looked at */
export async function advanceDue(context: Context, signal?: AbortSignal): Promise<number> {
  let looked = 0
  for (;;) {
    const at = now(context)
    const taken = await takeDue(context.db, at, new Date(at.getTime() + HOLD), BATCH)
    if (taken.length === 0) return looked
    await advanceTaken(context, taken)
    looked += taken.length
    if (taken.length < BATCH || signal?.aborted) return looked
  }
}

/**
 * One order, now. Does nothing when another server is at it.
 * @param only steps that are carried out; what else is to be done is left to the duty
 */
export async function advanceOrder(context: Context, id: string, only?: ReadonlySet<StepName>): Promise<void> {
  const at = now(context)
  const taken = await takeOrder(context.db, id, at, new Date(at.getTime() + HOLD))
  if (taken) await advanceTaken(context, [taken], only)
}

interface Seen {
  height: number | undefined
  found: Map<string, OnChain> | undefined
}

async function advanceTaken(context: Context, taken: readonly OrderRow[], only?: ReadonlySet<StepName>): Promise<void> {
  const seen = await look(
    context,
    taken.map(({ id }) => id),
  )
  const holds = setInterval(() => void renewHolds(context, taken), RENEW_HOLD)
  holds.unref()
  try {
    for (const order of taken) await advance(context, order.id, seen, only)
  } finally {
    clearInterval(holds)
  }
}

const renewHolds = (context: Context, taken: readonly OrderRow[]) =>
  Promise.all(
    taken.map(({ id }) => changeOrder(context.db, id, { held_until: new Date(context.clock.now() + HOLD) })),
  ).catch(() => {})

async function look({ chain, log }: Context, ids: readonly string[]): Promise<Seen> {
  if (!chain) return { height: undefined, found: undefined }
  try {
    return await readOrders(chain, ids)
  } catch (error) {
    log.debug({ err: error }, 'the chain cannot be asked for orders')
    return { height: undefined, found: undefined }
  }
}

async function advance(
  context: Context,
  id: string,
  seen: Seen,
  only: ReadonlySet<StepName> | undefined,
): Promise<void> {
  const did = new Set<StepName>()
  for (let count = 0; count < STEPS; count++) {
    const next = await decide(context, id, seen, did, only)
    if (!next) return
    const { order, step } = next
    did.add(step)
    try {
      await carryOut(context, step, order, seen, did)
    } catch (error) {
      if (!ASIDE.has(step)) return postpone(context, order, step, error)
      context.log.warn({ order: id, step, err: error }, 'a step of an order failed, others go on')
    }
  }
  await changeOrder(context.db, id, { held_until: null, due_at: new Date(context.clock.now() + 60_000) })
}

/** The step that is next; undefined when there is none now, and the order was let go until it is due again. */
async function decide(
  context: Context,
  id: string,
  seen: Seen,
  did: ReadonlySet<StepName>,
  only: ReadonlySet<StepName> | undefined,
): Promise<{ order: OrderRow; step: StepName } | undefined> {
  return context.db.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    if (!order) return undefined
    const payments = await paymentsOf(tx, id)
    const at = context.clock.now()
    const view: View = {
      now: at,
      height: seen.height,
      onChain: seen.found === undefined ? undefined : (seen.found.get(id) ?? null),
      submitted: payments.some(({ state }) => state === 'submitted'),
      asked: payments.some(({ state, created_at }) => state !== 'confirmed' && at - created_at.getTime() < DAY),
      did,
    }
    const step: Step = nextStep(order, view)
    if (step.do !== 'wait' && (only === undefined || only.has(step.do))) return { order, step: step.do }
    const due = step.do !== 'wait' ? at : step.until
    await changeOrder(tx, id, { due_at: due === undefined ? null : new Date(due), held_until: null })
    return undefined
  })
}

async function carryOut(
  context: Context,
  step: StepName,
  order: OrderRow,
  seen: Seen,
  did: Set<StepName>,
): Promise<void> {
  const { chain } = context
  const onChain = seen.found?.get(order.id)
  switch (step) {
    case 'takePayment':
      return chain && onChain && takePayment(context, chain, order, onChain)
    case 'checkHash':
      return chain && checkHash(context, chain, order)
    case 'withdraw':
      return withdraw(context, order)
    case 'provision':
      await provision(context, order).catch(async (error: unknown) => {
        await noteFailure(context, order, error)
        throw error
      })
      return
    case 'giveUp':
      return giveUp(context, order)
    case 'takeExtension':
      if (chain) await takeExtension(context, chain, order)
      return
    case 'withdrawRenewal':
      return withdrawRenewal(context, order)
    case 'notify':
      return notify(context, order)
    case 'autoRenew':
      return chain && autoRenew(context, chain, order, seen)
    case 'expire':
      return expire(context, order)
    case 'endedElsewhere':
      return chain && onChain && endedElsewhere(context, chain, order, onChain)
    case 'suspend':
      return suspend(context, order)
    case 'remove':
      return remove(context, order)
    case 'release':
      if (!chain) throw new Error('there is no chain')
      // Its money is settled, and the next step may be another release no more.
      if (await release(context, chain, order)) did.delete('release')
      return
    case 'finish':
      return finish(context, order)
  }
}

/** Steps whose failure holds up nothing else: what comes next is done all the same, and they are tried again afterwards. */
const ASIDE = new Set<StepName>(['remove', 'suspend', 'autoRenew'])

async function postpone(context: Context, order: OrderRow, step: StepName, error: unknown): Promise<void> {
  const expected = error instanceof ChainUnreachable || error instanceof NotIndexed
  context.log[expected ? 'debug' : 'warn']({ order: order.id, step, err: error }, 'a step of an order failed')
  const at = context.clock.now()
  const waits = step === 'provision' && awaitsCluster(order, error, at)
  // What was not even tried does not count towards giving up.
  const tries = waits ? Math.max(1, order.tries) : order.tries + 1
  await changeOrder(context.db, order.id, {
    tries,
    due_at: new Date(at + (waits ? LOOK_FOR_CLUSTER : waitAfter(tries))),
    held_until: null,
  })
}

/** Not paid in time; for an upgrade, the old order goes on as before. */
async function withdraw(context: Context, order: OrderRow): Promise<void> {
  await context.db.transaction(async (tx) => {
    const old = order.replaces === '' ? undefined : await lockOrder(tx, order.replaces)
    const own = await lockOrder(tx, order.id)
    if (own?.money !== 'none' || !isUnpaid(own.status)) return
    const at = now(context)
    await withdrawOrder(tx, own, old, at, own.status === ORDER.upgradePending ? 'upgradeWithdrawn' : 'payTimeout')
  })
}

/** In the caller's transaction; the rows are locked, the old order first. */
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
  const kind = endNotice(startedAt, order.expired_at.getTime(), context.clock.now())
  if (!kind) return
  const end = order.expired_at.toISOString()
  await context.db.transaction((tx) => tellOwner(context, tx, order, kind, { fact: end, about: end }))
}

/** Its time is over: it is so at once, and what follows from it comes afterwards. */
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
        // Part of it may run again.
        ...(own.workspace === 'kept' && { workspace: 'there' }),
      },
      at,
    )
    await addEvent(tx, { id: own.id, event: 'expired', at })
    if (upgrade) await withdrawOrder(tx, upgrade, undefined, at, 'upgradeWithdrawn')
    await tellOwner(context, tx, own, 'expired', { fact: kept.toISOString(), about: own.expired_at.toISOString() })
  })
}

/** The last status of an order whose money is settled. */
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
