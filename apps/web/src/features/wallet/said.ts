import { ApiError, messageOf } from '../../lib/api.ts'
import { type WalletError, walletError } from './errors.ts'
import { t } from './texts.ts'

/** Who is refused for another wallet sees both. */
const sentence = ({ problem, addresses }: WalletError): string =>
  addresses ? t.mismatchOf(addresses.connected, addresses.bound) : t.problems[problem]

/** What to show of anything that a wallet, the chain or the server has thrown. */
export const walletMessage = (error: unknown): string =>
  error instanceof ApiError ? messageOf(error) : sentence(walletError(error))

/** The same of a payment: whatever is not known ends as one that failed. */
export function paymentMessage(error: unknown): string {
  if (error instanceof ApiError) return messageOf(error)
  const sorted = walletError(error)
  return sorted.problem === 'failed' ? t.paymentFailed : sentence(sorted)
}
