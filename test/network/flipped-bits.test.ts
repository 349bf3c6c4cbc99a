import { randomBytes } from 'node:crypto'
import { createStorage, isSuccess, type Result, type Storage } from '@tidenet/storage'
import { createNetwork, type Network, type NodeHandle } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp, until } from './wire-client.ts'

let network: Network
let storage: Storage
let liar: NodeHandle
let kept: { large: Content; small: Content; middle: Content; tree: string; files: File[] }

beforeAll(async () => {
  // No validator at first: nobody but the clients notices.
  network = await createNetwork({ nodes: [{ kind: 'candidate' }, { kind: 'candidate' }, { kind: 'edge' }] })
  liar = await network.addNode({ kind: 'edge', name: 'liar' })
  storage = createStorage({ url: network.url, token: (await signUp(network.url)).token })
  const files = Array.from({ length: 20 }, (_, index) => new File([random(50_000)], `f${index}`))
  const entries = files.map((file, index) => ({ path: `d${index % 3}/${file.name}`, file }))
  const tree = data(await storage.uploadAsset(entries, { name: 'tree' })).cid
  await until(async () => (await holders(tree)).length === network.nodes.length)
  kept = { large: await stored(20_000_000), small: await stored(1000), middle: await stored(3_000_000), tree, files }
  // Its copies count, because it was honest while they were audited. Now it lies.
  await restartLiar({ TIDENET_NODE_FAULT: 'flip-bits' })
})
afterAll(() => network?.stop())

interface Content {
  cid: string
  bytes: Uint8Array
}

/** The same node, with its key and its contents. */
async function restartLiar(env: Record<string, string> = {}) {
  await liar.process.stop()
  const { id, area } = liar
  liar = await network.addNode({ kind: 'edge', name: 'liar', area, env })
  expect(liar.id).toBe(id)
}

const random = (size: number) => new Uint8Array(randomBytes(size))

function data<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
  return result.data
}
const holders = async (cid: string) =>
  data(await storage.api.call('assets.detail', { cid })).list.map((at) => at.node_id)
const status = async () => data(await storage.api.call('network.map', { device_id: liar.id })).list[0]?.status

/** A node that was started again is one. */
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
  it('spoils no download, and the report of the transfer names it', async () => {
    const { cid, bytes } = kept.large
    const got = await fetched(cid)
    expect(got.bytes.equals(bytes)).toBe(true)
    expect([...got.failed]).toEqual([liar.id])
  })

  it('spoils no file of one block either', async () => {
    const { cid, bytes } = kept.small
    expect((await fetched(cid)).bytes.equals(bytes)).toBe(true)
  })

  it('spoils no folder', async () => {
    const { tree, files } = kept
    const { blob } = data(await storage.downloadAsset({ assetCid: tree, to: 'blob' }))
    const tar = Buffer.from(await (blob as Blob).arrayBuffer())
    for (const file of files) expect(tar.includes(Buffer.from(await file.arrayBuffer()))).toBe(true)
  })

  it('is no source of replicas: what another node pulls is right', async () => {
    const { cid, bytes } = kept.middle
    const fresh = await network.addNode({ kind: 'edge' })
    await until(async () => (await holders(cid)).includes(fresh.id))
    const { url, node_ids } = data(await storage.getDownLoadUrls({ assetCid: cid }))
    const answer = await fetch(url[node_ids.indexOf(fresh.id)] as string)
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  })

  it('is found by audits, marked, and offered for no upload', async () => {
    await network.addNode({ kind: 'validator' })
    await until(async () => (await status()) === 'abnormal', 90_000)
    const { List } = data(await storage.api.call('uploads.info', {}))
    expect(List.map((node) => node.NodeID)).not.toContain(liar.id)
  })

  it('holds no replica that counts, and files are fetched as before', async () => {
    const { cid, bytes } = await stored(2_000_000, members() - 1)
    expect(await holders(cid)).not.toContain(liar.id)
    const got = await fetched(cid)
    expect(got.bytes.equals(bytes)).toBe(true)
    expect(got.failed.size).toBe(0)
  })

  it('is in good standing again when its audits are clean', async () => {
    await restartLiar()
    await until(async () => (await status()) === 'online', 120_000)
    const { cid, bytes } = await stored(1_000_000, members())
    expect(await holders(cid)).toContain(liar.id)
    const { url, node_ids } = data(await storage.getDownLoadUrls({ assetCid: cid }))
    const answer = await fetch(url[node_ids.indexOf(liar.id)] as string)
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  })
})
