import type { ConsoleWorkload } from '@tidenet/contract'
import { ArrowDown, Download, ScrollText } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { inputClass } from '../../ui/field.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { plainLine } from './plain-line.ts'
import { consoleQuery, useConsoleQuery } from './queries.ts'
import { t } from './texts.ts'

const LINES = 2000
const FOLLOW_REFRESH_MS = 2500
/** Distance from the end that counts as being at the end. */
const AT_END_PX = 40

/** The log of a program, including runs before a restart. */
export function LogView({ workload }: { workload: Pick<ConsoleWorkload, 'id' | 'name'> }) {
  const [follow, setFollow] = useState(true)
  const [times, setTimes] = useState(false)
  const [filter, setFilter] = useState('')
  const log = useConsoleQuery({
    ...consoleQuery('clusters.logs', { id: workload.id, lines: LINES }),
    refetchInterval: follow && FOLLOW_REFRESH_MS,
  })
  const box = useRef<HTMLDivElement>(null)
  const [atEnd, setAtEnd] = useState(true)
  const id = useId()
  const lines = (log.data?.lines ?? []).map(({ at, text }) => ({ at, text: plainLine(text) }))
  const shown = filter ? lines.filter(({ text }) => text.toLowerCase().includes(filter.toLowerCase())) : lines
  const last = shown.at(-1)

  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight })
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll when there are new lines
  useEffect(() => {
    if (follow && atEnd) toEnd()
  }, [follow, atEnd, shown.length, last?.at, last?.text, times])

  const download = () => {
    const text = lines.map((line) => `${line.at} ${line.text}\n`).join('')
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `${workload.name}.log`
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 1000)
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
        <Button icon={<Download aria-hidden className="size-4" />} disabled={lines.length === 0} onClick={download}>
          {t.log.download}
        </Button>
      </div>
      {lines.length === 0 ? (
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
            {shown.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id and may repeat
              <p key={index} className="wrap-anywhere whitespace-pre-wrap">
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
        {filter ? t.log.found(shown.length, lines.length) : t.log.lines(lines.length)}
      </p>
    </Card>
  )
}
