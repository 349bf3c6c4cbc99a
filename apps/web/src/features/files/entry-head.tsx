import { ArrowDown, ArrowUp } from 'lucide-react'
import { t as shell } from '../../lib/texts.ts'
import { classes } from '../../ui/classes.ts'
import { RowCheckbox } from '../../ui/row-checkbox.tsx'
import { columns } from './entry-row.tsx'
import type { Selection } from './selection.ts'
import { t } from './texts.ts'

export type SortKey = 'name' | 'size' | 'date'

/** The sort order of the list. */
export interface HeadSort {
  key: SortKey | undefined
  descending: boolean
  onSort: (key: SortKey) => void
}

const headCell = 'sticky top-0 z-10 h-11 border-b border-line bg-surface font-medium text-muted'

/** The header of the list: select all, and sort by column. */
export function Head({
  count,
  selection,
  onSelectAll,
  sort,
}: {
  count: number
  selection: Selection
  onSelectAll: (on: boolean) => void
  sort?: HeadSort | undefined
}) {
  const all = count > 0 && selection.keys.size >= count
  return (
    <thead className="text-left">
      <tr aria-rowindex={1}>
        <th scope="col" className={classes(headCell, columns.box)}>
          <span className="flex justify-center">
            <RowCheckbox
              label={t.files.selectAll}
              checked={all}
              indeterminate={!all && selection.keys.size > 0}
              onChange={onSelectAll}
            />
          </span>
        </th>
        <Column title={shell.words.name} name="name" sort={sort} className={columns.name} />
        <Column title={shell.words.size} name="size" sort={sort} className={columns.size} />
        <th scope="col" className={classes(headCell, columns.copies)}>
          {t.files.copies}
        </th>
        <Column title={t.files.date} name="date" sort={sort} className={columns.date} />
        <th scope="col" className={classes(headCell, columns.menu)}>
          <span className="sr-only">{shell.words.more}</span>
        </th>
      </tr>
    </thead>
  )
}

function Column({
  title,
  name,
  sort,
  className,
}: {
  title: string
  name: SortKey
  sort: HeadSort | undefined
  className: string
}) {
  const on = sort?.key === name
  const Arrow = sort?.descending ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      aria-sort={on ? (sort.descending ? 'descending' : 'ascending') : undefined}
      className={classes(headCell, className)}
    >
      {sort ? (
        <button
          type="button"
          className={classes(
            // Without a padding on the left, where the checkbox needs 24 px.
            '-mr-1 inline-flex min-h-8 items-center gap-1 rounded-md pr-1 font-medium hover:text-text',
            on && 'text-text',
          )}
          title={t.view.sortBy(title)}
          onClick={(event) => {
            event.stopPropagation()
            sort.onSort(name)
          }}
        >
          {title}
          {on && <Arrow aria-hidden className="size-3.5" />}
        </button>
      ) : (
        title
      )}
    </th>
  )
}
