import type { ServerLink } from '../server-link.ts'
import type { DeviceState } from './state.ts'

/** How long an answer is shown. */
const FRESH_MS = 60_000

/** What the node earned, as the portal says; null if it does not answer. */
export function createEarnings(link: Pick<ServerLink, 'call' | 'registered'>): () => Promise<DeviceState['earnings']> {
  let known: { at: number; answer: Promise<DeviceState['earnings']> } | undefined
  return async () => {
    if (!link.registered) return null
    if (known && performance.now() - known.at < FRESH_MS) return known.answer
    const answer = link.call('earnings', {}, { timeoutMs: 5000 }).catch(() => null)
    known = { at: performance.now(), answer }
    return answer
  }
}
