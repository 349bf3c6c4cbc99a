import { keepPreviousData } from '@tanstack/react-query'
import type { ConsoleWorkload } from '@tidenet/contract'
import { plainLine } from '@tidenet/contract/plain-line'
import { ArrowDown, Download, ScrollText } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { inputClass } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { consoleQuery, useConsoleQuery } from './queries.ts'
import { call } from './session.ts'
import { t } from './texts.ts'

const LINES = 2000
const FOLLOW_REFRESH_MS = 2500
/** Distance from the end that counts as being at the end. */
const AT_END_PX = 40
const SEARCH_DELAY_MS = 300
const PAGE_LINES = 5000
const SPANS = [0, 1, 24, 168] as const

/** The log of a program, including earlier runs, as the network keeps it; searched by the server. */
export function LogView({ workload }: { workload: Pick<ConsoleWorkload, 'id' | 'name'> }) {
  const [follow, setFollow] = useState(true)
  const [times, setTimes] = useState(false)
  const [filter, setFilter] = useState('')
  const search = useDelayed(filter.trim().slice(0, 200))
  const [span, setSpan] = useState<{ hours: (typeof SPANS)[number]; since?: string }>({ hours: 0 })
  const range = { search, ...(span.since && { since: span.since }) }
  const log = useConsoleQuery({
    ...consoleQuery('clusters.logs', { id: workload.id, lines: LINES, ...range }),
    refetchInterval: follow && FOLLOW_REFRESH_MS,
    placeholderData: keepPreviousData,
  })
  const [saving, setSaving] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const [atEnd, setAtEnd] = useState(true)
  const id = useId()
  const shown = (log.data?.lines ?? []).map((line) => ({ ...line, text: plainLine(line.text) }))
  const narrowed = search !== '' || span.since !== undefined
  const last = shown.at(-1)

  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight })
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll when there are new lines
  useEffect(() => {
    if (follow && atEnd) toEnd()
  }, [follow, atEnd, last?.n, times])

  const download = async () => {
    setSaving(true)
    try {
      const url = URL.createObjectURL(new Blob(await readAll(workload.id, range), { type: 'text/plain' }))
      const link = document.createElement('a')
      link.href = url
      link.download = `${workload.name}.log`
      link.click()
      setTimeout(() => URL.revokeObjectURL(url), 1000)
    } catch (error) {
      toast.error(messageOf(error))
    } finally {
      setSaving(false)
    }
  }
  if (log.isPending) return <Loading />
  if (!log.data) return <LoadFailed title={t.log.failed} error={log.error} onRetry={() => void log.refetch()} />
  return (
    <Card className="overflow-hidden">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3 border-b border-line px-4 py-3">
        <input
          type="search"
          aria-label={t.log.find}
          placeholder={t.log.find}
          className={`${inputClass} min-w-40 flex-1 basis-48`}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <Checkbox checked={follow} onChange={setFollow}>
          {t.log.follow}
        </Checkbox>
        <Checkbox checked={times} onChange={setTimes}>
          {t.log.times}
        </Checkbox>
        <Select
          label={t.usage.span}
          value={span.hours}
          onChange={(hours) =>
            setSpan(hours === 0 ? { hours } : { hours, since: new Date(Date.now() - hours * 3_600_000).toISOString() })
          }
          options={SPANS.map((value) => ({ value, label: value === 0 ? t.log.always : t.usage.hours(value) }))}
        />
        <Button
          icon={<Download aria-hidden className="size-4" />}
          busy={saving}
          disabled={shown.length === 0}
          onClick={() => void download()}
        >
          {t.log.download}
        </Button>
      </div>
      {shown.length === 0 && !narrowed ? (
        <Empty icon={<ScrollText aria-hidden className="size-6" />} title={t.log.empty}>
          <p>{t.log.emptyText}</p>
        </Empty>
      ) : (
        <div className="relative">
          <div
            ref={box}
            role="log"
            // Announcing new lines every few seconds would drown out everything else.
            aria-live="off"
            aria-label={t.log.label(workload.name)}
            aria-describedby={id}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
            tabIndex={0}
            translate="no"
            onScroll={({ currentTarget: at }) => setAtEnd(at.scrollHeight - at.scrollTop - at.clientHeight < AT_END_PX)}
            className="max-h-[min(36rem,60dvh)] min-h-48 overflow-y-auto px-4 py-3 font-mono text-[0.8125rem] leading-5 focus-visible:-outline-offset-2"
          >
            {shown.length === 0 && <p className="font-sans text-sm text-muted">{t.log.noMatch}</p>}
            {shown.map((line) => (
              <p key={line.n} className="wrap-anywhere whitespace-pre-wrap">
                {line.gap && <span className="block font-sans text-sm text-warn">{t.log.gap}</span>}
                {times && <time className="mr-3 text-muted select-none">{line.at.slice(0, 19).replace('T', ' ')}</time>}
                {line.text || ' '}
              </p>
            ))}
          </div>
          {!atEnd && (
            <Button
              className="absolute right-4 bottom-4 shadow-raised"
              icon={<ArrowDown aria-hidden className="size-4" />}
              onClick={toEnd}
            >
              {t.log.toEnd}
            </Button>
          )}
        </div>
      )}
      <p id={id} className="border-t border-line px-4 py-2 text-xs text-muted tabular-nums">
        {narrowed
          ? t.log.found(shown.length, log.data.more)
          : log.data.more
            ? t.log.last(shown.length)
            : t.log.lines(shown.length)}
      </p>
    </Card>
  )
}

/** A value that has not changed for a while. */
function useDelayed(value: string): string {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [value])
  return delayed
}

/** All kept lines that match, as texts. @throws ApiError */
async function readAll(id: string, range: { search: string; since?: string }): Promise<string[]> {
  const texts: string[] = []
  for (let after = 0, more = true; more; ) {
    const page = await call('clusters.logs', { id, lines: PAGE_LINES, after, ...range })
    texts.push(
      page.lines.map(({ at, text, gap }) => `${gap ? `# ${t.log.gap}\n` : ''}${at} ${plainLine(text)}\n`).join(''),
    )
    after = page.next
    more = page.more
  }
  return texts
}
