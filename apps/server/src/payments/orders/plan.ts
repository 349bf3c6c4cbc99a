import type { Db } from '../../platform/db/db.ts'
import type { Context } from '../context.ts'
import { lockOrders, paymentsOfAll, releaseUntilDue } from './batch-repository.ts'
import { type OnChain, readOrders } from './on-chain.ts'
import type { PaymentRow } from './payments-repository.ts'
import { isAwaited, type OrderRow } from './repository.ts'
import { nextStep, type Step, type StepName, type View } from './steps.ts'
import { DAY } from './times.ts'

/** What leased orders do next. */

export interface Snapshot {
  height: number | undefined
  time: Date | undefined
  found: Map<string, OnChain> | undefined
}

/** A step of a locked order that does not wait. */
export interface Planned {
  order: OrderRow
  payments: readonly PaymentRow[]
  step: StepName
}

/** What is done under one lease. */
export interface Lease {
  context: Context
  snapshot: Snapshot
  only: ReadonlySet<StepName> | undefined
  /** Steps already run, by order. */
  done: Map<string, Set<StepName>>
}

export async function readSnapshot({ chain, log }: Context, orders: readonly OrderRow[]): Promise<Snapshot> {
  const unknown = { height: undefined, time: undefined, found: undefined }
  if (!chain) return unknown
  try {
    return await readOrders(chain, orders)
  } catch (error) {
    log.debug({ err: error }, 'the chain is unavailable')
    return unknown
  }
}

/** The next steps of orders. The leases of those that wait are released until they are due again. */
export const plan = ({ context, ...lease }: Lease, ids: readonly string[]): Promise<Planned[]> =>
  context.db.transaction(async (tx) => {
    const orders = await lockOrders(tx, ids)
    const payments = await paymentsOfAll(tx, ids)
    const planned: Planned[] = []
    const waits: { id: string; due: Date | null }[] = []
    for (const order of orders) {
      const known = payments.get(order.id) ?? []
      const step: Step = nextStep(order, await viewOf(tx, { context, ...lease }, order, known))
      if (step.do !== 'wait' && (lease.only === undefined || lease.only.has(step.do)))
        planned.push({ order, payments: known, step: step.do })
      else {
        const due = step.do !== 'wait' ? context.clock.now() : step.until
        waits.push({ id: order.id, due: due === undefined ? null : new Date(due) })
      }
    }
    if (waits.length > 0) await releaseUntilDue(tx, waits)
    return planned
  })

export async function viewOf(
  tx: Db,
  { context, snapshot, done }: Pick<Lease, 'context' | 'snapshot' | 'done'>,
  order: OrderRow,
  payments: readonly PaymentRow[],
): Promise<View> {
  const at = context.clock.now()
  return {
    now: at,
    chainTime: snapshot.time?.getTime(),
    onChain: snapshot.found === undefined ? undefined : (snapshot.found.get(order.id) ?? null),
    submitted: payments.some(({ state }) => state === 'submitted'),
    requested: payments.some(({ state, created_at }) => state !== 'confirmed' && at - created_at.getTime() < DAY),
    awaited: order.workspace === 'suspended' && (await isAwaited(tx, order.id, new Date(at))),
    done: done.get(order.id) ?? new Set(),
  }
}
