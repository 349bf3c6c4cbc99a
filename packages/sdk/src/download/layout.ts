import { type Cid, type FileLayout, isContentError, RAW, readCar, readFileLayout } from '@tidenet/content'
import { DOWNLOAD_STALL } from '@tidenet/contract/constants'
import type { Platform } from '../platform/platform.ts'
import { type Say, Stop } from '../result.ts'
import { type NodePool, type SourceNode, withQuery } from './node-pool.ts'
import { reading } from './reading.ts'

/**
 * Learns from any node how the file is made of leaves; what it says is verified from the CID downwards, so it need not be believed.
 * `size` is what the server declared; it counts only for a file of one leaf, whose hash then shows whether it is true.
 */
export async function fetchLayout(
  needs: { platform: Platform; pool: NodePool; say: Say; signal: AbortSignal },
  root: Cid,
  size: number,
): Promise<FileLayout> {
  const { pool, say, signal } = needs
  if (root.code === RAW) return readFileLayout(root, size, async () => new Uint8Array())
  const tried = new Set<SourceNode>()
  for (let node = pool.choose(tried); node && !tried.has(node); node = pool.choose(tried)) {
    tried.add(node)
    const began = Date.now()
    let status = 0
    try {
      const answer = await reading(needs, { url: withQuery(node.url, 'format', 'inner') }, DOWNLOAD_STALL)
      status = answer.status
      if (answer.status !== 200) {
        answer.discard()
        throw new Error(`HTTP ${answer.status}`)
      }
      const blocks = new Map<string, Uint8Array>()
      for await (const block of readCar(answer.body).blocks) blocks.set(block.cid.toString(), block.bytes)
      return await readFileLayout(root, undefined, async (cid) => {
        const bytes = blocks.get(cid.toString())
        if (!bytes) throw new Error('an inner node is missing')
        return bytes
      })
    } catch (error) {
      if (signal.aborted) throw new Stop(say('aborted', { phrase: 'downloadAbort', data: { abort: true } }))
      const wrong = isContentError(error)
      pool.note({
        node,
        began,
        bytes: 0,
        status,
        error: wrong ? say('downloadFileError', { phrase: 'wrongBytes' }).msg : (error as Error).message,
        reason: wrong ? 'wrong' : 'status',
      })
    }
  }
  throw new Stop(say('downloadError'))
}
