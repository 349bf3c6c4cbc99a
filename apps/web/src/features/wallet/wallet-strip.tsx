import { Wallet as WalletIcon } from 'lucide-react'
import { useState } from 'react'
import { shorten } from '../../lib/phrases.ts'
import { Button } from '../../ui/button.tsx'
import { CopyIcon } from '../../ui/copy.tsx'
import { Badge } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { connect, useConnected } from './connected.ts'
import { lazyView } from './lazy-view.tsx'
import { walletMessage } from './messages.ts'
import { t } from './texts.ts'
import { sameAddress } from './wallet.ts'

const WalletDialog = lazyView(async () => (await import('./wallet-dialog.tsx')).default)

/** The linked wallet and whether it is connected; both addresses if they differ. */
export function WalletStrip({ linked }: { linked: string }) {
  const { wallet, address } = useConnected()
  const [open, setOpen] = useState(false)
  const reconnect = () => wallet && void connect(wallet).catch((error: unknown) => toast.error(walletMessage(error)))
  const s = t.strip
  const differs = wallet !== undefined && !sameAddress(address, linked)
  const close = () => setOpen(false)
  return (
    <section
      aria-label={s.bound}
      className={
        differs
          ? 'mb-6 rounded-xl border border-danger/40 bg-danger-soft px-4 py-3.5'
          : 'mb-6 rounded-xl border border-line bg-surface px-4 py-2.5'
      }
    >
      {differs ? (
        <div role="alert">
          <p className="font-medium text-danger">{s.mismatch}</p>
          <p className="text-sm">{s.mismatchText}</p>
          <dl className="mt-3 grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[max-content_1fr]">
            <dt className="text-muted">{s.isBound}</dt>
            <dd className="font-mono wrap-anywhere" translate="no">
              {linked}
            </dd>
            <dt className="text-muted">{s.isConnected}</dt>
            <dd className="font-mono wrap-anywhere" translate="no">
              {address}
            </dd>
          </dl>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button onClick={reconnect}>{s.check}</Button>
            <Button look="ghost" onClick={() => setOpen(true)}>
              {s.other}
            </Button>
          </div>
        </div>
      ) : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <WalletIcon aria-hidden className="size-5 shrink-0 text-muted" />
          <p className="flex min-w-0 flex-1 basis-60 items-center gap-1">
            <span className="text-sm text-muted max-sm:sr-only">{s.bound}</span>{' '}
            <span className="font-mono text-sm sm:ml-2" translate="no" title={linked}>
              {shorten(linked, 12, 8)}
            </span>
            <CopyIcon text={linked} label={s.copy} />
          </p>
          {wallet ? (
            <Badge tone="accent">{s.connected(wallet.name || t.dialog.inBrowser)}</Badge>
          ) : (
            <>
              <Badge>{s.notConnected}</Badge>
              <Button onClick={() => setOpen(true)}>{s.connect}</Button>
            </>
          )}
        </div>
      )}
      {open && <WalletDialog purpose="connect" kinds={['cosmos']} onClose={close} onDone={close} />}
    </section>
  )
}
