import { Link } from '@tanstack/react-router'
import type { Order, OrderAction } from '@tidenet/contract'
import { ORDER } from '@tidenet/contract/order-enums'
import { useId, useState } from 'react'
import { api } from '../../lib/api.ts'
import { queries, query } from '../../lib/queries.ts'
import { Button, type ButtonLook, buttonClass } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { lazyView } from '../wallet/lazy-view.tsx'
import { openConsole, refreshOrders } from './changes.ts'
import { useJustSent } from './sent-payments.ts'
import { exceeds, shownActions, unusableReason } from './terms.ts'
import { t } from './texts.ts'

const PaymentDialog = lazyView(async () => (await import('./payment-dialog.tsx')).default)
const RenewDialog = lazyView(async () => (await import('./renew-dialog.tsx')).RenewDialog)
const EndDialog = lazyView(async () => (await import('./end-dialog.tsx')).EndDialog)

const looks: Partial<Record<OrderAction, ButtonLook>> = {
  pay: 'primary',
  terminate: 'quietDanger',
  cancel: 'ghost',
}

/** The open dialog. */
type Open = 'renew' | 'terminate' | 'cancel' | { pay: string; expected?: number }

/** Buttons for the actions that an order allows now. */
export function OrderActions({ order }: { order: Order }) {
  const [open, setOpen] = useState<Open>()
  const [busy, setBusy] = useState<OrderAction>()
  const id = useId()
  const sent = useJustSent(order.id)
  const why = unusableReason(order, sent)
  const close = () => setOpen(undefined)

  const run = async (action: OrderAction, act: () => Promise<void>) => {
    setBusy(action)
    try {
      await act()
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(undefined)
    }
  }
  /** Creates the same order at today's price and opens its payment. */
  const buyAgain = async () => {
    const { cpu, ram, storage, duration, gpus, kub_name } = order
    const [{ cost }, { balance }] = await Promise.all([
      queries.fetchQuery({ ...query('orders.price', { cpu, ram, storage, duration, gpus }), staleTime: 0 }),
      queries.fetchQuery({ ...query('faucet.balance', {}), staleTime: 0 }),
    ])
    if (exceeds(cost, balance)) return toast.error(t.buy.over)
    const created = await api('orders.create', { cpu, ram, storage, duration, gpus, kub_name, rebuy: order.id })
    refreshOrders()
    setOpen({ pay: created.id, expected: cost })
  }
  const act: Partial<Record<OrderAction, () => void>> = {
    pay: () => setOpen({ pay: order.id }),
    use: () => void run('use', () => openConsole(order)),
    renew: () => setOpen('renew'),
    terminate: () => setOpen('terminate'),
    cancel: () => setOpen('cancel'),
    rebuy: () => void run('rebuy', buyAgain),
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {shownActions(order, sent).map((action) =>
          action === 'upgrade' ? (
            <Link
              key={action}
              to="/mycenter"
              search={{ tab: 2, upgrade: order.id }}
              className={buttonClass('secondary')}
            >
              {t.actions.upgrade}
            </Link>
          ) : (
            <Button
              key={action}
              look={looks[action] ?? 'secondary'}
              busy={busy === action}
              disabled={action === 'use' && why !== undefined}
              aria-describedby={action === 'use' && why ? `${id}-why` : undefined}
              onClick={act[action]}
            >
              {t.actions[action]}
            </Button>
          ),
        )}
        {why && order.status !== ORDER.expired && (
          <span id={`${id}-why`} className="text-sm text-muted">
            {t.why[why]}
          </span>
        )}
      </div>
      {open === 'renew' && <RenewDialog order={order} onClose={close} />}
      {(open === 'terminate' || open === 'cancel') && <EndDialog order={order} how={open} onClose={close} />}
      {typeof open === 'object' && (
        <PaymentDialog
          order={open.pay}
          kind={order.status === ORDER.upgradePending ? 'upgrade' : 'create'}
          expected={open.expected}
          onClose={close}
          onPaid={() => {
            close()
            refreshOrders()
            toast.success(t.done.created)
          }}
        />
      )}
    </>
  )
}
