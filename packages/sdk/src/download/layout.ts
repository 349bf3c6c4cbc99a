import { type Cid, ContentError, type FileLayout, RAW, readCar, readFileLayout } from '@tidenet/content'
import { readNode } from '@tidenet/content/unixfs'
import type { Platform } from '../platform/platform.ts'
import { Stop, type ToFailure } from '../result.ts'
import { getWithTimeout } from './get-with-timeout.ts'
import { type NodePool, type SourceNode, withQuery } from './node-pool.ts'
import { BadAnswer, nodeFailure, noNodeLeft } from './reasons.ts'

/**
 * Fetches the leaf layout of a file from any node, verified from the CID down. `size` is the size declared by the server; it is used only
 * for a file of one leaf, whose hash then verifies it.
 */
export async function fetchLayout(
  needs: { platform: Platform; pool: NodePool; toFailure: ToFailure; signal: AbortSignal; stall: number },
  root: Cid,
  size: number,
): Promise<FileLayout> {
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
      pool.note({ node, began, bytes: 0, ...nodeFailure(toFailure, error) })
    }
  }
  throw new Stop(noNodeLeft(pool, toFailure))
}

/**
 * Reads the inner nodes of a file, root first. Each must be referenced by an earlier one and none may repeat, which bounds their number.
 * Throws ContentError 'bad-car' otherwise.
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
