import { safeName } from '@tidenet/content/names'

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
