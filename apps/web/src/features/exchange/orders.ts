import type { ExchangeOrder, ExchangePayment } from '@tidenet/contract'

/** Payments whose credit or refund is not complete. */
const isPending = ({ result }: ExchangePayment): boolean => result === 'pending' || result === 'refunding'

/** Whether nothing about an exchange changes any more: it is over and every payment is credited, refunded or kept. */
export const isSettled = ({ status, payments }: Pick<ExchangeOrder, 'status' | 'payments'>): boolean =>
  (status === 'completed' || status === 'failure') && !payments.some(isPending)

/** Whether its price can still be confirmed: nothing was paid, as far as anybody knows. */
export const isOpen = ({ status, payments }: Pick<ExchangeOrder, 'status' | 'payments'>): boolean =>
  status === 'in_progress' && payments.length === 0
