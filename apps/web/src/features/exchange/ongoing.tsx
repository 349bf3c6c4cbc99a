import { Link } from '@tanstack/react-router'
import type { ExchangeOrder } from '@tidenet/contract'
import { Check, CircleX, LoaderCircle } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { TransactionLink } from '../../ui/transaction-link.tsx'
import { isSettled } from './orders.ts'
import { useSent } from './sent.ts'
import { Simulated } from './simulated.tsx'
import { ExchangeStatus } from './status.tsx'
import { t } from './texts.ts'
import type { Ongoing as Followed } from './use-ongoing.ts'
import { formatTnt4 } from './use-terms.ts'

const o = t.ongoing

/** Exchanges that were paid: how far each is, until it is over and dismissed. */
export function Ongoing({ ongoing: { list, dismiss } }: { ongoing: Followed }) {
  if (list.length === 0) return null
  return (
    <section aria-labelledby="ongoing" className="mb-12">
      <h3 id="ongoing" className="mb-3 text-lg font-semibold">
        {o.title}
      </h3>
      <ul className="grid gap-4 lg:grid-cols-2">
        {list.map((order) => (
          <Progress key={order.id} order={order} onDismiss={() => dismiss(order.id)} />
        ))}
      </ul>
    </section>
  )
}

function Progress({ order, onDismiss }: { order: ExchangeOrder; onDismiss: () => void }) {
  const sent = useSent((state) => state.sent[order.id])
  const { status, payments, points } = order
  const isFailure = status === 'failure'
  const hash = payments[0]?.hash ?? sent?.hash ?? ''
  const refund = payments.find((payment) => payment.refund)?.refund
  const isUnclear = status === 'in_progress' && payments.length === 0 && sent?.hash === ''
  const reached = status === 'completed' ? 3 : payments.length > 0 ? 2 : hash ? 1 : 0
  return (
    <li className="flex flex-col rounded-2xl border border-line bg-surface p-5">
      <div role="status">
        <p className="flex flex-wrap items-center gap-2">
          <ExchangeStatus status={status} />
          <Simulated when={order.simulated} />
        </p>
        <p className="mt-2 font-medium">
          {points > 0 ? (
            <>
              {t.credits(formatNumber(points))} · <bdi>{t.account.verified(order.account_name, order.account)}</bdi>
            </>
          ) : (
            t.records.unassigned
          )}
        </p>
        <p className="text-sm text-muted tabular-nums">{formatTnt4(order.tnt4)}</p>
        {order.reason_text && <p className="mt-2 text-sm">{order.reason_text}</p>}
        {isUnclear && <p className="mt-2 text-sm text-warn">{o.unclear}</p>}
      </div>
      {points > 0 && !(isFailure && payments.length === 0) && (
        <ol className="mt-4 grid gap-2 text-sm">
          {o.steps.map((name, index) => (
            <Stage
              key={name}
              name={name}
              state={index < reached ? 'done' : isFailure ? 'failed' : index === reached ? 'running' : 'waiting'}
            />
          ))}
        </ol>
      )}
      {(hash || refund) && (
        <p className="mt-4 flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {hash && (
            <span>
              <span className="text-muted">{t.details.transaction}</span> <TransactionLink hash={hash} none="" />
            </span>
          )}
          {refund && (
            <span>
              <span className="text-muted">{t.details.refund}</span>{' '}
              <span className="font-mono tabular-nums">{formatTnt4(refund.tnt4)}</span>{' '}
              <TransactionLink hash={refund.hash} none={t.details.refundWaiting} />
            </span>
          )}
        </p>
      )}
      {!isSettled(order) && <p className="mt-4 text-sm text-muted">{o.closeHint}</p>}
      <div className="mt-auto flex flex-wrap justify-end gap-2 pt-4">
        <Link
          to="/exchangePnuts"
          search={{ order: order.id }}
          resetScroll={false}
          className={buttonClass(isSettled(order) ? 'secondary' : 'ghost')}
        >
          {o.details}
        </Link>
        {isSettled(order) && (
          <Button look="primary" onClick={onDismiss}>
            {o.dismiss}
          </Button>
        )}
      </div>
    </li>
  )
}

function Stage({ name, state }: { name: string; state: 'done' | 'running' | 'failed' | 'waiting' }) {
  return (
    <li className={classes('flex items-center gap-2.5', state === 'waiting' && 'text-muted')}>
      {state === 'done' ? (
        <Check aria-hidden className="size-4 shrink-0 text-good" />
      ) : state === 'running' ? (
        <LoaderCircle aria-hidden className="size-4 shrink-0 text-signal motion-safe:animate-spin" />
      ) : state === 'failed' ? (
        <CircleX aria-hidden className="size-4 shrink-0 text-danger" />
      ) : (
        <span aria-hidden className="mx-1 size-2 shrink-0 rounded-full border border-control" />
      )}
      {name}
      <span className="sr-only">: {o.stages[state]}</span>
    </li>
  )
}
