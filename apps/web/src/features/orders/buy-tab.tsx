import { useNavigate } from '@tanstack/react-router'
import type { Order } from '@tidenet/contract'
import type { Resources } from '@tidenet/contract/price'
import { query, useQuery } from '../../lib/queries.ts'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { lazyView } from '../wallet/lazy-view.tsx'
import { refreshOrders } from './changes.ts'
import { CostCard, ResourcesCard } from './purchase-cards.tsx'
import { t } from './texts.ts'
import { usePurchase } from './use-purchase.ts'

const PaymentDialog = lazyView(async () => (await import('./payment-dialog.tsx')).default)

/** Buying resources. `upgrade`: id of the running order to replace. */
export function BuyTab({ upgrade, machine }: { upgrade: string | undefined; machine: Resources | undefined }) {
  const details = useQuery({ ...query('orders.details', { id: upgrade ?? '' }), enabled: upgrade !== undefined })
  if (upgrade === undefined) return <Purchase key="new" machine={machine} />
  if (details.isPending) return <Loading />
  if (details.isError)
    return <LoadFailed title={t.details.failed} error={details.error} onRetry={() => void details.refetch()} />
  const { order, refund } = details.data
  return <Purchase key={upgrade} old={order} refund={refund?.exact} />
}

interface PurchaseProps {
  /** The running order to replace. */
  old?: Order
  /** Initial values. */
  machine?: Resources | undefined
  /** Coins refunded for the replaced order, as a decimal. */
  refund?: string | undefined
}

/** Region, resources and cost. */
function Purchase({ old, machine, refund }: PurchaseProps) {
  const navigate = useNavigate()
  const purchase = usePurchase(old, machine)
  const { paying, stopPaying } = purchase
  const toOrders = () => void navigate({ to: '/mycenter', search: { tab: 1 } })
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1.6fr_1fr]">
      <ResourcesCard purchase={purchase} old={old} />
      <CostCard purchase={purchase} old={old} refund={refund} onLeave={toOrders} />
      {paying && (
        <PaymentDialog
          order={paying.order}
          kind={old ? 'upgrade' : 'create'}
          expected={paying.cost}
          onClose={() => {
            stopPaying()
            // The unpaid order is listed there.
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
