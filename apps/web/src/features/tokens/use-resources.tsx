import { Link } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'
import { useState } from 'react'
import { buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Card, Empty } from '../../ui/states.tsx'
import { t } from './texts.ts'

const c = t.center
const filters = ['all', 'running', 'expired', 'terminated'] as const

/** The balance, counts and the record of orders. */
export function UseResources() {
  const [filter, setFilter] = useState<(typeof filters)[number]>('all')
  return (
    <>
      <div className="grid gap-6 lg:grid-cols-[1fr_1.4fr]">
        <Card className="flex flex-col items-start p-6">
          <h2 className="text-sm text-muted">{c.balance}</h2>
          <p className="mt-1 font-mono text-2xl tabular-nums">– {t.coin}</p>
          <p className="mt-1 text-sm text-muted">{c.noWallet}</p>
          <Link to="/testCoin" className={buttonClass('secondary', 'mt-4')}>
            {c.claim}
          </Link>
        </Card>
        <dl className="grid grid-cols-3 gap-px overflow-hidden rounded-2xl border border-line bg-line">
          {[c.inService, c.expired, c.terminated].map((name) => (
            <div key={name} className="flex flex-col justify-center bg-surface px-5 py-4">
              <dt className="text-sm text-muted">{name}</dt>
              <dd className="mt-1 font-mono text-2xl tabular-nums">–</dd>
            </div>
          ))}
        </dl>
      </div>
      <div className="mt-8 mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">{c.orders}</h2>
        <fieldset className="flex rounded-lg bg-sunken p-1">
          <legend className="sr-only">{c.filter}</legend>
          {filters.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={filter === each}
              onClick={() => setFilter(each)}
              className={classes(
                'min-h-8 rounded-md px-3 text-sm',
                filter === each ? 'bg-surface font-medium shadow-sm' : 'text-muted hover:text-text',
              )}
            >
              {c.filters[each]}
            </button>
          ))}
        </fieldset>
      </div>
      <Card>
        <Empty icon={<Boxes aria-hidden className="size-5" />} title={c.orders}>
          {c.noOrders}
          <Link to="/mycenter" search={{ tab: 2 }} className={buttonClass('secondary', 'mt-4')}>
            {c.toBuy}
          </Link>
        </Empty>
      </Card>
    </>
  )
}
