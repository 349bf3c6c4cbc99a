import { ContentError } from './errors.ts'

/** Longest name of an entry, in bytes of UTF-8. */
export const MAX_NAME_SIZE = 1024
/** Longest name that file systems take, in bytes. */
const SAFE_NAME_SIZE = 255
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

/**
 * `name` as the name of one file or folder on any system: separators, control characters and halves of letter pairs become `_`, what
 * is too long is cut. What is then no name at all becomes `otherwise`.
 */
export function safeName(name: string, otherwise: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are replaced
  const letters = name.replace(/[/\\\u0000-\u001f\u007f]|\p{Surrogate}/gu, '_').trim()
  const encoder = new TextEncoder()
  let left = SAFE_NAME_SIZE
  let fitting = ''
  for (const letter of letters) {
    left -= encoder.encode(letter).length
    if (left < 0) break
    fitting += letter
  }
  return fitting === '' || fitting === '.' || fitting === '..' ? otherwise : fitting
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
