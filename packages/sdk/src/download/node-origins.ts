import { atOrigin } from '@tidenet/content/client-requests'
import type { SourceNode } from './source-node.ts'

/** A node may be reached at several origins: its own one, and those of its relays. The tokens in its URL are valid at all of them. */

/** The addresses of a node, beginning with the one in use. */
export const addressesOf = ({ url, origins }: Pick<SourceNode, 'url' | 'origins'>): string[] => [
  url,
  ...origins.filter((origin) => origin !== new URL(url).origin).map((origin) => atOrigin(url, origin)),
]

/** Uses an address of the node that has answered. */
export function useAddress(node: SourceNode, address: string): void {
  for (let left = node.origins.length; left > 0 && node.url !== address; left--) useNextOrigin(node)
}

/** Uses the next origin of a node that could not be reached. @returns whether there is one */
export function useNextOrigin(node: SourceNode): boolean {
  const [, next] = addressesOf(node)
  if (next === undefined) return false
  // The former one comes last.
  const former = new URL(node.url).origin
  node.origins = [...node.origins.filter((origin) => origin !== former), former]
  node.url = next
  return true
}
