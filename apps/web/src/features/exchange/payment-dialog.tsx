import { useRef } from 'react'
import { ApiError, api } from '../../lib/api.ts'
import { toast } from '../../ui/toast.ts'
import { SigningDialog } from '../orders/signing-dialog.tsx'
import { t as orders } from '../orders/texts.ts'
import type { SigningTask } from '../orders/use-signing.ts'
import { chainSettings } from '../wallet/chain.ts'
import { problemOf, type WalletProblem } from '../wallet/errors.ts'
import { paymentMessage } from '../wallet/messages.ts'
import { isPaymentFor } from './payment.ts'
import { forgetSent, rememberSent } from './sent.ts'
import { t } from './texts.ts'
import { type Quote, refreshExchanges, type ToPay } from './use-quote.ts'
import type { Terms } from './use-terms.ts'

const MAX_ATTEMPTS = 4

/** Tells the server where to look. Best effort: it also finds payments by itself. */
async function reportPayment(id: string, hash: string): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++)
    try {
      await api('exchange.hash', { id, hash })
      return refreshExchanges()
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'refused') return
      await new Promise((resolve) => setTimeout(resolve, 1000 * attempt))
    }
}

/** Nobody can tell whether the chain took the transaction. */
const UNCLEAR: ReadonlySet<WalletProblem> = new Set(['unreachable', 'pending', 'alreadySent', 'failed'])

interface PaymentDialogProps {
  quote: Quote
  toPay: ToPay
  terms: Terms
  /** It was sent, or nobody knows. */
  onSent: (id: string) => void
  /** The wallet's user modified the remarks. */
  onModified: (id: string) => void
}

/** Shows the payment in words, has it signed and sends it. */
export default function PaymentDialog({ quote, toPay, terms, onSent, onModified }: PaymentDialogProps) {
  const current = useRef<ToPay | undefined>(toPay)
  const isSigned = useRef(false)
  const { id } = toPay.order
  const close = () => quote.stopPaying()

  const prepareTask = async (): Promise<SigningTask> => {
    // The wallet is asked again: the quote may be over, and the rate another one.
    const now = current.current ?? (await quote.requestPayment({ order: toPay.order }))
    current.current = undefined
    if (!now) {
      close()
      throw new DOMException('recalculated', 'AbortError')
    }
    const { fee, denom } = await chainSettings()
    const { contract, msg, memo } = now.payment
    isSigned.current = false
    return {
      payer: now.order.wallet,
      request: { contract, message: msg, memo },
      fee: { ...fee, denom },
      exchangeToken: terms.token?.address ?? '',
      fits: (facts) => isPaymentFor(facts, now, terms.token?.decimals ?? 0),
      reminder: t.confirm.text,
      expiresAt: now.deadline,
      signed: () => {
        isSigned.current = true
        rememberSent(id, '')
      },
      sent: (hash) => {
        rememberSent(id, hash)
        void reportPayment(id, hash)
        onSent(id)
      },
    }
  }
  const failed = (error: unknown) => {
    const problem = error instanceof ApiError ? undefined : problemOf(error)
    if (problem === 'memoChanged') return onModified(id)
    if (isSigned.current && problem && UNCLEAR.has(problem)) return onSent(id)
    if (isSigned.current) forgetSent(id)
    if (error instanceof ApiError && error.kind === 'session') return void toast.error(t.failures.token)
    const what =
      error instanceof ApiError ? t.failures.redemption : isSigned.current ? t.failures.deal : t.failures.signature
    toast.error(`${what}: ${paymentMessage(error)}`)
  }
  return (
    <SigningDialog
      title={t.confirm.dialog}
      words={{ ...orders.pay, later: t.confirm.later }}
      prepareTask={prepareTask}
      onDone={() => onSent(id)}
      onFailed={failed}
      onClose={close}
    />
  )
}
