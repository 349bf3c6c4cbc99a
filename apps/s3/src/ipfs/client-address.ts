import { BlockList, isIP } from 'node:net'

/** @param proxies addresses and networks whose X-Forwarded-For is believed */
export function clientAddresses(proxies: readonly string[]): (remote: string, forwarded: string | undefined) => string {
  const trusted = new BlockList()
  for (const each of proxies) {
    const [address = '', bits] = each.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  const isTrusted = (ip: string) => isIP(ip) > 0 && trusted.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
  return (remote, forwarded) => {
    let client = remote.replace(/^::ffff:(?=\d+\.)/, '')
    // Each proxy adds whom it heard from at the end.
    for (const next of (forwarded ?? '').split(',').toReversed()) {
      const ip = next.trim().replace(/^::ffff:(?=\d+\.)/, '')
      if (!isTrusted(client) || isIP(ip) === 0) break
      client = ip
    }
    return client
  }
}
