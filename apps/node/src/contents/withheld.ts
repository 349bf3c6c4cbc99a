import { type Cid, DAG_PB, isContentError } from '@tidenet/content'
import { readNode, type UnixfsNode } from '@tidenet/content/unixfs'
import { verifyBlock } from '@tidenet/content/verify'
import { wholeLinks } from '@tidenet/content/whole-links'
import type { OpenContent } from './open-content.ts'

/** What of a content is not served, because it contains blocked files or folders. */
export interface Withheld {
  /** Whether a block can be reached only through blocked ones; by the number of its record in the index. */
  has(record: number): boolean
  /** Whether it is a blocked file or folder itself. A leaf of one can be a part of other files, and is served for them. */
  isBlocked(cid: Cid): boolean
  /** Whether anything below a block is withheld. */
  isBelow(cid: Cid): Promise<boolean>
  /** The blocks from the root to the first one that links to a blocked one, for the server to verify. */
  proof: Buffer[]
  /** What that last one links to. */
  blocked: Cid
}

interface Step {
  cid: Cid
  parent: Step | undefined
  /** One of several leaves of a file. */
  isPart: boolean
}

/**
 * Walks everything that can be reached from the root without passing a blocked block. It reads dag-pb nodes only, each once.
 * @returns undefined if nothing is blocked
 */
export async function findWithheld(
  content: OpenContent,
  root: Cid,
  isBlocked: (cid: Cid) => boolean,
): Promise<Withheld | undefined> {
  const { reached, found } = await walk(content, root, isBlocked)
  if (!found?.parent) return undefined
  const trail: Cid[] = []
  for (let step: Step | undefined = found.parent; step; step = step.parent) trail.unshift(step.cid)
  return {
    has: (record) => !isMarked(reached, record),
    isBlocked,
    isBelow: async (cid) => (await walk(content, cid, isBlocked)).found !== undefined,
    proof: await Promise.all(trail.map((cid) => read(content, cid))),
    blocked: found.cid,
  }
}

async function walk(content: OpenContent, root: Cid, isBlocked: (cid: Cid) => boolean) {
  const reached = new Uint8Array(((await content.index()).count >> 3) + 1)
  let found: Step | undefined
  const stack: Step[] = [{ cid: root, parent: undefined, isPart: false }]
  for (let step = stack.pop(); step; step = stack.pop()) {
    const { cid, isPart } = step
    if (!isPart && isBlocked(cid)) {
      found ??= step
      continue
    }
    const place = await content.locate(cid.multihash.digest, cid.code)
    if (!place || isMarked(reached, place.record)) continue
    mark(reached, place.record)
    if (cid.code !== DAG_PB) continue
    const node = await readSound(cid, await content.readBlock(place))
    if (!node) continue
    const whole = new Set(wholeLinks(node).map(String))
    for (const { cid: linked } of node.links)
      stack.push({ cid: linked, parent: step, isPart: !whole.has(linked.toString()) })
  }
  return { reached, found }
}

/** Undefined if it is damaged or malformed, and then it is not served. */
async function readSound(cid: Cid, bytes: Uint8Array): Promise<UnixfsNode | undefined> {
  try {
    await verifyBlock(cid, bytes)
    return readNode(cid, bytes)
  } catch (error) {
    if (isContentError(error)) return undefined
    throw error
  }
}

async function read(content: OpenContent, cid: Cid): Promise<Buffer> {
  const place = await content.locate(cid.multihash.digest, cid.code)
  if (!place) throw new Error(`the block ${cid} is missing`)
  return content.readBlock(place)
}

const isMarked = (bits: Uint8Array, at: number): boolean => ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0
const mark = (bits: Uint8Array, at: number): void => {
  bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7))
}
