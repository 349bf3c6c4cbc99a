import type { OrderAction, OrderLabel, OrderStatus } from '@tidenet/contract'

/** The life of an order, as values. */

/** Where an order may go from where it is. */
export const TRANSITIONS: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  // Paid, withdrawn; or paid wrongly, and given back.
  0: [1, 5],
  1: [2, 4],
  2: [3, 7, 8, 9],
  // Renewed in its last moment.
  3: [2],
  4: [5],
  // A payment that came after the order was withdrawn by time.
  5: [1, 6],
  // Paid and enlarged, failed at it, or not paid.
  6: [2, 4, 5],
  7: [2, 3],
  // The upgrade was withdrawn, or came about.
  8: [2, 3],
  9: [],
}

export const mayBecome = (from: OrderStatus, to: OrderStatus): boolean => TRANSITIONS[from].includes(to)

/** Somebody uses a workspace by it, or could. */
export const RUNNING: readonly OrderStatus[] = [2, 6, 7, 8]

export interface Facts {
  status: OrderStatus
  workspace: 'none' | 'there' | 'kept' | 'moved' | 'gone'
  money: 'none' | 'held' | 'settled'
  ending: 'terminated' | 'expired' | 'failed' | 'returned' | 'unasked' | null
  replaced_by: string
}

/** What an order is called; 5 is `refunded` once money came back for it, and `cancelled` when none was ever taken. */
export function labelOf({ status, money, replaced_by }: Pick<Facts, 'status' | 'money' | 'replaced_by'>): OrderLabel {
  switch (status) {
    case 0:
      return 'created'
    case 1:
      return 'paid'
    case 2:
      return 'running'
    case 3:
      return replaced_by === '' ? 'expired' : 'replaced'
    case 4:
      return 'failed'
    case 5:
      return money === 'none' ? 'cancelled' : 'refunded'
    case 6:
      return 'upgrading'
    case 7:
      return 'renewing'
    case 8:
      return 'replacing'
    case 9:
      return 'terminated'
  }
}

/** What its owner can do now. */
export function actionsOf({ status, workspace, money, ending, replaced_by }: Facts): OrderAction[] {
  if (ending === 'terminated' && status !== 9) return []
  switch (status) {
    case 0:
      return ['pay', 'cancel']
    case 2:
      return ['use', 'renew', 'upgrade', 'terminate']
    case 3:
      return replaced_by === '' ? ['rebuy'] : []
    case 6:
      return [
        ...(money === 'none' ? (['pay', 'cancel'] as const) : []),
        ...(workspace === 'there' ? (['use'] as const) : []),
      ]
    case 7:
    case 8:
      return ['use']
    default:
      return []
  }
}
