import { existsSync } from 'node:fs'
import { run } from './run.ts'

/** Name prefix of our bridges. */
const BRIDGES = 'td'

/**
 * Blocks traffic from workspaces to this machine and to private networks. Without it, containers reach every port of the machine through
 * their bridge, including the control plane and its database. DNS is allowed only at the address of the container's own bridge. Packets
 * with a forged source address are dropped. The rules are in a table of their own.
 */
const TABLE = `
add table inet tidenet
add set inet tidenet same { type ifname . ifname ; }
add chain inet tidenet input { type filter hook input priority -10 ; policy accept ; }
add chain inet tidenet forward { type filter hook forward priority -10 ; policy accept ; }
flush chain inet tidenet input
flush chain inet tidenet forward
add rule inet tidenet input iifname != "${BRIDGES}*" accept
add rule inet tidenet input ct state established,related accept
add rule inet tidenet input udp dport 53 fib daddr . iif type local accept
add rule inet tidenet input drop
add rule inet tidenet forward iifname != "${BRIDGES}*" accept
add rule inet tidenet forward fib saddr . iif oif missing drop
add rule inet tidenet forward ct state established,related accept
add rule inet tidenet forward iifname . oifname @same accept
add rule inet tidenet forward meta nfproto ipv6 drop
add rule inet tidenet forward ip daddr { 0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16, 198.18.0.0/15, 224.0.0.0/3 } drop
`

/** Creates the rules; allowed bridges stay allowed. @throws Error if nftables is missing or not permitted */
export async function applyFirewall(): Promise<void> {
  await run('nft', ['-f', '-'], TABLE)
}

/** Allows traffic within one bridge, which matters on machines that filter bridged packets too (br_netfilter). */
export const allowBridge = (bridge: string): Promise<string> =>
  run('nft', ['-f', '-'], `add element inet tidenet same { "${bridge}" . "${bridge}" }\n`)

export const removeBridge = (bridge: string): Promise<unknown> =>
  run('nft', ['-f', '-'], `delete element inet tidenet same { "${bridge}" . "${bridge}" }\n`).catch(() => undefined)

/** Removes the rules of bridges that no longer exist. Workloads that start again add theirs. */
export async function removeStaleBridges(): Promise<void> {
  const listed = await run('nft', ['list', 'set', 'inet', 'tidenet', 'same']).catch(() => '')
  const names = new Set(listed.match(new RegExp(`\\b${BRIDGES}[\\da-f]{12}\\b`, 'g')))
  for (const name of names) if (!existsSync(`/sys/class/net/${name}`)) await removeBridge(name)
}

/** The name of a workspace's bridge, at most 15 characters. */
export const bridgeName = (digest: string): string => `${BRIDGES}${digest.slice(0, 12)}`
