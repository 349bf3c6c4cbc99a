import { firstOf, withQuery } from '@tidenet/content/client-requests'
import type { DownloadInfo, TraceDetail } from '@tidenet/contract'
import { AVAILABILITY_TIMEOUT } from '@tidenet/contract/constants'
import { TRACE } from '@tidenet/contract/storage-enums'
import { isUnreachable, type Platform } from '../platform/platform.ts'
import { pause } from '../progress.ts'
import type { ToFailure } from '../result.ts'
import { addressesOf, useAddress, useNextOrigin } from './node-origins.ts'
import type { SourceNode } from './source-node.ts'

export type { SourceNode }

export type FailureReason = 'network' | 'stalled' | 'status' | 'wrong' | 'slow'

/** One attempt at one node. */
export interface Attempt {
  node: SourceNode
  began: number
  bytes: number
  status: number
  /** Empty on success. */
  error: string
  reason?: FailureReason
}

export interface NodePool {
  readonly nodes: readonly SourceNode[]
  /** Probes all nodes in parallel. Resolves true as soon as one answers, false if none does. */
  probe(format?: string): Promise<boolean>
  /** All usable nodes, those that answered first in front. */
  ranked(): SourceNode[]
  /** The node for the next request: faster nodes get more, each gets some; nodes in `avoid` only if there is no other. */
  choose(avoid?: ReadonlySet<SourceNode>): SourceNode | undefined
  /** The best remaining node, for a request that another one failed. */
  best(avoid: ReadonlySet<SourceNode>): SourceNode | undefined
  note(attempt: Attempt): void
  /** Waits until a node that could not be reached answers again. Resolves false after `ms`, or if there is no such node. */
  comeBack(ms: number, signal: AbortSignal): Promise<boolean>
  /** Whether there is a node that could not be reached. */
  hasAway(): boolean
  /** Gives the nodes new addresses. Those that it does not name are not used any more. */
  renew(urls: readonly string[], ids: readonly string[], routes?: DownloadInfo['routes']): void
  /** Ends the download: records nodes that left the probe unanswered long enough to delay it. */
  end(): void
  readonly details: TraceDetail[]
  readonly reasons: FailureReason[]
  /** Ms until the first byte of the fastest node. */
  readonly firstByte: number
}

/** Consecutive failures after which a node is not used. */
const DEAD_AFTER = 3
const DETAILS_MAX = 1000
/** Weight of the latest measurement in the moving average. */
const SPEED_WEIGHT = 0.4
/** Ms between two probes of nodes that are away; doubled each time up to the second. */
const COME_BACK_AFTER = [200, 2000] as const

export interface PoolNeeds {
  platform: Platform
  toFailure: ToFailure
  signal: AbortSignal
  /** Ms until the first byte. */
  firstByte: number
}

