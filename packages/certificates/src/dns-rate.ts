import { isIPv6 } from 'node:net'

/** Queries of one network: so many a second, and so many at once. */
export interface QueryRate {
  perSecond: number
  burst: number
}

/** Networks that are remembered; a flood from more of them forgets the oldest. */
const NETWORKS_MAX = 20_000

/**
 * A limiter by the sender's network (/24 of IPv4, /56 of IPv6), because senders of UDP choose their address: what they ask for goes to
 * somebody else.
 * @returns `answer`, `truncate` (at most the bytes of the query, so that a real resolver asks by TCP) or `drop`
 */
export function createQueryLimiter({ perSecond, burst }: QueryRate, now: () => number) {
  const networks = new Map<string, { tokens: number; at: number; dropped: number }>()
  return (address: string): 'answer' | 'truncate' | 'drop' => {
    const network = networkOf(address)
    const at = now()
    const known = networks.get(network)
    const entry = known ?? { tokens: burst, at, dropped: 0 }
    entry.tokens = Math.min(burst, entry.tokens + ((at - entry.at) / 1000) * perSecond)
    entry.at = at
    if (!known) {
      const [oldest] = networks.keys()
      if (networks.size >= NETWORKS_MAX && oldest !== undefined) networks.delete(oldest)
      networks.set(network, entry)
    }
    if (entry.tokens >= 1) {
      entry.tokens--
      return 'answer'
    }
    return ++entry.dropped % 2 === 0 ? 'truncate' : 'drop'
  }
}

export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain.split('.').slice(0, 3).join('.')
  const [front = '', back] = plain.split('::')
  const groups = front === '' ? [] : front.split(':')
  const rest = back === undefined || back === '' ? [] : back.split(':')
  const all = [...groups, ...Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0'), ...rest]
  const [first = '0', second = '0', third = '0', fourth = '0'] = all
  return [first, second, third, fourth.padStart(4, '0').slice(0, 2)].join(':')
}
