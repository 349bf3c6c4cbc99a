import { type Cid, ContentError, type FileLayout, RAW, readCar, readFileLayout } from '@tidenet/content'
import { readNode } from '@tidenet/content/unixfs'
import type { Platform } from '../platform/platform.ts'
import { type Say, Stop } from '../result.ts'
import { type NodePool, type SourceNode, withQuery } from './node-pool.ts'
import { reading } from './reading.ts'
import { BadAnswer, lost, nodeFailure } from './reasons.ts'

/**
 * Learns from any node how the file is made of leaves; what it says is verified from the CID downwards, so it need not be believed.
 * `size` is what the server declared; it counts only for a file of one leaf, whose hash then shows whether it is true.
 */
export async function fetchLayout(
  needs: { platform: Platform; pool: NodePool; say: Say; signal: AbortSignal; stall: number },
  root: Cid,
  size: number,
): Promise<FileLayout> {
  const { pool, say, signal } = needs
  if (root.code === RAW) return readFileLayout(root, size, async () => new Uint8Array())
  const tried = new Set<SourceNode>()
  for (let node = pool.choose(tried); node && !tried.has(node); node = pool.choose(tried)) {
    tried.add(node)
    const began = Date.now()
    try {
      const answer = await reading(needs, { url: withQuery(node.url, 'format', 'inner') }, needs.stall)
      if (answer.status !== 200) {
        answer.discard()
        throw new BadAnswer('status', `HTTP ${answer.status}`, answer.status)
      }
      const blocks = await innerBlocks(root, answer.body)
      return await readFileLayout(root, undefined, async (cid) => {
        const bytes = blocks.get(cid.toString())
        if (!bytes) throw new ContentError('bad-dag', 'an inner node is missing')
        return bytes
      })
    } catch (error) {
      if (signal.aborted) throw new Stop(say('aborted', { phrase: 'downloadAbort', data: { abort: true } }))
      pool.note({ node, began, bytes: 0, ...nodeFailure(say, error) })
    }
  }
  throw new Stop(lost(pool, say))
}

/**
 * The inner nodes of a file as they come, the root first: each is one that those before it name, and none comes twice, so there are no
 * more than the file has. Throws ContentError 'bad-car' for any other.
 */
export async function innerBlocks(root: Cid, body: AsyncIterable<Uint8Array>): Promise<Map<string, Uint8Array>> {
  const blocks = new Map<string, Uint8Array>()
  const wanted = new Set([root.toString()])
  for await (const { cid, bytes } of readCar(body).blocks) {
    const name = cid.toString()
    if (!wanted.delete(name)) throw new ContentError('bad-car', 'a block that is no inner node of the file')
    blocks.set(name, bytes)
    for (const link of readNode(cid, bytes).links)
      if (link.cid.code !== RAW && !blocks.has(link.cid.toString())) wanted.add(link.cid.toString())
  }
  return blocks
}
