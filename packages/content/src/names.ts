import { ContentError } from './errors.ts'

/** Longest name of an entry, in bytes of UTF-8. */
export const MAX_NAME_SIZE = 1024
/** Deepest path. */
export const MAX_SEGMENTS = 128

/** Throws ContentError 'bad-path' unless `name` can name an entry of a folder on any system that unpacks it inside that folder. */
export function checkName(name: string): void {
  if (name === '' || name === '.' || name === '..') throw badPath(name, 'is not a name')
  if (name.includes('/') || name.includes('\0')) throw badPath(name, 'has a letter that no name has')
  // Half of a letter pair has no UTF-8; two such names would become one.
  if (/\p{Surrogate}/u.test(name)) throw badPath(name, 'is not Unicode text')
  if (new TextEncoder().encode(name).length > MAX_NAME_SIZE) throw badPath(name, 'is too long')
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
