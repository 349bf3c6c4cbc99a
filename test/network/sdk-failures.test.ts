import { createHash, randomBytes } from 'node:crypto'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createStorage, isSuccess, type Result, type Storage } from '@tidenet/storage'
import type { Network, NodeHandle } from '@tidenet/testnet'
import { afterEach, describe, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { vetEdges } from './vet-edges.ts'
import { signUp, until } from './wire-client.ts'

let network: Network
afterEach(() => network?.stop())

async function setup(options: { nodes?: number } = {}) {
  network = await startNetwork({ nodes: options.nodes ?? 5 })
  await vetEdges(network)
  const { token } = await signUp(network.url)
  return { network, storage: createStorage({ url: network.url, token }) }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

function data<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
  return result.data
}

async function stored(storage: Storage, size: number) {
  const bytes = new Uint8Array(randomBytes(size))
  const { cid } = data(await storage.uploadAsset(bytes, { name: 'file.bin' }))
  await until(async () => data(await storage.api.call('assets.detail', { cid })).titan_count === network.nodes.length)
  return { bytes, cid }
}

async function download(storage: Storage, cid: string) {
  const asset = data(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
  const trace = data(await storage.api.call('traces.get', { trace_id: asset.traceId }))
  const failed = trace.details.filter(({ state }) => state === 2).map(({ node_id }) => node_id)
  return { sha256: sha256(new Uint8Array(await asset.blob!.arrayBuffer())), failed: [...new Set(failed)], trace }
}

/** The file on a node's disk with exactly this size. */
async function fileOf(node: NodeHandle, size: number): Promise<string> {
  for (const entry of await readdir(node.dataDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    // A running node deletes some of its files.
    const found = entry.isFile() ? await stat(path).catch(() => undefined) : undefined
    if (found?.size === size) return path
  }
  throw new Error('the node has no such file')
}

describe('an upload', () => {
  it('succeeds when the receiving node dies', async () => {
    const { network, storage } = await setup()
    const bytes = new Uint8Array(randomBytes(90_000_000))
    const states = new Set<string>()
    let victim = ''
    const asset = data(
      await storage.uploadAsset(bytes, { name: 'moved.bin' }, ({ state, node, percent }) => {
        states.add(state)
        if (victim !== '' || percent < 20 || percent > 90) return
        victim = node
        network.nodes.find(({ id }) => id === node)?.process.kill('SIGKILL')
      }),
    )
    expect(victim).not.toBe('')
    expect(asset.nodeId).not.toBe(victim)
    expect(states).toContain('retrying')
    const trace = data(await storage.api.call('traces.get', { trace_id: asset.traceId }))
    expect(trace.details.filter(({ state }) => state === 2).map(({ node_id }) => node_id)).toContain(victim)
    expect(trace.details.at(-1)).toMatchObject({ node_id: asset.nodeId, state: 1 })
    expect((await download(storage, asset.cid)).sha256).toBe(sha256(bytes))
  })
})

describe('a download', () => {
  it('succeeds when nodes die, hang or send wrong bytes, and the trace names them', async () => {
    const { network, storage } = await setup()
    const { bytes, cid } = await stored(storage, 40_000_000)
    const [dead, frozen, spoilt] = network.nodes as [NodeHandle, NodeHandle, NodeHandle]
    dead.process.kill('SIGKILL')
    frozen.process.kill('SIGSTOP')
    const file = await open(await fileOf(spoilt, bytes.length), 'r+')
    for (let at = 1000; at < bytes.length; at += 262_144) await file.write(Buffer.from('spoilt'), 0, 6, at)
    await file.close()
    const result = await download(storage, cid)
    frozen.process.kill('SIGCONT')
    expect(result.sha256).toBe(sha256(bytes))
    expect(result.failed).toContain(dead.id)
    expect(result.failed).toContain(spoilt.id)
    expect(result.trace).toMatchObject({ state: 1, total_size: bytes.length })
  })

  it('takes at most a second longer for an unreachable node', { tags: ['long'] }, async () => {
    const { network, storage } = await setup({ nodes: 3 })
    const { cid } = await stored(storage, 5_000_000)
    const took = async () => {
      const began = performance.now()
      await download(storage, cid)
      return performance.now() - began
    }
    const before = await took()
    network.nodes[0]!.process.kill('SIGKILL')
    expect((await took()) - before).toBeLessThan(1000)
  })

  it('reports that no node responded, with the trace', { tags: ['long'] }, async () => {
    const { network, storage } = await setup({ nodes: 2 })
    const { cid } = await stored(storage, 500_000)
    for (const node of network.nodes) node.process.kill('SIGKILL')
    const result = await storage.downloadAsset({ assetCid: cid, to: 'blob' })
    expect(result).toMatchObject({ code: 10019, data: { trace_id: expect.stringMatching(/.+/) } })
    const trace = data(
      await storage.api.call('traces.get', { trace_id: String((result.data as { trace_id: string }).trace_id) }),
    )
    expect(trace.state).toBe(2)
    expect(trace.details.every(({ state }) => state === 2)).toBe(true)
  })
})
