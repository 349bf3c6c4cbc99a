import { WalletError } from '../errors.ts'
import { type Request, useBuiltIn } from './state.ts'

/**
 * Has the person decide, who is asked for the password as well while the wallet is locked. A yes to anything else than what is to be signed,
 * or before that was on the screen, is none.
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

/** What was put on the screen of what is asked. */
export interface Seen {
  text: string
  /** Whether it could be said in words; otherwise the text itself is shown, and has to be agreed to. */
  inWords: boolean
}

/** Whether Sign may be pressed. To open the wallet signs nothing. */
export const maySign = ({ kind, shown }: Pick<Request, 'kind' | 'shown'>, seen: Seen | undefined, agreed: boolean) =>
  kind === 'connect' || (seen?.text === shown && (seen.inWords || agreed))
