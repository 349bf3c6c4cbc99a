import { AVAILABILITY_TIMEOUT } from '@tidenet/contract/constants'
import { type Platform, Unreachable } from '../platform/platform.ts'

export interface Watch {
  platform: Platform
  signal: AbortSignal
  /** Ms without progress after which the node is asked whether it is there, and that it has to answer. */
  quiet: number
  /** Any address of the node. */
  url: string
  /** Addresses of other nodes: when none of them answers either, it is our own way that is broken. */
  others: readonly string[]
}

/**
 * Carries out work with a node that a frozen one would hold up for as long as bytes may take. Whenever nothing moves for a while, the
 * node is asked whether it is there; the work is aborted, and Unreachable `frozen` thrown, when it does not answer and another does.
 */
export async function watchingNode<T>(
  { platform, signal, quiet, url, others }: Watch,
  work: (signal: AbortSignal, progressed: () => void) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  let frozen = false
  let over = false
  let last = performance.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const answers = (address: string, ms: number) =>
    isThere(platform, address, AbortSignal.any([stop.signal, signal]), ms)
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

/** `silent` when nothing came in time; whatever else came, a refusal too, says that somebody is there. */
async function isThere(
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
