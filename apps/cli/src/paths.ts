import { safeName } from '@tidenet/content/names'

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

/** Puts a mark before the extension: `a.txt`, `2` → `a (2).txt`. */
export function marked(name: string, mark: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? `${name.slice(0, dot)} (${mark})${name.slice(dot)}` : `${name} (${mark})`
}
