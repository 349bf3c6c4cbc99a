import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/**
 * Whether an IP address is one of this machine. Firewalls do not see connections to these, so they reach services that are meant for this
 * machine only. Read anew each time, because addresses come and go.
 */
export function isOwnAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 0) return false
  const own = new BlockList()
  for (const found of Object.values(networkInterfaces()).flatMap((each) => each ?? []))
    own.addAddress(found.address, found.family === 'IPv6' ? 'ipv6' : 'ipv4')
  return own.check(address, version === 6 ? 'ipv6' : 'ipv4')
}
