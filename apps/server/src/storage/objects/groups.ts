/** Lists of keys that are grouped by a text which is not the slash of folders. */

/** Rows of a statement. For fewer the database would do as much: `keys_below` looks at this many at a time. */
export const ROWS = 250
/** Statements of a page: each takes some milliseconds, and clients choose both keys and delimiter. */
export const STATEMENTS_MAX = 40

export const isGreater = (a: string, b: string): boolean => Buffer.compare(Buffer.from(a), Buffer.from(b)) > 0

/** The group of a key: up to the first delimiter behind the prefix. */
export function groupOf(key: string, prefix: string, delimiter: string): string | undefined {
  const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
  return end < 0 ? undefined : key.slice(0, end + delimiter.length)
}

export const isGroup = (text: string, prefix: string, delimiter: string): boolean =>
  delimiter !== '' && text.startsWith(prefix) && text.length > prefix.length && text.endsWith(delimiter)

/** Where to go on behind a group: the last code point is greater than nearly all that can follow; keys can have it, too. */
export function behind(group: string, key: string): string {
  const last = `${group}\u{10ffff}`
  return isGreater(key, last) ? key : last
}
