import type { OrderLabel, OrderStatus } from '@tidenet/contract'
import { ORDER } from '@tidenet/contract/order-enums'

/** The label that stands for a status where the order itself is not known: in filters and lists. */
export const LABELS: Record<OrderStatus, OrderLabel> = {
  [ORDER.created]: 'created',
  [ORDER.paid]: 'paid',
  [ORDER.running]: 'running',
  [ORDER.expired]: 'expired',
  [ORDER.allocationFailed]: 'failed',
  [ORDER.refunded]: 'refunded',
  [ORDER.upgradePending]: 'running',
  [ORDER.renewalPending]: 'running',
  [ORDER.replacing]: 'running',
  [ORDER.terminated]: 'terminated',
}

export const labelOf = (status: OrderStatus): OrderLabel => LABELS[status]
