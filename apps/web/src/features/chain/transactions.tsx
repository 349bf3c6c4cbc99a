import type { DecodedTransaction } from '@tidenet/contract'
import { CircleCheck, CircleX } from 'lucide-react'
import { Card } from '../../ui/states.tsx'
import { BlockLink, TransactionLink } from './links.tsx'
import { MessageWords } from './message.tsx'
import { showTime } from './show.ts'
import { t } from './texts.ts'

/** Transactions, each in a sentence. @param block whether to say which block holds them */
export function Transactions({ list, block = true }: { list: readonly DecodedTransaction[]; block?: boolean }) {
  return (
    <Card className="overflow-hidden">
      <ul>
        {list.map((each) => (
          <li key={each.hash} className="flex gap-3.5 border-b border-line px-4 py-4 last:border-b-0 sm:px-5">
            <StateMark ok={each.ok} />
            <div className="min-w-0 flex-1">
              <p className="leading-6">
                <Gist transaction={each} />
              </p>
              <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
                <TransactionLink hash={each.hash} />
                {block && (
                  <span>
                    {t.block} <BlockLink height={each.height} />
                  </span>
                )}
                <time dateTime={each.time} className="tabular-nums">
                  {showTime(each.time)}
                </time>
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The first thing that a transaction does, and how many there are. */
function Gist({ transaction: { ok, messages } }: { transaction: DecodedTransaction }) {
  const [first] = messages
  return (
    <>
      {!ok && <span className="font-medium text-danger">{t.refused}: </span>}
      {first ? <MessageWords message={first} /> : t.noMessages}
      {messages.length > 1 && <span className="text-muted"> {t.andMore(messages.length - 1)}</span>}
    </>
  )
}

/** Whether a transaction was carried out: told by shape, colour and name. */
export function StateMark({ ok }: { ok: boolean }) {
  const Icon = ok ? CircleCheck : CircleX
  return (
    <span className="pt-0.5">
      <Icon aria-hidden className={ok ? 'size-5 text-good' : 'size-5 text-danger'} />
      <span className="sr-only">{ok ? t.done : t.refused}</span>
    </span>
  )
}
