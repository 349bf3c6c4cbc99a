import { useEffect, useMemo } from 'react'
import { formatSize } from '../../lib/format.ts'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { EntryIcon } from '../preview/entry-icon.tsx'
import { type Entry, useEntryKinds, useListing } from '../preview/folder-queries.ts'
import type { Source } from '../preview/source.ts'
import { t as preview } from '../preview/texts.ts'
import { FIRST_ENTRIES, FirstEntries } from './first-entries.tsx'

/** The page of the share, outside the frame. */
function fullPage(): string {
  const link = new URLSearchParams(location.search).get('link')
  return link ? `/s/${link}` : `/distributionstatus${location.search}`
}

const NONE: readonly Entry[] = []

/** The first entries of an uploaded folder, for embedding. */
export function EmbeddedContents({
  source,
  name,
  onRefused,
}: {
  source: Source
  name: string
  onRefused: (error: unknown) => void
}) {
  const { data, error, isPending, refetch } = useListing(source, '')
  const { resolve, loadKinds } = useEntryKinds(source)
  const entries = data?.entries ?? NONE
  const first = useMemo(() => entries.slice(0, FIRST_ENTRIES), [entries])
  useEffect(() => loadKinds(first), [first, loadKinds])
  useEffect(() => {
    if (error) onRefused(error)
  })
  return (
    <Card className="overflow-hidden">
      {isPending ? (
        <Loading label={preview.inside.loading} />
      ) : error ? (
        <LoadFailed title={preview.inside.failed} error={error} onRetry={() => void refetch()} />
      ) : entries.length === 0 ? (
        <p className="px-5 py-3 text-muted">{preview.inside.empty}</p>
      ) : (
        <FirstEntries
          label={preview.inside.label(name)}
          total={entries.length}
          href={fullPage()}
          entries={first.map(resolve).map((entry) => ({
            key: entry.name,
            name: entry.name,
            icon: <EntryIcon entry={entry} />,
            // The size of a folder is only its uploader's statement.
            fact: entry.kind === 'file' ? formatSize(entry.size) : preview.inside.around(formatSize(entry.size)),
          }))}
        />
      )}
    </Card>
  )
}
