/** @module-tag long */
import { randomBytes } from 'node:crypto'
import { createStorage, isSuccess, type Result, type Storage } from '@tidenet/storage'
import type { Network, NodeHandle } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { vetEdges } from './vet-edges.ts'
import { signUp, until } from './wire-client.ts'

let network: Network
let storage: Storage
let corruptNode: NodeHandle
let kept: { large: Content; small: Content; middle: Content; tree: string; files: File[] }

beforeAll(async () => {
  // No validator at first, so only clients notice.
  network = await startNetwork({ nodes: [{ kind: 'candidate' }, { kind: 'candidate' }, { kind: 'edge' }] })
  corruptNode = await network.addNode({ kind: 'edge', name: 'corruptNode' })
  await vetEdges(network)
  storage = createStorage({ url: network.url, token: (await signUp(network.url)).token })
  const files = Array.from({ length: 20 }, (_, index) => new File([random(50_000)], `f${index}`))
  const entries = files.map((file, index) => ({ path: `d${index % 3}/${file.name}`, file }))
  const tree = data(await storage.uploadAsset(entries, { name: 'tree' })).cid
  await until(async () => (await holders(tree)).length === network.nodes.length)
  kept = { large: await stored(20_000_000), small: await stored(1000), middle: await stored(3_000_000), tree, files }
  // Its replicas are verified, because it passed audits. Now it sends wrong bytes.
  await restartCorruptNode({ TIDENET_NODE_FAULT: 'flip-bits' })
})
afterAll(() => network?.stop())

interface Content {
  cid: string
  bytes: Uint8Array
}

/** Restarts the node with its key and contents. */
async function restartCorruptNode(env: Record<string, string> = {}) {
  await corruptNode.process.stop()
  const { id, area } = corruptNode
  corruptNode = await network.addNode({ kind: 'edge', name: 'corruptNode', area, env })
  expect(corruptNode.id).toBe(id)
}

const random = (size: number) => new Uint8Array(randomBytes(size))

function data<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
  return result.data
}
const holders = async (cid: string) =>
  data(await storage.api.call('assets.detail', { cid })).list.map((at) => at.node_id)
const status = async () => data(await storage.api.call('network.map', { device_id: corruptNode.id })).list[0]?.status

/** Number of nodes; a restarted node counts once. */
const members = () => new Set(network.nodes.map(({ id }) => id)).size

async function stored(size: number, on = members()): Promise<Content> {
  const bytes = random(size)
  const { cid } = data(await storage.uploadAsset(bytes, { name: `${size}.bin` }))
  await until(async () => (await holders(cid)).length === on)
  return { cid, bytes }
}

async function fetched(cid: string) {
  const { blob, traceId } = data(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
  const { details } = data(await storage.api.call('traces.get', { trace_id: traceId }))
  return {
    bytes: Buffer.from(await (blob as Blob).arrayBuffer()),
    failed: new Set(details.filter((detail) => detail.state === 2).map((detail) => detail.node_id)),
  }
}

describe('a node that sends wrong bytes', () => {
  it('does not corrupt downloads, and is named in the transfer report', async () => {
    const { cid, bytes } = kept.large
    const named = new Set<string>()
    // A download may do without a node that answers late.
    for (let turn = 0; turn < 10 && named.size === 0; turn++) {
      const got = await fetched(cid)
      expect(got.bytes.equals(bytes)).toBe(true)
      for (const id of got.failed) named.add(id)
    }
    expect([...named]).toEqual([corruptNode.id])
  })

  it('does not corrupt files of one block', async () => {
    const { cid, bytes } = kept.small
    expect((await fetched(cid)).bytes.equals(bytes)).toBe(true)
  })

  it('does not corrupt folders', async () => {
    const { tree, files } = kept
    const { blob } = data(await storage.downloadAsset({ assetCid: tree, to: 'blob' }))
    const tar = Buffer.from(await (blob as Blob).arrayBuffer())
    for (const file of files) expect(tar.includes(Buffer.from(await file.arrayBuffer()))).toBe(true)
  })

  it('does not corrupt replicas that other nodes pull', async () => {
    const { cid, bytes } = kept.middle
    const fresh = await network.addNode({ kind: 'edge' })
    await until(async () => (await holders(cid)).includes(fresh.id))
    const { url, node_ids } = data(await storage.getDownLoadUrls({ assetCid: cid }))
    const answer = await fetch(url[node_ids.indexOf(fresh.id)] as string)
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  })

  it('is detected by audits, marked abnormal, and gets no uploads', async () => {
    await network.addNode({ kind: 'validator' })
    await until(async () => (await status()) === 'abnormal', 90_000)
    const { List } = data(await storage.api.call('uploads.info', {}))
    expect(List.map((node) => node.NodeID)).not.toContain(corruptNode.id)
  })

  it('has no verified replicas; files can still be downloaded', async () => {
    const { cid, bytes } = await stored(2_000_000, members() - 1)
    expect(await holders(cid)).not.toContain(corruptNode.id)
    const got = await fetched(cid)
    expect(got.bytes.equals(bytes)).toBe(true)
    expect(got.failed.size).toBe(0)
  })

  it('is normal again after clean audits', async () => {
    await restartCorruptNode()
    await until(async () => (await status()) === 'online', 120_000)
    // It would be vetted again after more audits.
    await vetEdges(network)
    const { cid, bytes } = await stored(1_000_000, members())
    expect(await holders(cid)).toContain(corruptNode.id)
    const { url, node_ids } = data(await storage.getDownLoadUrls({ assetCid: cid }))
    const answer = await fetch(url[node_ids.indexOf(corruptNode.id)] as string)
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  })
})
