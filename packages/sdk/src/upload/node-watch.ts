import { AVAILABILITY_TIMEOUT } from '@tidenet/contract/constants'
import { type Platform, Unreachable } from '../platform/platform.ts'

export interface Watch {
  platform: Platform
  signal: AbortSignal
  /** Ms without progress after which the node is probed; also the timeout of the probe. */
  probeAfter: number
  /** Any URL of the node. */
  url: string
  /** URLs of other nodes: if none of them responds either, our own connection is down. */
  others: readonly string[]
}

/**
 * Runs work with a node and detects a frozen node early. If there is no progress for a while, the node is probed; if it does not respond
 * but another node does, the work is aborted and Unreachable `frozen` thrown.
 */
export async function withFrozenNodeCheck<T>(
  { platform, signal, probeAfter: quiet, url, others }: Watch,
  work: (signal: AbortSignal, progressed: () => void) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  let frozen = false
  let over = false
  let last = performance.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const answers = (address: string, ms: number) =>
    probeNode(platform, address, AbortSignal.any([stop.signal, signal]), ms)
  const look = async () => {
    const seen = last
    if (performance.now() - seen >= quiet) {
      const elsewhere = others.map((other) => answers(other, Math.min(AVAILABILITY_TIMEOUT, quiet)))
      const [here, replies] = await Promise.all([answers(url, quiet), Promise.all(elsewhere)])
      if (over) return
      if (here === 'silent' && last === seen && replies.includes('yes')) {
        frozen = true
        stop.abort()
        return
      }
    }
    wait()
  }
  const wait = () => {
    const since = performance.now() - last
    timer = setTimeout(() => void look(), since < quiet ? quiet - since : quiet)
  }
  wait()
  try {
    return await work(AbortSignal.any([signal, stop.signal]), () => {
      last = performance.now()
    })
  } catch (error) {
    if (frozen) throw new Unreachable('frozen', 'the node does not answer', { cause: error })
    throw error
  } finally {
    over = true
    clearTimeout(timer)
    stop.abort()
  }
}

/** `silent` if nothing arrived in time; any response, also a refusal, means that the node is up. */
async function probeNode(
  platform: Platform,
  address: string,
  signal: AbortSignal,
  ms: number,
): Promise<'yes' | 'no' | 'silent'> {
  const late = AbortSignal.timeout(ms)
  try {
    const answer = await platform.get({
      url: new URL('/health', address).href,
      signal: AbortSignal.any([signal, late]),
    })
    answer.discard()
    return 'yes'
  } catch {
    return late.aborted ? 'silent' : 'no'
  }
}
