import { useCallback, useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loading, Notice } from '../../ui/states.tsx'
import { noteOwed } from '../security/owed.ts'
import { type Proved, useProof } from '../security/proof.tsx'
import { BuiltInPrompt } from './built-in/prompt.tsx'
import { connect } from './connected.ts'
import { findWallet } from './find.ts'
import { lazyView } from './lazy-view.tsx'
import { bind, type Step, signInBy } from './proof.ts'
import { walletMessage } from './said.ts'
import { t } from './texts.ts'
import type { CosmosWallet, Wallet, WalletKind } from './wallet.ts'
import { WalletList } from './wallet-list.tsx'

const CreateWallet = lazyView(async () => (await import('./built-in/create.tsx')).CreateWallet)
const ImportWallet = lazyView(async () => (await import('./built-in/import.tsx')).ImportWallet)

interface WalletDialogProps {
  purpose: 'signIn' | 'bind' | 'connect'
  kinds: readonly WalletKind[]
  /** Instead of what the purpose is described by. */
  reason?: string
  onClose: () => void
  onDone?: () => void
}

/** Resolves with false when the owner gave up. */
type Doing = (wallet: Wallet, onStep: (step: Step) => void, proved: Proved) => Promise<unknown>

const does: Record<WalletDialogProps['purpose'], Doing> = {
  signIn: signInBy,
  bind: async (...given) => (await bind(...given)) !== undefined,
  connect: (wallet, onStep) => {
    onStep('connect')
    return connect(wallet as CosmosWallet)
  },
}

/** Lets somebody choose a wallet and does with it what it is asked for. */
export default function WalletDialog({ purpose, kinds, reason, onClose, onDone }: WalletDialogProps) {
  const [view, setView] = useState<'list' | 'create' | 'import'>('list')
  const [run, setRun] = useState<{ wallet: Wallet; step: Step }>()
  const [failure, setFailure] = useState<{ wallet: Wallet; error: unknown }>()
  const turn = useRef(0)
  const { proved, dialog } = useProof()
  const d = t.dialog

  // What is asked of a wallet after this was closed is not carried on.
  const leave = useCallback(() => {
    turn.current += 1
    setRun(undefined)
  }, [])
  useEffect(() => leave, [leave])

  const nameOf = (wallet: Wallet) => wallet.name || d.inBrowser
  const choose = async (wallet: Wallet) => {
    turn.current += 1
    const mine = turn.current
    const onStep = (step: Step) => {
      if (turn.current !== mine) throw new DOMException('left', 'AbortError')
      setRun({ wallet, step })
    }
    setFailure(undefined)
    try {
      const done = await does[purpose](wallet, onStep, proved)
      if (turn.current === mine && done !== false) onDone?.()
    } catch (error) {
      if (turn.current !== mine) return
      if (purpose === 'signIn' && noteOwed(error, 3)) onClose()
      else setFailure({ wallet, error })
    } finally {
      if (turn.current === mine) setRun(undefined)
    }
  }
  const kept = async () => {
    setView('list')
    const wallet = await findWallet('cosmos', 'built-in')
    if (wallet) await choose(wallet)
  }
  const words =
    purpose === 'signIn'
      ? [d.signIn, d.signInText]
      : purpose === 'bind'
        ? [d.bind, d.bindText]
        : [d.connect, d.connectText]
  const titles = { list: words[0], create: t.own.createTitle, import: t.own.importTitle }
  return (
    <Dialog
      open
      persistent={view !== 'list'}
      onClose={onClose}
      title={titles[view]}
      description={view === 'list' ? (reason ?? words[1]) : undefined}
    >
      {view === 'create' && <CreateWallet onBack={() => setView('list')} onKept={() => void kept()} />}
      {view === 'import' && <ImportWallet onBack={() => setView('list')} onKept={() => void kept()} />}
      {view === 'list' && (
        <>
          {failure && (
            <div className="mb-4">
              <Notice tone="bad" live>
                {walletMessage(failure.error)}
              </Notice>
            </div>
          )}
          {run ? (
            <div className="flex flex-col items-center">
              <Loading label={d.steps[run.step](nameOf(run.wallet))} />
              <Button onClick={leave}>{d.cancel}</Button>
            </div>
          ) : (
            <WalletList kinds={kinds} onChoose={(wallet) => void choose(wallet)} onView={setView} />
          )}
        </>
      )}
      <BuiltInPrompt />
      {dialog}
    </Dialog>
  )
}
