import { WALLET_MASK } from '@tidenet/contract/constants'
import { locale } from './texts.ts'

/** A duration in its two largest units: `2 hr 5 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const parts: [number, Intl.NumberFormatOptions['unit']][] = [
    [Math.floor(seconds / 86_400), 'day'],
    [Math.floor(seconds / 3600) % 24, 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ]
  const first = parts.findIndex(([count]) => count > 0)
  const used = first < 0 ? [parts[3]!] : parts.slice(first, first + 2).filter(([count]) => count > 0)
  return used
    .map(([count, unit]) =>
      spaced(new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(count)),
    )
    .join(' ')
}

/** Adds a space between digits and Chinese characters, as in all our texts. */
export const spaced = (text: string): string => text.replace(/(\d)(?=\p{Script=Han})/gu, '$1 ')

/** Joins names: `a, b, and c`, or with `or`. */
export function formatList(names: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  return new Intl.ListFormat(locale, { type }).format(names)
}

/** Cuts the middle of a long text: `abcdef…wxyz`. */
export function shorten(text: string, head = 6, tail = 4): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}

/** A wallet's address where others may see it: its first four characters and the last. */
export const maskWallet = (address: string): string => shorten(address, WALLET_MASK.head, WALLET_MASK.tail)

/** Shortens an e-mail address: `har…@tidenet.example`. */
export function shortenEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at <= 4 ? email : `${email.slice(0, 3)}…${email.slice(at)}`
}
