import type { TraceDetail } from '@tidenet/contract'
import { AVAILABILITY_TIMEOUT } from '@tidenet/contract/constants'
import { TRACE } from '@tidenet/contract/storage-words'
import { isUnreachable, type Platform } from '../platform/platform.ts'
import type { Say } from '../result.ts'

/** A node that may have the content. */
export interface SourceNode {
  id: string
  url: string
  /** `unknown` until it answered, and again once it stood still: then others come first. `dead` nodes are left alone. */
  state: 'unknown' | 'alive' | 'dead'
  /** Chunks on their way from it. */
  active: number
  /** Bytes a second of one connection, of late; 0 while nothing was measured. */
  speed: number
  succeeded: number
  failed: number
  /** Failures since the last success; those of the same moment count once. */
  inARow: number
  failedAt: number
  /** Ms until it answered the first question. */
  firstByte: number
}

export type FailureReason = 'network' | 'stalled' | 'status' | 'wrong' | 'slow'

/** One try of one node. */
export interface Attempt {
  node: SourceNode
  began: number
  bytes: number
  status: number
  /** Empty when it went well. */
  error: string
  reason?: FailureReason
}

export interface NodePool {
  readonly nodes: readonly SourceNode[]
  /** Asks all nodes at once for their first byte. Resolves true as soon as one has answered well, false when none will. */
  probe(format?: string): Promise<boolean>
  /** All that may still give something, those that answered first before the others. */
  ranked(): SourceNode[]
  /** The node to ask next: fast ones get more, each gets its turn; `avoid` only when nothing else is left. */
  choose(avoid?: ReadonlySet<SourceNode>): SourceNode | undefined
  /** The best of those that are left, for what another one failed to give. */
  best(avoid: ReadonlySet<SourceNode>): SourceNode | undefined
  note(attempt: Attempt): void
  /** Nothing more will be asked: names the nodes that have left the first question unanswered for so long that they held others up. */
  end(): void
  readonly details: TraceDetail[]
  readonly reasons: FailureReason[]
  /** Ms until the first byte of the fastest node. */
  readonly firstByte: number
}

/** After so many failures in a row a node is left alone. */
const DEAD_AFTER = 3
const DETAILS_MAX = 1000
/** How much the latest measurement counts. */
const FRESH = 0.4

export interface PoolNeeds {
  platform: Platform
  say: Say
  signal: AbortSignal
  /** Ms until the first byte. */
  firstByte: number
}

