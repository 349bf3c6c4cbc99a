import { createHash } from 'node:crypto'

/** Names the contents that a node may join, in their order, in a token: SHA-256 of their CIDs on a line each, base64url. */
export const partsDigest = (cids: readonly string[]): string =>
  createHash('sha256').update(cids.join('\n')).digest('base64url')
