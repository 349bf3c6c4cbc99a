import type { NodeKind } from '../node-kinds.ts'

/**
 * The id of a node: `e_` for edges, `c_` for candidates and validators, then a UUID of the first 16 bytes of the SHA-256 of its
 * raw public key. Node and server both derive it, so that a node cannot choose its id.
 * @param digestHex that SHA-256, hexadecimal
 */
export function nodeIdOf(kind: NodeKind, digestHex: string): string {
  const hex = digestHex.toLowerCase()
  const uuid = [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => hex.slice(from, to))
    .join('-')
  return `${kind === 'edge' ? 'e' : 'c'}_${uuid}`
}
