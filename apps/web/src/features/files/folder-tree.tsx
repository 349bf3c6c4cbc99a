import { ChevronDown, ChevronRight, Folder, House } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api } from '../../lib/api.ts'
import { useInfiniteQuery } from '../../lib/more-queries.ts'
import { IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { t } from './texts.ts'

const PAGE = 100

export interface TreeFolder {
  id: number
  name: string
  /** The folders that contain it, from the root. */
  above: readonly TreeFolder[]
}

interface TreeProps {
  value: number
  onChange: (folder: number, name: string) => void
  /** Folders to leave out, with their contents. */
  exclude?: readonly number[]
}

/** All folders as a tree of radio buttons; subfolders are loaded on demand. */
export function FolderTree({ value, onChange, exclude = [] }: TreeProps) {
  const choice = { value, onChange }
  return (
    <div role="radiogroup" aria-label={t.files.treeLabel}>
      <Choice id={0} name={t.files.root} {...choice} />
      <FolderBranch exclude={exclude}>{({ id, name }) => <Choice id={id} name={name} {...choice} />}</FolderBranch>
    </div>
  )
}

function Choice({ id, name, value, onChange }: { id: number; name: string } & Pick<TreeProps, 'value' | 'onChange'>) {
  const Icon = id === 0 ? House : Folder
  return (
    <label
      className={classes(
        'flex min-h-9 min-w-0 flex-1 items-center gap-2.5 rounded-lg px-2.5 text-sm hover:bg-sunken',
        'has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent has-focus-visible:outline-2',
      )}
    >
      <input
        type="radio"
        name="target"
        className="sr-only"
        checked={value === id}
        onChange={() => onChange(id, name)}
        aria-label={name}
      />
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="truncate">{name}</span>
    </label>
  )
}

interface BranchProps {
  /** The folders above, from the root. */
  above?: readonly TreeFolder[]
  exclude?: readonly number[]
  /** Shown instead of an empty list. */
  empty?: ReactNode
  /** The control of a folder. */
  children: (folder: TreeFolder) => ReactNode
}

/** The subfolders of a folder, as a list. */
export function FolderBranch({ above = [], exclude = [], empty, children }: BranchProps) {
  const parent = above.at(-1)?.id ?? 0
  const [open, setOpen] = useState<readonly number[]>([])
  const folders = useInfiniteQuery({
    queryKey: ['folders.list', { parent, paged: true }],
    queryFn: ({ pageParam, signal }) => api('folders.list', { parent, page: pageParam, page_size: PAGE }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (last, _, page) => (page * PAGE < last.total ? page + 1 : undefined),
  })
  if (folders.isPending) return above.length === 0 ? <Loading /> : null
  if (folders.isError)
    return <LoadFailed title={t.files.listFailed} error={folders.error} onRetry={() => void folders.refetch()} />
  const list = folders.data.pages.flatMap((page) => page.list).filter(({ ID }) => !exclude.includes(ID))
  if (list.length === 0 && empty) return empty
  return (
    <ul className="pl-5">
      {list.map(({ ID, Name }) => {
        const isOpen = open.includes(ID)
        const folder = { id: ID, name: Name, above }
        return (
          <li key={ID}>
            <div className="flex items-center">
              <IconButton
                className="size-8"
                label={isOpen ? t.files.closeBranch(Name) : t.files.openBranch(Name)}
                aria-expanded={isOpen}
                onClick={() => setOpen(isOpen ? open.filter((id) => id !== ID) : [...open, ID])}
              >
                {isOpen ? (
                  <ChevronDown aria-hidden className="size-4" />
                ) : (
                  <ChevronRight aria-hidden className="size-4" />
                )}
              </IconButton>
              {children(folder)}
            </div>
            {isOpen && (
              <FolderBranch above={[...above, folder]} exclude={exclude}>
                {children}
              </FolderBranch>
            )}
          </li>
        )
      })}
      {folders.hasNextPage && (
        <li>
          <button
            type="button"
            className="min-h-9 rounded-lg px-3 text-sm text-accent hover:underline"
            onClick={() => void folders.fetchNextPage()}
          >
            {t.files.moreFolders}
          </button>
        </li>
      )}
    </ul>
  )
}
