import { useCallback, useEffect, useRef, useState } from 'react'
import { queries } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loading, Notice } from '../../ui/states.tsx'
import { useRecentAuth, type WithRecentAuth } from '../recent-auth/recent-auth.tsx'
import { startSecondFactor } from '../security/pending-sign-in.ts'
import { BuiltInPrompt } from './built-in/prompt.tsx'
import { connect } from './connected.ts'
import { findWallet } from './find.ts'
import { lazyView } from './lazy-view.tsx'
import { walletMessage } from './messages.ts'
import { linkWallet, type Step, signInWithWallet } from './sign-in.ts'
import { t } from './texts.ts'
import type { CosmosWallet, Wallet, WalletKind } from './wallet.ts'
import { WalletList } from './wallet-list.tsx'

const CreateWallet = lazyView(async () => (await import('./built-in/create.tsx')).CreateWallet)
const ImportWallet = lazyView(async () => (await import('./built-in/import.tsx')).ImportWallet)

interface WalletDialogProps {
  purpose: 'signIn' | 'link' | 'connect'
  kinds: readonly WalletKind[]
  /** Overrides the description. */
  reason?: string
  onClose: () => void
  onDone?: (wallet: Wallet) => void
}

/** Resolves to false if the user cancels. */
type WalletAction = (wallet: Wallet, onStep: (step: Step) => void, withRecentAuth: WithRecentAuth) => Promise<unknown>

const actions: Record<WalletDialogProps['purpose'], WalletAction> = {
  signIn: signInWithWallet,
  link: async (...args) => (await linkWallet(...args)) !== undefined,
  connect: (wallet, onStep) => {
    onStep('connect')
    return connect(wallet as CosmosWallet)
  },
}

/** Selects a wallet, then signs in with it, links it or connects it. */
export default function WalletDialog({ purpose, kinds, reason, onClose, onDone }: WalletDialogProps) {
  const [view, setView] = useState<'list' | 'create' | 'import'>('list')
  const [run, setRun] = useState<{ wallet: Wallet; step: Step }>()
  const [failure, setFailure] = useState<{ wallet: Wallet; error: unknown }>()
  const turn = useRef(0)
  const { withRecentAuth, dialog } = useRecentAuth()
  const d = t.dialog

  // Cancels the running action when the dialog is closed.
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
      const done = await actions[purpose](wallet, onStep, withRecentAuth)
      if (turn.current !== mine || done === false) return
      onDone?.(wallet)
      // Last: with a linked wallet, pages close this dialog.
      if (purpose === 'link') await queries.invalidateQueries()
    } catch (error) {
      if (turn.current !== mine) return
      if (purpose === 'signIn' && startSecondFactor(error, 3)) onClose()
      else setFailure({ wallet, error })
    } finally {
      if (turn.current === mine) setRun(undefined)
    }
  }
  const chooseBuiltIn = async () => {
    setView('list')
    const wallet = await findWallet('cosmos', 'built-in')
    if (wallet) await choose(wallet)
  }
  const words =
    purpose === 'signIn'
      ? [d.signIn, d.signInText]
      : purpose === 'link'
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
      {view === 'create' && <CreateWallet onBack={() => setView('list')} onStored={() => void chooseBuiltIn()} />}
      {view === 'import' && <ImportWallet onBack={() => setView('list')} onStored={() => void chooseBuiltIn()} />}
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
