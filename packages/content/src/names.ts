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
 * dots and spaces are dropped, Windows device names get a `_` prefix, and long names are cut before their extension. If nothing remains, returns `otherwise`.
 */
export function safeName(name: string, otherwise: string): string {
  const letters = name.replace(NOT_IN_NAMES, '_').trim()
  const fitting = shortened(letters).replace(/[. ]+$/, '')
  if (fitting === '') return otherwise
  return DEVICE.test(fitting) ? fittingIn(`_${fitting}`, SAFE_NAME_SIZE).replace(/[. ]+$/, '') : fitting
}

/** Longest extension that stays when a name is cut, in bytes. */
const EXTENSION_SIZE = 16

function shortened(name: string): string {
  if (sizeOf(name) <= SAFE_NAME_SIZE) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && sizeOf(name.slice(dot)) <= EXTENSION_SIZE ? name.slice(dot) : ''
  return withSuffix(extension === '' ? name : name.slice(0, dot), extension)
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

/** Inserts a mark before the extension: `a.txt`, `2` → `a (2).txt`. Long names are cut before the mark. */
export function withMark(name: string, mark: string): string {
  const dot = name.lastIndexOf('.')
  const marks = ` (${mark})`
  const extension = dot > 0 ? name.slice(dot) : ''
  const end = sizeOf(marks + extension) < SAFE_NAME_SIZE / 2 ? marks + extension : marks
  return withSuffix(end === marks ? name : name.slice(0, dot), end)
}

/** Appends a suffix to a name, cut to the length that file systems allow. */
export const withSuffix = (name: string, end: string): string => fittingIn(name, SAFE_NAME_SIZE - sizeOf(end)) + end

const sizeOf = (text: string): number => new TextEncoder().encode(text).length

/** Characters that disks ignore in names, such as joiners. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu
/** Characters that Windows does not allow; programs that unpack there write `_`. */
const REPLACED = /[<>"|?*]/g

/**
 * Names for which this is equal may be one name on some disk: one that ignores case, Unicode form or invisible characters, or that lacks
 * characters. Both conversions of case are needed: `ß` is `SS`, and `ς`, `σ` and `Σ` are one letter.
 */
export const asDisksSeeIt = (name: string): string =>
  name
    .normalize('NFC')
    .replace(IGNORED, '')
    .replace(REPLACED, '_')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC')

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
