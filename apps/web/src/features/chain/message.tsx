import type { ChainMessage } from '@tidenet/contract'
import { formatNumber } from '../../lib/format.ts'
import { formatAmount } from './format.ts'
import { AddressLink } from './links.tsx'
import { Template } from './template.tsx'
import { t } from './texts.ts'

/** Describes a message of a transaction in one sentence. */
export function MessageSummary({ message: { kind, from, to, amount, action, order } }: { message: ChainMessage }) {
  const code = (text: string) => (
    <span className="font-mono text-[0.9375em] wrap-anywhere" translate="no">
      {text}
    </span>
  )
  const template =
    kind === 'pay' ? (order && order.action !== 'release' ? t.words[order.action] : t.words.transfer) : t.words[kind]
  return (
    <Template
      text={template}
      parts={{
        from: <AddressLink address={from} />,
        to: <AddressLink address={to} />,
        amount: (
          <span className="font-medium whitespace-nowrap tabular-nums">{amount ? formatAmount(amount) : ''}</span>
        ),
        action: code(action),
        order: code(order?.id ?? ''),
        next: code(order?.new_id ?? ''),
        hours: order && t.hours(order.hours),
        size:
          order &&
          t.size(formatNumber(order.cpu), formatNumber(order.memory), formatNumber(order.disk), t.hours(order.hours)),
      }}
    />
  )
}
