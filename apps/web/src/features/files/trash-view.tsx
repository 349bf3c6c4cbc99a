import { Link, useNavigate } from '@tanstack/react-router'
import type { TrashItem } from '@tidenet/contract'
import { ArrowLeft, File, Folder, FolderArchive, LockKeyhole, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime, formatSize } from '../../lib/format.ts'
import { usePreferences } from '../../lib/preferences.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Pager } from '../../ui/pager.tsx'
import { RowCheckbox } from '../../ui/row-checkbox.tsx'
import { Card, Empty, LoadFailed } from '../../ui/states.tsx'
import { deletePermanently, restoreTrash } from './changes.ts'
import { ListPlaceholder } from './list-placeholder.tsx'
import { t } from './texts.ts'

const DAY = 24 * 3600 * 1000
const daysLeft = (until: string): number => Math.floor((Date.parse(until) - Date.now()) / DAY)

/** Deleted items, which can be restored or deleted permanently. */
export function TrashView({ page }: { page: number }) {
  const navigate = useNavigate()
  const size = usePreferences((preferences) => preferences.rows)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [asking, setAsking] = useState<readonly TrashItem[] | 'all'>()
  const answer = useQuery({ ...query('trash.list', { page, page_size: size }), ...paged })
  const { data } = answer
  const list = data?.list ?? []
  const total = data?.total ?? 0
  const some = list.filter(({ id }) => chosen.has(id))
  const toPage = (next: number) => {
    setChosen(new Set())
    void navigate({ to: '/fileStorage', search: { view: 'trash', ...(next > 1 && { page: next }) } })
  }
  const toggle = (id: number, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  const restore = async (items: readonly TrashItem[]) => {
    await restoreTrash(
      items.map(({ id }) => id),
      items.length === 1 ? items[0] : undefined,
    )
    setChosen(new Set())
    if (items.length === list.length && page > 1) toPage(page - 1)
  }
  return (
    <div className="mx-auto flex max-w-[92rem] flex-col gap-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="mr-auto min-w-0">
          <Link
            to="/fileStorage"
            className="mb-1 inline-flex min-h-7 items-center gap-1.5 text-sm text-muted hover:text-text hover:underline"
          >
            <ArrowLeft aria-hidden className="size-4" />
            {t.trash.back}
          </Link>
          <h1 className="text-2xl leading-8 font-semibold tracking-tight">{t.trash.title}</h1>
          <p className="mt-1 max-w-3xl text-muted">{t.trash.intro}</p>
        </div>
        {total > 0 && (
          <Button look="quietDanger" icon={<Trash2 aria-hidden className="size-4" />} onClick={() => setAsking('all')}>
            {t.trash.empty}
          </Button>
        )}
      </div>
      <Card className="overflow-hidden">
        {total > 0 && (
          <div className="flex min-h-12 flex-wrap items-center gap-2 border-b border-line px-3 py-1.5 text-sm">
            <span className="flex w-11 justify-center">
              <RowCheckbox
                label={t.files.selectAll}
                checked={some.length === list.length && list.length > 0}
                indeterminate={some.length > 0 && some.length < list.length}
                onChange={(on) => setChosen(new Set(on ? list.map(({ id }) => id) : []))}
              />
            </span>
            <p className="mr-auto text-muted" role="status">
              {some.length > 0 ? t.files.selected(some.length) : t.trash.size(formatSize(data?.size ?? 0))}
            </p>
            {some.length > 0 && (
              <>
                <Button icon={<RotateCcw aria-hidden className="size-4" />} onClick={() => void restore(some)}>
                  {t.trash.restore}
                </Button>
                <Button look="quietDanger" onClick={() => setAsking(some)}>
                  {t.trash.remove}
                </Button>
              </>
            )}
          </div>
        )}
        {answer.isPending ? (
          <ListPlaceholder layout="list" />
        ) : answer.isError && !data ? (
          <LoadFailed title={t.files.listFailed} error={answer.error} onRetry={() => void answer.refetch()} />
        ) : list.length === 0 ? (
          <Empty icon={<Trash2 aria-hidden className="size-6" />} title={t.trash.emptyTitle}>
            {t.trash.emptyText}
          </Empty>
        ) : (
          <ul
            className="divide-y divide-line max-sm:max-h-[31.25rem] max-sm:overflow-y-auto"
            aria-label={t.trash.title}
          >
            {list.map((item) => (
              <TrashRow
                key={item.id}
                item={item}
                chosen={chosen.has(item.id)}
                onChoose={(on) => toggle(item.id, on)}
                onRestore={() => void restore([item])}
                onRemove={() => setAsking([item])}
              />
            ))}
          </ul>
        )}
      </Card>
      {total > 0 && <Pager page={page} total={total} onPage={toPage} />}
      {asking && (
        <ConfirmDelete
          items={asking}
          total={total}
          onClose={() => setAsking(undefined)}
          onDone={() => {
            setChosen(new Set())
            if (page > 1) toPage(1)
          }}
        />
      )}
    </div>
  )
}

function TrashRow({
  item,
  chosen,
  onChoose,
  onRestore,
  onRemove,
}: {
  item: TrashItem
  chosen: boolean
  onChoose: (on: boolean) => void
  onRestore: () => void
  onRemove: () => void
}) {
  const Kind = item.kind === 'group' ? Folder : item.kind === 'folder' ? FolderArchive : File
  const path = [t.files.root, ...item.path].join(' / ')
  return (
    <li className={`flex items-center gap-3 px-3 py-2 text-sm ${chosen ? 'bg-accent-soft' : ''}`}>
      <span className="flex w-8 justify-center sm:w-11">
        <RowCheckbox label={t.files.select(item.name)} checked={chosen} onChange={onChoose} />
      </span>
      <Kind
        aria-hidden
        className={`size-5 shrink-0 ${item.kind === 'group' ? 'fill-accent-soft text-accent' : 'text-muted'}`}
      />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-1.5">
          <span className="truncate font-medium" title={item.name}>
            {item.name}
          </span>
          {item.encrypted && (
            <LockKeyhole aria-label={t.files.encrypted} role="img" className="size-3.5 shrink-0 text-muted" />
          )}
        </p>
        <p className="truncate text-xs text-muted" title={path}>
          {t.trash.from} {path}
        </p>
        <p className="truncate text-xs text-muted sm:hidden">
          {formatSize(item.size)} · {item.kept ? t.trash.kept : t.trash.left(daysLeft(item.purge_at))}
        </p>
      </div>
      <p className="hidden w-40 text-right text-muted tabular-nums sm:block">
        {formatSize(item.size)}
        {item.kind === 'group' && <span className="block text-xs">{t.trash.holds(item.files, item.folders)}</span>}
      </p>
      <p className="hidden w-56 text-right text-muted lg:block">
        {t.trash.deleted} {formatDateTime(item.deleted_at)}
        <span className="block text-xs">{item.kept ? t.trash.kept : t.trash.left(daysLeft(item.purge_at))}</span>
      </p>
      <span className="flex">
        <IconButton label={`${t.trash.restore}: ${item.name}`} onClick={onRestore}>
          <RotateCcw aria-hidden className="size-4" />
        </IconButton>
        <IconButton label={`${t.trash.remove}: ${item.name}`} onClick={onRemove}>
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      </span>
    </li>
  )
}

function ConfirmDelete({
  items,
  total,
  onClose,
  onDone,
}: {
  items: readonly TrashItem[] | 'all'
  total: number
  onClose: () => void
  onDone: () => void
}) {
  const [busy, setBusy] = useState(false)
  const all = items === 'all'
  return (
    <Dialog
      open
      onClose={onClose}
      title={all ? t.trash.emptyAsk(total) : t.trash.removeAsk(items.length, items[0]?.name ?? '')}
      description={t.trash.forGood}
      actions={
        <>
          <Button onClick={onClose}>{shell.words.cancel}</Button>
          <Button
            look="danger"
            busy={busy}
            onClick={async () => {
              setBusy(true)
              await deletePermanently(all ? undefined : items.map(({ id }) => id))
              onDone()
              onClose()
            }}
          >
            {all ? t.trash.empty : t.trash.remove}
          </Button>
        </>
      }
    />
  )
}
