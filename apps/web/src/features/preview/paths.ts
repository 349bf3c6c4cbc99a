/** Paths in an uploaded folder: `a/b`, or empty for the folder itself. */

export const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/')

export const nameOf = (path: string): string => path.split('/').at(-1) ?? ''

export const joined = (path: string, name: string): string => (path === '' ? name : `${path}/${name}`)

/** The addresses at which nodes serve what lies at a path in an uploaded folder, by the addresses of the folder. */
export function urlsAt(path: string | undefined, urls: readonly string[]): string[] {
  if (!path) return [...urls]
  return urls.map((url) => {
    const address = new URL(url)
    address.pathname += path
      .split('/')
      .map((name) => `/${encodeURIComponent(name)}`)
      .join('')
    // It is the name of the whole.
    address.searchParams.delete('filename')
    return address.href
  })
}
