import { Link, useSearch } from '@tanstack/react-router'
import { usePageTitle } from '../../lib/page-title.ts'
import { classes } from '../../ui/classes.ts'
import { PageTitle } from '../../ui/page.tsx'
import { RequireWallet } from '../tokens/require-wallet.tsx'
import { BuyTab } from './buy-tab.tsx'
import { parseMachineParam } from './machine-param.ts'
import { OrderDetails } from './order-details.tsx'
import { t } from './texts.ts'
import { UseTab } from './use-tab.tsx'

/** Container resources: orders in use, buying, and order details. */
export function MyCenterPage() {
  const { tab = 1, order, upgrade, machine } = useSearch({ from: '/console/mycenter' })
  const title = usePageTitle()
  const shown = tab === 2 ? 2 : 1
  const tabs = [
    [1, t.tabs.use],
    [2, t.tabs.buy],
  ] as const
  return (
    <div className="mx-auto max-w-6xl">
      <PageTitle title={title} />
      <RequireWallet />
      <nav aria-label={title} className="mb-6 flex gap-6 border-b border-line">
        {tabs.map(([number, name]) => (
          <Link
            key={number}
            to="/mycenter"
            search={{ tab: number }}
            aria-current={shown === number ? 'page' : undefined}
            className={classes(
              '-mb-px inline-flex min-h-10 items-center border-b-2',
              shown === number ? 'border-accent font-medium' : 'border-transparent text-muted hover:text-text',
            )}
          >
            {name}
          </Link>
        ))}
      </nav>
      {shown === 2 ? (
        <BuyTab upgrade={upgrade} machine={parseMachineParam(machine)} />
      ) : order ? (
        <OrderDetails id={order} />
      ) : (
        <UseTab />
      )}
    </div>
  )
}
