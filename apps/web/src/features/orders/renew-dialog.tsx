import type { Order } from '@tidenet/contract'
import { RESOURCE_BOUNDS, renewalPrice } from '@tidenet/contract/price'
import { useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadFailed, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { lazyView } from '../wallet/lazy-view.tsx'
import { Amount } from './amount.tsx'
import { refreshOrders } from './changes.ts'
import { formatCoins, formatHours } from './format.ts'
import { doubled, exceeds } from './terms.ts'
import { t } from './texts.ts'
import { useSymbol } from './use-offers.ts'
import { usePrice } from './use-price.ts'

const PaymentDialog = lazyView(async () => (await import('./payment-dialog.tsx')).default)

const r = t.renew
const { max } = RESOURCE_BOUNDS.duration
const HOUR = 3_600_000

/** Extends a running order: to double its hours, or to a chosen total. */
export function RenewDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const [total, setTotal] = useState(() => doubled(order.duration))
  const [paying, setPaying] = useState<number>()
  const price = usePrice({ ...order, duration: total })
  const balance = useQuery(query('faucet.balance', {}))
  const symbol = useSymbol()
  const cost = price.cost === undefined ? undefined : renewalPrice(order, total, price.cost)
  const over = cost !== undefined && balance.data !== undefined && exceeds(cost, balance.data.balance)
  if (paying !== undefined)
    return (
      <PaymentDialog
        order={order.id}
        kind="renewal"
        duration={total}
        expected={paying}
        onClose={onClose}
        onPaid={() => {
          refreshOrders()
          toast.success(t.done.renewed)
          onClose()
        }}
      />
    )
  const longest = order.duration >= max
  const end = new Date(Date.parse(order.expired_at) + (total - order.duration) * HOUR)
  return (
    <Dialog
      open
      onClose={onClose}
      title={r.title}
      description={longest ? undefined : r.text}
      actions={
        <>
          <Button onClick={onClose}>{r.cancel}</Button>
          {!longest && (
            <Button look="primary" disabled={cost === undefined || over} onClick={() => setPaying(cost)}>
              {r.pay}
            </Button>
          )}
        </>
      }
    >
      {longest ? (
        <p>{r.longest(max)}</p>
      ) : (
        <div className="grid gap-5">
          <Amount
            quantity="duration"
            name={r.total}
            valueText={formatHours(total)}
            exactLabel={t.exact(r.total)}
            value={total}
            note={r.from(formatHours(order.duration))}
            min={order.duration + 1}
            onChange={setTotal}
          />
          {total !== doubled(order.duration) && (
            <Button look="ghost" className="-mt-2 justify-self-start" onClick={() => setTotal(doubled(order.duration))}>
              {r.double}
            </Button>
          )}
          {price.error ? (
            <LoadFailed title={t.buy.priceFailed} error={price.error} onRetry={price.retry} />
          ) : (
            <dl className="grid grid-cols-2 gap-4 border-t border-line pt-4">
              <div>
                <dt className="text-sm text-muted">{r.price}</dt>
                <dd className="font-mono text-2xl tabular-nums" aria-live="polite">
                  {cost === undefined ? t.buy.pricing : formatCoins(cost, symbol)}
                </dd>
              </div>
              <div>
                <dt className="text-sm text-muted">{r.end}</dt>
                <dd>{formatDateTime(end)}</dd>
              </div>
            </dl>
          )}
          {over && (
            <Notice tone="warn" live>
              {t.buy.over}
            </Notice>
          )}
        </div>
      )}
    </Dialog>
  )
}
