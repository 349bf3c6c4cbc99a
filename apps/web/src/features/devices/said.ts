import type { OwnedDevice } from '@tidenet/contract'
import { shorten } from '../../lib/phrases.ts'
import { lang, locale } from '../../lib/texts.ts'
import { t } from './texts.ts'

const MINUTE = 60

/** The colour of a state, in words. */
export const tones = { online: 'text-good', offline: 'text-danger', abnormal: 'text-warn' } as const

/** What its owner calls it; a node without a name is called by its id. */
export const deviceName = ({ name, node_id }: Pick<OwnedDevice, 'name' | 'node_id'>): string =>
  name || shorten(node_id, 10, 6)

/** How long ago something was, in the largest unit that fits: `3 hours ago`. @param now ms */
export function ago(moment: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(moment)) / 1000))
  // A heartbeat is under way for half a minute: what is younger than two is no news.
  if (seconds < 2 * MINUTE) return t.list.justNow
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ['day', 24 * 60 * MINUTE],
    ['hour', 60 * MINUTE],
    ['minute', MINUTE],
  ]
  const [unit, size] = steps.find(([, size]) => seconds >= size) ?? ['minute', MINUTE]
  return spaced(new Intl.RelativeTimeFormat(locale).format(-Math.floor(seconds / size), unit))
}

/** Figures stand apart from Chinese words, as in every text of ours. */
const spaced = (text: string): string => text.replace(/(\d)(?=\p{Script=Han})/gu, '$1 ')

/** A short time in words: `1 minute 30 seconds`. @param seconds whole */
export function span(seconds: number): string {
  const parts: [number, 'minute' | 'second'][] = [
    [Math.floor(seconds / MINUTE), 'minute'],
    [seconds % MINUTE, 'second'],
  ]
  // Chinese has no longer words for them, only clumsier ones.
  const unitDisplay = lang === 'cn' ? 'short' : 'long'
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => spaced(new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay }).format(count)))
    .join(' ')
}
