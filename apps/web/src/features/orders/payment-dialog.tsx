import type { PaymentKind } from '@tidenet/contract'
import { api } from '../../lib/api.ts'
import { toast } from '../../ui/toast.ts'
import { paymentMessage } from '../wallet/said.ts'
import { isPayment, postPayment } from './pay.ts'
import { sayCoins } from './said.ts'
import { SigningDialog } from './signing-dialog.tsx'
import { t } from './texts.ts'
import type { Task } from './use-signing.ts'

interface PaymentDialogProps {
  order: string
  kind: PaymentKind
  /** Of a renewal: the new total of hours. */
  duration?: number
  /** Whole coins that were shown before. */
  expected?: number | undefined
  onPaid: () => void
  onClose: () => void
}

/** Has an order paid. */
export default function PaymentDialog({ order, kind, duration, expected, onPaid, onClose }: PaymentDialogProps) {
  const task = async (): Promise<Task> => {
    const payment = await api('orders.payment', { id: order, ...(duration && { duration }) })
    const say = (coins: number) => sayCoins(coins, payment.symbol)
    const changed = expected !== undefined && expected !== payment.cost
    return {
      payer: payment.payer,
      wish: { contract: payment.token, message: JSON.parse(payment.execute) as object },
      fee: payment.fee,
      fits: (facts) => isPayment(facts, payment),
      warning: changed ? t.pay.changed(say(payment.cost), say(expected)) : undefined,
      expiresAt: payment.expires_at,
      sent: (hash) => void postPayment(payment, hash),
    }
  }
  const failed = (error: unknown, late: boolean) =>
    toast.error(
      kind === 'renewal' && !late ? `${t.done.renewalFailed}: ${paymentMessage(error)}` : paymentMessage(error),
    )
  return <SigningDialog title={t.pay.titles[kind]} task={task} onDone={onPaid} onFailed={failed} onClose={onClose} />
}
