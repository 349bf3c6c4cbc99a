import { Link } from '@tanstack/react-router'
import { Wallet as WalletIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { shorten } from '../../lib/phrases.ts'
import { useSession } from '../../lib/session-store.ts'
import { Button } from '../../ui/button.tsx'
import { CopyIcon } from '../../ui/copy.tsx'
import { Badge, Notice } from '../../ui/states.tsx'
import { connect, useConnected } from '../wallet/connected.ts'
import { lazyView } from '../wallet/lazy-view.tsx'
import type { ExchangeWallet } from './exchange-wallet.ts'
import { TestCoins } from './test-coins.tsx'
import { t } from './texts.ts'
import { formatTnt4, type Terms } from './use-terms.ts'

const WalletDialog = lazyView(async () => (await import('../wallet/wallet-dialog.tsx')).default)

const w = t.wallet

/** Step 1: signs in with a wallet, links it or connects it, whatever is missing, and shows its TNT4. */
export function WalletStep({
  linked,
  wallet,
  error,
  terms,
}: {
  /** Address of the linked wallet; empty: none; undefined: not known yet. */
  linked: string | undefined
  wallet: ExchangeWallet | undefined
  error: unknown
  terms: Terms | undefined
}) {
  const signedIn = useSession((session) => session.token !== '')
  const connected = useConnected((state) => state.wallet)
  const [purpose, setPurpose] = useState<'signIn' | 'link' | 'connect'>()
  const close = () => setPurpose(undefined)
  const place = useRef<HTMLDivElement>(null)
  const isLinked = signedIn && Boolean(linked)
  const open = () => setPurpose(signedIn ? (isLinked ? 'connect' : 'link') : 'signIn')
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      {isLinked && linked ? (
        <div className="flex max-w-md flex-wrap items-center gap-x-3 gap-y-2">
          <WalletIcon aria-hidden className="size-5 shrink-0 text-muted" />
          <span className="inline-flex min-w-0 items-center gap-1">
            <span className="font-mono text-sm" translate="no" title={linked}>
              {shorten(linked, 10, 6)}
            </span>
            <CopyIcon text={linked} label={w.copy} />
          </span>
          {connected ? (
            <Badge tone="accent">{connected.name || w.browser}</Badge>
          ) : (
            <Button onClick={open}>{w.button}</Button>
          )}
        </div>
      ) : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            look="primary"
            className="min-h-11"
            icon={<WalletIcon aria-hidden className="size-4" />}
            busy={purpose !== undefined || (signedIn && linked === undefined)}
            onClick={open}
          >
            {purpose ? w.connecting : w.button}
          </Button>
          {!signedIn && (
            <Link
              to="/login"
              search={{ redirect: '/exchangePnuts' }}
              className="text-sm text-accent underline underline-offset-3"
            >
              {w.otherSignIn}
            </Link>
          )}
        </div>
      )}
      {isLinked && (
        <div className="mt-3 grid max-w-md gap-2 text-sm">
          {wallet ? (
            <p>
              <span className="text-muted">{w.balance}</span>{' '}
              <span className="font-mono tabular-nums">{formatTnt4(wallet.tnt4)}</span>
            </p>
          ) : (
            Boolean(error) && (
              <Notice tone="warn" live>
                {w.failed}: {messageOf(error)}
              </Notice>
            )
          )}
          {wallet?.gas === '0' && <p className="text-warn">{w.noGas}</p>}
          {wallet && terms && terms.test_coins > 0 && <TestCoins wallet={wallet} amount={terms.test_coins} />}
        </div>
      )}
      {purpose && (
        <WalletDialog
          purpose={purpose}
          kinds={['cosmos']}
          onClose={close}
          onDone={(used) => {
            close()
            // The button that opened the dialog is gone.
            place.current?.focus()
            // It has just agreed to show its address.
            if (used.kind === 'cosmos' && purpose !== 'connect') connect(used).catch(() => {})
          }}
        />
      )}
    </div>
  )
}
