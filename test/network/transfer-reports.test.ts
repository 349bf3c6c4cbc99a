/** @module-tag long */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createStorage, isSuccess, type Result } from '@tidenet/storage'
import { freePort, type Network } from '@tidenet/testnet'
import { afterEach, describe, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { vetEdges } from './vet-edges.ts'
import { signUp, until } from './wire-client.ts'

let network: Network
let front: Server | undefined
afterEach(async () => {
  await network?.stop()
  front?.closeAllConnections()
  front?.close()
})

/** A proxy of a node that responds with errors on request. */
async function openFront(port: number): Promise<{ url: string; fail(): void }> {
  let failing = false
  front = createServer((request, response) => {
    if (failing && request.url?.startsWith('/ipfs/')) {
      response.writeHead(500).end()
      return
    }
    const { method, url, headers } = request
    const there = forward({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    there.on('error', () => response.destroy())
    request.pipe(there)
  })
  await new Promise<void>((resolve) => front?.listen(0, '127.0.0.1', resolve))
  const { port: own } = front.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${own}`,
    fail() {
      failing = true
    },
  }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

function data<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
  return result.data
}

async function setup(size: number) {
  const port = await freePort()
  const before = await openFront(port)
  network = await startNetwork({
    nodes: [{ kind: 'candidate' }, { kind: 'edge' }, { kind: 'edge', port, url: before.url }],
  })
  await vetEdges(network)
  const { token } = await signUp(network.url)
  const storage = createStorage({ url: network.url, token })
  const bytes = new Uint8Array(randomBytes(size))
  const uploaded = data(await storage.uploadAsset(bytes, { name: 'file.bin' }))
  const { cid } = uploaded
  await until(async () => data(await storage.api.call('assets.detail', { cid })).titan_count === 3)
  const traceOf = async (trace_id: string) => data(await storage.api.call('traces.get', { trace_id }))
  const transfers = async () => data(await storage.api.call('traces.list', {})).list
  return { storage, bytes, cid, uploaded, traceOf, transfers, front: before }
}

describe('the report of a transfer', () => {
  it('lists every requested node, with times, bytes and status', async () => {
    const { storage, bytes, cid, uploaded, traceOf } = await setup(8_000_000)
    const up = await traceOf(uploaded.traceId)
    expect(up).toMatchObject({ state: 1, transfer_type: 'upload', cid, total_size: bytes.length })
    expect(up.details).toMatchObject([{ node_id: uploaded.nodeId, state: 1, size: bytes.length, status_code: 200 }])

    const asset = data(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
    const down = await traceOf(asset.traceId)
    expect(down).toMatchObject({ state: 1, transfer_type: 'download', cid, total_size: bytes.length })
    expect(down.details.reduce((total, { size }) => total + Number(size), 0)).toBe(bytes.length)
    expect(new Set(down.details.map(({ node_id }) => node_id))).toEqual(
      new Set(asset.nodes.map(({ node_id }) => node_id)),
    )
    const now = Date.now()
    for (const { start_at, end_at, status_code } of [...up.details, ...down.details]) {
      expect(Number(start_at)).toBeGreaterThan(now - 300_000)
      expect(Number(end_at)).toBeGreaterThanOrEqual(Number(start_at))
      expect(Number(end_at)).toBeLessThanOrEqual(now)
      expect([200, 204, 206]).toContain(status_code)
    }
  })

  it('names the node that failed; the download completes without it', async () => {
    const { storage, bytes, cid, traceOf, front } = await setup(8_000_000)
    const broken = network.nodes[2]
    front.fail()
    const asset = data(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
    expect(sha256(new Uint8Array(await asset.blob!.arrayBuffer()))).toBe(sha256(bytes))
    const { details, state } = await traceOf(asset.traceId)
    expect(state).toBe(1)
    const failed = details.filter((detail) => detail.state === 2)
    expect(new Set(failed.map(({ node_id }) => node_id))).toEqual(new Set([broken!.id]))
    for (const { status_code, error } of failed) {
      expect(status_code).toBe(500)
      expect(error).toMatch(/.+/)
    }
    expect(details.some((detail) => detail.state === 1)).toBe(true)
  })
})

describe('the list of transfers', () => {
  it('has one entry per upload and none for requested addresses', async () => {
    const { storage, cid, uploaded, transfers } = await setup(1_000_000)
    expect(uploaded.url).toContain(cid)
    for (let times = 0; times < 3; times++) data(await storage.getDownLoadUrls({ assetCid: cid }))
    expect((await transfers()).map(({ trace_id }) => trace_id)).toEqual([uploaded.traceId])
    const { traceId } = data(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
    expect((await transfers()).map(({ trace_id }) => trace_id)).toEqual([traceId, uploaded.traceId])
  })

  it('has downloads by a passed-on address', async () => {
    const { storage, cid, bytes, transfers } = await setup(1_000_000)
    const { url, trace_id } = data(await storage.getDownLoadUrls({ assetCid: cid }))
    const answer = await fetch(url[0] ?? '')
    expect((await answer.arrayBuffer()).byteLength).toBe(bytes.length)
    await until(async () => (await transfers()).some((transfer) => transfer.trace_id === trace_id))
  })
})
