import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readTar } from '@tidenet/content'
import { createStorage, isSuccess, type Result, type Storage } from '@tidenet/storage'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { signUp, until } from './wire-client.ts'

let network: Network
let folder: string

beforeAll(async () => {
  network = await startNetwork({ nodes: 5 })
  folder = await mkdtemp(join(tmpdir(), 'sdk-network-'))
})
afterAll(async () => {
  await network?.stop()
  if (folder) await rm(folder, { recursive: true })
})

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const random = (size: number) => new Uint8Array(randomBytes(size))

function data<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
  return result.data
}

async function member(): Promise<Storage> {
  const { token } = await signUp(network.url)
  return createStorage({ url: network.url, token })
}

async function waitForAllReplicas(storage: Storage, cid: string): Promise<void> {
  await until(async () => {
    const detail = data(await storage.api.call('assets.detail', { cid }))
    return detail.titan_count === detail.wanted_count && detail.wanted_count > 1
  })
}

describe('files', () => {
  it.each([
    ['small', 300_000],
    ['large', 20_000_000],
  ])('a %s file downloads as uploaded', async (name, size) => {
    const storage = await member()
    const bytes = random(size)
    const source = join(folder, `${name}.bin`)
    await writeFile(source, bytes)
    const asset = data(await storage.uploadAsset(source))
    expect(asset).toMatchObject({ name: `${name}.bin`, isFastUpload: false })
    const { list } = data(await storage.listDirectoryContents())
    expect(list.map((item) => item.AssetOverview?.UserAssetDetail.Cid)).toEqual([asset.cid])
    const target = join(folder, `${name}.back`)
    expect(data(await storage.downloadAsset({ assetCid: asset.cid, to: { path: target } }))).toMatchObject({
      verified: true,
      size,
    })
    expect(sha256(await readFile(target))).toBe(sha256(bytes))
  })

  it('are downloaded from every node that stores them', async () => {
    const storage = await member()
    const { cid } = data(await storage.uploadAsset(random(20_000_000), { name: 'spread.bin' }))
    await waitForAllReplicas(storage, cid)
    // On a busy machine, a slow node may get no part of one download.
    const used = new Set<string>()
    await until(async () => {
      const { nodes } = data(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
      expect(nodes.length).toBeGreaterThan(1)
      for (const { node_id } of nodes) used.add(node_id)
      return used.size === network.nodes.length
    })
  })

  it('of another account are added by proof of possession, without an upload', async () => {
    const [first, second] = [await member(), await member()]
    const bytes = random(12_000_000)
    const { cid } = data(await first.uploadAsset(bytes, { name: 'one.bin' }))
    await waitForAllReplicas(first, cid)
    const added = data(await second.uploadAsset(bytes, { name: 'two.bin' }))
    expect(added).toMatchObject({ cid, isFastUpload: true })
    const { list } = data(await second.api.call('traces.list', {}))
    expect(list).toMatchObject([{ trace_id: added.traceId, name: 'two.bin', state: 1, total_size: 0 }])
    expect(data(await second.downloadAsset({ assetCid: cid, to: 'blob' })).size).toBe(bytes.length)
  })

  it('that the account has are reported as existing', async () => {
    const storage = await member()
    const bytes = random(400_000)
    const { cid } = data(await storage.uploadAsset(bytes, { name: 'a.bin' }))
    const again = data(await storage.uploadAsset(bytes, { name: 'a.bin' }))
    expect(again).toMatchObject({ cid, isAlreadyExist: true })
    expect(again.url).toContain(cid)
  })

  it('uploaded anonymously are public', async () => {
    const visitor = createStorage({ url: network.url })
    const bytes = random(2_000_000)
    const { cid, url } = data(await visitor.uploadAsset(bytes, { name: 'free.bin' }))
    expect(url).toContain('http')
    const { blob } = data(await visitor.downloadAsset({ assetCid: cid, to: 'blob' }))
    expect(sha256(new Uint8Array(await blob!.arrayBuffer()))).toBe(sha256(bytes))
  })

  it('cancelled midway leave nothing, and release the quota', async () => {
    const storage = await member()
    const before = data(await storage.getUserProfile())
    const task = storage.uploadAsset(random(60_000_000), { name: 'never.bin' }, ({ percent }) => {
      if (percent > 30) void task.cancel()
    })
    expect((await task).code).toBe(-200)
    expect(data(await storage.listDirectoryContents()).total).toBe(0)
    expect(data(await storage.getUserProfile()).UsedSize).toBe(before.UsedSize)
  })

  it('have a trace that names the nodes', async () => {
    const storage = await member()
    const { traceId, nodeId } = data(await storage.uploadAsset(random(300_000), { name: 'traced.bin' }))
    const trace = data(await storage.api.call('traces.get', { trace_id: traceId }))
    expect(trace).toMatchObject({ state: 1, transfer_type: 'upload' })
    expect(trace.details.map(({ node_id }) => node_id)).toEqual([nodeId])
  })
})

describe('folders', () => {
  it('download as a tar with the same tree', async () => {
    const storage = await member()
    const files: Record<string, Uint8Array> = {}
    for (let index = 0; index < 300; index++)
      files[`d${index % 7}/e${index % 3}/f${index}.bin`] = random(1 + ((index * 977) % 40_000))
    files['big.bin'] = random(9_000_000)
    for (const [path, bytes] of Object.entries(files)) {
      const place = join(folder, 'tree', path)
      await mkdir(dirname(place), { recursive: true })
      await writeFile(place, bytes)
    }
    await mkdir(join(folder, 'tree', 'none', 'deep'), { recursive: true })
    const asset = data(await storage.uploadAsset(join(folder, 'tree')))
    expect(asset).toMatchObject({ assetType: 'folder', name: 'tree' })
    const target = join(folder, 'tree.tar')
    data(await storage.downloadAsset({ assetCid: asset.cid, to: { path: target } }))
    const found: Record<string, string> = {}
    const folders: string[] = []
    const tar = await readFile(target)
    async function* bytes() {
      yield tar
    }
    for await (const { name, kind, body } of readTar(bytes())) {
      const pieces: Uint8Array[] = []
      for await (const piece of body) pieces.push(piece)
      if (kind === 'directory') folders.push(name)
      if (kind === 'file') found[name.replace(/^tree\//, '')] = sha256(Buffer.concat(pieces))
    }
    expect(folders).toEqual(expect.arrayContaining(['tree/', 'tree/d0/', 'tree/none/', 'tree/none/deep/']))
    expect(found).toEqual(Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, sha256(bytes)])))
  })

  it('can be created, filled, renamed, moved and deleted', async () => {
    const storage = await member()
    const { group } = data(await storage.createFolder({ name: 'one' }))
    const { group: other } = data(await storage.createFolder({ name: 'two' }))
    const { cid } = data(await storage.uploadAsset(random(5000), { name: 'in.bin', groupId: group.ID }))
    data(await storage.renameAsset({ assetCid: cid, name: 'renamed.bin' }))
    data(await storage.renameFolder({ groupId: group.ID, name: 'uno' }))
    data(await storage.moveAsset({ assetCid: cid, groupId: other.ID }))
    data(await storage.moveFolder({ groupId: group.ID, targetGroupId: other.ID }))
    const { list } = data(await storage.listDirectoryContents({ parent: other.ID }))
    expect(list.map((item) => item.Group?.Name ?? item.AssetOverview?.UserAssetDetail.AssetName)).toEqual([
      'uno',
      'renamed.bin',
    ])
    data(await storage.deleteAsset({ assetCid: cid }))
    data(await storage.deleteFolder({ groupId: other.ID }))
    expect(data(await storage.listDirectoryContents()).total).toBe(0)
  })
})