export function createNodePool(
  { platform, toFailure, signal, firstByte }: PoolNeeds,
  urls: string[],
  ids: string[],
  routes?: DownloadInfo['routes'],
): NodePool {
  const nodes = urls.map((url, index) => sourceNode(url, ids[index], routes?.[index]))
  /** Probes without an answer, by start time. */
  const unanswered = new Map<SourceNode, number>()
  const details: TraceDetail[] = []
  const reasons: FailureReason[] = []

  const note = (attempt: Attempt) => {
    const { node, began, bytes, status, error, reason } = attempt
    const { url } = node
    const ended = Date.now()
    updateNode(attempt, ended)
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
        ...(routes && { relayed: node.relays.has(new URL(url).origin) }),
        ...(node.firstByte > 0 && { first_byte: Math.round(node.firstByte) }),
      })
  }

  /** Requests one byte from the node, at each of its origins if need be; each times out after 2.5 s by default. */
  const ask = async (node: SourceNode, format: string | undefined): Promise<boolean> => {
    const began = Date.now()
    let clock = performance.now()
    let late = false
    unanswered.set(node, began)
    try {
      const { address, answer } = await firstOf(addressesOf(node), async (url, other) => {
        const limit = AbortSignal.timeout(firstByte)
        const since = performance.now()
        try {
          const got = await platform.get({
            url: format ? withQuery(url, 'format', format) : url,
            headers: { Range: 'bytes=0-0' },
            signal: AbortSignal.any([signal, limit, other]),
          })
          if (other.aborted) got.discard()
          else clock = since
          return got
        } catch (error) {
          late ||= limit.aborted
          throw error
        }
      })
      useAddress(node, address)
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
      node.away = false
      node.consecutiveFailures = 0
      return true
    } catch (error) {
      if (!unanswered.has(node) || signal.aborted) return false
      note({
        node,
        began,
        bytes: 0,
        status: 0,
        error: late ? toFailure('timedOut').msg : toFailure('fetchError', { phrase: 'nodeNetwork' }).msg,
        reason: late ? 'stalled' : isUnreachable(error) ? 'network' : 'status',
      })
      node.state = 'dead'
      return false
    } finally {
      unanswered.delete(node)
    }
  }

  const none: ReadonlySet<SourceNode> = new Set()

  return {
    nodes,
    details,
    reasons,
    note,
    end() {
      for (const [node, began] of unanswered)
        if (Date.now() - began >= Math.min(AVAILABILITY_TIMEOUT, firstByte))
          note({ node, began, bytes: 0, status: 0, error: toFailure('timedOut').msg, reason: 'stalled' })
      unanswered.clear()
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
    async comeBack(ms, stop) {
      const until = performance.now() + ms
      for (
        let wait: number = COME_BACK_AFTER[0];
        performance.now() < until;
        wait = Math.min(2 * wait, COME_BACK_AFTER[1])
      ) {
        const away = nodes.filter((node) => node.away)
        if (away.length === 0) return false
        try {
          await pause(wait, stop)
        } catch {
          return false
        }
        const back = await Promise.all(away.map((node) => ask(node, undefined)))
        if (back.includes(true)) return true
      }
      return false
    },
    hasAway: () => nodes.some((node) => node.away),
    renew(fresh, freshIds, freshRoutes) {
      const named = fresh.map((url, index) => sourceNode(url, freshIds[index], freshRoutes?.[index]))
      for (const node of nodes) {
        const same = named.find(({ id }) => id === node.id)
        if (!same) node.state = 'dead'
        else {
          node.url = same.url
          node.origins = same.origins
          node.relays = same.relays
          if (node.state === 'dead') node.state = 'unknown'
          node.consecutiveFailures = 0
        }
      }
      nodes.push(...named.filter(({ id }) => nodes.every((node) => node.id !== id)))
    },
    choose(avoid = none) {
      const left = usable(nodes, avoid)
      // Give a node without a measurement something to do.
      const unmeasured = left.find((node) => node.speed === 0 && node.active === 0)
      if (unmeasured) return unmeasured
      const measured = left.filter((node) => node.speed > 0)
      const usual = measured.reduce((total, node) => total + node.speed, 0) / Math.max(measured.length, 1) || 1
      return least(left, (node) => (node.active + 1) / (node.speed || usual))
    },
    best(avoid) {
      return least(usable(nodes, avoid), (node) => {
        const reliable = (node.succeeded + 1) / (node.succeeded + node.failed + 1)
        return (node.active + 1) / ((node.speed || 1) * reliable)
      })
    },
  }
}

type Route = NonNullable<DownloadInfo['routes']>[number]

const sourceNode = (url: string, id = host(url), route?: Route): SourceNode => ({
  id,
  url,
  origins: route?.more_origins ?? [],
  relays: new Set([...(route?.more_origins ?? []), ...(route?.relayed ? [new URL(url).origin] : [])]),
  switchedAt: 0,
  state: 'unknown',
  active: 0,
  speed: 0,
  succeeded: 0,
  failed: 0,
  consecutiveFailures: 0,
  failedAt: 0,
  firstByte: 0,
  away: false,
})

/** Updates a node's state from an attempt. */
function updateNode({ node, began, bytes, error, reason }: Attempt, ended: number): void {
  if (error === '') {
    node.succeeded += 1
    node.consecutiveFailures = 0
    node.state = 'alive'
    if (bytes > 1) {
      const speed = (bytes / Math.max(ended - began, 1)) * 1000
      node.speed = node.speed === 0 ? speed : node.speed * (1 - SPEED_WEIGHT) + speed * SPEED_WEIGHT
    }
  } else if (reason !== 'slow') {
    node.failed += 1
    node.away ||= reason === 'network' || reason === 'stalled'
    // Parallel chunks that stall together count as one failure.
    if (reason !== 'stalled' || began >= node.failedAt) node.consecutiveFailures += 1
    node.failedAt = ended
    // Attempts that failed together leave the same origin.
    if ((reason === 'network' || reason === 'stalled') && began >= node.switchedAt && useNextOrigin(node))
      node.switchedAt = ended
    if (reason === 'stalled' && node.state === 'alive') node.state = 'unknown'
    // Wrong bytes exclude a node while others are usable.
    if (reason === 'wrong' || node.consecutiveFailures >= DEAD_AFTER) node.state = 'dead'
  }
}

/** Usable nodes, preferring those not in `avoid`. */
function usable(candidates: readonly SourceNode[], avoid: ReadonlySet<SourceNode>): SourceNode[] {
  const fresh = candidates.filter((node) => !avoid.has(node))
  const alive = fresh.filter((node) => node.state === 'alive')
  if (alive.length > 0) return alive
  const again = candidates.filter((node) => node.state === 'alive')
  if (again.length > 0) return again
  // All failed; a node that missed the probe may still answer.
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
