import { WalletError } from '../errors.ts'
import { type Request, useBuiltIn } from './state.ts'

/**
 * Asks the user to approve a request, and for the password if the wallet is locked. An approval counts only for the text that was shown.
 * @throws WalletError `promptOpen`, `rejected`
 */
export async function approved(kind: Request['kind'], shown: string): Promise<void> {
  if (useBuiltIn.getState().request) throw new WalletError('promptOpen')
  const answer = await new Promise<Parameters<Request['decide']>[0]>((decide) =>
    useBuiltIn.setState({ request: { kind, shown, decide } }),
  )
  useBuiltIn.setState({ request: undefined })
  if (!answer.yes || answer.read !== shown) throw new WalletError('rejected')
}

/** The part of the request that is on the screen. */
export interface Seen {
  text: string
  /** Whether the request is explained in words; otherwise the original text is shown and the user must agree to it. */
  inWords: boolean
}

/** Whether the Sign button is enabled. Unlocking signs nothing. */
export const maySign = ({ kind, shown }: Pick<Request, 'kind' | 'shown'>, seen: Seen | undefined, agreed: boolean) =>
  kind === 'connect' || (seen?.text === shown && (seen.inWords || agreed))
