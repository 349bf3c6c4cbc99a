import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { promises as dns } from 'node:dns'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort, type Network, type NodeHandle } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { signUp, until } from './wire-client.ts'

const CLIENT = fileURLToPath(new URL('programs/zone-client.mjs', import.meta.url))
const ZONE = 'nodes.localhost'
const SIZE = 6_000_000
/** Its download takes long enough to be interrupted. */
const LARGE = 90_000_000

let network: Network
let folder: string
let nameServer: string
let relays: NodeHandle[]
let device: NodeHandle

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relays-'))
  nameServer = `127.0.0.1:${await freePort()}`
  network = await startNetwork({
    nodes: [
      // The only candidate, so it gets every upload; the relays have no room for copies.
      { name: 'device', kind: 'candidate' },
      ...['relay-1', 'relay-2'].map((name) => ({
        name,
        kind: 'validator' as const,
        capacity: 1,
        env: { TIDENET_NODE_RELAY: '127.0.0.1:0' },
      })),
    ],
    env: { TIDENET_TLS: 'local', TIDENET_DNS: nameServer },
  })
  ;[device, ...relays] = network.nodes as [NodeHandle, ...NodeHandle[]]
})
afterAll(async () => {
  await network?.stop()
  if (folder) await rm(folder, { recursive: true })
})

const metricOf = async (node: NodeHandle, name: string): Promise<number> => {
  const text = await (await fetch(`${node.url}/metrics`)).text()
  return Number(new RegExp(`^tidenet_node_${name} (\\S+)$`, 'm').exec(text)?.[1])
}

async function runClient(token: string, action: 'upload' | 'download', path: string, cid = '') {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [CLIENT, network.url, token, nameServer, ZONE, action, path, cid],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: join(network.data, 'secrets', 'ca.pem') } },
  )
  return JSON.parse(stdout) as { code: number; data: { cid: string; verified?: boolean } }
}

/** Of all relays. */
const relayed = async (): Promise<number> => {
  const bytes = await Promise.all(relays.map((relay) => metricOf(relay, 'relay_bytes_total')))
  return bytes.reduce((sum, each) => sum + each, 0)
}

/** The relay that passed on most. */
async function busiestRelay(): Promise<NodeHandle> {
  const bytes = await Promise.all(relays.map((relay) => metricOf(relay, 'relay_bytes_total')))
  return relays[bytes.indexOf(Math.max(...bytes))] as NodeHandle
}

describe('a device without a reachable port', () => {
  it('serves verified files by https through a relay', async () => {
    const { token } = await signUp(network.url)
    for (const relay of relays) await until(async () => (await metricOf(relay, 'relay_devices')) === 1)
    const source = join(folder, 'source')
    const bytes = randomBytes(SIZE)
    await writeFile(source, bytes)
    const uploaded = await until(async () => {
      const result = await runClient(token, 'upload', source)
      return result.code === 0 && result
    })
    expect(await relayed()).toBeGreaterThan(SIZE)
    const target = join(folder, 'target')
    expect(await runClient(token, 'download', target, uploaded.data.cid)).toMatchObject({
      code: 0,
      data: { verified: true },
    })
    const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')
    expect(sha256(await readFile(target))).toBe(sha256(bytes))
    expect(await metricOf(device, 'sent_bytes_total')).toBeGreaterThanOrEqual(SIZE)
    expect(await relayed()).toBeGreaterThan(2 * SIZE)
  })

  it('has a name that the name server of the network answers, and a key that only its owner reads', async () => {
    for (const file of [join(device.dataDir, 'tls.key'), join(network.data, 'secrets', 'ca.key')])
      expect((await stat(file)).mode & 0o777).toBe(0o600)
    const resolver = new dns.Resolver()
    resolver.setServers([nameServer])
    const label = 'a'.repeat(32)
    expect(await resolver.resolve4(`127-0-0-1.${label}.${ZONE}`)).toEqual(['127.0.0.1'])
    await expect(resolver.resolve4(`127-0-0-1.nobody.${ZONE}`)).rejects.toMatchObject({ code: 'ENOTFOUND' })
    await expect(resolver.resolve4('example.com')).rejects.toMatchObject({ code: 'EREFUSED' })
  })

  it('stays reachable when the relay that it uses is killed, also during a download', async () => {
    const { token } = await signUp(network.url)
    const bytes = randomBytes(LARGE)
    const source = join(folder, 'large')
    await writeFile(source, bytes)
    const uploaded = await until(async () => {
      const result = await runClient(token, 'upload', source)
      return result.code === 0 && result
    })
    const used = await busiestRelay()
    const before = await metricOf(used, 'relay_bytes_total')
    const target = join(folder, 'large-target')
    const download = runClient(token, 'download', target, uploaded.data.cid)
    await until(async () => (await metricOf(used, 'relay_bytes_total')) > before + LARGE / 20)
    used.process.kill('SIGKILL')
    expect(await download).toMatchObject({ code: 0, data: { verified: true } })
    expect((await readFile(target)).equals(bytes)).toBe(true)
    relays = relays.filter((relay) => relay !== used)
    expect(await relayed()).toBeGreaterThan(0)
    // What the device signed is reported at the latest when the relay stops.
    const [left] = relays as [NodeHandle]
    await left.process.stop()
    const { data } = (await (await fetch(`${network.url}/api/v1/network/node?node_id=${left.id}`)).json()) as {
      data: { passed_on: { signed: number } | null }
    }
    expect(data.passed_on?.signed).toBeGreaterThan(0)
  })
})
