import { ChevronRight, FolderOpen, SearchX, ShieldCheck } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { TextInput } from '../../ui/field.tsx'
import { Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { DecryptDialog } from '../transfers/decrypt-dialog.tsx'
import type { DownloadRequest } from '../transfers/download-request.ts'
import { ContentsList } from './contents-list.tsx'
import { type Entry, isMissingPath, useListing } from './folder-queries.ts'
import { joinPath } from './paths.ts'
import { downloadRequestFrom, type Source } from './source.ts'
import { t } from './texts.ts'

/** A breadcrumb. */
export interface Crumb {
  name: string
  onOpen: () => void
}

interface FolderContentsProps {
  source: Source
  name: string
  encrypted: boolean
  /** The shown subfolder: `a/b`, or empty. */
  path: string
  onPath: (path: string) => void
  /** Breadcrumbs of the folders that contain this one. */
  above?: readonly Crumb[]
  /** Downloads a file or subfolder. */
  onDownload: (request: DownloadRequest) => void
  /** Shows a download started with a passphrase; without it the downloads dialog opens. */
  onStarted?: ((id: number) => void) | undefined
  /** The download limit of the share is reached. */
  limitReached?: boolean
  /** Called for errors such as an expired share token. */
  onRefused?: (error: unknown) => void
  className?: string
  /** Class for the maximum height of the list. */
  height?: string
}

/** Number of entries from which a filter field is shown. */
const FILTER_FROM = 20

/** Browses an uploaded folder: open subfolders, preview and download entries. */
export function FolderContents(props: FolderContentsProps) {
  const { source, name, path, onPath, onRefused, encrypted, onDownload, className } = props
  const listing = useListing(source, path)
  const [filter, setFilter] = useState('')
  const [unlocking, setUnlocking] = useState<DownloadRequest>()
  const { error } = listing
  useEffect(() => {
    if (error) onRefused?.(error)
  })
  const go = (to: string) => {
    setFilter('')
    onPath(to)
  }
  const fetchOne = (entry: Entry) => {
    const request = downloadRequestFrom(source, {
      name: entry.name,
      size: entry.size,
      encrypted,
      assetType: entry.kind === 'folder' ? 'folder' : 'file',
      path: joinPath(path, entry.name),
    })
    if (encrypted) setUnlocking(request)
    else onDownload(request)
  }
  const entries = listing.data?.entries ?? []
  const word = filter.trim().toLocaleLowerCase()
  const shown = word === '' ? entries : entries.filter(({ name: each }) => each.toLocaleLowerCase().includes(word))
  return (
    <section className={classes('min-w-0', className)} aria-label={t.inside.label(name)}>
      <div className="flex flex-col gap-2 border-b border-line px-4 py-3">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <Trail {...props} onPath={go} />
          {listing.data && (
            <span role="status" className="text-sm text-muted tabular-nums">
              {word === ''
                ? t.inside.items(formatNumber(entries.length), entries.length === 1)
                : t.inside.found(formatNumber(shown.length), formatNumber(entries.length))}
            </span>
          )}
        </div>
        {entries.length >= FILTER_FROM && (
          <TextInput
            type="search"
            aria-label={t.inside.filter}
            placeholder={t.inside.filter}
            value={filter}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setFilter(event.target.value)}
          />
        )}
      </div>
      {listing.isPending ? (
        <Loading label={t.inside.loading} />
      ) : listing.isError ? (
        isMissingPath(error) ? (
          <Empty icon={<SearchX aria-hidden className="size-6" />} title={t.inside.nowhere}>
            <p>{t.inside.nowhereText}</p>
            <Button className="mt-4" onClick={() => go('')}>
              {t.inside.toTop}
            </Button>
          </Empty>
        ) : (
          <LoadFailed title={t.inside.failed} error={error} onRetry={() => void listing.refetch()} />
        )
      ) : shown.length === 0 ? (
        <Empty
          icon={<FolderOpen aria-hidden className="size-6" />}
          title={word === '' ? t.inside.empty : t.inside.noneFound}
        />
      ) : (
        <ContentsList
          // Scroll to the top in another folder.
          key={`${path}\n${word}`}
          {...props}
          label={t.inside.label(path === '' ? name : joinPath(name, path))}
          entries={shown}
          onOpen={(entry) => go(joinPath(path, entry.name))}
          onDownload={fetchOne}
        />
      )}
      {listing.data && (
        <p className="flex items-start gap-2 border-t border-line px-4 py-2.5 text-sm text-muted">
          <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-good" />
          {t.inside.checked}
        </p>
      )}
      {unlocking && (
        <DecryptDialog
          request={unlocking}
          onClose={() => setUnlocking(undefined)}
          {...(props.onStarted && { onStarted: props.onStarted })}
        />
      )}
    </section>
  )
}

function Trail({ name, path, onPath, above = [] }: Pick<FolderContentsProps, 'name' | 'path' | 'onPath' | 'above'>) {
  const names = path.split('/').filter(Boolean)
  const steps: Crumb[] = [
    ...above,
    { name, onOpen: () => onPath('') },
    ...names.map((each, index) => ({ name: each, onOpen: () => onPath(names.slice(0, index + 1).join('/')) })),
  ]
  return (
    <nav aria-label={t.inside.path} className="min-w-0">
      <ol className="flex flex-wrap items-center gap-x-1">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: breadcrumbs have no id
          <li key={index} className="flex min-w-0 items-center gap-1">
            {index > 0 && <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />}
            <Step {...step} here={index === steps.length - 1} />
          </li>
        ))}
      </ol>
    </nav>
  )
}

function Step({ name, onOpen, here }: Crumb & { here: boolean }): ReactNode {
  if (here)
    return (
      <span aria-current="page" className="min-w-0 font-medium wrap-anywhere">
        {name}
      </span>
    )
  return (
    <button
      type="button"
      className="min-h-6 min-w-0 text-left wrap-anywhere text-accent hover:underline"
      onClick={onOpen}
    >
      {name}
    </button>
  )
}