export function createNodePool(
  { platform, say, signal, firstByte }: PoolNeeds,
  urls: string[],
  ids: string[],
): NodePool {
  const nodes = urls.map(
    (url, index): SourceNode => ({
      id: ids[index] ?? host(url),
      url,
      state: 'unknown',
      active: 0,
      speed: 0,
      succeeded: 0,
      failed: 0,
      inARow: 0,
      failedAt: 0,
      firstByte: 0,
    }),
  )
  /** Nodes that were asked for their first byte and have not answered, with the moment. */
  const asked = new Map<SourceNode, number>()
  const details: TraceDetail[] = []
  const reasons: FailureReason[] = []

  const note = (attempt: Attempt) => {
    const { node, began, bytes, status, error, reason } = attempt
    const ended = Date.now()
    judge(attempt, ended)
    if (error !== '' && reason && reason !== 'slow') reasons.push(reason)
    if (details.length < DETAILS_MAX)
      details.push({
        node_id: node.id,
        state: error === '' ? TRACE.ok : TRACE.failed,
        transfer_type: 'download',
        size: bytes,
        start_at: began,
        end_at: ended,
        status_code: status,
        error: error.slice(0, 500),
      })
  }

  /** One byte of the node; it has 2.5 s by default. */
  const ask = async (node: SourceNode, format: string | undefined): Promise<boolean> => {
    const began = Date.now()
    const clock = performance.now()
    const stop = AbortSignal.any([signal, AbortSignal.timeout(firstByte)])
    asked.set(node, began)
    try {
      const answer = await platform.get({
        url: format ? withQuery(node.url, 'format', format) : node.url,
        headers: { Range: 'bytes=0-0' },
        signal: stop,
      })
      if (answer.status !== 206 && answer.status !== 200) {
        answer.discard()
        note({ node, began, bytes: 0, status: answer.status, error: `HTTP ${answer.status}`, reason: 'status' })
        node.state = 'dead'
        return false
      }
      node.firstByte = performance.now() - clock
      if (answer.status === 200) answer.discard()
      else for await (const _ of answer.body);
      node.state = 'alive'
      return true
    } catch (error) {
      if (!asked.has(node) || signal.aborted) return false
      const late = stop.aborted
      note({
        node,
        began,
        bytes: 0,
        status: 0,
        error: late ? say('timedOut').msg : say('fetchError', { phrase: 'nodeNetwork' }).msg,
        reason: late ? 'stalled' : isUnreachable(error) ? 'network' : 'status',
      })
      node.state = 'dead'
      return false
    } finally {
      asked.delete(node)
    }
  }

  const none: ReadonlySet<SourceNode> = new Set()

  return {
    nodes,
    details,
    reasons,
    note,
    end() {
      for (const [node, began] of asked)
        if (Date.now() - began >= Math.min(AVAILABILITY_TIMEOUT, firstByte))
          note({ node, began, bytes: 0, status: 0, error: say('timedOut').msg, reason: 'stalled' })
      asked.clear()
    },
    get firstByte() {
      const measured = nodes.map((node) => node.firstByte).filter((ms) => ms > 0)
      return measured.length > 0 ? Math.min(...measured) : 0
    },
    ranked() {
      const usable = nodes.filter((node) => node.state !== 'dead')
      const wait = (node: SourceNode) => (node.state === 'alive' ? node.firstByte : Number.POSITIVE_INFINITY)
      return (usable.length > 0 ? usable : [...nodes]).sort((a, b) => (wait(a) < wait(b) ? -1 : 1))
    },
    async probe(format) {
      const asked = nodes.map((node) => ask(node, format))
      const anyone = Promise.any(asked.map((answer) => answer.then((well) => well || Promise.reject(new Error('no')))))
      return anyone.then(
        () => true,
        () => false,
      )
    },
    choose(avoid = none) {
      const left = among(nodes, avoid)
      // Whoever was not measured yet is given something to show.
      const unmeasured = left.find((node) => node.speed === 0 && node.active === 0)
      if (unmeasured) return unmeasured
      const measured = left.filter((node) => node.speed > 0)
      const usual = measured.reduce((total, node) => total + node.speed, 0) / Math.max(measured.length, 1) || 1
      return least(left, (node) => (node.active + 1) / (node.speed || usual))
    },
    best(avoid) {
      return least(among(nodes, avoid), (node) => {
        const reliable = (node.succeeded + 1) / (node.succeeded + node.failed + 1)
        return (node.active + 1) / ((node.speed || 1) * reliable)
      })
    },
  }
}

/** What an attempt tells of a node. */
function judge({ node, began, bytes, error, reason }: Attempt, ended: number): void {
  if (error === '') {
    node.succeeded += 1
    node.inARow = 0
    node.state = 'alive'
    if (bytes > 1) {
      const speed = (bytes / Math.max(ended - began, 1)) * 1000
      node.speed = node.speed === 0 ? speed : node.speed * (1 - FRESH) + speed * FRESH
    }
  } else if (reason !== 'slow') {
    node.failed += 1
    // Chunks that were on their way together stand still together.
    if (reason !== 'stalled' || began >= node.failedAt) node.inARow += 1
    node.failedAt = ended
    if (reason === 'stalled' && node.state === 'alive') node.state = 'unknown'
    // Who sends wrong bytes once is not asked again while others can be.
    if (reason === 'wrong' || node.inARow >= DEAD_AFTER) node.state = 'dead'
  }
}

/** Nodes that may be asked, best those that are not to be avoided. */
function among(candidates: readonly SourceNode[], avoid: ReadonlySet<SourceNode>): SourceNode[] {
  const fresh = candidates.filter((node) => !avoid.has(node))
  const alive = fresh.filter((node) => node.state === 'alive')
  if (alive.length > 0) return alive
  const again = candidates.filter((node) => node.state === 'alive')
  if (again.length > 0) return again
  // All have failed; one that did not answer in time may answer yet.
  return candidates.filter((node) => node.state === 'unknown')
}

function least<T>(items: readonly T[], cost: (item: T) => number): T | undefined {
  let best: T | undefined
  let lowest = Number.POSITIVE_INFINITY
  for (const item of items) {
    const price = cost(item)
    if (price < lowest) {
      lowest = price
      best = item
    }
  }
  return best
}

function host(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return url.slice(0, 80)
  }
}

/** A node's address with one more parameter. */
export function withQuery(url: string, name: string, value: string): string {
  const address = new URL(url)
  address.searchParams.set(name, value)
  return address.href
}
