import { ORDER, type OrderAction, type OrderLabel, type OrderStatus } from '@tidenet/contract'

/** Order states: pure functions. */

/** Allowed changes of status. */
export const TRANSITIONS: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  // Paid; or withdrawn, or refunded because the payment does not match.
  [ORDER.created]: [ORDER.paid, ORDER.refunded],
  [ORDER.paid]: [ORDER.running, ORDER.allocationFailed],
  [ORDER.running]: [ORDER.expired, ORDER.renewalPending, ORDER.replacing, ORDER.terminated],
  // Renewed just before it expired.
  [ORDER.expired]: [ORDER.running],
  [ORDER.allocationFailed]: [ORDER.refunded],
  // Paid after the order was withdrawn for lack of payment.
  [ORDER.refunded]: [ORDER.paid, ORDER.upgradePending],
  // Provisioned, failed, or not paid.
  [ORDER.upgradePending]: [ORDER.running, ORDER.allocationFailed, ORDER.refunded],
  [ORDER.renewalPending]: [ORDER.running, ORDER.expired],
  // The upgrade was withdrawn, or paid.
  [ORDER.replacing]: [ORDER.running, ORDER.expired],
  [ORDER.terminated]: [],
}

export const canTransition = (from: OrderStatus, to: OrderStatus): boolean => TRANSITIONS[from].includes(to)

export interface Facts {
  status: OrderStatus
  workspace: 'none' | 'active' | 'suspended' | 'transferred' | 'removed'
  money: 'none' | 'held' | 'settled'
  ending: 'terminated' | 'expired' | 'failed' | 'rejected' | 'unrequested' | null
  replaced_by: string
}

/** `cancelled` instead of `refunded` if nothing was paid. */
export function labelOf({ status, money, replaced_by }: Pick<Facts, 'status' | 'money' | 'replaced_by'>): OrderLabel {
  switch (status) {
    case ORDER.created:
      return 'created'
    case ORDER.paid:
      return 'paid'
    case ORDER.running:
      return 'running'
    case ORDER.expired:
      return replaced_by === '' ? 'expired' : 'replaced'
    case ORDER.allocationFailed:
      return 'failed'
    case ORDER.refunded:
      return money === 'none' ? 'cancelled' : 'refunded'
    case ORDER.upgradePending:
      return 'upgrading'
    case ORDER.renewalPending:
      return 'renewing'
    case ORDER.replacing:
      return 'replacing'
    case ORDER.terminated:
      return 'terminated'
  }
}

/** What the owner can do now. */
export function actionsOf({ status, workspace, money, ending, replaced_by }: Facts): OrderAction[] {
  if (ending === 'terminated' && status !== ORDER.terminated) return []
  switch (status) {
    case ORDER.created:
      return ['pay', 'cancel']
    case ORDER.running:
      return ['use', 'renew', 'upgrade', 'terminate']
    case ORDER.expired:
      return replaced_by === '' ? ['rebuy'] : []
    case ORDER.upgradePending:
      return [
        ...(money === 'none' ? (['pay', 'cancel'] as const) : []),
        ...(workspace === 'active' ? (['use'] as const) : []),
      ]
    case ORDER.renewalPending:
    case ORDER.replacing:
      return ['use']
    case ORDER.paid:
    case ORDER.allocationFailed:
    case ORDER.refunded:
    case ORDER.terminated:
      return []
  }
}