describe('shares', () => {
  it('give access to a file only with the password', async () => {
    const owner = await member()
    const bytes = random(500_000)
    const { cid } = data(await owner.uploadAsset(bytes, { name: 'shared.bin' }))
    const link = data(await owner.createSharedLink({ id: cid, shortPass: 'abc123', expireAt: 7, hasDay: true }))
    expect(link.url).toContain(cid)
    const { uid } = data(await owner.getUserProfile())
    const visitor = createStorage({ url: network.url })
    const closed = await visitor.downloadAsset({ assetCid: cid, userId: uid, to: 'blob' })
    expect(closed.code).toBe(-1)
    const { ticket } = data(await visitor.api.call('shares.check', { cid, username: uid, password: 'abc123' }))
    const { blob } = data(await visitor.downloadAsset({ assetCid: cid, userId: uid, ticket, to: 'blob' }))
    expect(sha256(new Uint8Array(await blob!.arrayBuffer()))).toBe(sha256(bytes))
    expect(data(await owner.createSharedLink({ id: cid, shortPass: '' })).short_pass).toBe('')
    data(await visitor.downloadAsset({ assetCid: cid, userId: uid, to: 'blob' }))
  })

  it('give access to a folder by its id', async () => {
    const owner = await member()
    const { group } = data(await owner.createFolder({ name: 'album' }))
    const link = data(await owner.createSharedLink({ id: group.ID }))
    expect(link.url).toContain('groupPreview')
  })
})

describe('an account', () => {
  it('has regions, a profile, keys and usage', async () => {
    const storage = await member()
    expect(data(await storage.listRegions()).list.length).toBeGreaterThan(1)
    expect(data(await storage.getUserProfile())).toMatchObject({ UsedSize: 0, vip: false })
    const { key } = data(await storage.createKey({ name: 'reader', type: 'normal', perms: ['readFile', 'readFolder'] }))
    const reader = createStorage({ url: network.url, token: key })
    expect((await reader.listDirectoryContents()).code).toBe(0)
    expect((await reader.uploadAsset(random(10), { name: 'no' })).code).toBe(-1)
    expect(data(await storage.listKeys()).list.map(({ name }) => name)).toEqual(['reader'])
    data(await storage.deleteKey({ name: 'reader' }))
    expect(data(await storage.usage({ days: 7 })).series_data.length).toBeGreaterThan(0)
  })

  it('that is not signed in gets an error', async () => {
    const nobody = createStorage({ url: network.url, token: 'nonsense' })
    expect((await nobody.getUserProfile()).code).toBe(401)
  })
})
