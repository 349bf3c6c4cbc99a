import { useParams } from '@tanstack/react-router'
import type { DecodedTransaction } from '@tidenet/contract'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { shorten } from '../../lib/phrases.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Empty, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { formatAmount, formatTime } from './format.ts'
import { ChainFrame, Fact, Facts } from './frame.tsx'
import { AddressLink, BlockLink } from './links.tsx'
import { MessageSummary } from './message.tsx'
import { isMissing } from './not-found.ts'
import { parseHash } from './parse-query.ts'
import { t } from './texts.ts'
import { StateMark } from './transactions.tsx'

const RETRY_MS = 3000
/** Messages shown before "show all". */
const INITIAL_MESSAGES = 12

/** A transaction: its messages in words, and its result. */
export function TransactionPage() {
  const { hash: text } = useParams({ from: '/site/chain/tx/$hash' })
  const hash = parseHash(text)
  usePageTitle(hash ? t.transactionOf(shorten(hash, 8, 6)) : undefined)
  return (
    <ChainFrame title={t.transaction} {...(hash && { code: hash })}>
      {hash ? <Transaction hash={hash} /> : <Notice tone="bad">{t.wrongHash}</Notice>}
    </ChainFrame>
  )
}

function Transaction({ hash }: { hash: string }) {
  const transaction = useQuery({
    ...query('chain.transaction', { hash }),
    refetchInterval: ({ state }) => (isMissing(state.error) ? RETRY_MS : false),
  })
  if (transaction.isPending) return <Loading />
  if (isMissing(transaction.error))
    return (
      <Card>
        <Empty icon={<SearchX aria-hidden className="size-5" />} title={t.waiting}>
          {t.waitingText}
        </Empty>
      </Card>
    )
  if (transaction.isError)
    return <LoadFailed title={t.failed} error={transaction.error} onRetry={() => void transaction.refetch()} />
  return <Details transaction={transaction.data} />
}

function Details({ transaction }: { transaction: DecodedTransaction }) {
  const { ok, log, height, time, sender, fee, gas_used, gas_wanted, memo, code, codespace } = transaction
  return (
    <>
      {!ok && (
        <div className="mb-6">
          <Notice tone="bad">
            {t.refusedText}{' '}
            <span className="font-mono wrap-anywhere" translate="no">
              {codespace}/{code}: {log}
            </span>
          </Notice>
        </div>
      )}
      <Facts label={t.facts}>
        <Fact name={t.state}>
          <span className="flex items-start gap-2">
            <StateMark ok={ok} />
            <span aria-hidden>{ok ? t.done : t.refused}</span>
          </span>
        </Fact>
        <Fact name={t.block}>
          <BlockLink height={height} />
        </Fact>
        <Fact name={t.time}>
          <time dateTime={time} className="tabular-nums">
            {formatTime(time)}
          </time>
        </Fact>
        <Fact name={t.sender}>
          <AddressLink address={sender} />
        </Fact>
        <Fact name={t.fee}>
          <span className="tabular-nums">{fee.map(formatAmount).join(', ') || t.free}</span>
        </Fact>
        <Fact name={t.gas}>
          <span className="tabular-nums">{t.gasOf(formatNumber(gas_used), formatNumber(gas_wanted))}</span>
        </Fact>
        {memo !== '' && (
          <Fact name={t.memo} wide>
            <span translate="no">{memo}</span>
          </Fact>
        )}
      </Facts>
      <Messages transaction={transaction} />
    </>
  )
}

function Messages({ transaction: { ok, messages } }: { transaction: DecodedTransaction }) {
  const [all, setAll] = useState(false)
  const visible = all ? messages : messages.slice(0, INITIAL_MESSAGES)
  return (
    <section className="mt-10">
      <h2 className="mb-4 text-xl font-semibold">{ok ? t.asked(messages.length) : t.askedInVain}</h2>
      <Card className="overflow-hidden">
        {messages.length === 0 && <p className="px-5 py-8 text-muted">{t.noMessages}</p>}
        <ol>
          {visible.map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a transaction never change
            <li key={index} className="border-b border-line px-5 py-4 last:border-b-0">
              <p className="leading-6">
                <MessageSummary message={message} />
              </p>
              <p className="mt-1 font-mono text-xs text-muted wrap-anywhere" translate="no">
                {message.type}
                {message.action && ` · ${message.action}`}
              </p>
            </li>
          ))}
        </ol>
      </Card>
      {messages.length > visible.length && (
        <Button className="mt-4" onClick={() => setAll(true)}>
          {t.showAll(messages.length)}
        </Button>
      )}
    </section>
  )
}
