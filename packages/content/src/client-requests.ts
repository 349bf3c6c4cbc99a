import { type Cid, cidText } from './cid.ts'

export { firstOf } from './first-answer.ts'

/** Addresses of the requests that clients send to nodes. Audits use the same, so that a node cannot tell them from downloads. */

/** The URL with one more query parameter. */
export function withQuery(url: string, name: string, value: string): string {
  const address = new URL(url)
  address.searchParams.set(name, value)
  return address.href
}

/** The node URL of a path below the content. */
export function partUrl(url: string, names: readonly string[]): string {
  const address = new URL(url)
  const path = names.map((name) => `/${encodeURIComponent(name)}`).join('')
  address.pathname = address.pathname.replace(/(\/ipfs\/[^/]+).*$/, (_, root: string) => root + path)
  // The file name is meant for the whole content.
  if (names.length > 0) address.searchParams.delete('filename')
  return address.href
}

/** The node URL of one block of the content. */
export const blockUrl = (url: string, cid: Cid): string =>
  // The URL may be that of a path below the content.
  withQuery(url, 'format', 'raw').replace(/\/ipfs\/[^?]+/, `/ipfs/${cidText(cid)}`)

/** The same request at another origin of the node. */
export const atOrigin = (url: string, origin: string): string => {
  const { pathname, search } = new URL(url)
  return origin + pathname + search
}
