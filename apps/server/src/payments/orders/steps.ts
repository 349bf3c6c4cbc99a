import { BLOCKS_PER_HOUR } from '@tidenet/chain-client/orders'
import { isUnpaid, ORDER } from '@tidenet/contract'
import { startOf } from './lots.ts'
import type { OnChain } from './on-chain.ts'
import type { OrderRow } from './repository.ts'
import {
  autoRenewAt,
  chainCheckInterval,
  DELETION_NOTICE,
  dueEndNotice,
  HOUR,
  isOver,
  latePaymentCheckInterval,
  nextEndCheck,
  nextNotice,
  PROVISION_ATTEMPTS,
  paymentPollInterval,
} from './times.ts'

/** The next step of an order, as a pure function. */

export type StepName =
  /** The contract has the order: find its transaction and confirm the payment. */
  | 'applyPayment'
  /** A hash was posted, but the contract does not have the order: check the transaction. */
  | 'checkHash'
  | 'withdraw'
  /** Create, resize or restore the workspace. */
  | 'provision'
  | 'refundUnprovisioned'
  | 'applyExtension'
  | 'withdrawRenewal'
  | 'notify'
  /** Notify the owner if the next automatic renewal would fail. */
  | 'checkAutoRenew'
  /** The kept workspace is deleted soon. */
  | 'notifyDeletion'
  | 'autoRenew'
  | 'expire'
  /** The contract ended the order without a request of this server. */
  | 'applyExternalEnd'
  | 'suspend'
  | 'remove'
  | 'release'
  | 'finish'
export type Step = { do: StepName } | { do: 'wait'; until: number | undefined }

export interface View {
  /** Unix ms. */
  now: number
  /** Unix ms of the latest block; undefined: the chain is unavailable. */
  chainTime: number | undefined
  /** Null: the contract does not have the order; undefined: the chain is unavailable. */
  onChain: OnChain | null | undefined
  /** A hash was posted and is not confirmed. */
  submitted: boolean
  /** A payment was requested in the last day. */
  requested: boolean
  /** An order that restores the kept workspace was created in time, and is not provisioned yet. */
  awaited: boolean
  /** Steps already run under this lease. */
  done: ReadonlySet<StepName>
}

