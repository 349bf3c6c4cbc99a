import type { Order } from '@tidenet/contract'
import { useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { refreshOrders } from './changes.ts'
import { formatCoins } from './format.ts'
import { t } from './texts.ts'
import { useSymbol } from './use-offers.ts'

interface EndDialogProps {
  order: Order
  /** `terminate` a running order, with a partial refund; `cancel` an unpaid one. */
  how: 'terminate' | 'cancel'
  onClose: () => void
}

/** Confirms ending an order. */
export function EndDialog({ order, how, onClose }: EndDialogProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const words = t[how]
  const end = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await api(`orders.${how}`, { id: order.id })
      refreshOrders()
      toast.success(how === 'terminate' ? t.done.terminated : t.done.cancelled)
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      description={words.text}
      actions={
        <>
          <Button onClick={onClose}>{words.keep}</Button>
          <Button look="danger" busy={busy} onClick={() => void end()}>
            {words.confirm}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {how === 'terminate' && <Estimate id={order.id} />}
        {problem && (
          <Notice tone="bad" live>
            {problem}
          </Notice>
        )}
      </div>
    </Dialog>
  )
}

/** The refund if the order were terminated now. */
function Estimate({ id }: { id: string }) {
  const refund = useQuery({ ...query('orders.refund', { id }), staleTime: 0 })
  const symbol = useSymbol()
  if (refund.isPending) return <Loading />
  if (refund.isError)
    return <LoadFailed title={t.terminate.failed} error={refund.error} onRetry={() => void refund.refetch()} />
  const { exact, used_hours, total_hours } = refund.data
  return (
    <div className="rounded-xl border border-line bg-sunken px-4 py-3.5">
      <p className="text-sm text-muted">{t.terminate.estimate}</p>
      <p className="font-mono text-2xl tabular-nums">{formatCoins(exact, symbol)}</p>
      <p className="mt-1 text-sm text-muted">{t.terminate.used(used_hours, total_hours)}</p>
    </div>
  )
}
