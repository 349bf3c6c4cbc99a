import type { LogLine } from '../clusters/driver.ts'

export interface KeptLine {
  /** RFC 3339. */
  at: string
  text: string
  /** Whether output before it is missing: the program printed more than the cluster keeps. */
  gap: boolean
}

/** Longer lines are cut, so that one line cannot replace the whole log. */
export const LINE_MAX = 16 * 1024

const FORMAT = /^(\d{4}-[^\s!]+)(!?) (.*)$/s

export const formatLine = ({ at, text, gap }: Omit<KeptLine, 'at'> & { at: Date }): string =>
  `${at.toISOString()}${gap ? '!' : ''} ${storable(text)}\n`

/** Lines of a part, with `undefined` for a beginning that was cut by an earlier version. */
export const parseLines = (lines: string): (KeptLine | undefined)[] =>
  lines
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [, at, gap, text] = FORMAT.exec(line) ?? []
      return at === undefined ? undefined : { at, gap: gap === '!', text: text ?? '' }
    })

/** PostgreSQL text cannot contain NUL, and a line contains no end of a line. */
function storable(text: string): string {
  const cut = text.length > LINE_MAX ? `${text.slice(0, LINE_MAX)}…` : text
  return cut.replaceAll('\0', '').replaceAll('\n', ' ')
}

/** Where a kept log ends: when its last line was written, and how many lines of that time are kept. */
export interface LogEnd {
  last_written: string | null
  last_count: number
}

/**
 * The lines that are not kept yet, of `found`, which begins with the second of the last kept line. Lines have no number on the cluster, and
 * those that a program writes at once have one time (Podman's have that of their second), so these are counted.
 * @returns `before`: where the log went on
 */
export function newLines(
  found: readonly LogLine[],
  before: LogEnd,
): { lines: readonly LogLine[]; gap: boolean; before: LogEnd } {
  const { last_written: last, last_count } = before
  if (last === null) return { lines: found, gap: false, before }
  const later = found.findIndex(({ written }) => written > last)
  const end = later < 0 ? found.length : later
  const same = found.slice(0, end).filter(({ written }) => written === last).length
  // Fewer than before: the cluster has deleted the beginning of its log, with every line that is kept.
  const deleted = same < last_count
  const lines = found.slice(end - Math.max(0, same - (deleted ? 0 : last_count)))
  return { lines, gap: deleted && lines.length > 0, before: deleted ? { ...before, last_count: 0 } : before }
}

/** Where the log goes on after these lines. */
export function endOf(lines: readonly LogLine[], before: LogEnd): LogEnd | undefined {
  if (lines.length === 0) return undefined
  // Two outputs of a program may be a little out of order.
  const last = lines.reduce((latest, { written }) => (written > latest ? written : latest), before.last_written ?? '')
  const same = lines.filter(({ written }) => written === last).length
  return { last_written: last, last_count: same + (before.last_written === last ? before.last_count : 0) }
}
