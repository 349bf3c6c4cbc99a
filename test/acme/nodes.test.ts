import { createPublicKey, type X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { nodeLabelOf, nodeNameOf } from '@tidenet/daemon'
import { createNetwork, freePort, type Network, type NodeHandle } from '@tidenet/testnet'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFront } from './front.ts'
import { type Pebble, startPebble } from './pebble.ts'

/**
 * Names of nodes with certificates of a public CA, end to end: servers with our name server, a relay, a device, and a visitor who trusts
 * the CA alone.
 */

const ZONE = 'nodes.example.net'
const HOUR_MS = 3_600_000

let folder: string
let pebble: Pebble
let front: Awaited<ReturnType<typeof startFront>>
let network: Network
let relayPort: number

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidenet-acme-nodes-'))
  const dnsPort = await freePort()
  relayPort = await freePort()
  pebble = await startPebble({ dns: `127.0.0.1:${dnsPort}`, httpPort: await freePort() })
  front = await startFront(pebble)
  writeFileSync(join(folder, 'server-root.pem'), pebble.serverRoot)
  writeFileSync(join(folder, 'root.pem'), pebble.root)
  const { TIDENET_TEST_DATABASE: databaseUrl = '', TIDENET_TEST_TEMPLATE: databaseTemplate = '' } = process.env
  network = await createNetwork({
    databaseUrl,
    databaseTemplate,

    nodes: [
      { name: 'relay', kind: 'validator', capacity: 1, env: { TIDENET_NODE_RELAY: `127.0.0.1:${relayPort}` } },
      { name: 'device', kind: 'candidate' },
    ],
    env: {
      TIDENET_ZONE: ZONE,
      TIDENET_ACME: front.directory,
      TIDENET_ACME_ROOTS: join(folder, 'server-root.pem'),
      TIDENET_ACME_PROFILE: 'default',
      TIDENET_DNS: `127.0.0.1:${dnsPort}`,
      TIDENET_CAA: 'ca.example.net',
      TIDENET_NAMESERVERS: 'ns1.example.org,ns2.example.org',
      NODE_EXTRA_CA_CERTS: join(folder, 'root.pem'),
    },
  })
})
afterAll(async () => {
  await network?.stop()
  await front?.close()
  await pebble?.close()
  rmSync(folder, { recursive: true, force: true })
})

const nodeOf = (name: string) => network.nodes.find((node) => node.name === name) as NodeHandle

function labelOf(node: NodeHandle): string {
  const key = createPublicKey(readFileSync(join(node.dataDir, 'node.key'), 'utf8'))
  return nodeLabelOf(key.export({ format: 'jwk' }).x as string)
}

/** Undefined: there is no connection, or its certificate is not trusted. */
function visit(node: NodeHandle): Promise<{ status: number; certificate: X509Certificate } | undefined> {
  const servername = nodeNameOf('127.0.0.1', labelOf(node), ZONE)
  const options = { host: '127.0.0.1', port: relayPort, servername, ca: pebble.root, agent: false, path: '/health' }
  return new Promise((resolve) => {
    get({ ...options, headers: { host: servername } }, (answer) => {
      answer.resume()
      const certificate = (answer.socket as TLSSocket).getPeerX509Certificate()
      if (certificate) resolve({ status: answer.statusCode ?? 0, certificate })
      else resolve(undefined)
    }).on('error', () => resolve(undefined))
  })
}

async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  let found: T | undefined
  await expect.poll(async () => (found = await ask()), { timeout: 240_000, interval: 500 }).toBeDefined()
  return found as T
}

describe('a device behind a relay', () => {
  it('gets a certificate that browsers trust, without a setting', async () => {
    const { status, certificate } = await eventually(() => visit(nodeOf('device')))
    expect(status).toBe(200)
    expect(certificate.subjectAltName).toBe(`DNS:*.${labelOf(nodeOf('device'))}.${ZONE}`)
    expect((await eventually(() => visit(nodeOf('relay')))).certificate.subjectAltName).toContain(
      labelOf(nodeOf('relay')),
    )
    expect(front.orders).toHaveLength(2)
  })

  it('keeps its key to itself', async () => {
    const { dataDir } = nodeOf('device')
    expect(statSync(join(dataDir, 'tls.key')).mode & 0o777).toBe(0o600)
    const database = new pg.Client({ connectionString: network.databaseUrl })
    await database.connect()
    try {
      const { rows } = await database.query<{ text: string }>('select c::text as text from node_certificates c')
      expect(rows).toHaveLength(2)
      for (const { text } of rows) expect(text).not.toContain('PRIVATE')
    } finally {
      await database.end()
    }
  })

  it('renews when the CA asks for it, as a replacement that is not counted', { timeout: 300_000 }, async () => {
    const before = (await eventually(() => visit(nodeOf('device')))).certificate
    const end = Date.now() + 7 * HOUR_MS + 180_000
    await pebble.suggest(before.toString(), new Date(Date.now() - HOUR_MS), new Date(end))
    // The server asks the CA every six hours, and the device the server every minute. Its tickets for the relay have expired.
    await network.moveClock(7 * HOUR_MS)
    const after = await eventually(async () => {
      const seen = await visit(nodeOf('device'))
      return seen?.certificate.serialNumber === before.serialNumber ? undefined : seen
    })
    expect(after.certificate.subjectAltName).toBe(before.subjectAltName)
    expect(front.replacements).toEqual([[`*.${labelOf(nodeOf('device'))}.${ZONE}`]])
  })

  it('goes on with the certificate that it has when the servers are away', async () => {
    await network.server.process.stop()
    expect(await visit(nodeOf('device'))).toMatchObject({ status: 200 })
  })
})
