import { ContentError } from './errors.ts'

/** Longest name of an entry, in bytes of UTF-8. */
export const MAX_NAME_SIZE = 1024
/** Longest name that file systems take, in bytes. */
export const SAFE_NAME_SIZE = 255
/** Deepest path. */
export const MAX_SEGMENTS = 128
/** Files and folders that one folder may hold, those below it included. */
export const MAX_FOLDER_ENTRIES = 1_000_000

/** Throws ContentError 'bad-path' unless `name` can name an entry of a folder on any system that unpacks it inside that folder. */
export function checkName(name: string): void {
  if (name === '' || name === '.' || name === '..') throw badPath(name, 'is not a name')
  if (name.includes('/') || name.includes('\0')) throw badPath(name, 'has a letter that no name has')
  // Half of a letter pair has no UTF-8; two such names would become one.
  if (/\p{Surrogate}/u.test(name)) throw badPath(name, 'is not Unicode text')
  if (new TextEncoder().encode(name).length > MAX_NAME_SIZE) throw badPath(name, 'is too long')
}

/** What Windows takes for a device, whatever stands behind its first dot. */
const DEVICE = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)/i
/** Separators and the mark of a stream or a drive on some system, and what no name shows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are meant
const NOT_IN_NAMES = /[/\\:\u0000-\u001f\u007f-\u009f]|\p{Surrogate}/gu

/**
 * True for the name of one file or folder on any system. A name that is not may be a path, a stream of another file or a device where it is
 * written: `..\evil`, `a:stream`, `CON.txt`, or another name there: Windows drops dots and spaces at the end.
 */
export function isPortableName(name: string): boolean {
  NOT_IN_NAMES.lastIndex = 0
  return name !== '' && !NOT_IN_NAMES.test(name) && !/[. ]$/.test(name) && !DEVICE.test(name)
}

/**
 * `name` as the name of one file or folder on any system: separators, colons, control characters and halves of letter pairs become `_`,
 * dots and spaces at the end are dropped, devices of Windows get a `_` in front, and what is too long is cut. What is then no name at all
 * becomes `otherwise`.
 */
export function safeName(name: string, otherwise: string): string {
  const letters = name.replace(NOT_IN_NAMES, '_').trim()
  const fitting = fittingIn(letters, SAFE_NAME_SIZE).replace(/[. ]+$/, '')
  if (fitting === '') return otherwise
  return DEVICE.test(fitting) ? fittingIn(`_${fitting}`, SAFE_NAME_SIZE).replace(/[. ]+$/, '') : fitting
}

/** As many whole letters as fit into so many bytes. */
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

/** Splits `a/b/c.txt`; a slash at the end marks a folder. Throws ContentError 'bad-path'. */
export function splitPath(path: string): { names: string[]; isFolder: boolean } {
  const isFolder = path.endsWith('/')
  const names = (isFolder ? path.slice(0, -1) : path).split('/')
  if (names.length > MAX_SEGMENTS) throw badPath(path, 'is too deep')
  for (const name of names) checkName(name)
  return { names, isFolder }
}

/** A refused path; long ones are cut in the message. */
export function badPath(path: string, why: string): ContentError {
  return new ContentError('bad-path', `${JSON.stringify(path.slice(0, 200))} ${why}`)
}
