import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { paged, query, refresh, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './texts.ts'
import type { Delivery, Webhook } from './types.ts'

const REFRESH_MS = 5000

/** The last deliveries of a webhook, with what the receiver answered. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { id, enabled, dead } = webhook
  const [before, setBefore] = useState<number>()
  const page = useQuery({
    ...query('webhooks.deliveries', { id, ...(before !== undefined && { before }) }),
    ...paged,
    refetchInterval: REFRESH_MS,
  })
  const replay = async (delivery?: number) => {
    try {
      const { count } = await api('webhooks.replay', { id, ...(delivery !== undefined && { delivery }) })
      toast.success(t.replayed(count))
    } catch (error) {
      toast.error(error)
    }
    refresh('webhooks.deliveries', 'webhooks.list')
  }
  if (page.isPending) return <Loading />
  if (page.isError)
    return <LoadFailed title={t.deliveriesFailed} error={page.error} onRetry={() => void page.refetch()} />
  const { list, next } = page.data
  return (
    <div className="mt-4 border-t border-line pt-4">
      {list.length === 0 && <p className="text-sm text-muted">{t.noDeliveries}</p>}
      {enabled && dead > 1 && (
        <Button className="mb-3" onClick={() => void replay()}>
          {t.replayAll(dead)}
        </Button>
      )}
      <ul className="grid gap-4">
        {list.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            onReplay={enabled ? () => void replay(delivery.id) : undefined}
          />
        ))}
      </ul>
      {next !== null && (
        <Button className="mt-4" onClick={() => setBefore(next)}>
          {t.more}
        </Button>
      )}
    </div>
  )
}

function DeliveryRow({ delivery, onReplay }: { delivery: Delivery; onReplay: (() => void) | undefined }) {
  const { message_id, event, state, tries, tried_at, created_at, due_at, status, failure, answer, took_ms } = delivery
  return (
    <li className="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-[1fr_auto]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <code className="font-mono" translate="no">
            {event}
          </code>
          <Badge tone={state === 'delivered' ? 'accent' : state === 'dead' ? 'warn' : 'plain'}>{t.state[state]}</Badge>
          {status !== null && <span>{t.status(status, took_ms ?? 0)}</span>}
        </p>
        {failure !== '' && <p className="text-danger">{t.failure[failure]}</p>}
        <p className="flex flex-wrap gap-x-3 text-muted">
          <span>{formatDateTime(tried_at ?? created_at)}</span>
          {tries > 0 && <span>{t.tries(tries)}</span>}
          {due_at && state === 'waiting' && <span>{t.next(formatDateTime(due_at))}</span>}
          <code className="font-mono wrap-anywhere" translate="no">
            {message_id}
          </code>
        </p>
        {answer !== '' && (
          <details className="mt-1">
            <summary className="inline-flex min-h-7 cursor-pointer items-center text-muted underline decoration-line underline-offset-4 hover:text-text">
              {t.answer}
            </summary>
            <pre className="mt-1 rounded-lg bg-sunken p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
              {answer}
            </pre>
          </details>
        )}
      </div>
      {onReplay && state !== 'waiting' && event !== 'test.ping' && (
        <Button className="justify-self-start" aria-label={t.replayOf(message_id)} onClick={onReplay}>
          {t.replay}
        </Button>
      )}
    </li>
  )
}
