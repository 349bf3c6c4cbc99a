import { isUnpaid, ORDER } from '@tidenet/contract'
import { BLOCKS_AN_HOUR } from './lots.ts'
import type { OnChain } from './on-chain.ts'
import type { OrderRow } from './repository.ts'
import {
  autoRenewAt,
  compareAfter,
  endNotice,
  isOver,
  lookForEnd,
  nextNotice,
  PROVISION_TRIES,
  pollAfter,
  watchAfter,
} from './times.ts'

/** What is to be done for an order now, as a function of what is known of it. */

export type StepName =
  /** The chain shows the order: find the payment and take it over. */
  | 'takePayment'
  /** A hash was posted, and the chain does not show the order: see what became of the transaction. */
  | 'checkHash'
  | 'withdraw'
  /** Make, enlarge or take up again the workspace. */
  | 'provision'
  | 'giveUp'
  | 'takeExtension'
  | 'withdrawRenewal'
  | 'notify'
  | 'autoRenew'
  | 'expire'
  /** The chain ended it without us. */
  | 'endedElsewhere'
  | 'suspend'
  | 'remove'
  | 'release'
  | 'finish'
export type Step = { do: StepName } | { do: 'wait'; until: number | undefined }

export interface View {
  /** Unix ms. */
  now: number
  /** Undefined: the chain cannot be asked. */
  height: number | undefined
  /** Null: the chain does not know the order; undefined: it cannot be asked. */
  onChain: OnChain | null | undefined
  /** A hash was posted that no block is known to hold. */
  submitted: boolean
  /** Something was asked to be paid a short while ago. */
  asked: boolean
  /** What was done since the order was taken up, and would be done again: once is enough. */
  did: ReadonlySet<StepName>
}

const step = (name: StepName): Step => ({ do: name })
const wait = (until: number | undefined): Step => ({ do: 'wait', until })
const soonest = (...times: (number | undefined)[]): number | undefined => {
  const known = times.filter((each) => each !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}

export const endHeightOf = ({ start_height, duration }: Pick<OrderRow, 'start_height' | 'duration'>): number =>
  start_height + duration * BLOCKS_AN_HOUR

export function nextStep(order: OrderRow, view: View): Step {
  if (order.money === 'none') return unpaid(order, view)
  switch (order.status) {
    case ORDER.paid:
    case ORDER.upgradePending:
      return step(order.tries >= PROVISION_TRIES ? 'giveUp' : 'provision')
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

function unpaid(order: OrderRow, { now, onChain, submitted, did }: View): Step {
  if (onChain) return step('takePayment')
  if (submitted && onChain === null && !did.has('checkHash')) return step('checkHash')
  if (!isUnpaid(order.status)) {
    const after = watchAfter(now - order.created_at.getTime())
    return wait(after === undefined ? undefined : now + after)
  }
  const until = order.pay_until?.getTime() ?? now
  // What the chain cannot be asked about may have been paid.
  if (now >= until && onChain === null) return step('withdraw')
  return wait(soonest(until > now ? until : undefined, now + pollAfter(submitted)))
}

function running(order: OrderRow, view: View): Step {
  const { now, height, onChain, asked, submitted, did } = view
  if (order.ending === 'terminated') return ended(order, view)
  const end = { expiredAt: order.expired_at.getTime(), endHeight: endHeightOf(order) }
  const over = isOver(end, now, height)
  if (order.workspace === 'kept' && !over) return step('provision')
  if (onChain && isLonger(order, onChain) && !did.has('takeExtension')) return step('takeExtension')
  if (submitted && !did.has('checkHash')) return step('checkHash')
  if (onChain?.released || (onChain?.replaced_by && !did.has('endedElsewhere'))) return step('endedElsewhere')
  if (over) return step('expire')
  if (order.status === ORDER.renewalPending && now >= (order.pay_until?.getTime() ?? 0)) return step('withdrawRenewal')
  const startedAt = order.started_at?.getTime() ?? order.created_at.getTime()
  if (endNotice(startedAt, end.expiredAt, now) && !did.has('notify')) return step('notify')
  const renewAt = order.auto_renew && order.status === ORDER.running ? autoRenewAt(startedAt, end.expiredAt) : undefined
  if (renewAt !== undefined && now >= renewAt && now < end.expiredAt && !did.has('autoRenew')) return step('autoRenew')
  return wait(
    soonest(
      lookForEnd(end, now, height),
      now < end.expiredAt ? nextNotice(end.expiredAt, now) : undefined,
      renewAt !== undefined && renewAt > now ? renewAt : undefined,
      order.status === ORDER.renewalPending ? now + pollAfter(true) : now + compareAfter(asked),
    ),
  )
}

/** Whether somebody paid for more hours than are known of. */
export const isLonger = ({ duration }: Pick<OrderRow, 'duration'>, onChain: OnChain): boolean =>
  onChain.duration > duration * BLOCKS_AN_HOUR

/** What is left to do for an order that ends: the workspace first, then the money, then its last status. */
function ended(order: OrderRow, { now, onChain, did }: View): Step {
  // Paid in its last moment.
  if (
    order.status === ORDER.expired &&
    order.money === 'held' &&
    order.workspace === 'kept' &&
    onChain &&
    isLonger(order, onChain)
  )
    if (!did.has('takeExtension')) return step('takeExtension')
  if (order.workspace === 'there') {
    const way = keepsWorkspace(order) ? 'suspend' : 'remove'
    // A cluster that is away keeps nobody's money: it is tried once before, and again afterwards.
    if (!did.has(way)) return step(way)
  }
  if (order.money === 'held') return did.has('release') ? wait(now + 10 * 60_000) : step('release')
  if (order.status === ORDER.allocationFailed || (order.ending === 'terminated' && order.status !== ORDER.terminated))
    return step('finish')
  if (order.workspace === 'there') return wait(now + 60_000)
  if (order.workspace !== 'kept') return wait(undefined)
  const until = order.kept_until?.getTime() ?? now
  return now >= until ? step('remove') : wait(until)
}

/** Whether what the tenant had is kept for a while: unless its owner ended it, or it never was there. */
export const keepsWorkspace = ({
  ending,
  status,
  replaces,
  restores,
}: Pick<OrderRow, 'ending' | 'status' | 'replaces' | 'restores'>): boolean => {
  if (ending === 'terminated') return false
  if (status === ORDER.expired) return true
  return replaces !== '' || restores !== ''
}
