import type { Lang } from '../lang.ts'

/** The values that a text contains. */
export type Facts = Readonly<Record<string, string | number | undefined>>

export interface Entry {
  /** The number on the wire, field `err`. */
  err: number
  en: (facts: never) => string
  cn: (facts: never) => string
}

export const text = (en: string, cn: string, err: number) => ({ err, en: () => en, cn: () => cn })

export const template = <F extends Facts>(err: number, en: (facts: F) => string, cn: (facts: F) => string) => ({
  err,
  en,
  cn,
})

export const mebibytes = (bytes: number): number => Math.floor(bytes / 1_048_576)

const UNITS = [
  [86_400, 'days', '天'],
  [3600, 'hours', '小时'],
  [60, 'minutes', '分钟'],
] as const

/** An approximate duration, such as “3 hours”; the sign is ignored. */
export function formatDuration(seconds: number, lang: Lang): string {
  const length = Math.abs(seconds)
  const [unit, en, cn] = UNITS.find(([unit]) => length >= 2 * unit) ?? [1, 'seconds', '秒']
  return lang === 'en' ? `${Math.round(length / unit)} ${en}` : ` ${Math.round(length / unit)} ${cn}`
}

/** Bytes of traffic, as caps count them; never more than there are. */
export const traffic = (bytes: number): string =>
  bytes >= 1e9 ? `${Math.floor(bytes / 1e7) / 100} GB` : `${Math.floor(bytes / 1e4) / 100} MB`
