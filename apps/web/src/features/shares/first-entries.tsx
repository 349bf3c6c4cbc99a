import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useRem } from '../../lib/use-rem.ts'
import { t } from './texts.ts'

/** So many entries are asked for; the frames of other sites are seldom higher. */
export const FIRST_ENTRIES = 24
/** A row in rem: `h-11`. */
const ROW = 2.75
/** So many are shown however low the frame is. */
const LEAST = 3

export interface FirstEntry {
  key: string
  name: string
  icon: ReactNode
  /** Its size, or how much is in it. */
  fact: string
}

/** The first of what is in a folder, as far as the window has room for them, and the way to the others. */
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
  const [rows, setRows] = useState(LEAST + 1)
  useLayoutEffect(() => {
    const measure = () => {
      const page = list.current?.closest('main')
      if (!page || !list.current) return
      const around = page.offsetHeight - list.current.offsetHeight
      setRows(Math.max(LEAST + 1, Math.floor((window.innerHeight - around) / (ROW * rem))))
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
