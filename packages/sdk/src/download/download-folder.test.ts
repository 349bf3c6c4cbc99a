import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readTar } from '@tidenet/content/tar'
import { afterEach, describe, expect, it } from 'vitest'
import { isSuccess, type Result } from '../result.ts'
import { someBytes, startTestEnv, type TestEnv, type TestNode } from '../test-env.fixture.ts'
import type { DownloadedAsset, DownloadProgress } from './types.ts'

let env: TestEnv
const folders: string[] = []

afterEach(async () => {
  await env?.close()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

const FILES: Record<string, Buffer> = {
  'a.txt': Buffer.from('hello'),
  'again/a.txt': Buffer.from('hello'),
  'again/b.bin': someBytes(700_000),
  'sub/b.bin': someBytes(700_000),
  'sub/deep/c.bin': someBytes(300_000, 9),
  'zeros.bin': Buffer.alloc(2_000_000),
  '文件.txt': Buffer.from('你好'),
}

async function setup(options: { nodes?: number } = {}) {
  env = await startTestEnv({ nodes: options.nodes ?? 1 })
  const storage = env.storage()
  const result = await storage.uploadAsset(
    Object.entries(FILES).map(([path, bytes]) => ({ path: `top/${path}`, file: new Uint8Array(bytes) })),
  )
  if (!isSuccess(result)) throw new Error(result.msg)
  const { cid } = result.data
  const [first, ...others] = env.nodes as [TestNode, ...TestNode[]]
  for (const node of others) node.contents.set(cid, first.contents.get(cid)!)
  env.calls.length = 0
  for (const node of env.nodes) node.requests.length = 0
  const folder = await mkdtemp(join(tmpdir(), 'sdk-'))
  folders.push(folder)
  return { env, storage, cid, folder, nodes: env.nodes }
}

function ok(result: Result<DownloadedAsset>): DownloadedAsset {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
  return result.data
}

async function treeOf(tar: Buffer): Promise<Record<string, string>> {
  const tree: Record<string, string> = {}
  async function* bytes() {
    yield tar
  }
  for await (const { name, kind, body } of readTar(bytes())) {
    const pieces: Uint8Array[] = []
    for await (const piece of body) pieces.push(piece)
    if (kind === 'file') tree[name.slice(name.indexOf('/') + 1)] = Buffer.concat(pieces).toString('hex')
  }
  return tree
}

const tree = Object.fromEntries(Object.entries(FILES).map(([path, bytes]) => [path, bytes.toString('hex')]))

describe('downloading a folder', () => {
  it('returns a verified tar with the same tree', async () => {
    const { storage, cid, folder } = await setup()
    const seen: DownloadProgress[] = []
    const asset = ok(await storage.downloadAsset({ assetCid: cid, to: { path: folder } }, (now) => seen.push(now)))
    expect(asset).toMatchObject({ assetType: 'folder', verified: true, name: 'top.tar', path: join(folder, 'top.tar') })
    expect(await treeOf(await readFile(join(folder, 'top.tar')))).toEqual(tree)
    expect(seen.every(({ percent }) => percent <= 100)).toBe(true)
    expect(seen.at(-1)?.percent).toBe(100)
  })

  it('names the root folder after the saved file, else after the folder', async () => {
    const { storage, cid } = await setup()
    const top = async (options: { name?: string; stream?: true }) => {
      const pieces: Uint8Array[] = []
      const stream = new WritableStream<Uint8Array>({ write: (piece) => void pieces.push(piece) })
      const { name, stream: streamed } = options
      const to = streamed ? { stream } : 'blob'
      const { blob } = ok(await storage.downloadAsset({ assetCid: cid, to, ...(name !== undefined && { name }) }))
      const bytes = streamed ? Buffer.concat(pieces) : Buffer.from(await blob!.arrayBuffer())
      return bytes.subarray(0, 100).toString().replace(/\0.*$/s, '')
    }
    for (const stream of [{}, { stream: true as const }]) {
      expect(await top(stream)).toBe('top/')
      expect(await top({ name: 'mine.tar', ...stream })).toBe('mine/')
      expect(await top({ name: 'a/b', ...stream })).toBe('a_b/')
      expect(await top({ name: 'mine.tar.tar ', ...stream })).toBe('mine/')
      expect(await top({ name: 'CON:\\evil', ...stream })).toBe('CON__evil/')
      expect(await top({ name: '..', ...stream })).toBe(`${cid}/`)
    }
  })

  it('into a stream is verified block by block', async () => {
    const { storage, cid } = await setup({ nodes: 2 })
    const pieces: Uint8Array[] = []
    const stream = new WritableStream<Uint8Array>({ write: (piece) => void pieces.push(piece) })
    ok(await storage.downloadAsset({ assetCid: cid, to: { stream } }))
    expect(await treeOf(Buffer.concat(pieces))).toEqual(tree)
  })

  it('switches nodes if one sends wrong bytes', async () => {
    const { storage, cid, nodes, env } = await setup({ nodes: 2 })
    nodes[0]!.knobs.spoils = true
    for (const to of ['blob' as const, { stream: new WritableStream<Uint8Array>() }]) {
      env.calls.length = 0
      const asset = ok(await storage.downloadAsset({ assetCid: cid, to }))
      expect(asset.nodes.map(({ node_id }) => node_id)).toEqual(['node-1'])
    }
  })

  it('continues when a node disconnects', async () => {
    const { storage, cid, nodes } = await setup()
    nodes[0]!.knobs.breakDownloadAfter = 500_000
    const asset = ok(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
    expect(await treeOf(Buffer.from(await asset.blob!.arrayBuffer()))).toEqual(tree)
    nodes[0]!.knobs.breakDownloadAfter = 500_000
    const pieces: Uint8Array[] = []
    const stream = new WritableStream<Uint8Array>({ write: (piece) => void pieces.push(piece) })
    ok(await storage.downloadAsset({ assetCid: cid, to: { stream } }))
    expect(await treeOf(Buffer.concat(pieces))).toEqual(tree)
  })
})

describe('the end of a folder', () => {
  it.each([1, 500, 512, 700, 1023, 1024])('arrives if its last %i bytes are sent separately', async (tail) => {
    const { storage, cid, folder, nodes } = await setup()
    ok(await storage.downloadAsset({ assetCid: cid, to: { path: join(folder, 'whole') } }))
    nodes[0]!.knobs.tail = tail
    const { size } = ok(await storage.downloadAsset({ assetCid: cid, to: { path: join(folder, 'apart') } }))
    const [whole, apart] = [await readFile(join(folder, 'whole')), await readFile(join(folder, 'apart'))]
    expect([apart.equals(whole), size]).toEqual([true, whole.length])
    const { blob } = ok(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
    expect(whole.equals(Buffer.from(await blob!.arrayBuffer()))).toBe(true)
  })

  it.each([1, 512, 1024, 5000])('that lacks %i bytes fails the download and leaves no file', async (cutOff) => {
    const { storage, cid, folder, nodes } = await setup({ nodes: 2 })
    nodes[0]!.knobs.cutOff = cutOff
    const asset = ok(await storage.downloadAsset({ assetCid: cid, to: { path: folder } }))
    expect(asset.nodes.map(({ node_id }) => node_id)).toEqual(['node-1'])
    await rm(join(folder, 'top.tar'))
    nodes[1]!.knobs.cutOff = cutOff
    expect((await storage.downloadAsset({ assetCid: cid, to: { path: folder } })).code).toBe(10030)
    expect(await readdir(folder)).toEqual([])
  })
})

describe('a node that freezes midway', () => {
  it('times out once; the folder is downloaded from another node', async () => {
    const { cid, nodes, env } = await setup({ nodes: 2 })
    for (const node of nodes) node.knobs.freezeAfter = 100_000
    let thawed = ''
    const storage = env.storage({}, { limits: { stall: 1000 } })
    const asset = ok(
      await storage.downloadAsset({ assetCid: cid, to: 'blob' }, ({ node, loaded }) => {
        if (loaded === 0 || thawed !== '' || !node) return
        thawed = nodes.find(({ id }) => id !== node)!.id
        delete nodes.find(({ id }) => id === thawed)!.knobs.freezeAfter
      }),
    )
    expect(asset.nodes.map(({ node_id }) => node_id)).toEqual([thawed])
    const [report] = env.called('report') as { details: { node_id: string; state: number }[] }[]
    expect(report?.details.map(({ state }) => state)).toEqual([2, 1])
  })
})

describe('a failed folder download', () => {
  it.each([
    ['every node lies', (node: TestNode): unknown => (node.knobs.spoils = true), 10030],
    ['every node is gone', (node: TestNode): unknown => node.close(), 10019],
  ] as const)('because %s leaves no file', async (_, spoil, code) => {
    const { storage, cid, folder, nodes } = await setup({ nodes: 2 })
    for (const node of nodes) await spoil(node)
    expect((await storage.downloadAsset({ assetCid: cid, to: { path: folder } })).code).toBe(code)
    expect(await readdir(folder)).toEqual([])
  })

  it('leaves no file if it was cancelled', async () => {
    const { storage, cid, folder, nodes } = await setup()
    nodes[0]!.knobs.slow = 20
    const task = storage.downloadAsset({ assetCid: cid, to: { path: folder } }, ({ loaded }) => {
      if (loaded > 0) void task.cancel()
    })
    expect((await task).code).toBe(10028)
    expect(await readdir(folder)).toEqual([])
  })
})

describe('a node that sends more than the folder holds', () => {
  it.each(['tar', 'raw'] as const)(
    'as %s is stopped, and the folder is downloaded from another node',
    async (endless) => {
      const { storage, cid, nodes } = await setup({ nodes: 2 })
      nodes[0]!.knobs.endless = endless
      const most: number[] = []
      const asset = ok(
        await storage.downloadAsset({ assetCid: cid, to: 'blob' }, ({ loaded }) => void most.push(loaded)),
      )
      expect(asset.nodes.map(({ node_id }) => node_id)).toEqual(['node-1'])
      expect(Math.max(...most)).toBeLessThan(2 * asset.size)
    },
  )
})

describe('an encrypted folder', () => {
  it('is decrypted file by file', async () => {
    const { storage } = await setup()
    const passphrase = 'correct horse'
    const files = Object.entries(FILES).map(([path, bytes]) => ({ path: `top/${path}`, file: new Uint8Array(bytes) }))
    const uploaded = await storage.uploadAsset(files, { encrypt: { passphrase, workFactor: 8 } })
    if (!isSuccess(uploaded)) throw new Error(uploaded.msg)
    const { cid } = uploaded.data
    const opened = ok(await storage.downloadAsset({ assetCid: cid, to: 'blob', decrypt: { passphrase } }))
    expect(await treeOf(Buffer.from(await opened.blob!.arrayBuffer()))).toEqual(tree)
    const wrong = await storage.downloadAsset({ assetCid: cid, to: 'blob', decrypt: { passphrase: 'x' } })
    expect(wrong.code).toBe(10030)
  })
})
