import { locale } from './texts.ts'

const SIZE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** A size in powers of 1024: `1.5 MiB`. @param digits maximum number of decimals */
export function formatSize(bytes: number, digits = 1): string {
  if (!Number.isFinite(bytes) || bytes < 0) return '–'
  let unit = 0
  let value = bytes
  // 1023.96 would be rounded to 1024.0; use the next unit instead.
  while (value >= 1023.95 && unit < SIZE_UNITS.length - 1) {
    value /= 1024
    unit += 1
  }
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: unit === 0 ? 0 : digits }).format(value)
  return `${number} ${SIZE_UNITS[unit]}`
}

export function formatSpeed(bytesPerSecond: number): string {
  return `${formatSize(bytesPerSecond)}/s`
}

export function formatNumber(value: number, digits = 0): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)
}

/** Points, with all decimals that they have. @param amount millionths of a point */
export const formatPoints = (amount: number): string => formatNumber(amount / 1_000_000, 6)

/** Bytes in GB (10⁹), the unit that the formula of earnings counts in: `1.234 GB`. */
export const formatGigabytes = (bytes: number): string => `${formatNumber(bytes / 1e9, bytes < 1e9 ? 6 : 3)} GB`

/** A percentage, at most 100 %; rounded down, so that 100 % means complete. @param digits number of decimals */
export function formatPercent(done: number, whole: number, digits = 0): string {
  const share = whole > 0 ? Math.min(1, Math.max(0, done / whole)) : 0
  const step = 10 ** (digits + 2)
  const rounded = Math.floor(share * step) / step
  return new Intl.NumberFormat(locale, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(rounded)
}

type Moment = string | number | Date

const formatMoment = (moment: Moment, options: Intl.DateTimeFormatOptions): string => {
  const date = new Date(moment)
  return Number.isNaN(date.getTime()) ? '–' : new Intl.DateTimeFormat(locale, options).format(date)
}

export const formatDateTime = (moment: Moment): string =>
  formatMoment(moment, { dateStyle: 'medium', timeStyle: 'short' })
export const formatDate = (moment: Moment): string => formatMoment(moment, { dateStyle: 'medium' })
export const formatDay = (moment: Moment): string =>
  formatMoment(moment, { month: 'short', day: 'numeric', timeZone: 'UTC' })
/** The time of day in UTC: `13:00`. @param seconds unix; a dash if it is no time, because others may have sent it */
export function formatUtcHour(seconds: number): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? '–' : date.toISOString().slice(11, 16)
}
/** `2026-01-31 12:34 UTC`, as in receipts and statements. @param seconds unix time */
export const formatUtc = (seconds: number): string => {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? '–' : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
export const formatHour = (moment: Moment): string => formatMoment(moment, { hour: '2-digit', minute: '2-digit' })
