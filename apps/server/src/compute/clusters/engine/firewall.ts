import { existsSync } from 'node:fs'
import { run } from './run.ts'

/** What the names of our bridges begin with. */
const BRIDGES = 'td'

/**
 * Keeps workspaces away from this machine and from private networks. A bridge lets its containers reach whatever the machine listens at,
 * the control plane and its database among it; an engine does nothing against that. Names are asked for at the own
 * bridge's address alone. Packets that say they come from elsewhere go nowhere. Rules stand in a table of their own.
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

/** Puts the rules in place; whoever is there already stays as it is. @throws Error where this cannot be done */
export async function raiseFirewall(): Promise<void> {
  await run('nft', ['-f', '-'], TABLE)
}

/** Containers at one bridge may talk to each other, also where bridged packets pass the rules of routed ones. */
export const allowWithin = (bridge: string): Promise<string> =>
  run('nft', ['-f', '-'], `add element inet tidenet same { "${bridge}" . "${bridge}" }\n`)

export const forgetBridge = (bridge: string): Promise<unknown> =>
  run('nft', ['-f', '-'], `delete element inet tidenet same { "${bridge}" . "${bridge}" }\n`).catch(() => undefined)

/** Takes out the bridges that are no more: of stopped workspaces, or of what was killed. Whatever starts again is let in anew. */
export async function sweepBridges(): Promise<void> {
  const listed = await run('nft', ['list', 'set', 'inet', 'tidenet', 'same']).catch(() => '')
  const names = new Set(listed.match(new RegExp(`\\b${BRIDGES}[\\da-f]{12}\\b`, 'g')))
  for (const name of names) if (!existsSync(`/sys/class/net/${name}`)) await forgetBridge(name)
}

/** The name of a workspace's bridge, of at most 15 characters. */
export const bridgeName = (digest: string): string => `${BRIDGES}${digest.slice(0, 12)}`
