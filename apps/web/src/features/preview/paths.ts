/** Paths in an uploaded folder: `a/b`, or empty for the folder itself. */

export const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/')

export const nameOf = (path: string): string => path.split('/').at(-1) ?? ''

export const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}/${name}`)
