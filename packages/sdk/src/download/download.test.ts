import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { isSuccess, type Result } from '../result.ts'
import { sha256Hex, someBytes, startTestEnv, type TestEnv, type TestNode } from '../test-env.fixture.ts'
import type { ChunkReport, DownloadedAsset, DownloadOptions, DownloadProgress } from './types.ts'

let env: TestEnv
const folders: string[] = []

afterEach(async () => {
  await env?.close()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

async function setup(options: { nodes?: number; size?: number } = {}) {
  env = await startTestEnv({ nodes: options.nodes ?? 1 })
  const storage = env.storage()
  const bytes = someBytes(options.size ?? 3_000_000)
  const [first, ...others] = env.nodes as [TestNode, ...TestNode[]]
  const result = await storage.uploadAsset(bytes, { name: 'a.bin' })
  if (!isSuccess(result)) throw new Error(result.msg)
  const { cid } = result.data
  for (const node of others) node.contents.set(cid, first.contents.get(cid)!)
  env.calls.length = 0
  for (const node of env.nodes) node.requests.length = 0
  const folder = await mkdtemp(join(tmpdir(), 'sdk-'))
  folders.push(folder)
  return { env, storage, bytes, cid, folder, nodes: env.nodes }
}

function ok(result: Result<DownloadedAsset>): DownloadedAsset {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
  return result.data
}

const details = () =>
  (env.called('report') as { details: { node_id: string; state: number; error: string; status_code: number }[] }[])[0]!
    .details
const failedNodes = () => [
  ...new Set(
    details()
      .filter(({ state }) => state === 2)
      .map(({ node_id }) => node_id),
  ),
]

describe('downloading a file', () => {
  it.each([1, 262_143, 262_144, 262_145, 3_000_000])('of %i bytes returns the stored bytes', async (size) => {
    const { storage, cid, folder, bytes } = await setup({ size })
    const asset = ok(await storage.downloadAsset({ assetCid: cid, to: { path: join(folder, 'b.bin') } }))
    expect(asset).toMatchObject({ cid, size, verified: true, path: join(folder, 'b.bin'), name: 'a.bin' })
    expect(sha256Hex(await readFile(join(folder, 'b.bin')))).toBe(sha256Hex(bytes))
  })

  it('waits for nodes as long as asked, says so, and continues where it stopped', async () => {
    const { cid, bytes, nodes } = await setup({ size: 12_000_000 })
    const storage = env.storage({}, { limits: { outage: 0 } })
    const [node] = nodes as [TestNode]
    node.knobs.away = { after: 4, times: Number.POSITIVE_INFINITY }
    const seen: DownloadProgress[] = []
    const options: DownloadOptions = { assetCid: cid, to: 'blob', waitForNodes: 20_000 }
    const asset = ok(
      await storage.downloadAsset(options, (progress) => {
        seen.push(progress)
        if (progress.state === 'waiting') delete node.knobs.away
      }),
    )
    expect(Buffer.from(await asset.blob!.arrayBuffer()).equals(bytes)).toBe(true)
    expect(seen.find(({ state }) => state === 'waiting')?.loaded).toBeGreaterThan(0)
    const loaded = seen.map((progress) => progress.loaded)
    expect(loaded).toEqual(loaded.toSorted((a, b) => a - b))
  })

  it('fails if they stay away longer', async () => {
    const { storage, cid, nodes } = await setup({ size: 12_000_000 })
    nodes[0]!.knobs.away = { after: 4, times: Number.POSITIVE_INFINITY }
    expect((await storage.downloadAsset({ assetCid: cid, to: 'blob', waitForNodes: 500 })).code).toBe(10020)
  })

  it('requests a part from every node', async () => {
    const { storage, cid, folder, bytes, nodes } = await setup({ nodes: 5, size: 20_000_000 })
    const asset = ok(await storage.downloadAsset({ assetCid: cid, to: { path: folder } }))
    expect(asset.path).toBe(join(folder, 'a.bin'))
    expect(sha256Hex(await readFile(join(folder, 'a.bin')))).toBe(sha256Hex(bytes))
    expect(asset.nodes.map(({ node_id }) => node_id).toSorted()).toEqual(nodes.map(({ id }) => id))
    expect(asset.nodes.reduce((total, { bytes }) => total + bytes, 0)).toBe(bytes.length)
  })

  it('requests whole leaves, up to min(10 MiB, size / 5 nodes)', async () => {
    const { storage, cid, nodes } = await setup({ nodes: 2, size: 10_000_000 })
    ok(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
    const ranges = nodes
      .flatMap(({ requests }) => requests.map(({ headers }) => headers.range ?? ''))
      .filter((range) => range !== 'bytes=0-0' && range !== '')
      .map((range) => range.replace('bytes=', '').split('-').map(Number))
    expect(ranges).toHaveLength(10)
    for (const [start, end] of ranges) {
      expect(start! % 262_144).toBe(0)
      expect(end! - start! + 1).toBeLessThanOrEqual(4 * 262_144)
    }
  })

  it('writes to a Blob, a web stream and a Node.js stream', async () => {
    const { storage, cid, bytes, folder } = await setup({ nodes: 3, size: 9_000_000 })
    const asset = ok(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
    expect(sha256Hex(new Uint8Array(await asset.blob!.arrayBuffer()))).toBe(sha256Hex(bytes))
    const pieces: Uint8Array[] = []
    const stream = new WritableStream<Uint8Array>({ write: (piece) => void pieces.push(piece) })
    ok(await storage.downloadAsset({ assetCid: cid, to: { stream } }))
    expect(sha256Hex(Buffer.concat(pieces))).toBe(sha256Hex(bytes))
    const { createWriteStream } = await import('node:fs')
    ok(await storage.downloadAsset({ assetCid: cid, to: { stream: createWriteStream(join(folder, 'c')) } }))
    expect(sha256Hex(await readFile(join(folder, 'c')))).toBe(sha256Hex(bytes))
  })

  it('reports progress and the bytes of each node', async () => {
    const { storage, cid } = await setup({ nodes: 2 })
    const seen: DownloadProgress[] = []
    const chunks: ChunkReport[] = []
    ok(
      await storage.downloadAsset({ assetCid: cid, to: 'blob', onChunk: (chunk) => chunks.push(chunk) }, (progress) =>
        seen.push(progress),
      ),
    )
    expect(seen.every(({ percent }) => percent >= 0 && percent <= 100)).toBe(true)
    expect(seen.at(-1)).toMatchObject({ percent: 100, loaded: 3_000_000, total: 3_000_000 })
    expect(chunks.reduce((total, { bytes }) => total + bytes, 0)).toBe(3_000_000)
    expect(chunks.every(({ nodeId, ok }) => ok && nodeId.startsWith('node-'))).toBe(true)
  })

  it('is reported with its trace', async () => {
    const { storage, cid, env } = await setup({ nodes: 2 })
    const { traceId } = ok(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
    expect(env.called('report')).toMatchObject([
      { trace_id: traceId, cid, state: 1, transfer_type: 'download', total_size: 3_000_000 },
    ])
    expect(details().every(({ state }) => state === 1)).toBe(true)
  })
})

describe('a node', () => {
  it('that sends wrong bytes is named, and the file is correct', async () => {
    const { storage, cid, nodes, bytes } = await setup({ nodes: 3, size: 6_000_000 })
    nodes[1]!.knobs.spoils = true
    const asset = ok(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
    expect(sha256Hex(new Uint8Array(await asset.blob!.arrayBuffer()))).toBe(sha256Hex(bytes))
    expect(failedNodes()).toEqual(['node-1'])
    expect(details().find(({ state }) => state === 2)?.error).toMatch(/bytes/)
  })

  it('that fails is replaced by other nodes', async () => {
    const { storage, cid, nodes } = await setup({ nodes: 3, size: 6_000_000 })
    nodes[2]!.knobs.failDownload = 500
    ok(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
    expect(failedNodes()).toEqual(['node-2'])
  })

  it('that never responds is named in the report', async () => {
    const { storage, cid, nodes } = await setup({ nodes: 2 })
    nodes[0]!.knobs.frozen = true
    nodes[1]!.knobs.slow = 200
    ok(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
    expect(failedNodes()).toContain('node-0')
  })

  it('that is unreachable costs less than a second', async () => {
    const { storage, cid, nodes } = await setup({ nodes: 3 })
    await nodes[0]!.close()
    const began = performance.now()
    ok(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
    expect(performance.now() - began).toBeLessThan(1000)
    expect(failedNodes()).toEqual(['node-0'])
  })

  it('that is slow loses its part to a faster one', async () => {
    const { storage, cid, nodes } = await setup({ nodes: 2, size: 8_000_000 })
    nodes[0]!.knobs.slow = 400
    const began = performance.now()
    const asset = ok(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
    expect(performance.now() - began).toBeLessThan(4000)
    expect(asset.nodes.find(({ node_id }) => node_id === 'node-1')!.bytes).toBeGreaterThan(6_000_000)
  })

  it('that is slow and answered first loses its parts to one that answers late', async () => {
    const { storage, cid, nodes } = await setup({ nodes: 2, size: 8_000_000 })
    nodes[0]!.knobs.slow = 400
    nodes[1]!.knobs.late = 1000
    const { slow, nodes: used } = ok(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
    expect(used.find(({ node_id }) => node_id === 'node-1')?.bytes).toBeGreaterThan(2_000_000)
    expect(slow).toMatchObject([{ node_id: 'node-0', kind: 'slow' }])
  })

  it('that is slow and the only source is named', async () => {
    const { storage, cid, nodes } = await setup({ nodes: 1, size: 1_000_000 })
    expect(ok(await storage.downloadAsset({ assetCid: cid, to: 'blob' })).slow).toEqual([])
    nodes[0]!.knobs.slow = 700
    const { slow } = ok(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
    expect(slow).toMatchObject([{ node_id: 'node-0', kind: 'single' }])
    expect(slow[0]!.ms).toBeGreaterThan(2000)
  })
})

describe('the number of parallel chunks', () => {
  it('follows the given load, between 1 and 20', async () => {
    const { storage, cid } = await setup({ nodes: 20, size: 40_000_000 })
    const follow = async (load: number) => {
      const seen: number[] = []
      ok(
        await storage.downloadAsset({
          assetCid: cid,
          to: 'blob',
          load({ concurrency }) {
            seen.push(concurrency)
            return load
          },
        }),
      )
      return seen
    }
    expect((await follow(90)).slice(0, 4)).toEqual([10, 9, 8, 7])
    expect((await follow(40)).slice(0, 4)).toEqual([10, 11, 12, 13])
    expect((await follow(65)).slice(0, 4)).toEqual([10, 10, 10, 10])
  })
})

describe('download sources', () => {
  it.each([
    [{ source: 'own' as const }, 'share_asset', {}],
    [{ userId: 'u1', ticket: 't', groupId: 4 }, 'open_asset', { user_id: 'u1', ticket: 't', group_id: '4' }],
    [{ opentype: 'temp' as const }, 'download', {}],
  ])('%o', async (options, call, input) => {
    const { storage, cid, env } = await setup()
    ok(await storage.downloadAsset({ assetCid: cid, to: 'blob', ...options }))
    expect(env.called(call)).toMatchObject([input])
  })

  it('without an account are those of the anonymous file', async () => {
    const { cid, env } = await setup()
    ok(await env.storage({ token: '' }).downloadAsset({ assetCid: cid, to: 'blob' }))
    expect(env.called('download')).toHaveLength(1)
  })

  it('pass on errors of the portal', async () => {
    const { storage, cid, env } = await setup()
    env.answers.set('share_asset', () => ({ code: -1, err: 2065, msg: 'outflow' }))
    expect(await storage.downloadAsset({ assetCid: cid })).toMatchObject({
      code: -1,
      msg: 'outflow',
      data: { err: 2065 },
    })
  })
})

describe('resuming', () => {
  it('fetches only what is missing', async () => {
    const { storage, cid, folder, bytes } = await setup({ size: 4_000_000 })
    const path = join(folder, 'd.bin')
    const part = Buffer.from(bytes)
    part.fill(0, 1_000_000, 2_000_000)
    await writeFile(`${path}.part`, part)
    const chunks: ChunkReport[] = []
    ok(
      await storage.downloadAsset({
        assetCid: cid,
        to: { path },
        resume: true,
        onChunk: (chunk) => chunks.push(chunk),
      }),
    )
    expect(sha256Hex(await readFile(path))).toBe(sha256Hex(bytes))
    expect(chunks.reduce((total, { bytes }) => total + bytes, 0)).toBe(5 * 262_144)
    expect(await readdir(folder)).toEqual(['d.bin'])
  })
})

describe('a failed download', () => {
  it('leaves no file if it was cancelled', async () => {
    const { storage, cid, folder, nodes } = await setup({ size: 8_000_000 })
    nodes[0]!.knobs.slow = 20
    const task = storage.downloadAsset({ assetCid: cid, to: { path: join(folder, 'x') } }, ({ loaded }) => {
      if (loaded > 0) void task.cancel()
    })
    expect(await task).toMatchObject({ code: 10028, msg: 'Download abort', data: { abort: true } })
    expect(await readdir(folder)).toEqual([])
  })

  it.each([
    ['no node answers', (node: TestNode): unknown => node.close(), 10019, 'No available download nodes'],
    ['every node sends wrong bytes', (node: TestNode): unknown => (node.knobs.spoils = true), 10030, undefined],
    [
      'every node breaks off',
      (node: TestNode): unknown => (node.knobs.failRange = { status: 503 }),
      10020,
      'All url download failed',
    ],
  ] as const)('%s', async (_, spoil, code, msg) => {
    const { storage, cid, nodes, folder } = await setup({ nodes: 2 })
    for (const node of nodes) await spoil(node)
    const result = await storage.downloadAsset({ assetCid: cid, to: { path: join(folder, 'x') } })
    expect(result).toMatchObject({ code, data: { trace_id: expect.stringContaining('trace-') } })
    if (msg) expect(result.msg).toBe(msg)
    expect(await readdir(folder)).toEqual([])
    expect(env.called('report')).toMatchObject([{ state: 2 }])
  })

  it('returns nothing of other content, even if the server names it', async () => {
    const { storage, cid, folder } = await setup({ nodes: 1 })
    const other = await storage.uploadAsset(someBytes(2_000_000, 7), { name: 'b.bin' })
    if (!isSuccess(other)) throw new Error(other.msg)
    const honest = await storage.getDownLoadUrls({ assetCid: other.data.cid })
    if (!isSuccess(honest)) throw new Error(honest.msg)
    env.answers.set('share_asset', () => honest.data)
    const result = await storage.downloadAsset({ assetCid: cid, to: { path: join(folder, 'x') } })
    expect(isSuccess(result)).toBe(false)
    expect(await readdir(folder)).toEqual([])
  })

  it.each<[string, DownloadOptions, number]>([
    ['no CID', { assetCid: '' }, 1006],
    ['a CID that is none', { assetCid: 'nonsense' }, 10021],
    ['areas that are no list', { assetCid: 'x', areaId: 'a' as unknown as string[] }, 10016],
    ['an unknown source', { assetCid: 'x', source: 'elsewhere' as 'own' }, 10022],
    ['an unknown type', { assetCid: 'x', assetType: 7 as 0 }, 10018],
    ['no options', null as unknown as DownloadOptions, 10025],
  ])('%s', async (_, options, code) => {
    const { storage, env } = await setup()
    env.answers.set('share_asset', () => ({ url: ['http://127.0.0.1:1/x'], asset_cid: options?.assetCid, size: 1 }))
    expect((await storage.downloadAsset(options)).code).toBe(code)
  })

  it('has no download source', async () => {
    const { storage, cid, env } = await setup()
    env.answers.set('share_asset', () => ({ url: [], trace_id: 't' }))
    expect(await storage.downloadAsset({ assetCid: cid })).toMatchObject({ code: 10019, data: { trace_id: 't' } })
  })

  it('cannot write its file', async () => {
    const { storage, cid, folder } = await setup()
    const result = await storage.downloadAsset({ assetCid: cid, to: { path: join(folder, 'no', 'such', 'folder') } })
    expect(result.code).toBe(10030)
  })
})

describe('an encrypted file', () => {
  const passphrase = 'correct horse'
  const encrypt = { passphrase, workFactor: 8 }

  async function stored(size: number) {
    const { env, storage, folder, nodes } = await setup()
    const bytes = someBytes(size, 77)
    const result = await storage.uploadAsset(bytes, { name: 'secret', encrypt })
    if (!isSuccess(result)) throw new Error(result.msg)
    return { env, storage, folder, nodes, bytes, cid: result.data.cid }
  }

  it.each([1, 65_536, 3_000_000, 12_000_000])('of %i bytes is decrypted with its passphrase', async (size) => {
    const { storage, cid, bytes, nodes, env } = await stored(size)
    const { blob } = ok(await storage.downloadAsset({ assetCid: cid, to: 'blob', decrypt: { passphrase } }))
    expect(sha256Hex(new Uint8Array(await blob!.arrayBuffer()))).toBe(sha256Hex(bytes))
    expect(nodes[0]!.contents.get(cid)!.bytes.includes(bytes.subarray(0, 16)) && size > 16).toBe(false)
    expect(env.called('create_asset').at(-1)).toMatchObject({ encrypted: true, md5: '' })
  })

  it('resumes with the same bytes when a node disconnects', async () => {
    const { storage, nodes } = await setup()
    nodes[0]!.knobs.breakAfter = 5_000_000
    const asset = await storage.uploadAsset(someBytes(11_000_000), { name: 'secret', encrypt })
    expect(asset.code).toBe(0)
  })

  it('leaves no file with a wrong passphrase', async () => {
    const { storage, cid, folder } = await stored(40_000_000)
    const result = await storage.downloadAsset({
      assetCid: cid,
      to: { path: join(folder, 'x') },
      decrypt: { passphrase: 'wrong' },
    })
    expect(result).toMatchObject({ code: 10030, msg: 'The file cannot be decrypted with this key.' })
    expect(await readdir(folder)).toEqual([])
  })
})
