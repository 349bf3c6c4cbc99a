import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import { Before } from './credits-step.tsx'
import { QuoteTimer } from './quote-timer.tsx'
import { Simulated } from './simulated.tsx'
import { t } from './texts.ts'
import type { Quote, Quoted } from './use-quote.ts'
import { formatTnt4, formatUsd, priceOf, type Terms } from './use-terms.ts'

const c = t.confirm

/** Step 4: the quote with its countdown; confirming opens the wallet's transaction in words. */
export function ConfirmStep({ quote, terms }: { quote: Quote; terms: Terms | undefined }) {
  const { quoted, busy } = quote
  return (
    <div className="max-w-md">
      <div className="mb-4">
        <Notice tone="warn">{c.text}</Notice>
      </div>
      {quoted ? (
        <QuoteCard key={quoted.order.id} quoted={quoted} quote={quote} terms={terms} busy={busy} />
      ) : (
        <p className="text-sm text-muted">{c.waiting}</p>
      )}
      {quote.failure && (
        <div className="mt-3">
          <Notice tone="bad" live>
            {quote.failure}
          </Notice>
        </div>
      )}
    </div>
  )
}

function QuoteCard({
  quoted: { order, deadline, before },
  quote,
  terms,
  busy,
}: {
  quoted: Quoted
  quote: Quote
  terms: Terms | undefined
  busy: boolean
}) {
  const [over, setOver] = useState<string>()
  const isOver = over === deadline
  const card = useRef<HTMLFieldSetElement>(null)
  // At first, and when the wallet's dialog is closed.
  const isPaying = quote.toPay !== undefined
  useEffect(() => {
    if (!isPaying) card.current?.focus()
  }, [isPaying])
  const { full } = priceOf(order.points, terms && { ...terms, ...order.rate })
  return (
    <fieldset
      ref={card}
      tabIndex={-1}
      aria-label={c.quoteFor(formatNumber(order.points))}
      className="grid min-w-0 gap-4 rounded-2xl border border-accent bg-surface p-5 outline-none"
    >
      {before !== undefined && (
        <Notice tone="warn" live>
          {c.recalculated(formatTnt4(before), formatTnt4(order.tnt4))}
        </Notice>
      )}
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Before price={{ full, due: order.tnt4, usd: order.usd }} discount={order.rate.discount} />
        <strong className="font-mono text-2xl font-medium wrap-anywhere tabular-nums">{formatTnt4(order.tnt4)}</strong>
        <span className="text-sm text-muted">{formatUsd(order.usd)}</span>
      </div>
      <dl className="grid gap-1.5 text-sm">
        <Line name={t.quote.credits}>
          <span className="font-mono tabular-nums">{formatNumber(order.points)}</span>
        </Line>
        <Line name={c.to}>
          <bdi className="wrap-anywhere">{t.account.verified(order.account_name, order.account)}</bdi>{' '}
          <Simulated when={order.simulated} />
        </Line>
        <Line name={c.order}>
          <span className="font-mono text-xs" translate="no" title={order.id}>
            {shorten(order.id, 10, 6)}
          </span>
        </Line>
      </dl>
      {isOver ? (
        <Notice tone="warn" live>
          {c.over}
        </Notice>
      ) : (
        <QuoteTimer to={deadline} onOver={() => setOver(deadline)} />
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={busy} onClick={() => void quote.cancel()}>
          {c.cancel}
        </Button>
        <Button
          look="primary"
          className="min-h-11 px-5"
          busy={busy}
          onClick={() => void (isOver ? quote.renew() : quote.confirm())}
        >
          {isOver ? c.renew : c.button}
        </Button>
      </div>
    </fieldset>
  )
}

function Line({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </div>
  )
}
