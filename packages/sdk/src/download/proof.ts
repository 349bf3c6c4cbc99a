import { type Cid, ContentError, checkName, isContentError, readCar } from '@tidenet/content'
import { partUrl, withQuery } from '@tidenet/content/client-requests'
import type { ReadBlock } from '@tidenet/content/dag'
import { resolvePath } from '@tidenet/content/path'
import type { GetBlock } from '@tidenet/content/verify'
import { MiB } from '@tidenet/contract/constants'
import type { Platform } from '../platform/platform.ts'
import { Stop, type ToFailure } from '../result.ts'
import { getWithTimeout } from './get-with-timeout.ts'
import type { NodePool } from './node-pool.ts'
import { BadAnswer, nodeFailure, noNodeLeft } from './reasons.ts'

/** Dependencies for reading a folder. */
export interface FolderReadDeps {
  platform: Platform
  toFailure: ToFailure
  pool: NodePool
  signal: AbortSignal
  /** Ms without progress after which the next node is tried. */
  stall: number
}

/** Largest proof accepted, bytes; a directory of a million names fits. */
const PROOF_MAX = 128 * MiB

/** Splits `a/b/c` into names, ignoring empty ones. Throws Stop 10025 for an invalid path. */
export function namesOf(path: string, toFailure: ToFailure): string[] {
  const names = String(path)
    .split('/')
    .filter((name) => name !== '')
  try {
    for (const name of names) checkName(name)
  } catch {
    throw new Stop(toFailure('optionsInvalid'))
  }
  return names
}

/**
 * Resolves a path with blocks that prove it, trying one node after another until `read` succeeds. `entity` also requests the shards of a
 * directory. Throws Stop 404 if the folder has no such path, otherwise the combined failure of all nodes.
 */
export async function readProven<T>(
  needs: FolderReadDeps,
  root: Cid,
  names: readonly string[],
  scope: 'block' | 'entity',
  read: (found: ReadBlock, getBlock: GetBlock) => Promise<T>,
): Promise<T> {
  const { pool, toFailure, signal } = needs
  const missing = new Stop(toFailure('notFound', { phrase: 'notInFolder' }))
  let notFoundCount = 0
  const nodes = pool.ranked()
  for (const node of nodes) {
    const began = Date.now()
    let bytes = 0
    let archive: AsyncIterator<{ cid: Cid; bytes: Uint8Array }> | undefined
    const received = new Map<string, Uint8Array>()
    const getBlock: GetBlock = async (cid) => {
      const name = cid.toString()
      for (;;) {
        const block = received.get(name)
        if (block) return block
        const next = await archive?.next()
        if (!next || next.done) throw new ContentError('bad-car', 'a block of the directory is missing')
        bytes += next.value.bytes.length
        if (bytes > PROOF_MAX) throw new ContentError('too-large', 'a directory of too many blocks')
        received.set(next.value.cid.toString(), next.value.bytes)
      }
    }
    try {
      const url = withQuery(withQuery(partUrl(node.url, names), 'format', 'car'), 'dag-scope', scope)
      const answer = await getWithTimeout(needs, { url }, needs.stall)
      if (answer.status !== 200) {
        answer.discard()
        if (answer.status === 404) notFoundCount += 1
        throw new BadAnswer('status', `HTTP ${answer.status}`, answer.status)
      }
      archive = readCar(answer.body).blocks[Symbol.asyncIterator]()
      const resolved = await resolvePath(root, names.join('/'), getBlock).catch((error: unknown) => {
        // All blocks on the path were verified, so the path does not exist.
        throw isContentError(error) && error.code === 'not-found' ? missing : error
      })
      const found = await read(resolved.at(-1) as ReadBlock, getBlock)
      pool.note({ node, began, bytes, status: 200, error: '' })
      return found
    } catch (error) {
      if (signal.aborted) throw new Stop(toFailure('aborted', { phrase: 'downloadAbort', data: { abort: true } }))
      if (error instanceof Stop) throw error
      // Blocks that match their CIDs but are malformed are not the node's fault.
      if (isContentError(error) && error.code === 'bad-dag') throw new Stop(toFailure('downloadFileError'))
      pool.note({ node, began, bytes, ...nodeFailure(toFailure, error) })
    } finally {
      await archive?.return?.()
    }
  }
  throw notFoundCount > 0 && notFoundCount === nodes.length && names.length > 0
    ? missing
    : new Stop(noNodeLeft(pool, toFailure))
}
