import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useRem } from '../../lib/use-rem.ts'
import { t } from './texts.ts'

/** Entries requested for embedding; frames are rarely higher. */
export const FIRST_ENTRIES = 24
/** Row height in rem: `h-11`. */
const ROW_REM = 2.75
/** Rows shown even in a very low frame. */
const MIN_ROWS = 3

export interface FirstEntry {
  key: string
  name: string
  icon: ReactNode
  /** Its size or number of entries. */
  fact: string
}

/** As many entries of a folder as fit the window, with a link to the rest. */
export function FirstEntries({
  label,
  entries,
  total,
  href,
}: {
  label: string
  entries: readonly FirstEntry[]
  total: number
  /** The page that shows all of them. */
  href: string
}) {
  const list = useRef<HTMLUListElement>(null)
  const rem = useRem()
  const [rows, setRows] = useState(MIN_ROWS + 1)
  useLayoutEffect(() => {
    const measure = () => {
      const page = list.current?.closest('main')
      if (!page || !list.current) return
      const around = page.offsetHeight - list.current.offsetHeight
      setRows(Math.max(MIN_ROWS + 1, Math.floor((window.innerHeight - around) / (ROW_REM * rem))))
    }
    measure()
    window.addEventListener('resize', measure)
    return () => window.removeEventListener('resize', measure)
  }, [rem])
  const whole = total <= rows && total <= entries.length
  const shown = whole ? entries : entries.slice(0, rows - 1)
  return (
    <ul ref={list} aria-label={label} className="divide-y divide-line">
      {shown.map(({ key, name, icon, fact }) => (
        <li key={key} className="flex h-11 items-center gap-3 px-5">
          {icon}
          <span className="min-w-0 flex-1 truncate" title={name}>
            {name}
          </span>
          <span className="shrink-0 text-sm text-muted tabular-nums">{fact}</span>
        </li>
      ))}
      {!whole && (
        <li className="flex h-11 items-center px-5">
          <a
            href={href}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-6 items-center text-sm text-accent hover:underline"
          >
            {t.embedded.more(formatNumber(total - shown.length))}
          </a>
        </li>
      )}
    </ul>
  )
}
