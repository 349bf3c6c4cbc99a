import type { Order } from '@tidenet/contract'
import { isRenewable } from '@tidenet/contract/order-enums'
import { useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { ProgressBar } from '../../ui/progress.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { lazyView } from '../wallet/lazy-view.tsx'
import { type AutoRenewal, allowanceState } from './auto-renew.ts'
import { formatCoins, formatHours } from './format.ts'
import { t } from './texts.ts'

const AutoRenewDialog = lazyView(async () => (await import('./auto-renew-dialog.tsx')).AutoRenewDialog)
const AutoRenewOffDialog = lazyView(async () => (await import('./auto-renew-dialog.tsx')).AutoRenewOffDialog)
const AllowanceDialog = lazyView(async () => (await import('./auto-renew-dialog.tsx')).AllowanceDialog)

const a = t.autoRenew

interface AutoRenewCardProps {
  order: Order
  renewal: AutoRenewal
  symbol: string
}

/** Auto-renewal of an order: on or off, rest of the cap, and the wallet's allowance. Renders nothing if it cannot apply. */
export function AutoRenewCard({ order, renewal, symbol }: AutoRenewCardProps) {
  const [open, setOpen] = useState<'set' | 'off' | 'allow' | 'back'>()
  const { on, cap, possible, next } = renewal
  const allowance = allowanceState(renewal)
  const active = isRenewable(order.status)
  if (!active && allowance !== 'above') return null
  const format = (coins: number | string) => formatCoins(coins, symbol)
  const close = () => setOpen(undefined)
  return (
    <Card className="p-6" label={a.title}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold">{a.title}</h2>
        <span
          className={classes(
            'rounded-md px-2 py-0.5 text-sm font-medium',
            on ? 'bg-accent-soft text-accent' : 'bg-sunken text-muted',
          )}
        >
          {on ? a.on : a.off}
        </span>
      </div>
      <div className="grid gap-3">
        {on ? (
          <Running renewal={renewal} order={order} format={format} />
        ) : (
          active && (
            <p className="text-sm text-muted">
              {!possible
                ? a.impossible
                : next
                  ? a.text(formatHours(next.duration - order.duration), format(next.cost))
                  : a.longest}
            </p>
          )
        )}
        {on && allowance === 'short' && (
          <Notice tone="warn">
            <p>{a.short(format(renewal.allowed), format(renewal.needed))}</p>
            <Button className="mt-2" onClick={() => setOpen('allow')}>
              {a.allow}
            </Button>
          </Notice>
        )}
        {on && renewal.problem === 'funds' && <Notice tone="warn">{a.funds}</Notice>}
        {allowance === 'above' && (
          <Notice>
            <p>{a.above(format(Number(renewal.allowed) - Number(renewal.needed)))}</p>
            <Button className="mt-2" onClick={() => setOpen('back')}>
              {a.takeBack}
            </Button>
          </Notice>
        )}
        {active && possible && (
          <div className="flex flex-wrap gap-2">
            {next && (
              <Button look={on ? 'secondary' : 'primary'} onClick={() => setOpen('set')}>
                {on ? a.change : a.switchOn}
              </Button>
            )}
            {on && (
              <Button look="quietDanger" onClick={() => setOpen('off')}>
                {a.switchOff}
              </Button>
            )}
          </div>
        )}
      </div>
      {open === 'set' && <AutoRenewDialog order={order} renewal={renewal} symbol={symbol} onClose={close} />}
      {open === 'off' && <AutoRenewOffDialog order={order} onClose={close} />}
      {open === 'allow' && <AllowanceDialog id={order.id} setting={{ on: true, cap }} onClose={close} />}
      {open === 'back' && <AllowanceDialog id={order.id} setting={on ? { on, cap } : { on: false }} onClose={close} />}
    </Card>
  )
}

function Running({
  renewal,
  order,
  format,
}: Pick<AutoRenewCardProps, 'renewal' | 'order'> & { format: (coins: number | string) => string }) {
  const { cap, spent, next, allowed } = renewal
  const left = Math.max(0, cap - spent)
  const facts: readonly (readonly [string, string])[] = [
    [a.spent, format(spent)],
    ...(allowed === '' ? [] : [[a.allowed, format(allowed)] as const]),
    ...(next && left >= next.cost
      ? [
          [
            a.next,
            a.nextOf(formatDateTime(next.at), formatHours(next.duration - order.duration), format(next.cost)),
          ] as const,
        ]
      : []),
  ]
  return (
    <>
      <div>
        <p className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="text-sm text-muted">{a.left}</span>
          <span className="font-mono tabular-nums">{a.leftOf(format(left), format(cap))}</span>
        </p>
        <ProgressBar label={a.left} value={cap > 0 ? (100 * left) / cap : 0} />
      </div>
      <dl className="grid gap-1 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {!next ? (
        <p className="text-sm text-muted">{a.longest}</p>
      ) : (
        left < next.cost && (
          <Notice tone="warn" live>
            {a.low}
          </Notice>
        )
      )}
    </>
  )
}
