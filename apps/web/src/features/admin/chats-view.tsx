import { MessagesSquare } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/states.tsx'
import { ConversationColumn } from './chats-conversation.tsx'
import { CustomerColumn } from './chats-customer.tsx'
import { formatCount, Queue } from './chats-queue.tsx'
import { followDesk, openConversation, useDesk } from './chats-store.ts'
import { t } from './chats-texts.ts'
import { useAdminSearch, useSetSearch } from './search.ts'
import { t as admin } from './texts.ts'

/** The agents' desk: queue, conversation and customer, side by side on large screens. */
export function ChatsView() {
  const search = useAdminSearch()
  const set = useSetSearch()
  const id = Number(search.open) > 0 ? Math.floor(Number(search.open)) : undefined
  const waiting = useDesk((desk) => desk.counts?.waiting ?? 0)
  const exists = useDesk((desk) => desk.open !== undefined)
  usePageTitle(`${admin.views.chats}${waiting > 0 ? ` (${formatCount(waiting)})` : ''} · ${admin.menu}`)
  useEffect(followDesk, [])
  useEffect(() => void openConversation(id), [id])

  // Alt and an arrow key go through the queue, also from the field.
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
    const rows = [...document.querySelectorAll<HTMLElement>('[data-conversation]')].map(
      (row) => row.dataset.conversation,
    )
    const at = rows.indexOf(String(id ?? ''))
    const next = rows[event.key === 'ArrowDown' ? at + 1 : Math.max(0, at - 1)]
    if (next === undefined) return
    event.preventDefault()
    set({ open: next }, true)
  })
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <div className="grid min-h-0 flex-1 gap-3 lg:grid-cols-[17rem_minmax(0,1fr)] lg:grid-rows-[minmax(0,1fr)] xl:grid-cols-[18rem_minmax(0,1fr)_19rem]">
      <Queue open={id} className={id === undefined ? undefined : 'max-lg:hidden'} />
      {id === undefined ? (
        <div className="flex items-center justify-center rounded-xl border border-line bg-surface max-lg:hidden xl:col-span-2">
          <Empty icon={<MessagesSquare aria-hidden className="size-6" />} title={t.chooseTitle}>
            {t.choose}
          </Empty>
        </div>
      ) : (
        <>
          <ConversationColumn id={id} onBack={() => set({ open: undefined })} />
          <div className={classes('min-h-0 lg:max-xl:col-span-2 xl:overflow-y-auto', !exists && 'max-xl:hidden')}>
            <CustomerColumn id={id} />
          </div>
        </>
      )}
    </div>
  )
}
