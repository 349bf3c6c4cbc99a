import type { DecodedTransaction } from '@tidenet/contract'
import { CircleCheck, CircleX } from 'lucide-react'
import { Card } from '../../ui/states.tsx'
import { formatTime } from './format.ts'
import { BlockLink, TransactionLink } from './links.tsx'
import { MessageSummary } from './message.tsx'
import { t } from './texts.ts'

/** A list of transactions, each described in a sentence. @param block whether to show the block */
export function Transactions({ list, block = true }: { list: readonly DecodedTransaction[]; block?: boolean }) {
  return (
    <Card className="overflow-hidden">
      <ul>
        {list.map((each) => (
          <li key={each.hash} className="flex gap-3.5 border-b border-line px-4 py-4 last:border-b-0 sm:px-5">
            <StateMark ok={each.ok} />
            <div className="min-w-0 flex-1">
              <p className="leading-6">
                <Summary transaction={each} />
              </p>
              <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
                <TransactionLink hash={each.hash} />
                {block && (
                  <span>
                    {t.block} <BlockLink height={each.height} />
                  </span>
                )}
                <time dateTime={each.time} className="tabular-nums">
                  {formatTime(each.time)}
                </time>
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The first message of a transaction, and the number of further ones. */
function Summary({ transaction: { ok, messages } }: { transaction: DecodedTransaction }) {
  const [first] = messages
  return (
    <>
      {!ok && <span className="font-medium text-danger">{t.refused}: </span>}
      {first ? <MessageSummary message={first} /> : t.noMessages}
      {messages.length > 1 && <span className="text-muted"> {t.andMore(messages.length - 1)}</span>}
    </>
  )
}

/** Whether a transaction succeeded: by icon, colour and accessible name. */
export function StateMark({ ok }: { ok: boolean }) {
  const Icon = ok ? CircleCheck : CircleX
  return (
    <span className="pt-0.5">
      <Icon aria-hidden className={ok ? 'size-5 text-good' : 'size-5 text-danger'} />
      <span className="sr-only">{ok ? t.done : t.refused}</span>
    </span>
  )
}
