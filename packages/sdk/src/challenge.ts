import { type Cid, MAX_BLOCK_SIZE, parseCid } from '@tidenet/content'
import { readNode } from '@tidenet/content/unixfs'
import { verifyBlock } from '@tidenet/content/verify'
import { childAt, DEPTH_MAX } from '@tidenet/content/walk-to-leaf'
import { type Core, settle } from './core.ts'
import { getWithTimeout } from './download/get-with-timeout.ts'
import { withQuery } from './download/node-pool.ts'
import { need, type Result, Stop, success } from './result.ts'

/** Result of asking a node for a random block. */
export interface Challenge {
  nodeId: string
  /** The node sent every block on the path, and each matched its CID. */
  verified: boolean
  /** CID of the requested block; if the challenge failed, of the block that was missing or wrong. */
  block: string
  /** `position`: place in the content, 0 to 1. `size`: bytes of the block, 0 if it was not received. */
  position: number
  size: number
  /** Number of blocks requested, from the root down. */
  blocks: number
  /** Ms until the last block was verified. */
  ms: number
  /** Reason of the failure; empty if verified. */
  error: 'unreachable' | 'missing' | 'wrong' | ''
}

/** Requests a random leaf from a node and verifies every block from the root down. Code 10028 if it is cancelled. */
export function challengeReplica(
  core: Core,
  replica: { cid: string; nodeId: string; signal?: AbortSignal },
): Promise<Result<Challenge>> {
  return settle(core, async () => {
    const { api, check, toFailure } = core
    check.options(replica, 'challenge')
    check.cid(replica.cid)
    let root: Cid
    try {
      root = parseCid(replica.cid)
    } catch {
      return toFailure('assetIdError')
    }
    const signal = replica.signal ?? new AbortController().signal
    const source = need(await api.call('assets.challenge', { cid: replica.cid, node_id: replica.nodeId }, { signal }))
    const position = randomFraction()
    const began = performance.now()
    const result: Challenge = {
      nodeId: replica.nodeId,
      verified: false,
      block: root.toString(),
      position,
      size: 0,
      blocks: 0,
      ms: 0,
      error: '',
    }
    let at: { cid: Cid; position: number } | undefined = { cid: root, position }
    while (at && result.blocks < DEPTH_MAX) {
      result.block = at.cid.toString()
      result.size = 0
      result.blocks += 1
      const bytes = await fetchBlock(core, source.url, at.cid, signal)
      result.ms = Math.round(performance.now() - began)
      if (typeof bytes === 'string') return success({ ...result, error: bytes }, api.lang)
      try {
        await verifyBlock(at.cid, bytes)
        at = childAt(readNode(at.cid, bytes), at.position)
      } catch {
        return success({ ...result, error: 'wrong' }, api.lang)
      }
      result.size = bytes.length
    }
    return success({ ...result, verified: !at, ...(at && { error: 'wrong' as const }) }, api.lang)
  })
}

async function fetchBlock(
  core: Core,
  url: string,
  cid: Cid,
  signal: AbortSignal,
): Promise<Uint8Array | 'unreachable' | 'missing' | 'wrong'> {
  try {
    const address = withQuery(url, 'format', 'raw').replace(/\/ipfs\/[^/?]+/, `/ipfs/${cid}`)
    const answer = await getWithTimeout({ platform: core.platform, signal }, { url: address }, core.limits.stall)
    if (answer.status !== 200) {
      answer.discard()
      return 'missing'
    }
    const pieces: Uint8Array[] = []
    let size = 0
    for await (const piece of answer.body) {
      size += piece.length
      if (size > MAX_BLOCK_SIZE) return 'wrong'
      pieces.push(piece)
    }
    return new Uint8Array(await new Blob(pieces as BlobPart[]).arrayBuffer())
  } catch (error) {
    // A cancelled request says nothing about the node.
    if (signal.aborted) throw new Stop(core.toFailure('aborted', { phrase: 'downloadAbort', data: { abort: true } }))
    core.log('a replica could not be challenged', { error: String(error) })
    return 'unreachable'
  }
}

/** A cryptographically random number, 0 ≤ x < 1, so that nodes cannot predict it. */
const randomFraction = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
