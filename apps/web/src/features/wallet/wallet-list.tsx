import { Link } from '@tanstack/react-router'
import { ArrowUpRight, KeyRound, Puzzle, RefreshCw, Wallet as WalletIcon } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { maskWallet } from '../../lib/phrases.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { readBuiltIn, useBuiltIn } from './built-in/state.ts'
import { findWallet, findWallets } from './find.ts'
import { extensions } from './install.ts'
import { t } from './texts.ts'
import type { CosmosWallet, EvmWallet, Wallet, WalletKind } from './wallet.ts'

interface WalletListProps {
  kinds: readonly WalletKind[]
  onChoose: (wallet: Wallet) => void
  onView: (view: 'create' | 'import') => void
}

interface Found {
  cosmos: CosmosWallet[]
  evm: EvmWallet[]
}

/** Installed wallets and the built-in one, or how to get one. */
export function WalletList({ kinds, onChoose, onView }: WalletListProps) {
  const [found, setFound] = useState<Found>()
  const [error, setError] = useState<unknown>()
  const stored = useBuiltIn((state) => state.stored)
  const d = t.dialog
  const search = useCallback(async () => {
    setFound(undefined)
    setError(undefined)
    try {
      const [wallets] = await Promise.all([findWallets(), readBuiltIn().catch(() => undefined)])
      setFound(wallets)
    } catch (failure) {
      setError(failure)
    }
  }, [])
  useEffect(() => void search(), [search])

  if (error) return <LoadFailed title={d.failed} error={error} onRetry={() => void search()} />
  if (!found) return <Loading label={d.looking} />
  const shown = kinds.filter((kind) => found[kind].length > 0)
  const withBuiltIn = kinds.includes('cosmos')
  const chooseBuiltIn = async () => {
    const wallet = await findWallet('cosmos', 'built-in')
    if (wallet) onChoose(wallet)
  }
  return (
    <div className="grid gap-5">
      {shown.map((kind) => (
        <Group key={kind} title={d[kind]}>
          {found[kind].map((wallet) => (
            <Row
              key={wallet.id}
              icon={
                wallet.icon ? (
                  <img src={wallet.icon} alt="" className="size-6 rounded-md" />
                ) : (
                  <WalletIcon aria-hidden className="size-5" />
                )
              }
              title={wallet.name}
              label={d.use(wallet.name)}
              onClick={() => onChoose(wallet)}
            />
          ))}
        </Group>
      ))}
      {shown.length === 0 && (
        <div className="rounded-xl border border-line bg-sunken p-4">
          <p className="flex items-start gap-2.5 font-medium">
            <Puzzle aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
            {kinds.includes('evm') ? d.none : d.noneCosmos}
          </p>
          <p className="mt-1 ml-7.5 text-sm text-muted">{d.noneText}</p>
          <div className="mt-3 flex flex-wrap gap-2">
            {extensions
              .filter(({ kind }) => kinds.includes(kind))
              .map(({ name, site }) => (
                <Link
                  key={name}
                  to="/redirect"
                  search={{ url: site }}
                  target="_blank"
                  className={buttonClass('secondary')}
                >
                  {d.install(name)}
                  <ArrowUpRight aria-hidden className="size-4 text-muted" />
                </Link>
              ))}
            <Button look="ghost" icon={<RefreshCw aria-hidden className="size-4" />} onClick={() => void search()}>
              {d.again}
            </Button>
          </div>
        </div>
      )}
      {withBuiltIn && (
        <Group title={d.inBrowser}>
          {stored ? (
            <Row
              icon={<KeyRound aria-hidden className="size-5" />}
              title={<span className="font-mono text-sm">{maskWallet(stored.address)}</span>}
              label={d.use(d.inBrowser)}
              onClick={() => void chooseBuiltIn()}
            />
          ) : (
            <li className="grid gap-3 rounded-xl border border-line p-4">
              <p className="text-sm text-muted">{d.inBrowserText}</p>
              <div className="flex flex-wrap gap-2">
                <Button onClick={() => onView('create')}>{d.create}</Button>
                <Button look="ghost" onClick={() => onView('import')}>
                  {d.import}
                </Button>
              </div>
            </li>
          )}
        </Group>
      )}
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 text-sm font-medium text-muted">{title}</h3>
      <ul className="grid gap-2">{children}</ul>
    </section>
  )
}

interface RowProps {
  icon: ReactNode
  title: ReactNode
  label: string
  onClick: () => void
}

function Row({ icon, title, label, onClick }: RowProps) {
  return (
    <li>
      <button
        type="button"
        aria-label={label}
        onClick={onClick}
        className="flex min-h-13 w-full items-center gap-3 rounded-xl border border-control/60 px-4 text-left transition-colors hover:bg-sunken"
      >
        <span className="flex size-8 shrink-0 items-center justify-center rounded-lg bg-sunken text-muted">{icon}</span>
        <span className="min-w-0 truncate font-medium" translate="no">
          {title}
        </span>
      </button>
    </li>
  )
}
