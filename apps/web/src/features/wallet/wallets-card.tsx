import type { Output, RouteOf } from '@tidenet/contract'
import { WALLET_COOLDOWN } from '@tidenet/contract/constants'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDate, formatDateTime } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CopyIcon } from '../../ui/copy.tsx'
import { Dialog, Panel } from '../../ui/dialog.tsx'
import { Badge, Card, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { useRecentAuth } from '../recent-auth/recent-auth.tsx'
import { readBuiltIn, useBuiltIn } from './built-in/state.ts'
import { lazyView } from './lazy-view.tsx'
import { walletMessage } from './messages.ts'
import { t } from './texts.ts'
import type { WalletKind } from './wallet.ts'

const WalletDialog = lazyView(async () => (await import('./wallet-dialog.tsx')).default)
const CreateWallet = lazyView(async () => (await import('./built-in/create.tsx')).CreateWallet)
const ImportWallet = lazyView(async () => (await import('./built-in/import.tsx')).ImportWallet)
const ManageWallet = lazyView(async () => (await import('./built-in/manage.tsx')).ManageWallet)

type BindInfo = Output<RouteOf<'wallets.bindInfo'>>

const kinds: readonly WalletKind[] = ['cosmos', 'evm']

/** Wallets of the account: linked ones, linking and unlinking, and the built-in wallet. */
export function WalletsCard() {
  const info = useQuery(query('wallets.bindInfo', {}))
  const [linking, setLinking] = useState<WalletKind>()
  const c = t.card
  return (
    <Card className="p-6">
      <h2 className="text-lg font-semibold">{c.title}</h2>
      <p className="mb-2 text-sm text-muted">{c.intro}</p>
      {info.isPending ? (
        <Loading />
      ) : info.isError ? (
        <LoadFailed title={c.failed} error={info.error} onRetry={() => void info.refetch()} />
      ) : (
        kinds.map((kind) => <Kind key={kind} kind={kind} info={info.data} onLink={() => setLinking(kind)} />)
      )}
      <OwnWallet />
      {linking && (
        <WalletDialog
          purpose="link"
          kinds={[linking]}
          onClose={() => setLinking(undefined)}
          onDone={() => {
            setLinking(undefined)
            toast.success(t.dialog.bound)
          }}
        />
      )}
    </Card>
  )
}

/** A kind of wallet: the linked one, or a button to link one. */
function Kind({ kind, info, onLink }: { kind: WalletKind; info: BindInfo; onLink: () => void }) {
  const [asked, setAsked] = useState(false)
  const c = t.card
  const linked = info.wallets.find((wallet) => wallet.kind === kind)
  const changeAt = info.change_at[kind]
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-3.5">
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="font-medium">{c.kinds[kind]}</h3>
        {linked ? (
          <>
            <p className="flex min-w-0 items-center gap-1">
              <span className="min-w-0 font-mono text-sm wrap-anywhere" translate="no">
                {linked.address}
              </span>
              <CopyIcon text={linked.address} label={t.own.copy} />
            </p>
            <p className="text-sm text-muted">{c.since(formatDate(linked.bound_at))}</p>
          </>
        ) : (
          <p className="text-sm text-muted">{c.none(changeAt ? c.changeAt(formatDateTime(changeAt)) : c.uses[kind])}</p>
        )}
      </div>
      {linked ? (
        <Button aria-label={c.unbindKind[kind]} onClick={() => setAsked(true)}>
          {c.unbind}
        </Button>
      ) : (
        <Button aria-label={c.bindKind[kind]} onClick={onLink}>
          {c.bind}
        </Button>
      )}
      {linked && asked && (
        <UnlinkDialog kind={kind} address={linked.address} possible={info.may_unbind} onClose={() => setAsked(false)} />
      )}
    </div>
  )
}

interface UnlinkDialogProps {
  kind: WalletKind
  address: string
  possible: boolean
  onClose: () => void
}

function UnlinkDialog({ kind, address, possible, onClose }: UnlinkDialogProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { withRecentAuth, dialog } = useRecentAuth()
  const c = t.card
  const unlink = async () => {
    setBusy(true)
    try {
      const done = await withRecentAuth(() => api('wallets.unbind', { address }))
      if (!done) return setBusy(false)
      refresh('wallets.bindInfo', 'accounts.info')
      toast.success(c.unbound)
      onClose()
    } catch (error) {
      setProblem(walletMessage(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={c.confirm.title}
      description={
        <span className="font-mono text-sm" translate="no">
          {shorten(address, 14, 8)}
        </span>
      }
      actions={
        <>
          <Button onClick={onClose}>{c.confirm.keep}</Button>
          <Button look="danger" busy={busy} disabled={!possible} onClick={() => void unlink()}>
            {c.unbind}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {possible ? (
          <>
            <p>{c.confirm.text[kind]}</p>
            <p className="text-sm text-muted">{c.confirm.coolDown(WALLET_COOLDOWN / 3_600_000)}</p>
          </>
        ) : (
          <Notice tone="warn">{c.last}</Notice>
        )}
        {problem && (
          <Notice tone="bad" live>
            {problem}
          </Notice>
        )}
      </div>
      {dialog}
    </Dialog>
  )
}

/** The built-in wallet of this browser, independent of the signed-in account. */
function OwnWallet() {
  const { stored, open } = useBuiltIn()
  const [view, setView] = useState<'create' | 'import' | 'manage'>()
  const [failed, setFailed] = useState<unknown>()
  const o = t.own
  useEffect(() => void readBuiltIn().catch(setFailed), [])
  const close = () => setView(undefined)
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3.5">
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="flex flex-wrap items-center gap-2 font-medium">
          {o.title}
          {stored && <Badge tone={open ? 'accent' : 'plain'}>{open ? o.open : o.locked}</Badge>}
        </h3>
        {stored ? (
          <p className="font-mono text-sm wrap-anywhere" translate="no">
            {stored.address}
          </p>
        ) : (
          <p className="text-sm text-muted">{failed ? walletMessage(failed) : o.none}</p>
        )}
      </div>
      {stored ? (
        <Button onClick={() => setView('manage')}>{o.manage}</Button>
      ) : (
        !failed && (
          <div className="flex flex-wrap gap-2">
            <Button look="ghost" onClick={() => setView('import')}>
              {o.import}
            </Button>
            <Button onClick={() => setView('create')}>{o.create}</Button>
          </div>
        )
      )}
      {(view === 'create' || view === 'import') && (
        <Dialog open persistent onClose={close} title={view === 'create' ? o.createTitle : o.importTitle}>
          {view === 'create' ? (
            <CreateWallet onBack={close} onStored={close} />
          ) : (
            <ImportWallet onBack={close} onStored={close} />
          )}
        </Dialog>
      )}
      <Panel open={view === 'manage'} onClose={close} title={o.title}>
        <ManageWallet onRemoved={close} />
      </Panel>
    </div>
  )
}
