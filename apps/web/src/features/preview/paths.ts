/** Paths in an uploaded folder: `a/b`, or empty for the folder itself. */

export const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/')

export const nameOf = (path: string): string => path.split('/').at(-1) ?? ''

export const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}/${name}`)

/** URLs of an entry in an uploaded folder, derived from the URLs of the folder. */
export function urlsAt(path: string | undefined, urls: readonly string[]): string[] {
  if (!path) return [...urls]
  return urls.map((url) => {
    const address = new URL(url)
    address.pathname += path
      .split('/')
      .map((name) => `/${encodeURIComponent(name)}`)
      .join('')
    // `filename` is the name of the folder.
    address.searchParams.delete('filename')
    return address.href
  })
}
