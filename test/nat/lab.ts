import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * An Internet of network namespaces. The tests, the server and the relays are outside; each home has a router that masquerades and lets
 * nobody in, a device behind it, and a printer that nobody else should reach. The stage starts everything in a mount and network namespace
 * of its own (`unshare`), so that all of this ends with the last process, and nothing of the machine changes.
 */

export const ZONE = 'nodes.example.net'
export const PORTAL = 'portal.example.net'

/** Blocks with special purposes that are not private, so that programs take them for public addresses; nothing leaves the namespaces. */
export const OUTSIDE = {
  server: '192.88.99.2',
  names: '192.88.99.3',
  portal: '192.88.99.4',
  relays: ['192.88.99.11', '192.88.99.12'],
} as const

export interface Home {
  router: string
  device: string
  printer: string
  /** Addresses of the router: the one it begins with, and another one. */
  wan: readonly [string, string]
}

export const HOMES = {
  a: homeOf('a', ['192.31.196.2', '192.31.196.3']),
  b: homeOf('b', ['192.52.193.2', '192.52.193.3']),
  /** Its router can forward ports; see `startForwarding`. miniupnpd forwards none of special blocks; this one was never routed. */
  c: homeOf('c', ['44.128.0.2', '44.128.0.3']),
} as const
export const PRINTER = '10.0.1.2'

function homeOf(name: string, wan: Home['wan']): Home {
  return { router: `router-${name}`, device: `device-${name}`, printer: `printer-${name}`, wan }
}

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
const ip = (text: string) => run('ip', ...text.split(' '))
/** A command that starts another one in a namespace. */
export const within = (space: string): readonly string[] => ['ip', 'netns', 'exec', space]
/** Runs it there. @returns its output */
export const inside = (space: string, ...command: string[]): string => run('ip', 'netns', 'exec', space, ...command)

/** Joins two namespaces by a cable; an empty name is the one of the tests. */
function connect(one: { space: string; end: string; cidr: string }, two: { space: string; end: string; cidr: string }) {
  const [first, second] = ['cable-1', 'cable-2']
  ip(`link add ${first} type veth peer name ${second}`)
  for (const [cable, { space, end, cidr }] of [
    [first, one],
    [second, two],
  ] as const) {
    const there = space === '' ? '' : `-n ${space} `
    if (space !== '') ip(`link set ${cable} netns ${space}`)
    ip(`${there}link set ${cable} name ${end}`)
    ip(`${there}addr add ${cidr} dev ${end}`)
    ip(`${there}link set ${end} up`)
  }
}

/** What the router lets through. Its counters: connections from outside, of the device to its own home, and to unknown places. */
const RULES = `
table ip home {
  counter uninvited {}
  counter at_home {}
  counter elsewhere {}
  chain forward {
    type filter hook forward priority filter; policy drop;
    ct state established,related accept
    ct status dnat accept
    iifname "lan" oifname "wan" ip daddr 192.88.99.0/24 accept
    iifname "lan" oifname "wan" counter name elsewhere accept
    iifname "lan" oifname "lan2" counter name at_home accept
    tcp flags & (syn | ack) == syn counter name uninvited
  }
  chain input {
    type filter hook input priority filter; policy drop;
    ct state established,related accept
    iifname "lan" accept
    tcp flags & (syn | ack) == syn counter name uninvited
  }
  chain leaving {
    type nat hook postrouting priority srcnat;
    oifname "wan" masquerade
  }
}
`

export interface Counters {
  uninvited: number
  at_home: number
  elsewhere: number
}
/** Packets that began a connection. */
export function countersOf({ router }: Home): Counters {
  const { nftables } = JSON.parse(inside(router, 'nft', '-j', 'list', 'counters')) as {
    nftables: { counter?: { name: keyof Counters; packets: number } }[]
  }
  const counts = { uninvited: 0, at_home: 0, elsewhere: 0 }
  for (const { counter } of nftables) if (counter) counts[counter.name] = counter.packets
  return counts
}

/** Gives the router another address; connections through it are lost, as with a real one. */
export function changeRouterAddress({ router, wan: [from, to] }: Home): void {
  ip(`-n ${router} addr del ${from}/24 dev wan`)
  ip(`-n ${router} addr add ${to}/24 dev wan`)
  ip(`-n ${router} route replace default via ${gatewayOf(to)} dev wan`)
}
/** Gives the device another address at home. */
export function changeDeviceAddress({ device }: Home, from: string, to: string): void {
  ip(`-n ${device} addr del ${from}/24 dev eth`)
  ip(`-n ${device} addr add ${to}/24 dev eth`)
  ip(`-n ${device} route replace default via 10.0.0.1`)
}

