import { accountsOf } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { issueReceipt } from '../../platform/transparency-log/issue.ts'
import { type PaymentRow, setPaymentReceipt } from './payments-repository.ts'
import { changeOrder, type OrderRow } from './repository.ts'

const ownerOf = async (tx: Db, { user_id }: Pick<OrderRow, 'user_id'>): Promise<string | undefined> =>
  (await accountsOf(tx, [user_id])).get(user_id)?.uid

const purposeOf = ({ kind, auto }: PaymentRow) => {
  if (kind === 'create') return 'create'
  if (kind === 'upgrade') return 'update'
  return auto ? 'renew' : 'extend'
}

/** What a receipt about a payment states. @param sub uid of the account @param hash of the transaction in a block */
export const orderReceiptOf = (sub: string, order: string, payment: PaymentRow, hash: string) => {
  const { payer: wallet, cost: amount, duration: hours } = payment
  return { kind: 'order', sub, order, purpose: purposeOf(payment), wallet, amount, hours, tx: hash } as const
}

/** The payment was confirmed in this transaction. @param hash of the transaction in a block */
export async function issueOrderReceipt(
  tx: Db,
  order: Pick<OrderRow, 'id' | 'user_id'>,
  payment: PaymentRow,
  hash: string,
  at: Date,
): Promise<void> {
  const sub = await ownerOf(tx, order)
  if (sub === undefined) return
  await setPaymentReceipt(tx, payment.id, await issueReceipt(tx, orderReceiptOf(sub, order.id, payment, hash), at))
}

/**
 * The order is settled; once, because an order that was replaced is settled again.
 * @param refund.wallet that had paid the contract, whoever was asked to
 * @param refund.hash '' if the chain did not find the transaction
 */
export async function issueRefundReceipt(
  tx: Db,
  order: Pick<OrderRow, 'id' | 'user_id' | 'refund_receipt_id'>,
  refund: { hash: string; wallet: string; units: string; decimals: number },
  at: Date,
): Promise<void> {
  const sub = order.refund_receipt_id === null ? await ownerOf(tx, order) : undefined
  if (sub === undefined) return
  const { hash, ...amount } = refund
  const stated = { sub, order: order.id, ...amount, ...(hash !== '' && { tx: hash }) }
  await changeOrder(tx, order.id, { refund_receipt_id: await issueReceipt(tx, { kind: 'refund', ...stated }, at) })
}
