import { Link } from '@tanstack/react-router'
import type { OrderStatus, Output, RouteOf } from '@tidenet/contract'
import { type ReactNode, useEffect } from 'react'
import { formatDate, formatDateTime, formatSize } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { Badge, LoadFailed, Loading } from '../../ui/states.tsx'
import { Status } from '../orders/status.tsx'
import { useDesk } from './chats-store.ts'
import { t } from './chats-texts.ts'
import { Facts } from './list.tsx'
import { labelOf } from './order-labels.ts'
import type { AdminSearch } from './search.ts'
import { t as admin } from './texts.ts'

type Customer = Output<RouteOf<'chatDesk.customer'>>
type Trace = Customer['traces'][number]

const REFRESH_MS = 30_000

/** What an agent needs beside a conversation: plan, orders, transfers and errors of the customer. */
export function CustomerColumn({ id }: { id: number }) {
  const state = useQuery({ ...query('chatDesk.customer', { id }), refetchInterval: REFRESH_MS })
  const conversation = useDesk((desk) => (desk.open?.id === id ? desk.open.conversation : undefined))
  const vip = conversation?.vip
  // An operator changed the plan.
  useEffect(() => {
    if (vip !== undefined) refresh('chatDesk.customer')
  }, [vip])
  return (
    <aside aria-label={t.customer} className="flex flex-col gap-3">
      {conversation && (
        <Section title={t.contact}>
          <Facts
            facts={[
              [t.language, t.languages[conversation.lang]],
              [t.mailTo, conversation.email || t.noMail],
              [
                t.page,
                <bdi key="page" translate="no" className="font-mono text-xs">
                  {conversation.page || '–'}
                </bdi>,
              ],
              [t.began, formatDateTime(conversation.created_at)],
              ...(conversation.rating === null ? [] : [[t.rating, t.ofFive(conversation.rating)] as const]),
            ]}
          />
        </Section>
      )}
      {state.isPending ? (
        <Loading />
      ) : state.isError ? (
        <LoadFailed title={admin.failed} error={state.error} onRetry={() => void state.refetch()} />
      ) : (
        <Details customer={state.data} />
      )}
    </aside>
  )
}

function Details({ customer: { account, orders, traces, errors } }: { customer: Customer }) {
  const u = admin.users
  return (
    <>
      <Section title={t.account}>
        {account ? (
          <>
            <p className="mb-2 flex flex-wrap items-center gap-2 text-sm">
              <OperatorLink search={{ view: 'users', open: account.uid }}>
                <bdi translate="no">{account.email || account.uid}</bdi>
              </OperatorLink>
              {account.vip && <Badge tone="accent">{u.vip}</Badge>}
              {account.role !== 'user' && <Badge>{u.roles[account.role]}</Badge>}
              {account.locked_at && <Badge tone="warn">{u.locked}</Badge>}
            </p>
            <Facts
              facts={[
                [
                  'UID',
                  <span key="uid" className="font-mono text-xs">
                    {shorten(account.uid, 10, 6)}
                  </span>,
                ],
                [t.plan, account.vip ? u.vip : t.free],
                [u.stored, u.ofLimit(formatSize(account.used), formatSize(account.storage))],
                [u.sent, u.ofLimit(formatSize(account.sent_this_month), formatSize(account.download_traffic))],
                [u.opened, formatDate(account.created_at)],
              ]}
            />
          </>
        ) : (
          <p className="text-sm text-muted">{t.visitorText}</p>
        )}
      </Section>
      {account && (
        <>
          <Section title={t.errors}>
            <Transfers list={errors} none={t.noErrors} />
          </Section>
          <Section title={t.transfers}>
            <Transfers list={traces} none={t.noTransfers} />
          </Section>
          <Section title={t.orders}>
            {orders.length === 0 ? (
              <p className="text-sm text-muted">{t.noOrders}</p>
            ) : (
              <ul className="flex flex-col gap-2 text-sm">
                {orders.map((order) => (
                  <li key={order.id} className="flex flex-wrap items-center gap-x-2">
                    <OperatorLink search={{ view: 'orders', q: order.id }}>
                      <span className="font-mono text-xs">{shorten(order.id, 8, 4)}</span>
                    </OperatorLink>
                    <Status label={labelOf(order.status as OrderStatus)} />
                    <span className="text-xs text-muted">{formatDateTime(order.created_at)}</span>
                  </li>
                ))}
              </ul>
            )}
          </Section>
        </>
      )}
    </>
  )
}

/** A link to another view, which agents who are no operators do not have. */
function OperatorLink({ search, children }: { search: AdminSearch; children: ReactNode }) {
  const isOperator = useSession((session) => session.userinfo?.role === 'operator')
  if (!isOperator) return children
  return (
    <Link to="/admin" search={search as never} className="text-accent underline wrap-anywhere">
      {children}
    </Link>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="rounded-xl border border-line bg-surface p-3 [&_dl]:grid-cols-[2fr_3fr] [&_dl]:gap-x-3">
      <h3 className="mb-2 text-sm font-medium">{title}</h3>
      {children}
    </section>
  )
}

/** Names, errors and logs are the customer's: shown as plain text. */
function Transfers({ list, none }: { list: readonly Trace[]; none: string }) {
  if (list.length === 0) return <p className="text-sm text-muted">{none}</p>
  return (
    <ul className="flex flex-col gap-2.5 text-sm">
      {list.map((trace) => {
        const failed = (trace.details as { node_id: string; error: string }[]).filter(({ error }) => error !== '')
        return (
          <li key={trace.trace_id}>
            <p className="wrap-anywhere">
              <bdi translate="no">{trace.name || trace.cid || trace.trace_id}</bdi>
            </p>
            <p className="text-xs text-muted wrap-anywhere">
              {trace.transfer_type === 'upload' ? admin.supports.upload : admin.supports.download} ·{' '}
              {admin.supports.states[trace.state] ?? trace.state} · {formatSize(trace.total_size)} ·{' '}
              {formatDateTime(trace.created_at)}
            </p>
            {(trace.log || failed.length > 0) && (
              <details className="text-xs">
                <summary className="inline-flex min-h-6 cursor-pointer items-center text-accent underline">
                  {t.why}
                </summary>
                <pre className="max-h-40 overflow-y-auto rounded-lg bg-sunken p-2 font-mono leading-5 whitespace-pre-wrap wrap-anywhere">
                  <bdi>
                    {[...failed.map(({ node_id, error }) => `${node_id}: ${error}`), trace.log]
                      .filter(Boolean)
                      .join('\n')}
                  </bdi>
                </pre>
              </details>
            )}
            <p className="font-mono text-xs text-muted wrap-anywhere">{trace.trace_id}</p>
          </li>
        )
      })}
    </ul>
  )
}