/** Chains that miniupnpd fills. */
const FORWARDED = `
table inet forwarded {
  chain ports {}
  chain arriving {}
  chain leaving {}
  chain forward { type filter hook forward priority filter; jump ports; }
  chain prerouting { type nat hook prerouting priority dstnat; jump arriving; }
  chain postrouting { type nat hook postrouting priority srcnat; jump leaving; }
}
`

/** Starts UPnP on a router. @returns what ends it, and every port that it forwards */
export function startForwarding({ router }: Home): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'nat-'))
  const [config, rules] = [join(folder, 'miniupnpd.conf'), join(folder, 'rules')]
  writeFileSync(rules, FORWARDED)
  inside(router, 'nft', '-f', rules)
  const settings = {
    ...{ ext_ifname: 'wan', listening_ip: 'lan', port: 5555, enable_upnp: 'yes', enable_natpmp: 'no' },
    ...{ secure_mode: 'yes', uuid: '00000000-0000-4000-8000-000000000001', lease_file: join(folder, 'leases') },
    ...{ upnp_table_name: 'forwarded', upnp_nat_table_name: 'forwarded', upnp_forward_chain: 'ports' },
    ...{ upnp_nat_chain: 'arriving', upnp_nat_postrouting_chain: 'leaving' },
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  writeFileSync(config, `${lines.join('\n')}\nallow 1024-65535 10.0.0.0/24 1024-65535\n`)
  const [command = '', ...args] = within(router)
  const daemon: ChildProcess = spawn(command, [...args, 'miniupnpd', '-d', '-f', config, '-P', join(folder, 'pid')], {
    stdio: 'ignore',
  })
  return () => {
    // It would keep the namespace alive.
    if (!daemon.kill('SIGKILL')) return
    inside(router, 'nft', 'delete', 'table', 'inet', 'forwarded')
  }
}

const gatewayOf = (address: string) => address.replace(/\d+$/, '1')

function makeHome({ router, device, printer, wan: [wan] }: Home): void {
  for (const space of [router, device, printer]) {
    ip(`netns add ${space}`)
    ip(`-n ${space} link set lo up`)
  }
  inside(router, 'sysctl', '-qw', 'net.ipv4.ip_forward=1')
  connect(
    { space: '', end: `to-${router}`, cidr: `${gatewayOf(wan)}/24` },
    { space: router, end: 'wan', cidr: `${wan}/24` },
  )
  connect({ space: router, end: 'lan', cidr: '10.0.0.1/24' }, { space: device, end: 'eth', cidr: '10.0.0.2/24' })
  connect({ space: router, end: 'lan2', cidr: '10.0.1.1/24' }, { space: printer, end: 'eth', cidr: `${PRINTER}/24` })
  ip(`-n ${router} route add default via ${gatewayOf(wan)}`)
  ip(`-n ${device} route add default via 10.0.0.1`)
  ip(`-n ${printer} route add default via 10.0.1.1`)
  const rules = join(mkdtempSync(join(tmpdir(), 'nat-')), 'rules')
  writeFileSync(rules, RULES)
  inside(router, 'nft', '-f', rules)
}

/** Called once before the tests. */
export default function makeLab(): void {
  const links = readdirSync('/sys/class/net')
  // The tests change addresses and mounts.
  if (process.env.TIDENET_TEST_NAT !== 'yes')
    throw new Error('These tests run in namespaces of their own: npm run test:long -- nat')
  run('mount', '-t', 'sysfs', 'none', '/sys')
  if (readdirSync('/sys/class/net').some((name) => name !== 'lo')) throw new Error(`not an empty namespace: ${links}`)
  mkdirSync('/run/netns', { recursive: true })
  run('mount', '-t', 'tmpfs', 'none', '/run/netns')
  const folder = mkdtempSync(join(tmpdir(), 'nat-'))
  for (const [file, text] of [
    ['resolv.conf', `nameserver ${OUTSIDE.names}\noptions timeout:2 attempts:5\n`],
    ['hosts', `127.0.0.1 localhost\n${OUTSIDE.portal} ${PORTAL}\n`],
  ] as const) {
    writeFileSync(join(folder, file), text)
    run('mount', '--bind', join(folder, file), `/etc/${file}`)
  }
  ip('link set lo up')
  for (const address of [OUTSIDE.server, OUTSIDE.names, OUTSIDE.portal, ...OUTSIDE.relays])
    ip(`addr add ${address}/32 dev lo`)
  run('sysctl', '-qw', 'net.ipv4.ip_forward=1')
  for (const home of Object.values(HOMES)) makeHome(home)
}
