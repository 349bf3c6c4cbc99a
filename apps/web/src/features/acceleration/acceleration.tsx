import { Link } from '@tanstack/react-router'
import type { AccelerationInfo } from '@tidenet/contract'
import { NEAR_AREAS_MAX } from '@tidenet/contract/constants'
import { useId, useState } from 'react'
import { api } from '../../lib/api.ts'
import { areaName } from '../../lib/areas.ts'
import { formatDateTime, formatSize } from '../../lib/format.ts'
import { formatList } from '../../lib/phrases.ts'
import { queries, query, useQuery } from '../../lib/queries.ts'
import { Checkbox } from '../../ui/choices.tsx'
import { LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.ts'
import { Measures } from './measures.tsx'
import { t } from './texts.ts'

/** A file or a folder. */
type Target = { cid: string } | { group_id: number }

const WARMING_REFRESH_MS = 3000
const USUAL_REFRESH_MS = 30_000
const WATCH_MS = 30_000

/** Delivery acceleration of a file or folder: its switch, where copies are, what they cost, and what readers measured. */
export function Acceleration({ target }: { target: Target }) {
  const title = useId()
  /** Until when it is watched after a change, which the server applies within seconds. */
  const [watchUntil, setWatchUntil] = useState(0)
  const { data, isError, error, refetch } = useQuery({
    ...query('acceleration.get', target),
    refetchInterval: ({ state }) =>
      Date.now() < watchUntil || (state.data?.on && state.data.state === 'warming')
        ? WARMING_REFRESH_MS
        : USUAL_REFRESH_MS,
  })
  const [busy, setBusy] = useState(false)
  const change = async (input: { on: boolean; areas?: string[] }) => {
    setBusy(true)
    try {
      const changed = await api('acceleration.set', { ...target, ...input })
      setWatchUntil(Date.now() + WATCH_MS)
      queries.setQueryData(query('acceleration.get', target).queryKey, changed)
      if (input.on !== data?.on) toast.success(input.on ? t.turnedOn : t.turnedOff)
    } catch (failure) {
      toast.error(failure)
      void refetch()
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-labelledby={title} className="mt-7">
      <div className="flex items-center justify-between gap-4">
        <h3 id={title} className="text-lg font-semibold">
          {t.title}
        </h3>
        {data && !data.through && (data.included || data.on) && (
          <Switch label={t.title} checked={data.on} busy={busy} onChange={(on) => void change({ on })} />
        )}
      </div>
      <p className="mt-1 text-sm text-muted">{'cid' in target ? t.fileHint : t.folderHint}</p>
      {data ? (
        <>
          <State info={data} />
          {data.on && (
            <>
              <NearAreas info={data} />
              {!data.through && data.included && (
                <Expected info={data} busy={busy} onChange={(areas) => void change({ on: true, areas })} />
              )}
              <Cost info={data} />
            </>
          )}
          {(data.on || data.measures.length > 0) && <Measures list={data.measures} />}
        </>
      ) : isError ? (
        <LoadFailed title={t.loadFailed} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </section>
  )
}

function State({ info }: { info: AccelerationInfo }) {
  const { on, included, state, near, through, ends_at, unserved } = info
  const names = formatList(near.map(({ name }) => name))
  const text =
    near.length === 0 || !['active', 'warming'].includes(state)
      ? state === 'waiting' && unserved.length > 0
        ? t.nowhere
        : t.state[state]
      : state === 'active'
        ? t.activeIn(names)
        : t.warmingIn(names)
  return (
    <div className="mt-3 flex flex-col gap-2">
      <p role="status" className={state === 'active' ? 'text-good' : undefined}>
        {text}
      </p>
      {through && <p className="text-sm">{t.through(through.Name)}</p>}
      {!included && !on && (
        <p className="text-sm">
          {t.notIncluded}{' '}
          <Link to="/center" className="text-accent underline hover:text-accent-strong">
            {t.toPlans}
          </Link>
        </p>
      )}
      {ends_at && <Notice tone="warn">{t.ends(formatDateTime(ends_at))}</Notice>}
      {on && unserved.length > 0 && <Notice>{t.unserved(formatList(unserved))}</Notice>}
    </div>
  )
}

function NearAreas({ info: { near } }: { info: AccelerationInfo }) {
  if (near.length === 0) return null
  return (
    <>
      <h4 className="mt-5 text-sm font-medium">{t.near}</h4>
      <ul className="mt-2 divide-y divide-line rounded-xl border border-line text-sm">
        {near.map(({ area, name, readers, cause, copies, wanted }) => (
          <li key={area} className="px-3.5 py-2.5">
            <p className="flex flex-wrap justify-between gap-x-3">
              <span className="font-medium">{name}</span>
              <span className="tabular-nums">{t.copiesOf(copies, wanted)}</span>
            </p>
            <p className="text-muted">
              {[...(readers.join() === name ? [] : [t.serves(formatList(readers))]), t.cause[cause]].join(' · ')}
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Where the owner expects readers. A change takes effect at once. */
function Expected({
  info,
  busy,
  onChange,
}: {
  info: AccelerationInfo
  busy: boolean
  onChange: (areas: string[]) => void
}) {
  const { data } = useQuery(query('uploads.areas', {}))
  const full = info.areas.length >= NEAR_AREAS_MAX
  const list = [...new Set([...info.areas, ...(data?.list ?? [])])].sort((a, b) => (areaName(a) < areaName(b) ? -1 : 1))
  if (list.length === 0) return null
  return (
    <fieldset className="mt-5">
      <legend className="text-sm font-medium">{t.expected}</legend>
      <p className="mb-2 text-sm text-muted">{t.expectedHint(NEAR_AREAS_MAX)}</p>
      <div className="grid gap-2 sm:grid-cols-2">
        {list.map((area) => (
          <Checkbox
            key={area}
            checked={info.areas.includes(area)}
            disabled={busy || (full && !info.areas.includes(area))}
            onChange={(on) => onChange(on ? [...info.areas, area] : info.areas.filter((each) => each !== area))}
          >
            {areaName(area)}
          </Checkbox>
        ))}
      </div>
      {full && <p className="mt-2 text-sm text-muted">{t.tooMany(NEAR_AREAS_MAX)}</p>}
    </fieldset>
  )
}

function Cost({ info: { cost, near } }: { info: AccelerationInfo }) {
  if (near.length === 0) return null
  return (
    <>
      <h4 className="mt-5 text-sm font-medium">{t.cost}</h4>
      <ul className="mt-1 text-sm">
        <li>{cost.extra_bytes > 0 ? t.extra(formatSize(cost.extra_bytes)) : t.noExtra}</li>
        {cost.copied_bytes > 0 && <li>{t.copied(formatSize(cost.copied_bytes))}</li>}
        <li className="text-muted">{t.used(formatSize(cost.used_bytes), formatSize(cost.limit_bytes))}</li>
      </ul>
    </>
  )
}
