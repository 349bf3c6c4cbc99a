/** The key of per-network limits: an IPv4 address, or the IPv6 /64 prefix, which usually is one household or machine. */
export function clientNetworkOf(ip: string): string {
  const four = fourOf(ip)
  return four ?? `${prefixOf(ip, 4)}::/64`
}

/** The network of a visitor: an IPv4 address, which a whole school may share, or an IPv6 /48. */
export const visitorNetworkOf = (ip: string): string => fourOf(ip) ?? `${prefixOf(ip, 3)}::/48`

/**
 * The network of a node: the /24 of an IPv4 address, or the /48 of an IPv6 address. Who runs many nodes usually has few networks.
 * @param port of the node's URL: on 127.0.0.x, where a network is tried out on one machine, each port is a network of its own
 */
export function nodeNetworkOf(ip: string, port = ''): string {
  const four = fourOf(ip)
  if (isThisMachine(ip)) return `${ip}:${port}`
  return four === undefined ? `${prefixOf(ip, 3)}::/48` : `${four.split('.').slice(0, 3).join('.')}.0/24`
}

/**
 * The /32 of a node's IPv6 network, in which one person can have many /48s; undefined for IPv4.
 * @param network as `nodeNetworkOf` returns it
 */
export function wideNetworkOf(network: string): string | undefined {
  if (!network.endsWith('::/48')) return undefined
  return `${network.split(':', 2).join(':')}::/32`
}

/**
 * The address of a node: devices behind one address share it. An IPv4 address, or the /64 of an IPv6 address; on this machine, each port is an
 * address of its own, as in `nodeNetworkOf`.
 */
export function nodeAddressOf(ip: string, port = ''): string {
  const four = fourOf(ip)
  if (isThisMachine(ip)) return `${ip}:${port}`
  return four ?? `${prefixOf(ip, 4)}::/64`
}

/** Whether a caller is on this machine, where a network is tried out: 127.0.0.x or ::1. */
export const isThisMachine = (ip: string): boolean => fourOf(ip)?.startsWith('127.0.0.') || ip === '::1'

/** An IPv4 address, also if it is mapped to IPv6; undefined for other IPv6 addresses. */
function fourOf(ip: string): string | undefined {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1] as string
  return ip.includes(':') ? undefined : ip
}

/** The first groups of an IPv6 address, without leading zeros. */
function prefixOf(ip: string, count: number): string {
  const [head = '', tail] = ip.split('%')[0]!.split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const filled = tail === undefined ? groups : [...groups, ...Array(8 - groups.length - rest.length).fill('0'), ...rest]
  return filled
    .slice(0, count)
    .map((group: string) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
