import type { Cid } from './cid.ts'
import { ContentError } from './errors.ts'
import { readNode, type UnixfsLink, type UnixfsNode } from './unixfs.ts'
import { type GetBlock, verifyBlock } from './verify.ts'

/** Most levels that a walk descends. */
export const DEPTH_MAX = 64

/**
 * Walks from the root to the leaf at `position` (0..1) and verifies every block on the path, as audits do. Throws ContentError 'mismatch'
 * or 'bad-dag', and errors of `getBlock`.
 */
export async function walkToLeaf(root: Cid, position: number, getBlock: GetBlock): Promise<void> {
  let at = { cid: root, position: Math.max(0, Math.min(1, position)) }
  for (let depth = 0; depth < DEPTH_MAX; depth += 1) {
    const bytes = await getBlock(at.cid)
    await verifyBlock(at.cid, bytes)
    const next = childAt(readNode(at.cid, bytes), at.position)
    if (!next) return
    at = { cid: next.link.cid, position: next.position }
  }
  throw new ContentError('bad-dag', 'the content is a tree of too many levels')
}

/** The link that contains the position, and the position within it; undefined for a leaf. */
export function childAt(node: UnixfsNode, position: number): { link: UnixfsLink; position: number } | undefined {
  const { links } = node
  const last = links.at(-1)
  if (!last) return undefined
  // A declared size of 0 must not hide a link from audits.
  const weights = links.map((link) => Math.max(1, link.cumulativeSize))
  let rest = position * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, link] of links.entries()) {
    const weight = weights[index] ?? 1
    if (rest < weight) return { link, position: rest / weight }
    rest -= weight
  }
  return { link: last, position: 1 }
}
