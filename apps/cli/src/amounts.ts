import { lang } from './texts.ts'

const locale = lang === 'cn' ? 'zh-CN' : 'en-GB'
const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
const oneDigit = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })

/** Formats bytes: 1536 → `1.5 KiB`. */
export function bytes(count: number): string {
  let power = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(count) / Math.log(1024)))
  // 1023.99 KiB would be rounded to 1024.0 KiB.
  if (power > 0 && power < units.length - 1 && Math.round((count / 1024 ** power) * 10) >= 10_240) power++
  const amount = count / 1024 ** power
  return `${(power === 0 ? whole : oneDigit).format(amount)} ${units[power]}`
}

const fraction = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 })

/** Formats points. @param millionths of a point */
export const points = (millionths: number): string => fraction.format(millionths / 1_000_000)

/** Formats a time. @param at RFC 3339, or unix ms */
export const moment = (at: string | number): string => {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? '-' : moments.format(date)
}

/** `2026-01-31 12:34`, in UTC like receipts and statements. @param seconds unix time */
export const utc = (seconds: number): string => {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? '-' : date.toISOString().slice(0, 16).replace('T', ' ')
}

/** All digits of a count: 1234567 → `1,234,567`. */
export const digits = (count: number): string => whole.format(count)

/** Formats seconds: 75 → `1:15`, 3675 → `1:01:15`. */
export function clock(seconds: number): string {
  const rest = Math.max(0, Math.round(seconds))
  const parts = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60]
  return (parts[0] === 0 ? parts.slice(1) : parts)
    .map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0')))
    .join(':')
}
