import type { MessageFacts } from '@tidenet/chain-client/facts'
import type { ChainSettings } from '@tidenet/contract'
import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Loading, Notice } from '../../ui/states.tsx'
import { formatAmount } from './amounts.ts'
import type { Seen } from './built-in/approval.ts'
import { SETTINGS_STALE_MS } from './chain.ts'
import { t } from './texts.ts'
import { factsOfText } from './transaction.ts'

const w = t.words
/** Messages that the summary describes completely; for others the raw text is expanded. */
const KNOWN: ReadonlySet<MessageFacts['kind']> = new Set(['pay', 'transfer', 'coins', 'allow', 'disallow'])

/** Describes a transaction in words, decoded from exactly the text that is signed. */
export function TransactionSummary({ text, onShown }: { text: string; onShown?: (seen: Seen) => void }) {
  const settings = useQuery({ ...query('chain.settings', {}), staleTime: SETTINGS_STALE_MS })
  const exchange = useQuery({ ...query('exchange.rate', {}), staleTime: SETTINGS_STALE_MS })
  const exchangeToken = exchange.data?.token ?? undefined
  const facts = settings.data && read(text, settings.data, exchangeToken?.address)
  const explained = facts !== undefined
  const isShown = !settings.isPending && !exchange.isPending
  useEffect(() => {
    if (isShown) onShown?.({ text, explained })
  }, [text, explained, isShown, onShown])
  if (!isShown) return <Loading />
  return (
    <div className="grid gap-4">
      {settings.data && facts ? (
        <Words facts={facts} coins={{ ...settings.data, exchangeToken }} />
      ) : (
        <Notice tone="warn">{settings.data ? w.unreadable : w.noSettings}</Notice>
      )}
      <details open={!facts?.messages.every(({ kind }) => KNOWN.has(kind))}>
        <summary className="cursor-pointer text-sm text-muted hover:text-text">{w.raw}</summary>
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
          tabIndex={0}
          className="mt-2 max-h-60 overflow-auto rounded-lg border border-line bg-sunken p-3 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap"
        >
          {text}
        </pre>
      </details>
    </div>
  )
}

type Coins = ChainSettings & { exchangeToken: ChainSettings['token'] | undefined }

function Words({ facts, coins }: { facts: NonNullable<ReturnType<typeof read>>; coins: Coins }) {
  const { messages, memo, fee, gas, chain } = facts
  const fees = fee.map(({ denom, units }) => amountOf({ units, of: { denom } }, coins)).join(' + ')
  return (
    <div>
      {messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two messages of one transaction may be alike
        <Message key={index} message={message} coins={coins} />
      ))}
      <dl>
        <Line name={w.fee}>{fees === '' ? w.noFee : w.feeOf(fees, formatNumber(Number(gas)))}</Line>
        {memo && <Line name={w.memo}>{memo}</Line>}
        <Line name={w.chain} mono>
          {chain}
        </Line>
      </dl>
      <p className="mt-2 text-xs text-muted">{w.read}</p>
    </div>
  )
}

function read(text: string, settings: ChainSettings, exchangeToken: string | undefined) {
  try {
    const { chain_id: chain } = JSON.parse(text) as { chain_id: string }
    return { ...factsOfText(text, settings, exchangeToken), chain }
  } catch {
    return undefined
  }
}

function Message({ message, coins }: { message: MessageFacts; coins: Coins }) {
  const { kind, order, action, type, from, to } = message
  const amount = message.amount ? amountOf(message.amount, coins) : ''
  const allowance = kind === 'allow' || kind === 'disallow'
  const known = KNOWN.has(kind)
  const title =
    kind === 'pay' && order && order.action !== 'release'
      ? w[order.action](amount)
      : allowance
        ? w[kind](amount)
        : known
          ? w.send(amount)
          : kind === 'call' || kind === 'release'
            ? w.call(action)
            : w.other
  return (
    <div className="not-first:mt-4">
      <p className="mb-2 text-lg leading-7 font-semibold wrap-anywhere">{title}</p>
      {!known && (
        <p className="mb-2 flex gap-2 text-sm text-warn">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {w.unknown}
        </p>
      )}
      <dl className="border-t border-line">
        {order && order.action !== 'extend' && (
          <Line name={w.machine}>
            {w.machineOf(formatNumber(order.cpu), formatNumber(order.memory), formatNumber(order.disk))}
          </Line>
        )}
        {order && <Line name={w.hours}>{w.hoursOf(formatNumber(order.hours, 2))}</Line>}
        {order && (
          <Line name={w.order} mono>
            {order.newId || order.id}
          </Line>
        )}
        {order?.newId && (
          <Line name={w.replaces} mono>
            {order.id}
          </Line>
        )}
        {from && (
          <Line name={w.from} mono>
            {from}
          </Line>
        )}
        {to && (
          <Line name={nameOfReceiver(kind)} mono>
            {to}
          </Line>
        )}
        {kind === 'other' && (
          <Line name={w.other} mono>
            {type}
          </Line>
        )}
      </dl>
    </div>
  )
}

function nameOfReceiver(kind: MessageFacts['kind']): string {
  if (kind === 'pay') return w.toOrders
  if (kind === 'allow' || kind === 'disallow') return w.spender
  return kind === 'call' ? w.contract : w.to
}

/** `mono`: addresses and ids, which are compared character by character. */
function Line({ name, mono, children }: { name: string; mono?: boolean; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 border-b border-line py-2 sm:grid-cols-[9rem_1fr]">
      <dt className="text-sm text-muted">{name}</dt>
      <dd
        className={mono ? 'font-mono text-xs leading-5 wrap-anywhere' : 'text-sm wrap-anywhere'}
        translate={mono ? 'no' : undefined}
      >
        {children}
      </dd>
    </div>
  )
}

/** An amount with its symbol; base units for an unknown coin. */
function amountOf({ units, of }: NonNullable<MessageFacts['amount']>, coins: Coins) {
  const { token, exchangeToken, denom, coin, decimals } = coins
  const known =
    of === 'token'
      ? token
      : of.denom === denom
        ? { symbol: coin, decimals }
        : exchangeToken && of.denom === `cw20:${exchangeToken.address}`
          ? exchangeToken
          : undefined
  if (!known) return `${units} ${of === 'token' ? token.symbol : of.denom}`
  if (!/^\d{1,60}$/.test(units)) return `${units} ${known.symbol}`
  return `${formatAmount(BigInt(units), known.decimals)} ${known.symbol}`
}
