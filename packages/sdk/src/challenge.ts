import { type Cid, MAX_BLOCK_SIZE, parseCid } from '@tidenet/content'
import { blockUrl } from '@tidenet/content/client-requests'
import { readNode } from '@tidenet/content/unixfs'
import { verifyBlock } from '@tidenet/content/verify'
import { childAt, DEPTH_MAX } from '@tidenet/content/walk-to-leaf'
import { type Core, settle } from './core.ts'
import { getWithTimeout } from './download/get-with-timeout.ts'
import { isSuccess, need, type Result, Stop, success } from './result.ts'

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
  /** Reason of the failure; empty if verified. `missing`: the node cannot send a block of what it says it stores. */
  error: 'unreachable' | 'refused' | 'missing' | 'wrong' | ''
  /** The server has the failed replica audited. */
  audit: boolean
  /** The server had the node delete this replica before, for another reason than a failed audit. */
  removed: boolean
}

/**
 * Requests a random leaf from a node and verifies every block from the root down. A failure is reported to the server, which has the
 * replica audited; the result is what this client saw. Code 10028 if it is cancelled.
 */
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
    const { nodeId } = replica
    const source = need(await api.call('assets.challenge', { cid: replica.cid, node_id: nodeId }, { signal }))
    const seen = await walk(core, source.url, root, signal)
    if (seen.error === '') return success({ nodeId, ...seen, verified: true, audit: false, removed: false }, api.lang)
    const report = { cid: replica.cid, node_id: nodeId, error: seen.error }
    const told = await api.call('assets.challengeFailed', report, { signal })
    const { audit, removed } = isSuccess(told) ? told.data : { audit: false, removed: false }
    return success({ nodeId, ...seen, verified: false, audit, removed }, api.lang)
  })
}

type Seen = Omit<Challenge, 'nodeId' | 'verified' | 'audit' | 'removed'>

/** Fetches the blocks from the root to a random leaf, and verifies each. */
async function walk(core: Core, url: string, root: Cid, signal: AbortSignal): Promise<Seen> {
  const position = randomFraction()
  const began = performance.now()
  const seen: Seen = { block: root.toString(), position, size: 0, blocks: 0, ms: 0, error: '' }
  let at: { cid: Cid; position: number } | undefined = { cid: root, position }
  while (at && seen.blocks < DEPTH_MAX) {
    seen.block = at.cid.toString()
    seen.size = 0
    seen.blocks += 1
    const bytes = await fetchBlock(core, url, at.cid, signal)
    seen.ms = Math.round(performance.now() - began)
    if (typeof bytes === 'string') return { ...seen, error: bytes }
    try {
      await verifyBlock(at.cid, bytes)
      const next = childAt(readNode(at.cid, bytes), at.position)
      at = next && { cid: next.link.cid, position: next.position }
    } catch {
      return { ...seen, error: 'wrong' }
    }
    seen.size = bytes.length
  }
  return at ? { ...seen, error: 'wrong' } : seen
}

/** Refusals of the request itself, such as a busy node; any other status means that the node cannot send the block. */
const REFUSED = new Set([401, 403, 408, 425, 429, 503])

async function fetchBlock(
  core: Core,
  url: string,
  cid: Cid,
  signal: AbortSignal,
): Promise<Uint8Array | 'unreachable' | 'refused' | 'missing' | 'wrong'> {
  try {
    const answer = await getWithTimeout(
      { platform: core.platform, signal },
      { url: blockUrl(url, cid) },
      core.limits.stall,
    )
    if (answer.status !== 200) {
      answer.discard()
      return REFUSED.has(answer.status) ? 'refused' : 'missing'
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
