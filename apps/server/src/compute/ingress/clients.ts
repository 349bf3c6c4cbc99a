import { BlockList, isIP, type Socket } from 'node:net'
import { clientNetworkOf } from '@tidenet/daemon'
import { createCounter } from '../counter.ts'

/** Connections of one client. */
const CONNECTIONS_MAX = 256
/** As in the setting of the API's server. */
const NAMED: Record<string, readonly [ip: string, bits: number][]> = {
  loopback: [
    ['127.0.0.0', 8],
    ['::1', 128],
  ],
  linklocal: [
    ['169.254.0.0', 16],
    ['fe80::', 10],
  ],
  uniquelocal: [
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['fc00::', 7],
  ],
}

export type Clients = ReturnType<typeof createClients>

/**
 * Who visitors are, and how many connections each may have.
 * @param trusted addresses and networks of proxies before the ingress, separated by commas: their `X-Forwarded-For` names the visitor, and
 *   they have as many connections as they need
 */
export function createClients(trusted: string) {
  const proxies = new BlockList()
  for (const each of trusted.split(',').map((part) => part.trim())) {
    const [ip = '', bits] = each.split('/')
    const networks = NAMED[each] ?? (isIP(ip) ? [[ip, Number(bits ?? (isIP(ip) === 6 ? 128 : 32))] as const] : [])
    for (const [address, prefix] of networks) proxies.addSubnet(address, prefix, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  // Most networks have none, and a look costs more than the rest of a request's checks.
  const isProxy = (ip: string) => trusted !== '' && isIP(ip) > 0 && proxies.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
  const connections = createCounter(CONNECTIONS_MAX)

  return {
    /** The visitor's address. @param peer of the connection @param forwarded the header `X-Forwarded-For` */
    addressOf(peer: string, forwarded: string | undefined): string {
      let ip = plainOf(peer)
      // From the nearest to the farthest: what is beyond the first that is no proxy of ours was written by anybody.
      for (const each of (forwarded ?? '').split(',').reverse()) {
        if (!isProxy(ip)) break
        const next = plainOf(each.trim())
        if (!isIP(next)) break
        ip = next
      }
      return ip
    },
    /** Counts a connection until it is closed. @returns false if there are too many */
    accept(socket: Socket): boolean {
      const ip = plainOf(socket.remoteAddress ?? '')
      if (isProxy(ip)) return true
      const release = connections.take(clientNetworkOf(ip))
      if (release) socket.once('close', release)
      return release !== undefined
    },
  }
}

/** An IPv4 address that is written as IPv6. */
const plainOf = (ip: string): string => ip.replace(/^::ffff:(?=\d+\.)/i, '')
