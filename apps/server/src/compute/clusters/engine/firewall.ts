import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { CLOSED_PORTS } from '../closed-ports.ts'
import type { TrafficLimits } from '../driver.ts'
import { run } from './run.ts'

/** Name prefix of our bridges. */
const BRIDGES = 'td'

/** Open connections that the programs of a workspace may have started, all together. */
export const CONNECTIONS = 2048
/** Ports whose passwords are guessed by robots: SSH, Telnet, remote desktops. New connections to them are few. */
const GUESSED_PORTS = '22, 23, 2323, 3389, 5900'

/**
 * Blocks traffic from workspaces to this machine and to private networks. Without it, containers reach every port of the machine through
 * their bridge, including the control plane and its database. DNS is allowed only at the address of the container's own bridge. Packets
 * with a forged source address are dropped. The rules are in a table of their own.
 */
const TABLE = `
add table inet tidenet
add set inet tidenet same { type ifname . ifname ; }
add chain inet tidenet input { type filter hook input priority -10 ; policy accept ; }
add chain inet tidenet output { type filter hook output priority -10 ; policy accept ; }
add chain inet tidenet forward { type filter hook forward priority -10 ; policy accept ; }
flush chain inet tidenet input
flush chain inet tidenet output
flush chain inet tidenet forward
`

/** Named limits by bridge and direction, so that each workspace has its own, and counters of connections by bridge. */
const LIMITS = `
add map inet tidenet upload { type ifname : limit ; }
add map inet tidenet download { type ifname : limit ; }
add set inet tidenet connections { type ifname ; size 65535 ; flags dynamic ; }
add set inet tidenet starts { type ifname ; size 65535 ; flags dynamic, timeout ; timeout 10m ; }
add set inet tidenet guesses { type ifname ; size 65535 ; flags dynamic, timeout ; timeout 10m ; }
`

/** Programs answer visitors through the machine (ingress, published ports), so its own packets from and to bridges count as well. */
const rulesOf = (limited: boolean): string => {
  const when = (rule: string) => (limited ? `add rule inet tidenet ${rule}` : '')
  return `
add rule inet tidenet input iifname != "${BRIDGES}*" accept
${when('input limit name iifname map @upload drop')}
add rule inet tidenet input ct state established,related accept
add rule inet tidenet input udp dport 53 fib daddr . iif type local accept
add rule inet tidenet input drop
${when('output limit name oifname map @download drop')}
${when(`forward iifname != "${BRIDGES}*" limit name oifname map @download drop`)}
add rule inet tidenet forward iifname != "${BRIDGES}*" accept
add rule inet tidenet forward fib saddr . iif oif missing drop
add rule inet tidenet forward iifname . oifname @same accept
${when('forward limit name iifname map @upload drop')}
add rule inet tidenet forward ct state established,related accept
add rule inet tidenet forward meta nfproto ipv6 drop
add rule inet tidenet forward ip daddr { 0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16, 198.18.0.0/15, 224.0.0.0/3 } drop
add rule inet tidenet forward meta l4proto { tcp, udp } th dport { ${CLOSED_PORTS.join(', ')} } drop
${when(`forward tcp dport { ${GUESSED_PORTS} } ct state new update @guesses { iifname limit rate over 30/minute burst 60 packets } drop`)}
${when('forward ct state new update @starts { iifname limit rate over 200/second burst 1000 packets } drop')}
${when(`forward ct state new add @connections { iifname ct count over ${CONNECTIONS} } drop`)}
`
}

/**
 * Creates the rules; allowed bridges stay allowed.
 * @param limited whether workspaces have limits of bandwidth and connections, which not every kernel supports
 * @throws Error if nftables is missing or not permitted
 */
export async function applyFirewall(limited: boolean): Promise<void> {
  await apply(`${TABLE}${limited ? LIMITS : ''}${rulesOf(limited)}`)
}

/**
 * Allows traffic within bridges, which matters on machines that filter bridged packets too (br_netfilter), and limits their bandwidth.
 * @param traffic undefined: their bandwidth is not limited
 */
export async function allowBridges(bridges: readonly string[], traffic?: TrafficLimits): Promise<void> {
  if (bridges.length === 0) return
  const allowed = bridges.map((bridge) => `add element inet tidenet same { "${bridge}" . "${bridge}" }\n`)
  const rate = traffic ? traffic.megabits : 0
  if (rate === 0) return void (await apply(allowed.join('')))
  const limits = bridges.flatMap((bridge) => DIRECTIONS.map((direction) => limitOf(bridge, direction, rate)))
  try {
    await apply([...allowed, ...limits].join(''))
  } catch {
    // A bridge has a limit of another rate, from before the setting was changed.
    for (const bridge of bridges) await removeLimits(bridge)
    await apply([...allowed, ...limits].join(''))
  }
}

const DIRECTIONS = ['upload', 'download'] as const

/** A limit cannot be changed, so its name contains its rate. The kernel adds what was not used in the last second. */
function limitOf(bridge: string, direction: (typeof DIRECTIONS)[number], megabits: number): string {
  const name = `${bridge}_${direction}_${megabits}`
  const bytes = megabits * 125_000
  return `add limit inet tidenet ${name} { rate over ${bytes} bytes/second burst ${bytes / 10} bytes ; }
add element inet tidenet ${direction} { "${bridge}" : "${name}" }
`
}

export async function removeBridge(bridge: string): Promise<void> {
  await removeLimits(bridge)
  // Added first, because removing what does not exist is an error.
  const same = `element inet tidenet same { "${bridge}" . "${bridge}" }\n`
  await apply(`add ${same}delete ${same}`).catch(() => undefined)
}

async function removeLimits(bridge: string): Promise<void> {
  for (const direction of DIRECTIONS) {
    const element = `element inet tidenet ${direction} { "${bridge}" }`
    const found = await nft(['get', ...element.split(' ')]).catch(() => '')
    const [name] = new RegExp(`${bridge}_\\w+`).exec(found) ?? []
    if (name) await apply(`delete ${element}\ndelete limit inet tidenet ${name}\n`).catch(() => undefined)
  }
  // The kernel forgets it as well, but later.
  await apply(`delete element inet tidenet connections { "${bridge}" }\n`).catch(() => undefined)
}

/** Removes the rules of bridges that no longer exist. Workloads that start again add theirs. */
export async function removeStaleBridges(): Promise<void> {
  const listed = await nft(['list', 'set', 'inet', 'tidenet', 'same']).catch(() => '')
  const names = new Set(listed.match(new RegExp(`\\b${BRIDGES}[\\da-f]{12}\\b`, 'g')))
  for (const name of names) if (!existsSync(`/sys/class/net/${name}`)) await removeBridge(name)
}

/** Tries of a command that fails because another process changed rules at the same time. */
const TRIES = 5
const RETRY_MS = 40

/** Runs commands of nftables in one transaction. */
const apply = (commands: string): Promise<string> => nft(['-f', '-'], commands)

async function nft(args: readonly string[], input?: string): Promise<string> {
  for (let tries = 1; ; tries++)
    try {
      return await run('nft', args, input)
    } catch (error) {
      const isLasting = /No such file|File exists|not permitted|ENOENT|syntax/.test((error as Error).message)
      if (isLasting || tries === TRIES) throw error
      await wait(RETRY_MS * tries)
    }
}

/** The name of a workspace's bridge, at most 15 characters. */
export const bridgeName = (digest: string): string => `${BRIDGES}${digest.slice(0, 12)}`
