import { randomBytes } from 'node:crypto'
import { createNetwork, type Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { Refused, signUp, type Uploaded, until, type WireClient } from './wire-client.ts'

const random = (size: number) => new Uint8Array(randomBytes(size))
const replicas = async (client: WireClient, cid: string) =>
  (
    await client.get<{ titan_count: number; list: { node_id: string; status: string }[] }>(
      '/api/v1/storage/get_asset_detail',
      { cid },
    )
  ).data

/** `npm run test:long` repeats this more often. */
const long = process.env.TIDENET_TEST_LONG === 'yes'
const UPLOADS = long ? 100 : 40
const KILLS = long ? 24 : 6

describe('processes that are killed at random moments during uploads', () => {
  let network: Network
  let person: WireClient
  beforeAll(async () => {
    network = await createNetwork({ supervise: true })
    person = await signUp(network.url)
  })
  afterAll(() => network?.stop())

  it('lose no acknowledged data, list no incomplete files, and keep the quota correct', async () => {
    const acknowledged: Uploaded[] = []
    let running = true
    const killing = (async () => {
      const victims = [
        () => network.server.process.kill('SIGKILL'),
        () => network.nodes[Math.floor(Math.random() * network.nodes.length)]?.process.kill('SIGKILL'),
        () => network.postgres?.kill('SIGKILL'),
      ]
      // Kills each of them in turn.
      for (let turn = 0; running && turn < KILLS; turn++) {
        await new Promise((resolve) => setTimeout(resolve, 700 + Math.random() * 1200))
        if (running) victims[turn % victims.length]?.()
      }
    })()

    const uploader = async (numbers: number[]) => {
      for (const number of numbers) {
        const bytes = random(50_000 + number * 1000)
        // Users retry failed uploads; acknowledged uploads must survive.
        await until(async () => {
          try {
            acknowledged.push(await person.upload(bytes, `file ${number}`))
          } catch (error) {
            const passing =
              !(error instanceof Refused) || error.err === undefined || [503, 1004, 1005, 10008].includes(error.err)
            if (!passing) throw Object.assign(error as Error, { final: true })
            throw error
          }
          return true
        }, 60_000)
      }
    }
    const numbers = Array.from({ length: UPLOADS }, (_, index) => index)
    await Promise.all([0, 1, 2, 3].map((worker) => uploader(numbers.filter((number) => number % 4 === worker))))
    running = false
    await killing

    // All processes restart automatically.
    const listed = await until(async () => {
      const list = await person.list()
      return list.length >= acknowledged.length && list
    }, 60_000)
    const sizes = new Map(listed.map((item) => [item.cid, item.size]))
    for (const { cid, bytes } of acknowledged) expect(sizes.get(cid)).toBe(bytes)
    expect(listed).toHaveLength(new Set(acknowledged.map((upload) => upload.cid)).size)
    const { data } = await person.get<{ UsedSize: number }>('/api/v1/storage/get_storage_size')
    expect(data.UsedSize).toBe(listed.reduce((total, item) => total + item.size, 0))
    for (const { cid, bytes } of acknowledged)
      expect(await until(async () => (await person.download(cid)).length, 60_000)).toBe(bytes)
  }, 300_000)
})

describe('nodes that leave', () => {
  let network: Network
  let person: WireClient
  beforeAll(async () => {
    network = await startNetwork({ nodes: 5 })
    person = await signUp(network.url)
  })
  afterAll(() => network?.stop())

  it('leave a file available on the remaining node, and it is replicated again when nodes join', {
    tags: ['long'],
    timeout: 300_000,
  }, async () => {
    const bytes = random(2_000_000)
    const { cid } = await person.upload(bytes, 'survivor.bin')
    const all = await until(async () => {
      const { titan_count, list } = await replicas(person, cid)
      return titan_count === network.nodes.length && list
    })
    const stays = network.nodes.find(
      (node) => node.kind === 'candidate' && all.some((point) => point.node_id === node.id),
    )
    for (const node of network.nodes) if (node !== stays) await node.process.stop()
    expect(Buffer.from(await person.download(cid)).equals(bytes)).toBe(true)

    await until(async () => (await replicas(person, cid)).titan_count === 1, 150_000)
    await network.addNode()
    await network.addNode()
    await until(async () => (await replicas(person, cid)).titan_count === 3, 90_000)
  })
})
