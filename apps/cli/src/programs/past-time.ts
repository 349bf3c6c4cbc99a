import { CommandError } from '../command-error.ts'
import { texts } from '../texts.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads a time: how long ago (`90s`, `10m`, `2h`, `1d`), a date, or a date and time. @returns RFC 3339 @throws CommandError 'usage' */
export function readPastTime(text: string, now: number): string {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count) return new Date(now - Number(count) * (UNITS[unit] ?? 0)).toISOString()
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  // A date alone begins here, not in UTC.
  const at = date ? new Date(`${text}T00:00:00`) : new Date(/^\d{4}-\d{2}-\d{2}[T ]/.test(text) ? text : '')
  if (Number.isNaN(at.getTime())) throw new CommandError(texts.programs.badTime(text), 'usage')
  return at.toISOString()
}
