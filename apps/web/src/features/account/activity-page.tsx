import { Link } from '@tanstack/react-router'
import type { ActivityEntry, ActivityKind } from '@tidenet/contract'
import { useState } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { Badge, Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { deviceName, formatMoment, isPublicNetwork, placeName } from '../security/format.ts'
import { t as security } from '../security/texts.ts'
import { t } from './activity-texts.ts'
import { downloadFile } from './download-file.ts'

const kinds = () => Object.keys(t.kinds) as ActivityKind[]

/** What happened in the account, newest first. */
export function ActivityPage() {
  const title = usePageTitle()
  const [kind, setKind] = useState<ActivityKind | 'all'>('all')
  const [after, setAfter] = useState<string>()
  const [busy, setBusy] = useState(false)
  const filter: { kind?: ActivityKind } = kind === 'all' ? {} : { kind }
  const list = useQuery({ ...query('activity.list', { ...filter, ...(after && { after }) }), ...paged })
  const save = async () => {
    setBusy(true)
    await downloadFile('activity.csv', 'tidenet-activity.csv', { ...filter }).catch(() => toast.error(t.csvFailed))
    setBusy(false)
  }
  const next = list.data?.next
  return (
    <div className="mx-auto max-w-6xl">
      <PageTitle title={title} intro={t.intro} />
      <p className="mb-4 text-sm text-muted">
        {t.sessionsHint}{' '}
        <Link to="/security" className="text-accent underline">
          {t.sessionsLink}
        </Link>
      </p>
      <Card className="p-6">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Select
            label={t.filter}
            value={kind}
            options={[
              { value: 'all' as const, label: t.all },
              ...kinds().map((value) => ({ value, label: t.kinds[value] })),
            ]}
            onChange={(wanted) => {
              setKind(wanted)
              setAfter(undefined)
            }}
          />
          <Button busy={busy} onClick={() => void save()}>
            {t.csv}
          </Button>
        </div>
        {list.isPending ? (
          <Loading />
        ) : list.isError ? (
          <LoadFailed title={t.failed} error={list.error} onRetry={() => void list.refetch()} />
        ) : list.data.list.length === 0 ? (
          <p className="mt-4 border-t border-line pt-4 text-sm text-muted">{t.none}</p>
        ) : (
          <Entries list={list.data.list} />
        )}
        {(after || next) && (
          <div className="mt-4 flex justify-end gap-3">
            {after && <Button onClick={() => setAfter(undefined)}>{t.first}</Button>}
            {next && <Button onClick={() => setAfter(next)}>{t.next}</Button>}
          </div>
        )}
      </Card>
    </div>
  )
}

function Entries({ list }: { list: readonly ActivityEntry[] }) {
  return (
    <table className="mt-4 block w-full text-sm md:table">
      <thead className="hidden md:table-header-group">
        <tr className="border-b border-line text-left text-muted">
          {Object.values(t.columns).map((name) => (
            <th key={name} scope="col" className="py-2 pr-6 font-medium">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block border-t border-line md:table-row-group md:border-0">
        {list.map((entry) => (
          <tr
            key={entry.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-3 md:table-row md:py-0"
          >
            <td className="order-2 text-muted tabular-nums md:table-cell md:py-2.5 md:pr-6 md:whitespace-nowrap">
              {formatMoment(entry.at)}
            </td>
            <td className="order-1 basis-full font-medium md:table-cell md:py-2.5 md:pr-6">
              <What entry={entry} />
            </td>
            <td className="order-3 md:table-cell md:py-2.5 md:pr-6">{byName(entry)}</td>
            <td className="order-4 md:table-cell md:py-2.5">
              {entry.place.kind !== 'unknown' && (
                <span className={isPublicNetwork(entry.place) ? 'font-mono text-[0.8125rem]' : ''}>
                  {placeName(entry.place)}
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function What({ entry: { action, subject, kind, done, items, about: named } }: { entry: ActivityEntry }) {
  const order = action.startsWith('order.') ? action.slice('order.'.length) : undefined
  const isOfOwner = subject.startsWith('user:') || subject.startsWith('session:')
  const about =
    kind === 'signIns'
      ? security.signIns.ways[subject as keyof typeof security.signIns.ways]
      : named || (isOfOwner ? '' : subject.replace(/^\w+:/, ''))
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        {order === undefined ? (t.actions[action] ?? action) : (t.orders[order] ?? order)}
        {!done && kind !== 'signIns' && <Badge tone="warn">{t.refused}</Badge>}
      </span>
      {items !== null && <span className="block text-xs font-normal text-muted">{t.items(items)}</span>}
      {about !== '' && <span className="block text-xs font-normal text-muted wrap-anywhere">{about}</span>}
    </>
  )
}

function byName({ by, key, device }: ActivityEntry): string {
  if (by === 'key' && key) return t.keyOf(key)
  return device ? deviceName(device) : t.by[by]
}
