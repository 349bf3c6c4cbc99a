import { type Cid, ContentError, checkName, isContentError, readCar } from '@tidenet/content'
import type { ReadBlock } from '@tidenet/content/dag'
import { resolvePath } from '@tidenet/content/path'
import type { GetBlock } from '@tidenet/content/verify'
import { MiB } from '@tidenet/contract/constants'
import type { Platform } from '../platform/platform.ts'
import { type Say, Stop } from '../result.ts'
import { type NodePool, withQuery } from './node-pool.ts'
import { reading } from './reading.ts'
import { BadAnswer, lost, nodeFailure } from './reasons.ts'

/** What a folder is read with. */
export interface Reading {
  platform: Platform
  say: Say
  pool: NodePool
  signal: AbortSignal
  /** Ms without progress after which a node is given up. */
  stall: number
}

/** A directory of a million names takes less. */
const PROOF_MAX = 128 * MiB

/** The names of `a/b/c`; empty ones are passed over. Throws Stop 10025 for what cannot be a path of a folder. */
export function namesOf(path: string, say: Say): string[] {
  const names = String(path)
    .split('/')
    .filter((name) => name !== '')
  try {
    for (const name of names) checkName(name)
  } catch {
    throw new Stop(say('optionsInvalid'))
  }
  return names
}

/** The address of what lies at a path below the content of a node's address. */
export function below(url: string, names: readonly string[]): string {
  const address = new URL(url)
  const path = names.map((name) => `/${encodeURIComponent(name)}`).join('')
  address.pathname = address.pathname.replace(/(\/ipfs\/[^/]+).*$/, (_, root: string) => root + path)
  // A name that was meant for the whole.
  if (names.length > 0) address.searchParams.delete('filename')
  return address.href
}

/**
 * Follows a path with blocks that prove it, from one node after another until one gives all that `read` asks for. `entity` sends the shards
 * of a directory as well. Throws Stop 404 when the folder holds no such path, and what all nodes together came to otherwise.
 */
export async function proven<T>(
  needs: Reading,
  root: Cid,
  names: readonly string[],
  scope: 'block' | 'entity',
  read: (found: ReadBlock, getBlock: GetBlock) => Promise<T>,
): Promise<T> {
  const { pool, say, signal } = needs
  const missing = new Stop(say('notFound', { phrase: 'notInFolder' }))
  let nowhere = 0
  const nodes = pool.ranked()
  for (const node of nodes) {
    const began = Date.now()
    let bytes = 0
    let archive: AsyncIterator<{ cid: Cid; bytes: Uint8Array }> | undefined
    const held = new Map<string, Uint8Array>()
    const getBlock: GetBlock = async (cid) => {
      const name = cid.toString()
      for (;;) {
        const block = held.get(name)
        if (block) return block
        const next = await archive?.next()
        if (!next || next.done) throw new ContentError('bad-car', 'a block of the directory is missing')
        bytes += next.value.bytes.length
        if (bytes > PROOF_MAX) throw new ContentError('too-large', 'a directory of too many blocks')
        held.set(next.value.cid.toString(), next.value.bytes)
      }
    }
    try {
      const url = withQuery(withQuery(below(node.url, names), 'format', 'car'), 'dag-scope', scope)
      const answer = await reading(needs, { url }, needs.stall)
      if (answer.status !== 200) {
        answer.discard()
        if (answer.status === 404) nowhere += 1
        throw new BadAnswer('status', `HTTP ${answer.status}`, answer.status)
      }
      archive = readCar(answer.body).blocks[Symbol.asyncIterator]()
      const trail = await resolvePath(root, names.join('/'), getBlock).catch((error: unknown) => {
        // Every block up to there was checked: what they do not name is not there.
        throw isContentError(error) && error.code === 'not-found' ? missing : error
      })
      const found = await read(trail.at(-1) as ReadBlock, getBlock)
      pool.note({ node, began, bytes, status: 200, error: '' })
      return found
    } catch (error) {
      if (signal.aborted) throw new Stop(say('aborted', { phrase: 'downloadAbort', data: { abort: true } }))
      if (error instanceof Stop) throw error
      // Blocks that are what their CIDs say and make no sense are the maker's fault, not the node's.
      if (isContentError(error) && error.code === 'bad-dag') throw new Stop(say('downloadFileError'))
      pool.note({ node, began, bytes, ...nodeFailure(say, error) })
    } finally {
      await archive?.return?.()
    }
  }
  throw nowhere > 0 && nowhere === nodes.length && names.length > 0 ? missing : new Stop(lost(pool, say))
}
