import type { OrderPayment, PaymentKind } from '@tidenet/contract'
import { useRef } from 'react'
import { api } from '../../lib/api.ts'
import { toast } from '../../ui/toast.ts'
import { paymentMessage } from '../wallet/messages.ts'
import { formatCoins } from './format.ts'
import { isPayment, reportPayment } from './payment.ts'
import { markSent } from './sent-payments.ts'
import { SigningDialog } from './signing-dialog.tsx'
import { t } from './texts.ts'
import type { SigningTask } from './use-signing.ts'

interface PaymentDialogProps {
  order: string
  kind: PaymentKind
  /** For renewals: the new total of hours. */
  duration?: number
  /** The price shown before, in whole coins. */
  expected?: number | undefined
  onPaid: () => void
  onClose: () => void
}

/** Pays an order. */
export default function PaymentDialog({ order, kind, duration, expected, onPaid, onClose }: PaymentDialogProps) {
  const sent = useRef<{ payment: OrderPayment; hash: string }>(undefined)
  const prepareTask = async (): Promise<SigningTask> => {
    const payment = await api('orders.payment', { id: order, ...(duration && { duration }) })
    const format = (coins: number) => formatCoins(coins, payment.symbol)
    const changed = expected !== undefined && expected !== payment.cost
    return {
      payer: payment.payer,
      request: { contract: payment.token, message: JSON.parse(payment.execute) as object },
      fee: payment.fee,
      fits: (facts) => isPayment(facts, payment),
      warning: changed ? t.pay.changed(format(payment.cost), format(expected)) : undefined,
      expiresAt: payment.expires_at,
      sent: (hash) => {
        sent.current = { payment, hash }
        markSent(payment.order_id)
        void reportPayment(payment, hash)
      },
    }
  }
  /** Its block is there: the server finds it at once when it is told again, and otherwise with its next orders. */
  const done = async () => {
    if (sent.current) await reportPayment(sent.current.payment, sent.current.hash)
    onPaid()
  }
  const failed = (error: unknown, late: boolean) =>
    toast.error(
      kind === 'renewal' && !late ? `${t.done.renewalFailed}: ${paymentMessage(error)}` : paymentMessage(error),
    )
  return (
    <SigningDialog
      title={t.pay.titles[kind]}
      prepareTask={prepareTask}
      onDone={() => void done()}
      onFailed={failed}
      onClose={onClose}
    />
  )
}
