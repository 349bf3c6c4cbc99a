import { type Cid, ContentError, type FileLayout, RAW, readCar, readFileLayout } from '@tidenet/content'
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
      const blocks = new Map<string, Uint8Array>()
      for await (const block of readCar(answer.body).blocks) blocks.set(block.cid.toString(), block.bytes)
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
