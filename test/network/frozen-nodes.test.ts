/** @module-tag long */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TraceDetail } from '@tidenet/contract'
import { slowNodes } from '@tidenet/contract/slow-nodes'
import { createStorage, isSuccess, type Result, type Storage } from '@tidenet/storage'
import type { Network } from '@tidenet/testnet'
import { afterEach, describe, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { signUp, until } from './wire-client.ts'

// A frozen node is the hardest failure: connections stay open and its kernel accepts bytes, but nothing is processed.

let network: Network
let folder = ''
afterEach(async () => {
  await network?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
  folder = ''
})

async function setup(nodes = 3) {
  network = await startNetwork({ nodes: Array.from({ length: nodes }, () => ({ kind: 'candidate' as const })) })
  const { token } = await signUp(network.url)
  return createStorage({ url: network.url, token })
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

function data<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
  return result.data
}

const freeze = (id: string) => network.nodes.find((node) => node.id === id)?.process.kill('SIGSTOP')

async function waitForAllReplicas(storage: Storage, cid: string): Promise<void> {
  await until(async () => data(await storage.api.call('assets.detail', { cid })).titan_count === network.nodes.length)
}

/** Duration in seconds, and the result. */
async function timed<T>(work: Promise<T>): Promise<{ seconds: number; result: T }> {
  const began = performance.now()
  const result = await work
  const seconds = (performance.now() - began) / 1000
  return { seconds, result }
}

async function tries(storage: Storage, traceId: string) {
  const { details } = data(await storage.api.call('traces.get', { trace_id: traceId }))
  return details.map(({ node_id, state }) => ({ node_id, state }))
}

describe('an upload', () => {
  it.each([
    ['by form', 1_000_000, 'form'],
    ['resumable', 30_000_000, 'tus'],
  ] as const)('%s skips nodes that froze before it began', async (_, size, transport) => {
    const storage = await setup()
    const [first, second] = network.nodes
    for (const node of [first!, second!]) freeze(node.id)
    const { seconds, result } = await timed(
      storage.uploadAsset(new Uint8Array(randomBytes(size)), { name: 'a', transport }),
    )
    const asset = data(result)
    expect(asset.nodeId).toBe(network.nodes[2]!.id)
    expect(seconds).toBeLessThan(25)
    const failed = (await tries(storage, asset.traceId)).filter(({ state }) => state === 2)
    expect(new Set(failed.map(({ node_id }) => node_id)).size).toBe(failed.length)
  })

  it.each(['form', 'tus'] as const)(
    'by %s continues on another node if its node freezes',

    async (transport) => {
      const storage = await setup()
      const bytes = new Uint8Array(randomBytes(48_000_000))
      let victim = ''
      let since = 0
      const asset = data(
        await storage.uploadAsset(bytes, { name: 'a', transport }, ({ node, percent }) => {
          if (victim !== '' || percent < 20) return
          victim = node
          since = performance.now()
          freeze(node)
        }),
      )
      const seconds = (performance.now() - since) / 1000
      expect(asset.nodeId).not.toBe(victim)
      expect(seconds).toBeLessThan(20)
      expect((await tries(storage, asset.traceId)).filter(({ node_id }) => node_id === victim)).toEqual([
        { node_id: victim, state: 2 },
      ])
    },
  )
})

describe('a download', () => {
  it('of a file continues on other nodes if nodes freeze', async () => {
    const storage = await setup()
    const bytes = new Uint8Array(randomBytes(48_000_000))
    const { cid } = data(await storage.uploadAsset(bytes, { name: 'a' }))
    await waitForAllReplicas(storage, cid)
    const victims = network.nodes.slice(0, 2)
    const { seconds, result } = await timed(
      storage.downloadAsset({ assetCid: cid, to: 'blob' }, ({ loaded }) => {
        if (loaded > 10_000_000 && loaded < 40_000_000) for (const { id } of victims) freeze(id)
      }),
    )
    const asset = data(result)
    expect(sha256(new Uint8Array(await asset.blob!.arrayBuffer()))).toBe(sha256(bytes))
    expect(seconds).toBeLessThan(13)
  })

  it.each([
    ['file', 20_000_000],
    ['folder', 2_000_000],
  ] as const)(
    'of a %s names the node that slowed it, to the caller and in the trace',

    async (kind, size) => {
      // With more nodes, a client does without a slow one.
      const storage = await setup(1)
      const quick = await network.addNode({ kind: 'candidate', name: 'throttled' })
      const { cid } =
        kind === 'file'
          ? data(await storage.uploadAsset(new Uint8Array(randomBytes(size)), { name: 'a' }))
          : data(await storage.uploadAsset([{ path: 'top/a.bin', file: new Uint8Array(randomBytes(size)) }]))
      await waitForAllReplicas(storage, cid)
      // Only now, because audits would soon find out.
      await quick.process.stop()
      const { area } = quick
      const throttled = await network.addNode({
        kind: 'candidate',
        name: 'throttled',
        area,
        env: { TIDENET_NODE_FAULT: 'slow' },
      })
      expect(throttled.id).toBe(quick.id)
      await until(async () => {
        const { url } = data(await storage.api.call('downloads.own', { asset_cid: cid }))
        return url.some((source) => JSON.stringify(source).includes(throttled.url))
      })
      // The throttled node must answer first. A folder comes from one node, so there the other one stays frozen.
      const other = network.nodes.find(({ id }) => id !== throttled.id)!
      freeze(other.id)
      const onAsk = () => void (kind === 'file' && other.process.kill('SIGCONT'))
      const asset = data(await storage.downloadAsset({ assetCid: cid, assetType: kind, to: 'blob', onAsk }))
      const named = asset.slow.find(({ node_id }) => node_id === throttled.id)
      expect(named).toMatchObject({ kind: kind === 'file' ? 'slow' : 'single' })
      expect(named!.ms).toBeGreaterThanOrEqual(400)
      if (kind === 'file') expect(named!.share).toBeLessThan(0.5)
      const trace = data(await storage.api.call('traces.get', { trace_id: asset.traceId }))
      expect(slowNodes(trace.details as TraceDetail[])).toEqual(asset.slow)
    },
  )

  it('of a folder continues on another node if its node freezes', async () => {
    const storage = await setup()
    folder = await mkdtemp(join(tmpdir(), 'frozen-'))
    await mkdir(join(folder, 'things'))
    for (let n = 0; n < 4; n++) await writeFile(join(folder, 'things', `${n}.bin`), randomBytes(20_000_000))
    const { cid } = data(await storage.uploadAsset(join(folder, 'things'), { assetType: 1 }))
    await waitForAllReplicas(storage, cid)
    let victim = ''
    const { seconds, result } = await timed(
      storage.downloadAsset({ assetCid: cid, assetType: 1, to: 'blob' }, ({ node, loaded }) => {
        if (victim !== '' || loaded < 10_000_000) return
        victim = node
        freeze(node)
      }),
    )
    const asset = data(result)
    expect(victim).not.toBe('')
    expect(asset.nodes.map(({ node_id }) => node_id)).not.toContain(victim)
    expect(seconds).toBeLessThan(12)
    expect((await tries(storage, asset.traceId)).filter(({ node_id }) => node_id === victim)).toEqual([
      { node_id: victim, state: 2 },
    ])
  })
})
