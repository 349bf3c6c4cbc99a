import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createStorage, isSuccess, type Result, type Storage } from '@tidenet/storage'
import type { Network } from '@tidenet/testnet'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adaptersSuite } from '../../apps/server/src/storage/third-party/adapters-suite.fixture.ts'
import { createKubo } from '../../apps/server/src/storage/third-party/kubo.ts'
import {
  startPinningService,
  type TestPinningService,
} from '../../apps/server/src/storage/third-party/pinning-service.fixture.ts'
import { createPinningService } from '../../apps/server/src/storage/third-party/pinning-service.ts'
import { startNetwork } from '../network/test-network.ts'
import { signUp, until } from '../network/wire-client.ts'
import { type KuboNode, pinFrom, startKuboNode } from './kubo-node.ts'

/** Third-party replicas on real Kubo nodes: one that the network imports into, and one behind a pinning service that fetches from it. */

const kuboOf = (node: KuboNode) => createKubo({ kind: 'kubo', name: 'kubo', url: node.url, token: '' })

/** A pinning service that stores on a Kubo node. */
async function startServiceOn(node: KuboNode): Promise<TestPinningService> {
  const service = await startPinningService({
    token: 'secret',
    readBlock: async () => undefined,
    pin: (cid, origins) => pinFrom(node, cid, origins),
    unpin: async (cid) => void (await node.rpc('pin/rm', { arg: cid }).catch(() => '')),
  })
  return service
}

adaptersSuite('Kubo', async () => {
  const node = await startKuboNode()
  return { provider: kuboOf(node), close: node.close }
})

adaptersSuite('a pinning service on Kubo', async () => {
  const [origin, node] = await Promise.all([startKuboNode(), startKuboNode()])
  const service = await startServiceOn(node)
  const setting = { kind: 'pinning', name: 'service', url: service.url, token: 'secret', origins: [] } as const
  const source = kuboOf(origin)
  return {
    provider: createPinningService({ ...setting, gateway: node.gateway, origins: [] }),
    async offer(car, cid) {
      const { signal } = new AbortController()
      await source.add({ cid, kind: 'file', size: 1_000_000, key: '' }, { origins: [], car, signal })
      return (await source.origins?.(signal)) ?? []
    },
    async close() {
      await service.close()
      await Promise.all([origin.close(), node.close()])
    },
  }
})

describe('a network with Kubo and a pinning service as third parties', () => {
  let kubo: KuboNode
  let remote: KuboNode
  let service: TestPinningService
  let network: Network
  let storage: Storage
  let database: pg.Client
  let clock = 0

  beforeAll(async () => {
    ;[kubo, remote] = await Promise.all([startKuboNode(), startKuboNode()])
    service = await startServiceOn(remote)
    network = await startNetwork({
      nodes: [{ kind: 'candidate' }, { kind: 'candidate' }, { kind: 'edge' }],
      env: {
        TIDENET_THIRD_PARTY_HOURS: '0.01',
        TIDENET_THIRD_PARTY: JSON.stringify([
          { kind: 'kubo', name: 'kubo', url: kubo.url },
          { kind: 'pinning', name: 'service', url: service.url, token: 'secret', gateway: remote.gateway },
        ]),
      },
    })
    const person = await signUp(network.url)
    database = new pg.Client({ connectionString: network.databaseUrl })
    await database.connect()
    await database.query('update users set vip = true where email = $1', [person.username])
    storage = createStorage({ url: network.url, token: person.token })
    expect((await person.post('/api/v1/storage/third_party_choice', { choice: 'all' })).code).toBe(0)
  }, 120_000)
  afterAll(async () => {
    await database?.end()
    await network?.stop()
    await service?.close()
    await Promise.all([kubo?.close(), remote?.close()])
  })

  function data<T>(result: Result<T>): T {
    if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg}`)
    return result.data
  }
  const records = async (cid: string) => data(await storage.api.call('thirdParty.list', { cid })).list
  const storedAt = async (cid: string) =>
    (await records(cid)).filter(({ state }) => state === 'stored').map(({ kind }) => kind)
  const holders = async (cid: string) => data(await storage.api.call('assets.detail', { cid })).ReplicaInfo_count

  /** Deletes everything that the network's own nodes store, while none of them runs. */
  async function loseDisks() {
    const { nodes } = network
    // What was stored a moment ago may be missing from an inventory.
    clock += 60_000
    await network.moveClock(clock)
    await Promise.all(nodes.map((node) => node.process.stop()))
    for (const kind of ['contents', 'leaves'])
      await Promise.all(nodes.map((node) => rm(join(node.dataDir, kind), { recursive: true })))
    await Promise.all(nodes.map((node) => node.process.restart()))
  }

  async function download(cid: string): Promise<Buffer> {
    const { blob } = data(
      await until(async () => {
        const result = await storage.downloadAsset({ assetCid: cid, to: 'blob' })
        return isSuccess(result) ? result : undefined
      }, 90_000),
    )
    return Buffer.from(await (blob as Blob).arrayBuffer())
  }

  it('a file comes back from Kubo, equal, after all own copies are deleted, and is copied to the nodes again', async () => {
    const bytes = new Uint8Array(randomBytes(5_000_000))
    const { cid } = data(await storage.uploadAsset(bytes, { name: 'a.bin' }))
    await until(async () => (await storedAt(cid)).includes('kubo'), 60_000)
    expect(await kubo.rpc('pin/ls', { arg: cid, type: 'recursive' })).toContain(cid)
    await loseDisks()
    expect((await download(cid)).equals(bytes)).toBe(true)
    await until(async () => (await holders(cid)) >= 2, 60_000)
  }, 240_000)

  it('a file comes back from the pinning service when Kubo has lost it too', async () => {
    const bytes = new Uint8Array(randomBytes(2_000_000))
    const { cid } = data(await storage.uploadAsset(bytes, { name: 'b.bin' }))
    await until(async () => (await storedAt(cid)).sort().join() === 'kubo,pinning', 90_000)
    await kubo.rpc('pin/rm', { arg: cid })
    await kubo.rpc('repo/gc')
    await loseDisks()
    expect((await download(cid)).equals(bytes)).toBe(true)
  }, 240_000)

  it('a folder comes back, with every file', async () => {
    const files = Array.from({ length: 12 }, (_, index) => ({
      path: `d${index % 3}/f${index}`,
      file: new File([new Uint8Array(randomBytes(100_000))], `f${index}`),
    }))
    const { cid } = data(await storage.uploadAsset(files, { name: 'tree' }))
    await until(async () => (await storedAt(cid)).includes('kubo'), 60_000)
    await loseDisks()
    const tar = await download(cid)
    for (const { file } of files) expect(tar.includes(Buffer.from(await file.arrayBuffer()))).toBe(true)
  }, 240_000)

  it('a deleted file is unpinned everywhere', async () => {
    const { cid } = data(await storage.uploadAsset(new Uint8Array(randomBytes(300_000)), { name: 'c.bin' }))
    await until(async () => (await storedAt(cid)).length === 2, 90_000)
    data(await storage.api.call('assets.remove', { asset_cid: cid, trash: false }))
    await until(async () => {
      const pins = await Promise.all([kubo, remote].map((node) => node.rpc('pin/ls', { type: 'recursive' })))
      return pins.every((list) => !list.includes(cid))
    }, 60_000)
  }, 240_000)
})
