import { fittingIn, SAFE_NAME_SIZE, safeName } from '@tidenet/content/names'

/** Path segments of an account path; none for `/` and the empty path. */
export const namesIn = (path: string): string[] => path.split('/').filter((name) => name !== '' && name !== '.')

/** Parent folder and last segment of a path; undefined for the root. */
export function splitPath(path: string): { folder: string; name: string } | undefined {
  const names = namesIn(path)
  const name = names.pop()
  return name === undefined ? undefined : { folder: `/${names.join('/')}`, name }
}

export const joinPath = (folder: string, name: string): string => `/${[...namesIn(folder), name].join('/')}`

export const isCid = (text: string): boolean => /^(baf[a-z2-7]{50,}|Qm[1-9A-HJ-NP-Za-km-z]{44})$/.test(text)

/** Converts a remote name to a safe local file name. */
export const localName = (name: string): string => safeName(name, '_')

/** Inserts a mark before the extension: `a.txt`, `2` → `a (2).txt`. Long names are cut before the mark. */
export function withMark(name: string, mark: string): string {
  const dot = name.lastIndexOf('.')
  const marks = ` (${mark})`
  const extension = dot > 0 ? name.slice(dot) : ''
  const end = Buffer.byteLength(marks + extension) < SAFE_NAME_SIZE / 2 ? marks + extension : marks
  return withSuffix(end === marks ? name : name.slice(0, dot), end)
}

/** Appends a suffix to a name, cut to the length that file systems allow. */
export const withSuffix = (name: string, end: string): string =>
  fittingIn(name, SAFE_NAME_SIZE - Buffer.byteLength(end)) + end
