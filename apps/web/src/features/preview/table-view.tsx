import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Select } from '../../ui/select.tsx'
import { Loading } from '../../ui/states.tsx'
import { EncodingChoice } from './encoding-choice.tsx'
import { guessSeparator, readTable, type Separator, separators } from './table.ts'
import { useBytes, useDecoded } from './text-view.tsx'
import { t } from './texts.ts'

const ROWS = 200_000
const COLUMNS = 200
const ROW_REM = 2

/** A text as a virtualized table. */
export function TableView({ blob, name, compact = false }: { blob: Blob; name: string; compact?: boolean }) {
  const bytes = useBytes(blob)
  const { text, encoding, setEncoding } = useDecoded(bytes)
  const guessed = useMemo(() => guessSeparator(text), [text])
  const [chosen, setChosen] = useState<Separator>()
  const [titled, setTitled] = useState(true)
  const separator = chosen ?? guessed
  const { rows, cut } = useMemo(() => readTable(text, separator, compact ? 50 : ROWS), [text, separator, compact])
  if (!bytes) return <Loading />
  if (rows.length === 0) return <p className="p-8 text-center text-muted">{t.text.empty}</p>
  const columns = Math.min(COLUMNS, Math.max(...rows.slice(0, 1000).map((row) => row.length)))
  const head = titled ? rows[0] : undefined
  const body = titled ? rows.slice(1) : rows
  return (
    <div className="flex h-full flex-col">
      {!compact && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-3 py-1.5 text-sm">
          <EncodingChoice value={encoding} onChange={setEncoding} />
          <Select
            label={t.table.separator}
            value={separator}
            options={separators.map((value) => ({ value, label: t.table.separators[value] ?? value }))}
            onChange={setChosen}
          />
          <label className="flex min-h-9 items-center gap-2">
            <input type="checkbox" className="size-4.5" checked={titled} onChange={() => setTitled(!titled)} />
            {t.table.header}
          </label>
          <span className="text-muted">
            {cut ? t.table.cut(formatNumber(rows.length)) : t.table.rows(body.length, columns)}
          </span>
        </div>
      )}
      <Grid key={`${separator} ${titled}`} head={head} body={body} columns={columns} name={name} compact={compact} />
    </div>
  )
}

/** Column widths in characters, by the longest value of the first rows. */
function widthsOf(rows: readonly string[][], columns: number): number[] {
  return Array.from({ length: columns }, (_, column) => {
    const longest = Math.max(4, ...rows.slice(0, 200).map((row) => row[column]?.length ?? 0))
    return Math.min(40, longest + 3)
  })
}

function Grid({
  head,
  body,
  columns,
  name,
  compact,
}: {
  head: string[] | undefined
  body: readonly string[][]
  columns: number
  name: string
  compact: boolean
}) {
  const scroller = useRef<HTMLElement>(null)
  const rem = useMemo(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16, [])
  const rows = useVirtualizer({
    count: body.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_REM * rem,
    overscan: 20,
  })
  const widths = useMemo(
    () => widthsOf(head ? [head, ...body.slice(0, 200)] : body.slice(0, 200), columns),
    [head, body, columns],
  )
  const shown = rows.getVirtualItems()
  const before = shown[0]?.start ?? 0
  const after = rows.getTotalSize() - (shown.at(-1)?.end ?? 0)
  const cells = (row: readonly string[]) => Array.from({ length: columns }, (_, column) => row[column] ?? '')
  return (
    <section
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
      tabIndex={0}
      aria-label={t.table.label(name)}
      className={compact ? 'max-h-[28rem] overflow-auto' : 'min-h-0 flex-1 overflow-auto'}
    >
      <table
        aria-rowcount={body.length + (head ? 1 : 0)}
        className="w-max min-w-full table-fixed border-separate border-spacing-0 font-mono text-[0.8125rem]"
      >
        <colgroup>
          <col ref={setWidth(6)} />
          {widths.map((width, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            <col key={column} ref={setWidth(width)} />
          ))}
        </colgroup>
        {head && (
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col" className={headClass}>
                <span className="sr-only">{t.table.row}</span>
              </th>
              {cells(head).map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                <th key={column} scope="col" className={headClass} title={cell}>
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          <Gap height={before} />
          {shown.map(({ index }) => (
            <tr key={index} aria-rowindex={index + (head ? 2 : 1)} className="hover:bg-sunken">
              <th scope="row" className={`${cellClass} text-right font-normal text-muted select-none`}>
                {index + 1}
              </th>
              {cells(body[index] ?? []).map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                <td key={column} className={cellClass} title={cell.length > 30 ? cell : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
          <Gap height={after} />
        </tbody>
      </table>
    </section>
  )
}

const cellClass = 'h-8 truncate border-b border-line px-3'
const headClass = 'sticky top-0 z-10 h-8 truncate border-b border-line bg-sunken px-3 text-left font-semibold'

/** Sets the width by script: the content security policy forbids style attributes. */
const setWidth = (characters: number) => (element: HTMLElement | null) => {
  if (element) element.style.width = `${characters}ch`
}

/** Spacer for rows that are not rendered. @param height in px */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden>
      <td
        ref={(element) => {
          if (element) element.style.height = `${height}px`
        }}
      />
    </tr>
  )
}
