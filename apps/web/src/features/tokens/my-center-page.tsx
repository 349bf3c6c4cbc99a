import { Link, useSearch } from '@tanstack/react-router'
import { classes } from '../../ui/classes.ts'
import { PageTitle } from '../../ui/page.tsx'
import { usePageTitle } from '../shell/page-title.tsx'
import { BuyResources } from './buy-resources.tsx'
import { NotYet } from './not-yet.tsx'
import { t } from './texts.ts'
import { UseResources } from './use-resources.tsx'
import { WalletNeeded } from './wallet-needed.tsx'

const c = t.center

/** Orders of containers: what runs, and what can be bought. */
export function MyCenterPage() {
  const { tab = 1 } = useSearch({ from: '/console/mycenter' })
  const title = usePageTitle()
  const tabs = [
    [1, c.use],
    [2, c.buy],
  ] as const
  return (
    <div className="mx-auto max-w-6xl">
      <WalletNeeded />
      <PageTitle title={title} />
      <nav aria-label={title} className="mb-6 flex gap-6 border-b border-line">
        {tabs.map(([number, name]) => (
          <Link
            key={number}
            to="/mycenter"
            search={{ tab: number }}
            activeOptions={{ includeSearch: true, exact: true }}
            aria-current={tab === number ? 'page' : undefined}
            className={classes(
              '-mb-px inline-flex min-h-10 items-center border-b-2',
              tab === number ? 'border-accent font-medium' : 'border-transparent text-muted hover:text-text',
            )}
          >
            {name}
          </Link>
        ))}
      </nav>
      <NotYet />
      {tab === 2 ? <BuyResources /> : <UseResources />}
    </div>
  )
}
