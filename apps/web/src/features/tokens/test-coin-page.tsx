import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { refresh } from '../../lib/queries.ts'
import { PageTitle } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.ts'
import { BalanceCard } from './balance-card.tsx'
import { ClaimHistory } from './claim-history.tsx'
import { FaucetCard } from './faucet-card.tsx'
import { RequireWallet } from './require-wallet.tsx'
import { RulesCard } from './rules-card.tsx'
import { t } from './texts.ts'
import { useFaucet } from './use-faucet.ts'

const Rewards = lazy(() => import('../rewards/rewards.tsx'))

const c = t.claim
const linkClass = 'text-sm text-accent underline underline-offset-3'

/** Claiming test coins and redeeming points. */
export function TestCoinPage() {
  const title = usePageTitle()
  const faucet = useFaucet()
  const { linked, figures } = faucet
  const further: ReactNode[] = [
    null,
    <Link key="buy" to="/mycenter" search={{ tab: 2 }} className={linkClass}>
      {c.toBuy}
    </Link>,
    <Link key="use" to="/mycenter" search={{ tab: 1 }} className={linkClass}>
      {c.toUse}
    </Link>,
  ]
  return (
    <div className="mx-auto max-w-6xl">
      <PageTitle title={title} intro={c.intro} />
      <RequireWallet reason={c.needed} onLinked={() => void claimFirst()} />
      <ol
        aria-label={c.steps}
        className="mb-6 grid gap-px overflow-hidden rounded-2xl border border-line bg-line sm:grid-cols-3"
      >
        {c.step(formatNumber(figures.data?.claim_amount ?? 400)).map(([name, text], index) => (
          <li key={name} className="flex gap-4 bg-surface p-5">
            <span aria-hidden className="font-mono text-2xl text-accent">
              {index + 1}
            </span>
            <div>
              <p className="font-semibold">{name}</p>
              <p className="text-sm text-muted">{text}</p>
              {further[index] && <p className="mt-1.5">{further[index]}</p>}
            </div>
          </li>
        ))}
      </ol>
      <div className="grid gap-6 lg:grid-cols-[1.6fr_1fr]">
        <FaucetCard faucet={faucet} />
        <BalanceCard linked={linked} />
        <div className="lg:col-span-2">
          <RulesCard figures={figures.data} />
        </div>
      </div>
      <ClaimHistory linked={linked} />
      <Suspense>
        <Rewards />
      </Suspense>
    </div>
  )
}

/** Whoever links a wallet here wants coins: the dialog says that they are claimed with it. */
async function claimFirst(): Promise<void> {
  await api('faucet.receive', {}).catch((error: unknown) => toast.error(messageOf(error)))
  refresh('faucet.distributed', 'faucet.history')
}
