import { useVirtualizer } from '@tanstack/react-virtual'
import { File, Folder, LockKeyhole } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { formatNumber, formatSize } from '../../lib/format.ts'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { type ArchiveListing, listerOf, NotAnArchive } from './archive.ts'
import { type Opened, ReadFailed } from './open-file.ts'
import { t } from './texts.ts'

const ROW_REM = 2.5
const COMPACT_ROWS = 50

/** What a zip or tar contains. Only the parts that list it are read, and nothing is unpacked. */
export function ArchiveView({ file, name, compact }: { file: Opened; name: string; compact: boolean }) {
  const [listing, setListing] = useState<ArchiveListing>()
  const [failure, setFailure] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` reads it again
  useEffect(() => {
    const stop = new AbortController()
    setFailure(undefined)
    listerOf(name)(file.size, (start, end) => file.read(start, end, stop.signal)).then(
      (found) => stop.signal.aborted || setListing(found),
      (error: unknown) => stop.signal.aborted || setFailure(error),
    )
    return () => stop.abort()
  }, [file, name, attempt])
  if (failure instanceof ReadFailed)
    return (
      <LoadFailed
        title={t.failed}
        error={new ApiError('server', failure.message)}
        onRetry={() => setAttempt((before) => before + 1)}
      />
    )
  if (failure !== undefined)
    return (
      <p className="p-8 text-center text-muted">
        {failure instanceof NotAnArchive || failure instanceof RangeError ? t.archive.broken : t.failed}
      </p>
    )
  if (!listing) return <Loading label={t.archive.loading} />
  if (listing.entries.length === 0) return <p className="p-8 text-center text-muted">{t.archive.empty}</p>
  return <Entries listing={listing} name={name} compact={compact} />
}

function Entries({ listing, name, compact }: { listing: ArchiveListing; name: string; compact: boolean }) {
  const entries = compact ? listing.entries.slice(0, COMPACT_ROWS) : listing.entries
  const scroller = useRef<HTMLElement>(null)
  const rem = useMemo(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16, [])
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_REM * rem,
    overscan: 20,
  })
  const total = listing.entries.reduce((sum, { size }) => sum + size, 0)
  return (
    <div className="flex h-full flex-col">
      <p role="status" className="border-b border-line px-4 py-2 text-sm text-muted">
        {listing.cut
          ? t.archive.cut(formatNumber(listing.entries.length))
          : t.archive.items(formatNumber(listing.entries.length), listing.entries.length === 1, formatSize(total))}{' '}
        {t.archive.declared}
      </p>
      <section
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
        tabIndex={0}
        aria-label={t.archive.label(name)}
        className={compact ? 'max-h-[28rem] overflow-auto' : 'min-h-0 flex-1 overflow-auto'}
      >
        <ul
          ref={(list) => {
            if (list) list.style.height = `${rows.getTotalSize()}px`
          }}
          className="relative"
        >
          {rows.getVirtualItems().map(({ index, start }) => {
            const entry = entries[index]
            if (!entry) return null
            const Icon = entry.folder ? Folder : File
            return (
              <li
                key={index}
                aria-setsize={entries.length}
                aria-posinset={index + 1}
                ref={(row) => {
                  if (row) row.style.transform = `translateY(${start}px)`
                }}
                className="absolute inset-x-0 top-0 flex h-10 items-center gap-3 border-b border-line px-4 text-sm"
              >
                <Icon aria-hidden className="size-4 shrink-0 text-muted" />
                <bdi className="min-w-0 flex-1 truncate" title={entry.name}>
                  {entry.name}
                </bdi>
                {entry.encrypted && (
                  <LockKeyhole aria-label={t.archive.encrypted} role="img" className="size-3.5 shrink-0 text-muted" />
                )}
                {!entry.folder && <span className="text-muted tabular-nums">{formatSize(entry.size)}</span>}
              </li>
            )
          })}
        </ul>
      </section>
    </div>
  )
}
