import { CommandError } from '../command-error.ts'
import { texts } from '../texts.ts'

const DAY = 86_400_000

/**
 * Reads when a key expires: a date (the end of that day here), a date and time, a number of days such as `30d`, or `never`.
 * @returns a time for the API; empty for never
 */
export function readExpiry(text: string, now: Date): string {
  if (text === 'never') return ''
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  if (days) return new Date(now.getTime() + Number(days) * DAY).toISOString()
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  const at = date
    ? endOfDay(Number(date[1]), Number(date[2]), Number(date[3]))
    : new Date(/^\d{4}-/.test(text) ? text : '')
  if (Number.isNaN(at.getTime())) throw new CommandError(texts.usage.badExpiry(text), 'usage')
  return at.toISOString()
}

function endOfDay(year: number, month: number, day: number): Date {
  const end = new Date(year, month - 1, day, 23, 59, 59)
  // 2027-02-30 would be a day in March.
  return end.getMonth() === month - 1 ? end : new Date(Number.NaN)
}
