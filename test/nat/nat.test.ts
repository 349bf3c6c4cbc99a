import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NodeHandle } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp, until } from '../network/wire-client.ts'
import {
  DEVICE_A,
  DEVICE_B,
  type HomeNetwork,
  metricOf,
  relayed,
  runClient,
  startHomeNetwork,
  untilConnected,
  upload,
} from './home-network.ts'
import { changeDeviceAddress, changeRouterAddress, countersOf, HOMES } from './lab.ts'

const SIZE = 6_000_000
/** Its download takes long enough to be interrupted. */
const LARGE = 90_000_000

let network: HomeNetwork
let folder: string
let token: string
let deviceA: NodeHandle
let deviceB: NodeHandle

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nat-test-'))
  network = await startHomeNetwork([DEVICE_A, DEVICE_B])
  ;[deviceA, deviceB] = network.nodes.slice(network.relays.length) as [NodeHandle, NodeHandle]
  ;({ token } = await signUp(network.url))
  await untilConnected(network, 2)
})
afterAll(async () => {
  await network?.stop()
  if (folder) await rm(folder, { recursive: true })
})

async function store(name: string, size: number) {
  const bytes = randomBytes(size)
  const path = join(folder, name)
  await writeFile(path, bytes)
  return { cid: await upload(network, token, path), bytes }
}

async function download(cid: string, bytes: Buffer): Promise<boolean> {
  const target = join(folder, 'target')
  const { code, data } = await runClient(network, token, 'download', target, cid)
  return code === 0 && data.verified === true && (await readFile(target)).equals(bytes)
}

describe('devices behind home routers', () => {
  let stored: { cid: string; bytes: Buffer }

  it('take uploads and serve verified downloads by https through relays', async () => {
    stored = await store('first', SIZE)
    expect(await relayed(network)).toBeGreaterThan(SIZE)
    expect(await download(stored.cid, stored.bytes)).toBe(true)
    expect(await relayed(network)).toBeGreaterThan(2 * SIZE)
  })

  it('copy from home to home, and serve while the other home is dark', async () => {
    await until(async () => (await metricOf(deviceB, 'used', HOMES.b)) >= SIZE, 60_000)
    // The upload, a download, and the copy that went from the first home to the relay and on to the second one.
    expect(await relayed(network)).toBeGreaterThan(3 * SIZE)
    deviceA.process.kill('SIGKILL')
    const before = await metricOf(deviceB, 'sent_bytes_total', HOMES.b)
    expect(await until(() => download(stored.cid, stored.bytes), 60_000)).toBe(true)
    expect(await metricOf(deviceB, 'sent_bytes_total', HOMES.b)).toBeGreaterThanOrEqual(before + SIZE)
    await deviceA.process.restart()
    await untilConnected(network, 2)
  })

  it('go on with a download at the byte at which a killed relay stopped', async () => {
    deviceB.process.kill('SIGKILL')
    const { cid, bytes } = await store('large', LARGE)
    const passed = await Promise.all(network.relays.map((relay) => metricOf(relay, 'relay_bytes_total')))
    const sent = await metricOf(deviceA, 'sent_bytes_total', HOMES.a)
    const downloading = download(cid, bytes)
    const used = await until(async () => {
      for (const [index, relay] of network.relays.entries())
        if ((await metricOf(relay, 'relay_bytes_total')) > (passed[index] ?? 0) + LARGE / 20) return relay
      return undefined
    })
    used.process.kill('SIGKILL')
    expect(await downloading).toBe(true)
    // What was on its way when the relay died is sent twice, and nothing else.
    expect(await metricOf(deviceA, 'sent_bytes_total', HOMES.a)).toBeLessThan(sent + 1.5 * LARGE)
    await Promise.all([used.process.restart(), deviceB.process.restart()])
    await untilConnected(network, 2)
  })

  it('are back after the address of a device or of its router changed', async () => {
    // Only the first home is left.
    deviceB.process.kill('SIGKILL')
    for (const change of [
      () => changeDeviceAddress(HOMES.a, '10.0.0.2', '10.0.0.3'),
      () => changeRouterAddress(HOMES.a),
    ]) {
      expect(await until(() => download(stored.cid, stored.bytes))).toBe(true)
      change()
      // Through the relays at once; but the server sends nobody until the next heartbeat, which waits for an answer to the former address.
      expect(await until(() => download(stored.cid, stored.bytes), 60_000)).toBe(true)
    }
    await deviceB.process.restart()
    await untilConnected(network, 2)
  })

  it('reach nothing at home, and no address but those of the network', () => {
    for (const home of Object.values(HOMES))
      expect(countersOf(home)).toEqual({ uninvited: 0, at_home: 0, elsewhere: 0 })
  })
})
