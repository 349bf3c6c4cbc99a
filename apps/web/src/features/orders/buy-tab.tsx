import { useNavigate } from '@tanstack/react-router'
import type { Order } from '@tidenet/contract'
import type { Resources } from '@tidenet/contract/price'
import { query, useQuery } from '../../lib/queries.ts'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { lazyView } from '../wallet/lazy-view.tsx'
import { refreshOrders } from './changes.ts'
import { CostCard, WantedCard } from './purchase-cards.tsx'
import { t } from './texts.ts'
import { usePurchase } from './use-purchase.ts'

const PaymentDialog = lazyView(async () => (await import('./payment-dialog.tsx')).default)

/** Resources to buy; with `upgrade` in the place of a running order. */
export function BuyTab({ upgrade, machine }: { upgrade: string | undefined; machine: Resources | undefined }) {
  const details = useQuery({ ...query('orders.details', { id: upgrade ?? '' }), enabled: upgrade !== undefined })
  if (upgrade === undefined) return <Choice key="new" machine={machine} />
  if (details.isPending) return <Loading />
  if (details.isError)
    return <LoadFailed title={t.details.failed} error={details.error} onRetry={() => void details.refetch()} />
  const { order, refund } = details.data
  return <Choice key={upgrade} old={order} back={refund?.exact} />
}

interface ChoiceProps {
  /** The running order that is to be replaced. */
  old?: Order
  /** What to begin with. */
  machine?: Resources | undefined
  /** Coins that its end gives back, as a decimal. */
  back?: string | undefined
}

/** Region, four sliders, and what they cost. */
function Choice({ old, machine, back }: ChoiceProps) {
  const navigate = useNavigate()
  const purchase = usePurchase(old, machine)
  const { paying, stopPaying } = purchase
  const toOrders = () => void navigate({ to: '/mycenter', search: { tab: 1 } })
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1.6fr_1fr]">
      <WantedCard purchase={purchase} old={old} />
      <CostCard purchase={purchase} old={old} back={back} onLeave={toOrders} />
      {paying && (
        <PaymentDialog
          order={paying.order}
          kind={old ? 'upgrade' : 'create'}
          expected={paying.cost}
          onClose={() => {
            stopPaying()
            // What was made and not paid waits there.
            toOrders()
          }}
          onPaid={() => {
            refreshOrders()
            toast.success(t.done.created)
            toOrders()
          }}
        />
      )}
    </div>
  )
}
