import type { TransactionFacts } from '@tidenet/chain-client/facts'
import type { ChainSettings } from '@tidenet/contract'
import { useEffect, useRef, useState } from 'react'
import { refresh } from '../../lib/queries.ts'
import { chainSettings } from '../wallet/chain.ts'
import { boundWallet, useConnected } from '../wallet/connected.ts'
import { WalletError } from '../wallet/errors.ts'
import type { Prepared, Wish } from '../wallet/transaction.ts'
import type { CosmosWallet } from '../wallet/wallet.ts'

/** What somebody is to sign, as the server asks for it. */
export interface Task {
  payer: string
  wish: Wish
  fee: { amount: string; denom: string; gas: string }
  /** Whether what would be signed is what was asked for, and nothing besides. */
  fits: (facts: TransactionFacts) => boolean
  /** What is not as it was shown before. */
  warning?: string | undefined
  expiresAt?: string
  /** It is on its way. */
  sent: (hash: string) => void
}

export interface Asked {
  task: Task
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
  /** No wallet is connected yet, or another one shall be. */
  | { step: 'connect' }
  | ({ step: 'review' | 'signing' | 'sending' } & Asked)
  | ({ step: 'confirming' } & Sent)
  /** Nothing was signed in the time there was. */
  | { step: 'over' }
  /** With `sent`: it was handed in, and nothing is known of it yet. */
  | { step: 'failed'; error: unknown; sent?: Sent }

interface Signing {
  state: State
  sign: (asked: Asked) => void
  /** Tries once more, or waits again for a transaction that was sent. */
  again: () => void
  begin: () => void
  connect: () => void
  over: () => void
}

interface SigningOptions {
  /** Called when the dialog opens, and for each new attempt. */
  task: () => Promise<Task>
  /** A block holds the transaction. */
  onDone: () => void
  /** `late`: it was sent, and no block held it in time. */
  onFailed: (error: unknown, late: boolean) => void
}

/** Prepares, signs and sends a transaction, and waits for its block. Starting again drops the attempt before. */
export function useSigning({ task: ask, onDone, onFailed }: SigningOptions): Signing {
  const [state, setState] = useState<State>({ step: 'loading' })
  const turn = useRef(0)

  const fail = (error: unknown, sent?: Sent) => {
    const late = error instanceof WalletError && error.problem === 'pending'
    setState({ step: 'failed', error, ...(late && sent && { sent }) })
    onFailed(error, late)
  }

  const wait = async (sent: Sent) => {
    turn.current += 1
    const mine = turn.current
    setState({ step: 'confirming', ...sent })
    try {
      const { confirmed } = await import('../wallet/transaction.ts')
      await confirmed(sent.settings, sent.hash)
    } catch (error) {
      if (turn.current === mine) fail(error, sent)
      return
    }
    refresh('faucet.balance', 'orders.history', 'orders.details')
    if (turn.current === mine) onDone()
  }

  const sign = async (asked: Asked) => {
    const mine = turn.current
    const { task, settings, wallet, prepared } = asked
    setState({ step: 'signing', ...asked })
    try {
      const { signAndSend } = await import('../wallet/transaction.ts')
      const { hash } = await signAndSend(wallet, settings, prepared, () => {
        if (turn.current !== mine) throw new WalletError('rejected')
        setState({ step: 'sending', ...asked })
      })
      // It is on its way: whoever closes this now has signed all the same.
      task.sent(hash)
      if (turn.current === mine) await wait({ settings, hash })
    } catch (error) {
      if (turn.current === mine) fail(error)
    }
  }

  const begin = async () => {
    turn.current += 1
    const mine = turn.current
    const here = () => turn.current === mine
    if (!useConnected.getState().wallet) return setState({ step: 'connect' })
    setState({ step: 'loading' })
    try {
      const [task, settings, { prepare }] = await Promise.all([
        ask(),
        chainSettings(),
        import('../wallet/transaction.ts'),
      ])
      const wallet = await boundWallet(task.payer)
      const prepared = await prepare(settings, task.payer, task.wish, task.fee)
      if (!here()) return
      const asked = { task, settings, wallet, prepared }
      // The wallet of this browser shows the same words itself, beside the question for the password.
      if (wallet.id === 'built-in' && task.fits(prepared.facts) && !task.warning) return await sign(asked)
      setState({ step: 'review', ...asked })
    } catch (error) {
      if (here()) fail(error)
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once; what it is asked for does not change while this is open
  useEffect(() => {
    void begin()
    return () => {
      turn.current += 1
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
