/** For lists of keys that are grouped by another delimiter than `/`. */

/** Reading fewer costs the database as much: `keys_below` reads this many at a time. */
export const ROWS_PER_STATEMENT = 250
/** Limits the cost of a page: each statement takes some milliseconds, and clients choose keys and delimiter. */
export const STATEMENTS_MAX = 40

export const isGreater = (a: string, b: string): boolean => Buffer.compare(Buffer.from(a), Buffer.from(b)) > 0

/** The group of a key: the key up to the first delimiter after the prefix. */
export function groupOf(key: string, prefix: string, delimiter: string): string | undefined {
  const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
  return end < 0 ? undefined : key.slice(0, end + delimiter.length)
}

export const isGroup = (text: string, prefix: string, delimiter: string): boolean =>
  delimiter !== '' && text.startsWith(prefix) && text.length > prefix.length && text.endsWith(delimiter)

/**
 * The key after which reading continues, past a group. The last code point is greater than nearly everything that can follow the group; keys
 * can contain it, too.
 */
export function skipGroup(group: string, key: string): string {
  const last = `${group}\u{10ffff}`
  return isGreater(key, last) ? key : last
}
