import { ORDER } from '@tidenet/contract'
import { type Context, now } from '../context.ts'
import { addEvents, byAccount, emitStatus, lockOrders, markRunning, paymentsOfAll } from './batch-repository.ts'
import { hasVerdict } from './confirm.ts'
import { applyPayments } from './confirm-batch.ts'
import { type Lease, type Planned, plan, viewOf } from './plan.ts'
import { workspaceOf } from './provision.ts'
import type { OrderRow } from './repository.ts'
import { nextStep } from './steps.ts'
import { HOUR } from './times.ts'

/** What many orders do in the same transactions. Whatever is not as usual is left to their own steps. */

/** The steps that many orders have in common: those that wait, those whose transaction is in no block yet, and those that were just paid. */
export async function advanceTogether(lease: Lease, ids: readonly string[]): Promise<Planned[]> {
  const { context, snapshot, only } = lease
  const planned = await plan(lease, ids)
  const { chain } = context
  if (!chain || planned.length < 2) return planned

  const toCheck = planned.filter(({ step }) => step === 'checkHash')
  const verdicts = await Promise.all(toCheck.map(({ payments }) => hasVerdict(chain, payments).catch(() => true)))
  const unseen = toCheck.flatMap(({ order }, index) => (verdicts[index] ? [] : [order.id]))
  for (const id of unseen) lease.done.get(id)?.add('checkHash')
  const checked = unseen.length === 0 ? [] : await plan(lease, unseen)

  const payable = planned.flatMap(({ order, payments, step }) => {
    const onChain = snapshot.found?.get(order.id)
    return step === 'applyPayment' && onChain ? [{ order, payments, onChain }] : []
  })
  const paid = await applyPayments(context, chain, payable).catch((error: unknown) => {
    context.log.warn({ err: error }, 'orders could not be confirmed together; each is confirmed by itself')
    return []
  })
  for (const { id } of paid) lease.done.get(id)?.add('applyPayment')

  const replaced = new Map<string, Planned | undefined>(unseen.map((id) => [id, undefined]))
  for (const each of checked) replaced.set(each.order.id, each)
  if (only === undefined) for (const order of paid) replaced.set(order.id, { order, payments: [], step: 'provision' })
  else if (paid.length > 0) {
    for (const { id } of paid) replaced.set(id, undefined)
    const ids = paid.map(({ id }) => id)
    for (const each of await plan(lease, ids)) replaced.set(each.order.id, each)
  }
  const all = planned.flatMap((each) => {
    const next = replaced.has(each.order.id) ? replaced.get(each.order.id) : each
    return next ? [next] : []
  })
  await reserveTogether(context, all.filter(isNew))
  return all
}

/** Sells capacity to all of them at once. One that gets none, or all after a failure, is refused when it is provisioned. */
const reserveTogether = (context: Context, list: readonly Planned[]): Promise<void> =>
  list.length < 2
    ? Promise.resolve()
    : context.workspaces
        .reserve(
          context,
          list.map(({ order }) => workspaceOf(order)),
        )
        .catch((error: unknown) => context.log.warn({ err: error }, 'capacity could not be sold to orders together'))

/** Whether it is paid, and gets a workspace of its own. */
export const isNew = ({ order, step }: Planned): boolean =>
  step === 'provision' && order.status === ORDER.paid && order.workspace === 'none' && order.restores === ''

/** The workspaces of these orders run. @returns whether each has another step now */
export async function finishProvisioning(lease: Lease, running: readonly OrderRow[]): Promise<Map<string, boolean>> {
  const { context, done } = lease
  const ids = running.map(({ id }) => id)
  return context.db.transaction(async (tx) => {
    const at = now(context)
    const owns = byAccount((await lockOrders(tx, ids)).filter(({ status }) => status === ORDER.paid))
    const payments = await paymentsOfAll(tx, ids)
    const next = new Map<string, boolean>()
    const changes: { id: string; expiredAt: Date; due: Date | undefined }[] = []
    for (const own of owns) {
      done.get(own.id)?.add('provision')
      const expired_at = new Date(at.getTime() + own.duration * HOUR)
      const change = {
        status: ORDER.running,
        workspace: 'active',
        started_at: at,
        expired_at,
        tries: 0,
        due_at: at,
      } as const
      const order: OrderRow = { ...own, ...change, updated_at: at }
      const known = payments.get(own.id) ?? []
      const step = nextStep(order, await viewOf(tx, lease, order, known))
      next.set(own.id, step.do !== 'wait')
      // An order that runs is looked at again before it ends.
      const due = step.do === 'wait' ? new Date(step.until ?? at.getTime()) : undefined
      changes.push({ id: own.id, expiredAt: expired_at, due })
    }
    await markRunning(tx, changes, at)
    await addEvents(
      tx,
      owns.map(({ id }) => ({ id, event: 'running' })),
      at,
    )
    await emitStatus(tx, owns, ORDER.running, at)
    return next
  })
}
