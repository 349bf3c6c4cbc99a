import type { TransactionFacts } from '@tidenet/chain-client/facts'
import type { ChainSettings } from '@tidenet/contract'
import { useEffect, useRef, useState } from 'react'
import { refresh } from '../../lib/queries.ts'
import { chainSettings } from '../wallet/chain.ts'
import { linkedWallet, useConnected } from '../wallet/connected.ts'
import { WalletError } from '../wallet/errors.ts'
import type { Prepared, TransactionRequest } from '../wallet/transaction.ts'
import type { CosmosWallet } from '../wallet/wallet.ts'

/** A transaction to sign, as requested by the server. */
export interface SigningTask {
  payer: string
  request: TransactionRequest
  fee: { amount: string; denom: string; gas: string }
  /** Address of TNT4, if the transaction transfers it. */
  exchangeToken?: string
  /** Whether the prepared transaction does exactly what was requested. */
  fits: (facts: TransactionFacts) => boolean
  /** Shown if something differs from what was shown before, such as the price. */
  warning?: string | undefined
  /** What the user must not do in the wallet. */
  reminder?: string
  expiresAt?: string
  /** Called once it is signed, before it is sent. */
  signed?: () => void
  /** Called after the transaction is sent. */
  sent: (hash: string) => void
}

export interface Asked {
  task: SigningTask
  settings: ChainSettings
  wallet: CosmosWallet
  prepared: Prepared
}

interface Sent {
  settings: ChainSettings
  hash: string
}

export type State =
  | { step: 'loading' }
  /** No wallet is connected, or the person wants another one. */
  | { step: 'connect' }
  | ({ step: 'review' | 'signing' | 'sending' } & Asked)
  | ({ step: 'confirming' } & Sent)
  /** The time to pay is over. */
  | { step: 'over' }
  /** With `sent`: the transaction was sent but is not in a block yet. */
  | { step: 'failed'; error: unknown; sent?: Sent }

interface Signing {
  state: State
  sign: (asked: Asked) => void
  /** Retries, or waits again for a transaction that was sent. */
  again: () => void
  begin: () => void
  connect: () => void
  over: () => void
}

interface SigningOptions {
  /** Called when the dialog opens and for each retry. */
  prepareTask: () => Promise<SigningTask>
  /** The transaction is in a block. */
  onDone: () => void
  /** `late`: the transaction was sent but was not in a block in time. */
  onFailed: (error: unknown, late: boolean) => void
}

/** Prepares, signs and sends a transaction, and waits for its block. A new attempt supersedes the previous one. */
export function useSigning({ prepareTask, onDone, onFailed }: SigningOptions): Signing {
  const [state, setState] = useState<State>({ step: 'loading' })
  const attempt = useRef(0)

  const fail = (error: unknown, sent?: Sent) => {
    const late = error instanceof WalletError && error.problem === 'pending'
    setState({ step: 'failed', error, ...(late && sent && { sent }) })
    onFailed(error, late)
  }

  const wait = async (sent: Sent) => {
    attempt.current += 1
    const thisAttempt = attempt.current
    setState({ step: 'confirming', ...sent })
    try {
      const { waitForTransaction } = await import('../wallet/transaction.ts')
      await waitForTransaction(sent.settings, sent.hash)
    } catch (error) {
      if (attempt.current === thisAttempt) fail(error, sent)
      return
    }
    refresh('faucet.balance', 'orders.history', 'orders.details')
    if (attempt.current === thisAttempt) onDone()
  }

  const sign = async (asked: Asked) => {
    const thisAttempt = attempt.current
    const { task, settings, wallet, prepared } = asked
    setState({ step: 'signing', ...asked })
    try {
      const { signAndSend } = await import('../wallet/transaction.ts')
      const { hash } = await signAndSend(wallet, settings, prepared, () => {
        if (attempt.current !== thisAttempt) throw new WalletError('rejected')
        // A payment that is too late would be refunded less the fee.
        if (task.expiresAt && Date.now() >= Date.parse(task.expiresAt)) throw new WalletError('expired')
        task.signed?.()
        setState({ step: 'sending', ...asked })
      })
      // The transaction is sent, even if the dialog was closed meanwhile.
      task.sent(hash)
      if (attempt.current === thisAttempt) await wait({ settings, hash })
    } catch (error) {
      if (attempt.current !== thisAttempt) return
      if (error instanceof WalletError && error.problem === 'expired') setState({ step: 'over' })
      else fail(error)
    }
  }

  const begin = async () => {
    attempt.current += 1
    const thisAttempt = attempt.current
    const isCurrent = () => attempt.current === thisAttempt
    if (!useConnected.getState().wallet) return setState({ step: 'connect' })
    setState({ step: 'loading' })
    try {
      const [task, settings, { prepare }] = await Promise.all([
        prepareTask(),
        chainSettings(),
        import('../wallet/transaction.ts'),
      ])
      const wallet = await linkedWallet(task.payer)
      const prepared = await prepare(settings, task.payer, task.request, task.fee, task.exchangeToken)
      if (!isCurrent()) return
      const asked = { task, settings, wallet, prepared }
      // The built-in wallet shows the same description beside its password prompt.
      if (wallet.id === 'built-in' && task.fits(prepared.facts) && !task.warning) return await sign(asked)
      setState({ step: 'review', ...asked })
    } catch (error) {
      if (isCurrent()) fail(error)
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: starts once; the task does not change while the dialog is open
  useEffect(() => {
    void begin()
    return () => {
      attempt.current += 1
    }
  }, [])

  return {
    state,
    sign: (asked) => void sign(asked),
    again: () => (state.step === 'failed' && state.sent ? void wait(state.sent) : void begin()),
    begin: () => void begin(),
    connect: () => setState({ step: 'connect' }),
    over: () => setState({ step: 'over' }),
  }
}
