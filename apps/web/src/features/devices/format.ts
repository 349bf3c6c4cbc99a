import type { OwnedDevice } from '@tidenet/contract'
import { shorten, spaced } from '../../lib/phrases.ts'
import { lang, locale } from '../../lib/texts.ts'
import { t } from './texts.ts'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

/** Text colours of the states. */
export const tones = { online: 'text-good', offline: 'text-danger', abnormal: 'text-warn' } as const

/** The name of a device, or its shortened id. */
export const deviceName = ({ name, node_id }: Pick<OwnedDevice, 'name' | 'node_id'>): string =>
  name || shorten(node_id, 10, 6)

/** Whether a version is older than another one. A node chooses what it says, so anything else than three numbers is not compared. */
export function isOlder(version: string, newest: string): boolean {
  const [one, other] = [version, newest].map((text) => /^\d+\.\d+\.\d+$/.test(text) && text.split('.').map(Number))
  if (!one || !other) return false
  const at = one.findIndex((part, index) => part !== other[index])
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0)
}

/** The time since a moment, in its largest unit: `3 hours ago`. @param now ms */
export function formatAgo(moment: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(moment)) / 1000))
  // Heartbeats are up to half a minute apart, so shorter times say nothing.
  if (seconds < 2 * MINUTE) return t.list.justNow
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ['day', 24 * 60 * MINUTE],
    ['hour', 60 * MINUTE],
    ['minute', MINUTE],
  ]
  const [unit, size] = steps.find(([, size]) => seconds >= size) ?? ['minute', MINUTE]
  return spaced(new Intl.RelativeTimeFormat(locale).format(-Math.floor(seconds / size), unit))
}

/** How far the vetting of a new device is: `New: 12 of 100 audits passed, 1 of 3 days`. */
export function formatVetting(vetting: NonNullable<OwnedDevice['vetting']>): string {
  const { audits, audits_of, time, time_of } = vetting
  const [unit, size] = time_of >= DAY ? (['day', DAY] as const) : (['second', 1] as const)
  const done = Math.floor(time / size)
  return t.list.vetting(audits, audits_of, done, spanOf(Math.round(time_of / size), unit))
}

const spanOf = (count: number, unit: 'day' | 'minute' | 'second') =>
  spaced(
    // In Chinese, the long form is clumsy.
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: lang === 'cn' ? 'short' : 'long' }).format(count),
  )

/** A short duration: `1 minute 30 seconds`. @param seconds whole */
export function formatSpan(seconds: number): string {
  const parts: [number, 'minute' | 'second'][] = [
    [Math.floor(seconds / MINUTE), 'minute'],
    [seconds % MINUTE, 'second'],
  ]
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => spanOf(count, unit))
    .join(' ')
}
