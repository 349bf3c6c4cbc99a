import { type Cid, isContentError } from '@tidenet/content'
import { blockUrl } from '@tidenet/content/client-requests'
import type { DownloadInfo } from '@tidenet/contract'
import type { Core } from '../core.ts'
import { getWithTimeout } from '../download/get-with-timeout.ts'
import type { SourceNode } from '../download/node-pool.ts'
import { readBlock } from '../download/read-block.ts'
import { aborted } from '../download/read-part.ts'
import { BadAnswer, nodeFailure, noNodeLeft } from '../download/reasons.ts'
import { isSuccess, type Result, Stop } from '../result.ts'
import { createReading, type Reading } from './reading.ts'

/** A content of which single blocks are read, by many requests. Every block is verified. */
export interface OpenBlocks {
  /** @throws Stop if no node sends the block, and BlockWithheld if it is blocked */
  get(cid: Cid, signal: AbortSignal): Promise<Uint8Array>
  /** Bytes that nodes sent. */
  readonly received: number
  /** Signs for the nodes what they sent, and reports the transfer. Nobody has to wait for it. */
  end(): Promise<void>
}

/** The operators blocked it, or the only way to it. */
export class BlockWithheld extends Error {}

/** Opens a content as a download that counts. @param ask as `openContent` */
export async function openBlocks(
  core: Core,
  ask: (receiptKey: string) => Promise<Result<{ sources: DownloadInfo }>>,
): Promise<Result<OpenBlocks>> {
  const key = await core.platform.receiptKey()
  const asked = await ask(key?.publicKey ?? '')
  return isSuccess(asked)
    ? { ...asked, data: blocksOf(core, createReading(core, asked.data.sources, key, NEVER)) }
    : asked
}

/** Requests have signals of their own. */
const NEVER = new AbortController().signal

function blocksOf(core: Core, reading: Reading): OpenBlocks {
  const { platform, toFailure, limits } = core
  const { pool, receipts } = reading
  let received = 0
  let failed = false

  const readFrom = async (node: SourceNode, cid: Cid, signal: AbortSignal): Promise<Uint8Array> => {
    const answer = await getWithTimeout({ platform, signal }, { url: blockUrl(node.url, cid) }, limits.stall)
    if (answer.status === 200) return readBlock(cid, answer.body)
    answer.discard()
    throw new BadAnswer('status', `HTTP ${answer.status}`, answer.status)
  }
  return {
    async get(cid, signal) {
      const tried = new Set<SourceNode>()
      let withheld = false
      for (let node = pool.choose(tried); node && !tried.has(node); node = pool.best(tried)) {
        tried.add(node)
        const start = Date.now()
        node.active += 1
        try {
          const bytes = await readFrom(node, cid, signal)
          pool.note({ node, began: start, bytes: bytes.length, status: 200, error: '' })
          receipts.add(node, bytes.length)
          received += bytes.length
          return bytes
        } catch (error) {
          if (signal.aborted) throw aborted(core)
          // The node is well: other blocks of the content may be served.
          if (error instanceof BadAnswer && (error.status === 451 || error.status === 404))
            withheld ||= error.status === 451
          else {
            const failure = nodeFailure(toFailure, error)
            pool.note({
              node,
              began: start,
              bytes: 0,
              ...failure,
              ...(isContentError(error) && { reason: 'wrong' as const }),
            })
          }
        } finally {
          node.active -= 1
        }
      }
      failed ||= !withheld
      throw withheld ? new BlockWithheld() : new Stop(noNodeLeft(pool, toFailure))
    },
    get received() {
      return received
    },
    end: () => reading.end({ ok: !failed, size: received }),
  }
}
