import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Card } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './texts.ts'

const u = t.use
const MAX_NOTICES = 5

/** Unread notices about orders. Renders nothing if there are none. */
export function Notices() {
  const notices = useQuery({ ...query('orders.notices', { size: MAX_NOTICES }), refetchInterval: 60_000 })
  const [busy, setBusy] = useState(false)
  const fresh = notices.data?.list.filter(({ read }) => !read) ?? []
  if (fresh.length === 0) return null
  const read = async () => {
    setBusy(true)
    await api('orders.readNotices', {}).then(() => refresh('orders.notices'), toast.error)
    setBusy(false)
  }
  return (
    <Card className="mb-6 px-5 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="font-semibold">{u.notices}</h2>
        <Badge tone="accent">{u.unread(notices.data?.unread ?? 0)}</Badge>
        <Button look="ghost" className="-mr-2 ml-auto" busy={busy} onClick={() => void read()}>
          {u.read}
        </Button>
      </div>
      <ul className="mt-1">
        {fresh.map(({ id, order_id, text, created_at }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4 border-t border-line py-2 text-sm">
            <Link to="/mycenter" search={{ tab: 1, order: order_id }} className="hover:text-accent hover:underline">
              {text}
            </Link>
            <span className="text-muted">{formatDateTime(created_at)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
