/** @module-tag long */
import { randomBytes } from 'node:crypto'
import { createStorage, isSuccess, type Result, type Storage } from '@tidenet/storage'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { signUp, until, wireClient } from './wire-client.ts'

let network: Network
let storage: Storage

beforeAll(async () => {
  const edges = Array.from({ length: 4 }, () => ({ kind: 'edge' as const }))
  network = await startNetwork({ nodes: [{ kind: 'candidate' }, { kind: 'validator' }, ...edges] })
  storage = createStorage({ url: network.url, token: (await signUp(network.url)).token })
})
afterAll(() => network?.stop())

function data<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
  return result.data
}

/** The number of edges with each standing. */
async function standings(): Promise<Record<string, number>> {
  const { list } = (
    await wireClient(network.url).get<{ list: { standing: string }[] }>('/api/v1/network/nodes', { type: 1 })
  ).data
  return Object.fromEntries(['new', 'vetted'].map((one) => [one, list.filter((node) => node.standing === one).length]))
}

it('honest edges are vetted, and then serve at least half of all bytes', async () => {
  expect(await standings()).toEqual({ new: 4, vetted: 0 })
  const cids: string[] = []
  for (let index = 0; index < 6; index++) {
    const bytes = new Uint8Array(randomBytes(6_000_000))
    const { cid } = data(await storage.uploadAsset(bytes, { name: `${index}.bin` }))
    cids.push(cid)
  }
  await until(async () => (await standings()).vetted === 4, 120_000)
  const edges = new Set(network.nodes.filter(({ kind }) => kind === 'edge').map(({ id }) => id))
  // A client that uses one address uses an edge's.
  const { node_ids } = data(await storage.getDownLoadUrls({ assetCid: cids[0] as string }))
  expect(node_ids.slice(0, 3).filter((id) => edges.has(id))).toHaveLength(2)

  const sent = { edges: 0, all: 0 }
  for (const cid of [...cids, ...cids]) {
    const { traceId } = data(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
    for (const { node_id, size } of data(await storage.api.call('traces.get', { trace_id: traceId })).details) {
      sent.all += Number(size)
      if (edges.has(node_id)) sent.edges += Number(size)
    }
  }
  expect(sent.edges / sent.all).toBeGreaterThanOrEqual(0.5)
})
