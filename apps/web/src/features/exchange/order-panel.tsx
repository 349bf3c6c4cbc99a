import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { shorten } from '../../lib/phrases.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/dialog.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { OrderFacts } from './order-facts.tsx'
import { isOpen, isSettled } from './orders.ts'
import { useSent } from './sent.ts'
import { t } from './texts.ts'
import { refreshExchanges } from './use-quote.ts'

const CHANGING_MS = 1500

/** The details of one exchange, beside the page. */
export default function OrderPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const details = useQuery({
    ...query('exchange.status', { id }),
    refetchInterval: ({ state: { data } }) => (data && !isSettled(data.order) ? CHANGING_MS : false),
  })
  const isSent = useSent(({ sent }) => sent[id] !== undefined)
  const [busy, setBusy] = useState(false)
  const cancel = async () => {
    setBusy(true)
    await api('exchange.cancel', { id }).catch(toast.error)
    refreshExchanges()
    setBusy(false)
  }
  return (
    <Panel open wide onClose={onClose} title={t.details.title(shorten(id, 8, 4))}>
      {details.data ? (
        <>
          <OrderFacts order={details.data.order} />
          {isOpen(details.data.order) && !isSent && (
            <Button className="mt-6" busy={busy} onClick={() => void cancel()}>
              {t.confirm.cancel}
            </Button>
          )}
        </>
      ) : details.isError ? (
        <LoadFailed title={t.details.failed} error={details.error} onRetry={() => void details.refetch()} />
      ) : (
        <Loading />
      )}
    </Panel>
  )
}
