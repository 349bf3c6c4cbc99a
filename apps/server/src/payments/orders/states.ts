import { ORDER, type OrderAction, type OrderLabel, type OrderStatus } from '@tidenet/contract'

/** The life of an order, as values. */

/** Where an order may go from where it is. */
export const TRANSITIONS: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  // Paid, withdrawn; or paid wrongly, and given back.
  [ORDER.created]: [ORDER.paid, ORDER.refunded],
  [ORDER.paid]: [ORDER.running, ORDER.allocationFailed],
  [ORDER.running]: [ORDER.expired, ORDER.renewalPending, ORDER.replacing, ORDER.terminated],
  // Renewed in its last moment.
  [ORDER.expired]: [ORDER.running],
  [ORDER.allocationFailed]: [ORDER.refunded],
  // A payment that came after the order was withdrawn by time.
  [ORDER.refunded]: [ORDER.paid, ORDER.upgradePending],
  // Paid and enlarged, failed at it, or not paid.
  [ORDER.upgradePending]: [ORDER.running, ORDER.allocationFailed, ORDER.refunded],
  [ORDER.renewalPending]: [ORDER.running, ORDER.expired],
  // The upgrade was withdrawn, or came about.
  [ORDER.replacing]: [ORDER.running, ORDER.expired],
  [ORDER.terminated]: [],
}

export const mayBecome = (from: OrderStatus, to: OrderStatus): boolean => TRANSITIONS[from].includes(to)

export interface Facts {
  status: OrderStatus
  workspace: 'none' | 'there' | 'kept' | 'moved' | 'gone'
  money: 'none' | 'held' | 'settled'
  ending: 'terminated' | 'expired' | 'failed' | 'returned' | 'unasked' | null
  replaced_by: string
}

/** What an order is called; `refunded` once money came back for it, `cancelled` when none was ever taken. */
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

/** What its owner can do now. */
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
        ...(workspace === 'there' ? (['use'] as const) : []),
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
