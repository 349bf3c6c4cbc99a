import { Link } from '@tanstack/react-router'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loading, Notice } from '../../ui/states.tsx'
import { TimeLeft } from '../../ui/time-left.tsx'
import { BuiltInPrompt } from '../wallet/built-in/prompt.tsx'
import { useConnected } from '../wallet/connected.ts'
import { WalletError } from '../wallet/errors.ts'
import { lazyView } from '../wallet/lazy-view.tsx'
import { paymentMessage } from '../wallet/messages.ts'
import type { CosmosWallet } from '../wallet/wallet.ts'
import { t } from './texts.ts'
import { type Asked, type SigningTask, type State, useSigning } from './use-signing.ts'

const WalletDialog = lazyView(async () => (await import('../wallet/wallet-dialog.tsx')).default)
const TransactionSummary = lazyView(async () => (await import('../wallet/transaction-summary.tsx')).TransactionSummary)

const p = t.pay

const nameOf = (wallet: CosmosWallet) => wallet.name || p.own

interface SigningDialogProps {
  title: string
  /** Texts for transactions other than payments. */
  words?: { loading: string; waiting: (wallet: string) => string; confirming: string; refused: string; later: string }
  /** Called when the dialog opens and for each retry. */
  prepareTask: () => Promise<SigningTask>
  /** The transaction is in a block. */
  onDone: () => void
  /** `late`: the transaction was sent but was not in a block in time. */
  onFailed: (error: unknown, late: boolean) => void
  onClose: () => void
}

/** Shows what the wallet is asked to sign, sends the transaction, and waits for its block. */
export function SigningDialog({ title, words = p, prepareTask, onDone, onFailed, onClose }: SigningDialogProps) {
  const { state, sign, again, begin, connect, over } = useSigning({ prepareTask, onDone, onFailed })
  if (state.step === 'connect')
    return (
      <WalletDialog
        purpose="connect"
        kinds={['cosmos']}
        onClose={() => (useConnected.getState().wallet ? begin() : onClose())}
        onDone={begin}
      />
    )
  return (
    <Dialog
      open
      persistent
      wide
      onClose={onClose}
      title={title}
      actions={
        <Actions state={state} later={words.later} onClose={onClose} onSign={sign} onAgain={again} onOther={connect} />
      }
    >
      {state.step === 'loading' && <Loading label={words.loading} />}
      {state.step === 'review' && <Review {...state} refused={words.refused} onOver={over} />}
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

/** Describes the transaction. */
function Review({ task, prepared, refused, onOver }: Asked & { refused: string; onOver: () => void }) {
  return (
    <div className="grid gap-4">
      {task.warning && (
        <Notice tone="warn" live>
          {task.warning}
        </Notice>
      )}
      {task.fits(prepared.facts) || (
        <Notice tone="bad" live>
          {refused}
        </Notice>
      )}
      <TransactionSummary text={prepared.text} />
      {task.reminder && <Notice tone="warn">{task.reminder}</Notice>}
      {task.expiresAt && (
        <p className="text-sm text-muted">
          {p.left} <TimeLeft to={task.expiresAt} onOver={onOver} />
        </p>
      )}
    </div>
  )
}

interface ActionsProps {
  state: Exclude<State, { step: 'connect' }>
  later: string
  onClose: () => void
  onSign: (asked: Asked) => void
  onAgain: () => void
  onOther: () => void
}

function Actions({ state, later, onClose, onSign, onAgain, onOther }: ActionsProps) {
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
