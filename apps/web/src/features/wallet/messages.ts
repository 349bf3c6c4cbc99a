import { ApiError, messageOf } from '../../lib/api.ts'
import { type WalletError, walletError } from './errors.ts'
import { t } from './texts.ts'

/** For `mismatch` the message contains both addresses. */
const sentence = ({ problem, addresses }: WalletError): string =>
  addresses ? t.mismatchOf(addresses.connected, addresses.linked) : t.problems[problem]

/** The message of any error of a wallet, the chain or the server. */
export const walletMessage = (error: unknown): string =>
  error instanceof ApiError ? messageOf(error) : sentence(walletError(error))

/** The same for a payment: unknown errors are shown as a failed payment. */
export function paymentMessage(error: unknown): string {
  if (error instanceof ApiError) return messageOf(error)
  const sorted = walletError(error)
  return sorted.problem === 'failed' ? t.paymentFailed : sentence(sorted)
}
