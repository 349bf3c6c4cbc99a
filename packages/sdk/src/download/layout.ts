import {
  type Cid,
  ContentError,
  type FileLayout,
  innerBlocks,
  isContentError,
  RAW,
  readFileLayout,
} from '@tidenet/content'
import { withQuery } from '@tidenet/content/client-requests'
import type { Platform } from '../platform/platform.ts'
import { Stop, type ToFailure } from '../result.ts'
import { getWithTimeout } from './get-with-timeout.ts'
import type { NodePool, SourceNode } from './node-pool.ts'
import { BadAnswer, nodeFailure, noNodeLeft } from './reasons.ts'

/**
 * Fetches the leaf layout of a file from any node, verified from the CID down. `size` is the size declared by the server; it is used only
 * for a file of one leaf, whose hash then verifies it.
 * @returns undefined for a file without raw leaves, such as Kubo makes by default: its parts are read block by block
 */
export async function fetchLayout(
  needs: { platform: Platform; pool: NodePool; toFailure: ToFailure; signal: AbortSignal; stall: number },
  root: Cid,
  size: number,
): Promise<FileLayout | undefined> {
  const { pool, toFailure, signal } = needs
  if (root.code === RAW) return readFileLayout(root, size, async () => new Uint8Array())
  const tried = new Set<SourceNode>()
  for (let node = pool.choose(tried); node && !tried.has(node); node = pool.choose(tried)) {
    tried.add(node)
    const began = Date.now()
    try {
      const answer = await getWithTimeout(needs, { url: withQuery(node.url, 'format', 'inner') }, needs.stall)
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
      if (signal.aborted) throw new Stop(toFailure('aborted', { phrase: 'downloadAbort', data: { abort: true } }))
      // The block that says so was verified.
      if (isContentError(error) && error.code === 'wrapped') return undefined
      pool.note({ node, began, bytes: 0, ...nodeFailure(toFailure, error) })
    }
  }
  throw new Stop(noNodeLeft(pool, toFailure))
}
