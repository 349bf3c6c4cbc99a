import { WalletError } from '../errors.ts'
import { type Request, useBuiltIn } from './state.ts'

/**
 * Asks the user to approve a request, and for the password if the wallet is locked. An approval counts only for the text that was shown.
 * @throws WalletError `promptOpen`, `rejected`
 */
export async function requestApproval(kind: Request['kind'], text: string): Promise<void> {
  if (useBuiltIn.getState().request) throw new WalletError('promptOpen')
  const answer = await new Promise<Parameters<Request['decide']>[0]>((decide) =>
    useBuiltIn.setState({ request: { kind, text, decide } }),
  )
  useBuiltIn.setState({ request: undefined })
  if (!answer.yes || answer.text !== text) throw new WalletError('rejected')
}

/** What the prompt currently shows of a request. */
export interface Seen {
  text: string
  /** Whether the request is explained in words; otherwise the original text is shown and the user must agree to it. */
  explained: boolean
}

/** Whether the Sign button is enabled. Unlocking signs nothing. */
export const canSign = ({ kind, text }: Pick<Request, 'kind' | 'text'>, seen: Seen | undefined, agreed: boolean) =>
  kind === 'connect' || (seen?.text === text && (seen.explained || agreed))
