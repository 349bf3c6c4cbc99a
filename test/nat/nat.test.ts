import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Network, NodeHandle } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from '../network/test-network.ts'
import { signUp, until } from '../network/wire-client.ts'
import { countersOf, HOMES, OUTSIDE, within, ZONE } from './lab.ts'

const CLIENT = fileURLToPath(new URL('programs/client.mjs', import.meta.url))
const SIZE = 6_000_000

let network: Network
let folder: string
let relays: NodeHandle[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nat-test-'))
  network = await startNetwork({
    host: OUTSIDE.server,
    nodes: [
      ...OUTSIDE.relays.map((address, index) => ({
        name: `relay-${index + 1}`,
        kind: 'validator' as const,
        capacity: 1,
        env: { TIDENET_NODE_RELAY: `${address}:443` },
      })),
      // The only candidate, so it gets every upload.
      { name: 'device-a', kind: 'candidate', within: within(HOMES.a.device) },
    ],
    env: {
      TIDENET_TLS: 'local',
      TIDENET_ZONE: ZONE,
      TIDENET_DNS: `${OUTSIDE.names}:53`,
      TIDENET_PRIVATE_NODES: 'no',
    },
  })
  relays = network.nodes.slice(0, 2)
})
afterAll(async () => {
  await network?.stop()
  if (folder) await rm(folder, { recursive: true })
})

const metricOf = async (node: NodeHandle, name: string): Promise<number> => {
  const text = await (await fetch(`${node.url}/metrics`)).text()
  return Number(new RegExp(`^tidenet_node_${name} (\\S+)$`, 'm').exec(text)?.[1])
}
/** Of all relays. */
const relayed = async (): Promise<number> => {
  const bytes = await Promise.all(relays.map((relay) => metricOf(relay, 'relay_bytes_total')))
  return bytes.reduce((sum, each) => sum + each, 0)
}

async function runClient(token: string, action: 'upload' | 'download', path: string, cid = '') {
  const { stdout } = await promisify(execFile)(process.execPath, [CLIENT, network.url, token, action, path, cid], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: join(network.data, 'secrets', 'ca.pem') },
  })
  return JSON.parse(stdout) as { code: number; data: { cid: string; verified?: boolean } }
}

describe('a device behind a home router', () => {
  it('takes uploads and serves verified downloads by https through a relay, and nobody reaches it otherwise', async () => {
    const { token } = await signUp(network.url)
    for (const relay of relays) await until(async () => (await metricOf(relay, 'relay_devices')) === 1)
    const bytes = randomBytes(SIZE)
    const source = join(folder, 'source')
    await writeFile(source, bytes)
    const uploaded = await until(async () => {
      const result = await runClient(token, 'upload', source)
      return result.code === 0 && result
    })
    expect(await relayed()).toBeGreaterThan(SIZE)
    const target = join(folder, 'target')
    const downloaded = await runClient(token, 'download', target, uploaded.data.cid)
    expect(downloaded).toMatchObject({ code: 0, data: { verified: true } })
    expect((await readFile(target)).equals(bytes)).toBe(true)
    expect(await relayed()).toBeGreaterThan(2 * SIZE)
    expect(countersOf(HOMES.a)).toEqual({ uninvited: 0, at_home: 0, elsewhere: 0 })
  })
})
