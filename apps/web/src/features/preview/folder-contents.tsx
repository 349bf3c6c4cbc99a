import { ChevronRight, FolderOpen, SearchX, ShieldCheck } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { TextInput } from '../../ui/field.tsx'
import { Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { DecryptDialog } from '../transfers/decrypt-dialog.tsx'
import type { DownloadWish } from '../transfers/wish.ts'
import { ContentsList } from './contents-list.tsx'
import { type Entry, isMissing, useListing } from './inside.ts'
import { joined } from './paths.ts'
import { type Source, wishFrom } from './source.ts'
import { t } from './texts.ts'

/** A step of the way to what is shown. */
export interface Crumb {
  name: string
  onOpen: () => void
}

interface FolderContentsProps {
  source: Source
  name: string
  encrypted: boolean
  /** The folder below that is shown: `a/b`, or empty. */
  path: string
  onPath: (path: string) => void
  /** What stands above the folder itself, when it lies in something. */
  above?: readonly Crumb[]
  /** Fetches one file or folder of it. */
  onDownload: (wish: DownloadWish) => void
  /** Shows a download that was begun with a passphrase; without it the dialog of all downloads does. */
  onStarted?: ((id: number) => void) | undefined
  /** Others' downloads of it are used up. */
  spent?: boolean
  /** Told of a refusal, such as that of a ticket which has run out. */
  onRefused?: (error: unknown) => void
  className?: string
  /** How high the list may grow before it scrolls. */
  height?: string
}

/** From so many entries on, a field finds them by name. */
const FILTER_FROM = 20

/** What lies in an uploaded folder: to be entered, looked at and fetched one by one. */
export function FolderContents(props: FolderContentsProps) {
  const { source, name, path, onPath, onRefused, encrypted, onDownload, className } = props
  const listing = useListing(source, path)
  const [filter, setFilter] = useState('')
  const [unlocking, setUnlocking] = useState<DownloadWish>()
  const { error } = listing
  useEffect(() => {
    if (error) onRefused?.(error)
  })
  const go = (to: string) => {
    setFilter('')
    onPath(to)
  }
  const fetchOne = (entry: Entry) => {
    const wish = wishFrom(source, {
      name: entry.name,
      size: entry.size,
      encrypted,
      assetType: entry.kind === 'folder' ? 'folder' : 'file',
      path: joined(path, entry.name),
    })
    if (encrypted) setUnlocking(wish)
    else onDownload(wish)
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
        isMissing(error) ? (
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
          // Another folder begins at its top.
          key={`${path}\n${word}`}
          {...props}
          label={t.inside.label(path === '' ? name : joined(name, path))}
          entries={shown}
          onOpen={(entry) => go(joined(path, entry.name))}
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
          wish={unlocking}
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
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place on the way
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
