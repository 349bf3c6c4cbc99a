import { fittingIn, SAFE_NAME_SIZE, safeName } from '@tidenet/content/names'

/** The names on the way of a path in the account; `/` and the empty path have none. */
export const namesIn = (path: string): string[] => path.split('/').filter((name) => name !== '' && name !== '.')

/** The folder that a path lies in, and its last name; undefined for the root. */
export function splitPath(path: string): { folder: string; name: string } | undefined {
  const names = namesIn(path)
  const name = names.pop()
  return name === undefined ? undefined : { folder: `/${names.join('/')}`, name }
}

export const joinPath = (folder: string, name: string): string => `/${[...namesIn(folder), name].join('/')}`

export const isCid = (text: string): boolean => /^(baf[a-z2-7]{50,}|Qm[1-9A-HJ-NP-Za-km-z]{44})$/.test(text)

/** A name of the account as a name of this disk: it stays in its folder and a plain file there, whatever somebody else has called it. */
export const localName = (name: string): string => safeName(name, '_')

/** Puts a mark before the extension: `a.txt`, `2` → `a (2).txt`. What disks would not take of a long name is cut before the mark. */
export function marked(name: string, mark: string): string {
  const dot = name.lastIndexOf('.')
  const marks = ` (${mark})`
  const extension = dot > 0 ? name.slice(dot) : ''
  const end = Buffer.byteLength(marks + extension) < SAFE_NAME_SIZE / 2 ? marks + extension : marks
  return ended(end === marks ? name : name.slice(0, dot), end)
}

/** A name with something behind it, no longer than disks take. */
export const ended = (name: string, end: string): string =>
  fittingIn(name, SAFE_NAME_SIZE - Buffer.byteLength(end)) + end