const step = (name: StepName): Step => ({ do: name })
const wait = (until: number | undefined): Step => ({ do: 'wait', until })
const earliest = (...times: (number | undefined)[]): number | undefined => {
  const known = times.filter((each) => each !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}

export function nextStep(order: OrderRow, view: View): Step {
  if (order.money === 'none') return unpaid(order, view)
  switch (order.status) {
    case ORDER.paid:
    case ORDER.upgradePending:
      return step(order.tries >= PROVISION_ATTEMPTS ? 'refundUnprovisioned' : 'provision')
    case ORDER.running:
    case ORDER.renewalPending:
    case ORDER.replacing:
      return running(order, view)
    case ORDER.created:
    case ORDER.expired:
    case ORDER.allocationFailed:
    case ORDER.refunded:
    case ORDER.terminated:
      return ended(order, view)
  }
}

function unpaid(order: OrderRow, { now, onChain, submitted, done }: View): Step {
  if (onChain) return step('applyPayment')
  if (submitted && onChain === null && !done.has('checkHash')) return step('checkHash')
  if (!isUnpaid(order.status)) {
    const after = latePaymentCheckInterval(now - order.created_at.getTime())
    return wait(after === undefined ? undefined : now + after)
  }
  const until = order.pay_until?.getTime() ?? now
  // While the chain is unavailable, the order may have been paid.
  if (now >= until && onChain === null) return step('withdraw')
  return wait(earliest(until > now ? until : undefined, now + paymentPollInterval(submitted)))
}

function running(order: OrderRow, view: View): Step {
  const { now, chainTime, onChain, requested, submitted, done } = view
  if (order.ending === 'terminated') return ended(order, view)
  const end = {
    expiredAt: order.expired_at.getTime(),
    chainEnd: onChain ? startOf(onChain).getTime() + order.duration * HOUR : undefined,
  }
  const over = isOver(end, now, chainTime)
  if (order.workspace === 'suspended' && !over) return step('provision')
  if (onChain && isLonger(order, onChain) && !done.has('applyExtension')) return step('applyExtension')
  if (submitted && !done.has('checkHash')) return step('checkHash')
  if (onChain?.released || (onChain?.replaced_by && !done.has('applyExternalEnd'))) return step('applyExternalEnd')
  if (over) return step('expire')
  if (order.status === ORDER.renewalPending && now >= (order.pay_until?.getTime() ?? 0)) return step('withdrawRenewal')
  const startedAt = order.started_at?.getTime() ?? order.created_at.getTime()
  if (dueEndNotice(startedAt, end.expiredAt, now) && !done.has('notify')) return step('notify')
  const renewAt = order.auto_renew && order.status === ORDER.running ? autoRenewAt(startedAt, end.expiredAt) : undefined
  if (renewAt !== undefined && now >= renewAt && now < end.expiredAt && !done.has('autoRenew')) return step('autoRenew')
  const checkAt = renewAt === undefined ? undefined : (order.auto_check_at?.getTime() ?? now)
  const isChecked = checkAt !== undefined && renewAt !== undefined && checkAt < renewAt
  if (isChecked && now >= checkAt && chainTime !== undefined && !done.has('checkAutoRenew'))
    return step('checkAutoRenew')
  return wait(
    earliest(
      nextEndCheck(end, now, chainTime),
      isChecked && checkAt > now ? checkAt : undefined,
      now < end.expiredAt ? nextNotice(end.expiredAt, now) : undefined,
      renewAt !== undefined && renewAt > now ? renewAt : undefined,
      order.status === ORDER.renewalPending ? now + paymentPollInterval(true) : now + chainCheckInterval(requested),
    ),
  )
}

/** Whether the contract has more hours than we have confirmed. */
export const isLonger = ({ duration }: Pick<OrderRow, 'duration'>, onChain: OnChain): boolean =>
  onChain.duration > duration * BLOCKS_PER_HOUR

/** Ends an order: first the workspace, then the money, then the final status. */
function ended(order: OrderRow, { now, onChain, awaited, done }: View): Step {
  // Renewed just before it expired.
  if (
    order.status === ORDER.expired &&
    order.money === 'held' &&
    order.workspace === 'suspended' &&
    onChain &&
    isLonger(order, onChain)
  )
    if (!done.has('applyExtension')) return step('applyExtension')
  if (order.workspace === 'active') {
    const stop = retainsWorkspace(order) ? 'suspend' : 'remove'
    // An unavailable cluster must not delay a refund: try once before the release and again afterwards.
    if (!done.has(stop)) return step(stop)
  }
  if (order.money === 'held') return done.has('release') ? wait(now + 10 * 60_000) : step('release')
  if (order.status === ORDER.allocationFailed || (order.ending === 'terminated' && order.status !== ORDER.terminated))
    return step('finish')
  if (order.workspace === 'active') return wait(now + 60_000)
  if (order.workspace !== 'suspended') return wait(undefined)
  const until = order.kept_until?.getTime() ?? now
  if (now >= until) return awaited ? wait(now + 60_000) : step('remove')
  const noticeAt = until - DELETION_NOTICE
  if (now < noticeAt) return wait(noticeAt)
  return done.has('notifyDeletion') ? wait(until) : step('notifyDeletion')
}

/** Whether the workspace is suspended for a while instead of removed: not if the owner ended the order or never used the workspace. */
export const retainsWorkspace = ({
  ending,
  status,
  replaces,
  restores,
}: Pick<OrderRow, 'ending' | 'status' | 'replaces' | 'restores'>): boolean => {
  if (ending === 'terminated') return false
  if (status === ORDER.expired) return true
  return replaces !== '' || restores !== ''
}
