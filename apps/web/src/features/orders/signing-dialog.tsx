import { Link } from '@tanstack/react-router'
import type { TransactionFacts } from '@tidenet/chain-client/facts'
import type { ChainSettings } from '@tidenet/contract'
import { useEffect, useRef, useState } from 'react'
import { refresh } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loading, Notice } from '../../ui/states.tsx'
import { BuiltInPrompt } from '../wallet/built-in/prompt.tsx'
import { chainSettings } from '../wallet/chain.ts'
import { boundWallet, useConnected } from '../wallet/connected.ts'
import { WalletError } from '../wallet/errors.ts'
import { lazyView } from '../wallet/lazy-view.tsx'
import { paymentMessage } from '../wallet/said.ts'
import type { Prepared, Wish } from '../wallet/transaction.ts'
import type { CosmosWallet } from '../wallet/wallet.ts'
import { Countdown } from './countdown.tsx'
import { t } from './texts.ts'

const WalletDialog = lazyView(async () => (await import('../wallet/wallet-dialog.tsx')).default)
const SignedWords = lazyView(async () => (await import('../wallet/signed-words.tsx')).SignedWords)

const p = t.pay

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

interface Asked {
  task: Task
  settings: ChainSettings
  wallet: CosmosWallet
  prepared: Prepared
}

interface Sent {
  settings: ChainSettings
  hash: string
}

type State =
  | { step: 'loading' }
  /** No wallet is connected yet, or another one shall be. */
  | { step: 'connect' }
  | ({ step: 'review' | 'signing' | 'sending' } & Asked)
  | ({ step: 'confirming' } & Sent)
  /** Nothing was signed in the time there was. */
  | { step: 'over' }
  /** With `sent`: it was handed in, and nothing is known of it yet. */
  | { step: 'failed'; error: unknown; sent?: Sent }

interface SigningDialogProps {
  title: string
  /** What is said where a payment and something else differ. */
  words?: { loading: string; waiting: (wallet: string) => string; confirming: string; refused: string; later: string }
  /** Asked when the dialog opens, and each time that it is tried again. */
  task: () => Promise<Task>
  /** A block holds it. */
  onDone: () => void
  /** `late`: it was handed in, and no block held it in time. */
  onFailed: (error: unknown, late: boolean) => void
  onClose: () => void
}

/** Says in words what the wallet is asked to sign, hands it to the chain, and waits for the block. */
export function SigningDialog({ title, words = p, task: ask, onDone, onFailed, onClose }: SigningDialogProps) {
  const [state, setState] = useState<State>({ step: 'loading' })
  const turn = useRef(0)
  const nameOf = (wallet: CosmosWallet) => wallet.name || p.own

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

  if (state.step === 'connect')
    return (
      <WalletDialog
        purpose="connect"
        kinds={['cosmos']}
        onClose={() => (useConnected.getState().wallet ? void begin() : onClose())}
        onDone={() => void begin()}
      />
    )
  return (
    <Dialog
      open
      firm
      wide
      onClose={onClose}
      title={title}
      actions={
        <Actions
          state={state}
          later={words.later}
          onClose={onClose}
          onSign={(asked) => void sign(asked)}
          onAgain={() => (state.step === 'failed' && state.sent ? void wait(state.sent) : void begin())}
          onOther={() => setState({ step: 'connect' })}
          nameOf={nameOf}
        />
      }
    >
      {state.step === 'loading' && <Loading label={words.loading} />}
      {state.step === 'review' && (
        <div className="grid gap-4">
          {state.task.warning && (
            <Notice tone="warn" live>
              {state.task.warning}
            </Notice>
          )}
          {state.task.fits(state.prepared.facts) || (
            <Notice tone="bad" live>
              {words.refused}
            </Notice>
          )}
          <SignedWords text={state.prepared.text} />
          {state.task.expiresAt && (
            <p className="text-sm text-muted">
              {p.left} <Countdown to={state.task.expiresAt} onOver={() => setState({ step: 'over' })} />
            </p>
          )}
        </div>
      )}
      {state.step === 'signing' && <Loading label={words.waiting(nameOf(state.wallet))} />}
      {state.step === 'sending' && <Loading label={p.sending} />}
      {state.step === 'confirming' && (
        <div className="text-center">
          <Loading label={words.confirming} />
          <Hash hash={state.hash} />
          <p className="mt-2 text-sm text-muted">{p.closeHint}</p>
        </div>
      )}
      {state.step === 'over' && (
        <Notice tone="warn" live>
          {p.over}
        </Notice>
      )}
      {state.step === 'failed' && <Failure error={state.error} hash={state.sent?.hash} />}
      <BuiltInPrompt />
    </Dialog>
  )
}

interface ActionsProps {
  state: Exclude<State, { step: 'connect' }>
  later: string
  onClose: () => void
  onSign: (asked: Asked) => void
  onAgain: () => void
  onOther: () => void
  nameOf: (wallet: CosmosWallet) => string
}

function Actions({ state, later, onClose, onSign, onAgain, onOther, nameOf }: ActionsProps) {
  const sent = state.step === 'confirming' || (state.step === 'failed' && state.sent)
  const mismatch = state.step === 'failed' && state.error instanceof WalletError && state.error.problem === 'mismatch'
  return (
    <>
      <Button onClick={onClose}>{sent ? p.close : later}</Button>
      {mismatch && <Button onClick={onOther}>{p.otherWallet}</Button>}
      {(state.step === 'failed' || state.step === 'over') && (
        <Button look="primary" onClick={onAgain}>
          {sent ? p.look : p.retry}
        </Button>
      )}
      {(state.step === 'review' || state.step === 'signing') && (
        <Button
          look="primary"
          busy={state.step === 'signing'}
          disabled={!state.task.fits(state.prepared.facts)}
          onClick={() => onSign(state)}
        >
          {p.sign(nameOf(state.wallet))}
        </Button>
      )}
    </>
  )
}

function Failure({ error, hash }: { error: unknown; hash: string | undefined }) {
  return (
    <div className="grid gap-3">
      <Notice tone="bad" live>
        {paymentMessage(error)}
      </Notice>
      {hash && <Hash hash={hash} />}
    </div>
  )
}

function Hash({ hash }: { hash: string }) {
  return (
    <p className="text-sm">
      <span className="text-muted">{p.transaction}</span>{' '}
      <Link
        to="/chain/tx/$hash"
        params={{ hash }}
        target="_blank"
        className="font-mono text-accent wrap-anywhere hover:underline"
      >
        {hash}
      </Link>
    </p>
  )
}
