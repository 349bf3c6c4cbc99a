import { execFile, execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { openLocalCa } from '@tidenet/certificates'
import type { Network, NodeHandle } from '@tidenet/testnet'
import { createCertificateRequest } from '../../apps/node/src/reach/certificate-request.ts'
import { startNetwork } from '../network/test-network.ts'
import { until, type WireClient } from '../network/wire-client.ts'
import { HOMES, type Home, inside, OUTSIDE, PORTAL, within, ZONE } from './lab.ts'

/** A network whose only nodes with content are at home; its relays are outside and have no room for copies. */

const CLIENT = fileURLToPath(new URL('programs/client.mjs', import.meta.url))

/** The only candidate is in the first home, so it gets every upload. */
export const DEVICE_A = { name: 'device-a', kind: 'candidate', within: within(HOMES.a.device) } as const
export const DEVICE_B = { name: 'device-b', kind: 'edge', within: within(HOMES.b.device) } as const

/** Its router forwards ports. */
export const DEVICE_C = { name: 'device-c', kind: 'candidate', within: within(HOMES.c.device) } as const

export type HomeNetwork = Network & { relays: NodeHandle[] }

export async function startHomeNetwork(
  devices: readonly (typeof DEVICE_A | typeof DEVICE_B | typeof DEVICE_C)[],
  env: Readonly<Record<string, string>> = {},
): Promise<HomeNetwork> {
  const relays = OUTSIDE.relays.map((address, index) => ({
    name: `relay-${index + 1}`,
    kind: 'validator' as const,
    capacity: 1,
    env: { TIDENET_NODE_RELAY: `${address}:443` },
  }))
  const network = await startNetwork({
    host: OUTSIDE.server,
    nodes: [...relays, ...devices],
    env: {
      TIDENET_PUBLIC_URL: `https://${PORTAL}`,
      TIDENET_TLS: 'local',
      TIDENET_ZONE: ZONE,
      TIDENET_DNS: `${OUTSIDE.names}:53`,
      TIDENET_PRIVATE_NODES: 'no',
      ...env,
    },
  })
  return Object.assign(network, { relays: network.nodes.slice(0, relays.length) })
}

/** A figure of a node. @param home where it is; undefined: outside */
export async function metricOf(node: NodeHandle, name: string, home?: Home): Promise<number> {
  const text = home
    ? inside(home.device, 'curl', '-sf', `${node.url}/metrics`)
    : await (await fetch(`${node.url}/metrics`)).text()
  return Number(new RegExp(`^tidenet_node_${name} (\\S+)$`, 'm').exec(text)?.[1])
}

/** Bytes that all relays passed on since their start. */
export async function relayed({ relays }: HomeNetwork): Promise<number> {
  const bytes = await Promise.all(relays.map((relay) => metricOf(relay, 'relay_bytes_total')))
  return bytes.reduce((sum, each) => sum + each, 0)
}

/** Waits until that many devices are connected to every relay. */
export async function untilConnected({ relays }: HomeNetwork, devices: number): Promise<void> {
  for (const relay of relays) await until(async () => (await metricOf(relay, 'relay_devices')) === devices)
}

export const caFile = ({ data }: Network) => join(data, 'secrets', 'ca.pem')
/** Of the portal: the CA of the network is for its zone alone. */
const portalCa = ({ data }: Network) => join(data, 'portal-ca')
export const portalCaFile = (network: Network) => join(portalCa(network), 'ca.pem')

/** Uploads or downloads with the SDK, in a process that trusts the CA of the network. */
export async function runClient(
  network: Network,
  token: string,
  action: 'upload' | 'download',
  path: string,
  cid = '',
) {
  const { stdout } = await promisify(execFile)(process.execPath, [CLIENT, network.url, token, action, path, cid], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: caFile(network) },
  })
  return JSON.parse(stdout) as { code: number; msg: string; data: { cid: string; verified?: boolean } }
}

/** As soon as a node takes it. @returns its CID */
export async function upload(network: Network, token: string, path: string): Promise<string> {
  const { data } = await until(async () => {
    const result = await runClient(network, token, 'upload', path)
    return result.code === 0 && result
  }, 60_000)
  return data.cid
}

/** A browser that trusts the CA of the network beside the public ones, and asks the network's name server. @param folder for its data */
export function startBrowser(network: Network, folder: string): Promise<Browser> {
  const database = join(folder, '.pki', 'nssdb')
  mkdirSync(database, { recursive: true })
  const certutil = (...args: string[]) => execFileSync('certutil', ['-d', `sql:${database}`, ...args])
  certutil('-N', '--empty-password')
  certutil('-A', '-n', 'network', '-t', 'C,,', '-i', caFile(network))
  certutil('-A', '-n', 'portal', '-t', 'C,,', '-i', portalCaFile(network))
  return chromium.launch({
    executablePath: process.env.TIDENET_CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    env: { ...(process.env as Record<string, string>), HOME: folder },
  })
}

/**
 * Downloads a shared file as a visitor of the portal does.
 * @param owner shares it
 */
export async function downloadInBrowser(browser: Browser, owner: WireClient, cid: string): Promise<Buffer> {
  const { data } = await owner.post<{ url: string }>('/api/v1/storage/create_link', { cid })
  await owner.post('/api/v1/storage/share_status_set', { cid })
  const page = await browser.newPage()
  await page.goto(`https://${PORTAL}${data.url}`)
  if (!(await page.evaluate(() => isSecureContext))) throw new Error('the page is not secure')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ])
  return readFile(await saved.path())
}

/** The portal at https. */
export async function servePortal(network: Network): Promise<{ close(): Promise<void> }> {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ca = await openLocalCa(portalCa(network), PORTAL)
  const cert = await ca.issue([PORTAL], createCertificateRequest(PORTAL, own), Date.now())
  const { hostname, port } = new URL(network.url)
  const key = own.privateKey.export({ type: 'pkcs8', format: 'pem' })
  const server = createServer({ key, cert }, (from, to) => {
    const call = request({ host: hostname, port, method: from.method, path: from.url, headers: from.headers })
    call.on('response', (answer) => {
      to.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(to)
    })
    call.on('error', () => to.destroy())
    from.pipe(call)
  })
  server.listen(443, OUTSIDE.portal)
  await once(server, 'listening')
  return {
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
