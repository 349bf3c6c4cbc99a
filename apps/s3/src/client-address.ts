import { BlockList, isIP } from 'node:net'
import type { z } from 'zod'

/** @param text addresses and networks, separated by commas or spaces */
export function readProxies(text: string, check: z.RefinementCtx): (ip: string) => boolean {
  const proxies = new BlockList()
  for (const one of text.split(/[\s,]+/).filter(Boolean)) {
    const [address = '', bits] = one.split('/')
    const version = isIP(address)
    const size = version === 4 ? 32 : 128
    const prefix = bits === undefined ? size : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
    if (version === 0 || prefix < 0 || prefix > size) {
      check.addIssue({ code: 'custom', message: `${one} is no IP address or network` })
      continue
    }
    proxies.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6')
  }
  return (ip) => {
    const version = isIP(ip)
    return version !== 0 && proxies.check(ip, version === 4 ? 'ipv4' : 'ipv6')
  }
}

/** IPv4 in the form of IPv6 is IPv4. */
const plain = (ip: string): string => (/^::ffff:\d/i.test(ip) ? ip.slice(7) : ip)

/**
 * The address of the client: that of the connection, or what trusted proxies say. Each adds the address that it saw to the end, so what is
 * left of the first one that is not trusted could be anything.
 * @param forwarded values of `X-Forwarded-For`
 */
export function clientAddress(peer: string, forwarded: readonly string[], isProxy: (ip: string) => boolean): string {
  const named = forwarded.flatMap((value) => value.split(',')).map((ip) => plain(ip.trim()))
  let ip = plain(peer)
  while (isProxy(ip)) {
    const before = named.pop()
    if (before === undefined || isIP(before) === 0) break
    ip = before
  }
  return ip
}
