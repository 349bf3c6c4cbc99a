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

/**
 * The lines that are not kept yet, of `found`, which begins with the second of the last kept line. Lines have no number on the cluster, so
 * those of the last millisecond are counted.
 */
export function newLines(
  found: readonly LogLine[],
  { last_at, last_count }: { last_at: Date | null; last_count: number },
): { lines: readonly LogLine[]; gap: boolean } {
  if (!last_at) return { lines: found, gap: false }
  const last = last_at.getTime()
  const later = found.findIndex(({ at }) => at.getTime() > last)
  const end = later < 0 ? found.length : later
  const same = found.slice(0, end).filter(({ at }) => at.getTime() === last).length
  // Fewer than before: the cluster has deleted the beginning of its log.
  const gap = same < last_count && (later >= 0 || same > 0)
  return { lines: found.slice(end - Math.max(0, same - last_count)), gap }
}

/** Where the log goes on after these lines. */
export function endOf(
  lines: readonly LogLine[],
  before: { last_at: Date | null; last_count: number },
): { last_at: Date; last_count: number } | undefined {
  const last = lines.at(-1)
  if (!last) return undefined
  // Outputs of a program may be a little out of order.
  const time = Math.max(...lines.slice(-1000).map(({ at }) => at.getTime()), before.last_at?.getTime() ?? 0)
  const same = lines.filter(({ at }) => at.getTime() === time).length
  return { last_at: new Date(time), last_count: same + (before.last_at?.getTime() === time ? before.last_count : 0) }
}
