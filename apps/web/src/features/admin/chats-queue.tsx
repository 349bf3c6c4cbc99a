import type { DeskConversation } from '@tidenet/contract'
import { CHAT_COUNTED_MAX, CHAT_LISTS } from '@tidenet/contract/chat'
import { Inbox } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatDate, formatDateTime, formatHour, formatNumber } from '../../lib/format.ts'
import { formatDuration } from '../../lib/phrases.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Badge, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { useDesk } from './chats-store.ts'
import { t } from './chats-texts.ts'
import { TextFilter } from './list.tsx'
import { choiceOf, useAdminSearch, useSetSearch } from './search.ts'
import { t as admin } from './texts.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** The time, renewed every minute. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Who writes: the address of the account or the one that was typed in; otherwise the number of the conversation. */
export const customerOf = ({ email, uid, id }: Pick<DeskConversation, 'email' | 'uid' | 'id'>): string =>
  email || uid || t.visitor(id)

/** The server counts up to a limit. */
export const formatCount = (count: number): string =>
  count < CHAT_COUNTED_MAX ? formatNumber(count) : `${formatNumber(CHAT_COUNTED_MAX)}+`

/** Lists of conversations. */
export function Queue({ open, className }: { open: number | undefined; className?: string | undefined }) {
  const search = useAdminSearch()
  const set = useSetSearch()
  const list = choiceOf(search.list, CHAT_LISTS) ?? 'waiting'
  const state = useQuery({
    ...query('chatDesk.list', {
      list,
      ...(search.q && { q: search.q }),
      ...(search.after && { after: search.after }),
    }),
    ...paged,
  })
  const { counts, isConnected, online } = useDesk()
  const now = useMinute()
  const rows = state.data?.list ?? []
  return (
    <section
      aria-label={t.queue}
      className={classes('flex min-h-0 flex-col rounded-xl border border-line bg-surface', className)}
    >
      <div className="flex flex-col gap-2 border-b border-line p-3">
        <p role="status" className="flex items-center gap-2 text-xs text-muted">
          <span
            aria-hidden
            className={classes(
              'size-2 shrink-0 rounded-full',
              isConnected ? 'bg-good' : isConnected === false ? 'bg-warn' : 'border border-control',
            )}
          />
          {isConnected ? t.online(online.length) : isConnected === false ? t.disconnected : t.connecting}
        </p>
        <fieldset>
          <legend className="sr-only">{t.queue}</legend>
          <div className="flex flex-wrap gap-1">
            {CHAT_LISTS.map((each) => {
              const count = each === 'waiting' ? counts?.waiting : each === 'open' ? counts?.open : undefined
              return (
                <label
                  key={each}
                  className={classes(
                    'inline-flex min-h-7 items-center gap-1.5 rounded-lg px-2 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent',
                    each === list ? 'bg-accent-soft font-medium text-accent' : 'text-muted hover:bg-sunken',
                  )}
                >
                  <input
                    type="radio"
                    name="list"
                    checked={each === list}
                    onChange={() => set({ list: each === 'waiting' ? undefined : each })}
                    className="sr-only"
                  />
                  {t.lists[each]}
                  {count !== undefined && count > 0 && <span className="tabular-nums">{formatCount(count)}</span>}
                </label>
              )
            })}
          </div>
        </fieldset>
        <div className="[&>form]:w-full">
          <TextFilter name="q" label={t.search} />
        </div>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {state.isPending ? (
          <Loading />
        ) : state.isError ? (
          <LoadFailed title={admin.failed} error={state.error} onRetry={() => void state.refetch()} />
        ) : rows.length === 0 ? (
          <Empty icon={<Inbox aria-hidden className="size-6" />} title={search.q ? admin.none : t.empty[list]}>
            {search.q ? admin.noneText : t.emptyText}
          </Empty>
        ) : (
          <ul className={classes(state.isPlaceholderData && 'opacity-60')}>
            {rows.map((row) => (
              <li key={row.id}>
                <Row row={row} isOpen={row.id === open} now={now} onOpen={() => set({ open: String(row.id) })} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {state.data && (state.data.next !== null || search.after) && (
        <div className="flex justify-end gap-2 border-t border-line p-2">
          {search.after && <Button onClick={() => set({ after: undefined })}>{admin.first}</Button>}
          <Button disabled={state.data.next === null} onClick={() => set({ after: state.data.next ?? undefined })}>
            {admin.next}
          </Button>
        </div>
      )}
    </section>
  )
}

function Row({
  row,
  isOpen,
  now,
  onOpen,
}: {
  row: DeskConversation
  isOpen: boolean
  now: number
  onOpen: () => void
}) {
  const self = useSession((session) => session.address)
  const waits = row.waiting_since ? now - Date.parse(row.waiting_since) : undefined
  return (
    <button
      type="button"
      data-conversation={row.id}
      aria-current={isOpen || undefined}
      onClick={onOpen}
      className="flex w-full flex-col gap-0.5 border-b border-line px-3 py-2.5 text-left text-sm -outline-offset-2 hover:bg-sunken/60 aria-current:bg-accent-soft"
    >
      <span className="flex items-center gap-2">
        <bdi translate="no" className="min-w-0 flex-1 truncate font-medium">
          {customerOf(row)}
        </bdi>
        {row.vip && <Badge tone="accent">{admin.users.vip}</Badge>}
        <Badge>{t.languages[row.lang]}</Badge>
      </span>
      <span className="line-clamp-2 text-muted wrap-anywhere">
        {row.last_from === 'agent' && <span>{t.answered} </span>}
        <bdi translate="no">{row.last_text || t.file}</bdi>
      </span>
      <span className="flex flex-wrap items-center gap-x-2 text-xs text-muted tabular-nums">
        {row.state === 'closed' ? (
          <span>{t.closed}</span>
        ) : waits === undefined ? null : (
          <span className="font-medium text-warn">
            {waits < MINUTE_MS ? t.waitsNow : t.waits(formatDuration(waits - (waits % MINUTE_MS)))}
          </span>
        )}
        <span>{row.assigned === '' ? t.nobody : row.assigned === self ? t.mine : t.taken}</span>
        <time dateTime={row.last_at} title={formatDateTime(row.last_at)} className="ml-auto">
          {now - Date.parse(row.last_at) < DAY_MS ? formatHour(row.last_at) : formatDate(row.last_at)}
        </time>
      </span>
    </button>
  )
}
