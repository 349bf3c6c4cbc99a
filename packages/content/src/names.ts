import { ContentError } from './errors.ts'

/** Longest name of an entry, in UTF-8 bytes. */
export const MAX_NAME_SIZE = 1024
/** Longest file name on common file systems, in bytes. */
export const SAFE_NAME_SIZE = 255
/** Most segments of a path. */
export const MAX_SEGMENTS = 128
/** Most files and folders in one folder, recursively. */
export const MAX_FOLDER_ENTRIES = 1_000_000

/** Throws ContentError 'bad-path' unless `name` is a valid entry name that stays inside its folder when unpacked. */
export function checkName(name: string): void {
  if (name === '' || name === '.' || name === '..') throw badPath(name, 'is not a name')
  if (name.includes('/') || name.includes('\0')) throw badPath(name, 'has a letter that no name has')
  // A lone surrogate has no UTF-8 encoding; two such names would become equal.
  if (/\p{Surrogate}/u.test(name)) throw badPath(name, 'is not Unicode text')
  if (new TextEncoder().encode(name).length > MAX_NAME_SIZE) throw badPath(name, 'is too long')
}

/** Reserved device names of Windows, regardless of the extension. */
const DEVICE = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)/i
/** Path separators, `:` (streams, drives), and characters that are invisible. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are meant
const NOT_IN_NAMES = /[/\\:\u0000-\u001f\u007f-\u009f]|\p{Surrogate}/gu

/**
 * True if the name is a plain file name on every system. Other names may be a path, a stream or a device there (`..\evil`, `a:stream`,
 * `CON.txt`), or change: Windows drops trailing dots and spaces.
 */
export function isPortableName(name: string): boolean {
  NOT_IN_NAMES.lastIndex = 0
  return name !== '' && !NOT_IN_NAMES.test(name) && !/[. ]$/.test(name) && !DEVICE.test(name)
}

/**
 * Converts `name` to a valid file name on every system: separators, colons, control characters and lone surrogates become `_`, trailing
 * dots and spaces are dropped, Windows device names get a `_` prefix, and long names are cut. If nothing remains, returns `otherwise`.
 */
export function safeName(name: string, otherwise: string): string {
  const letters = name.replace(NOT_IN_NAMES, '_').trim()
  const fitting = fittingIn(letters, SAFE_NAME_SIZE).replace(/[. ]+$/, '')
  if (fitting === '') return otherwise
  return DEVICE.test(fitting) ? fittingIn(`_${fitting}`, SAFE_NAME_SIZE).replace(/[. ]+$/, '') : fitting
}

/** The longest prefix of whole characters that fits into `size` bytes. */
export function fittingIn(text: string, size: number): string {
  const encoder = new TextEncoder()
  let left = size
  let fitting = ''
  for (const letter of text) {
    left -= encoder.encode(letter).length
    if (left < 0) break
    fitting += letter
  }
  return fitting
}

/** Splits `a/b/c.txt`; a trailing slash marks a folder. Throws ContentError 'bad-path'. */
export function splitPath(path: string): { names: string[]; isFolder: boolean } {
  const isFolder = path.endsWith('/')
  const names = (isFolder ? path.slice(0, -1) : path).split('/')
  if (names.length > MAX_SEGMENTS) throw badPath(path, 'is too deep')
  for (const name of names) checkName(name)
  return { names, isFolder }
}

/** An error for an invalid path, shortened in the message. */
export function badPath(path: string, why: string): ContentError {
  return new ContentError('bad-path', `${JSON.stringify(path.slice(0, 200))} ${why}`)
}
