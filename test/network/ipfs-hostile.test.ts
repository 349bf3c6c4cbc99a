import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { type Block, rawCid, writeCar } from '@tidenet/content'
import { dagPbBlock, fileData } from '@tidenet/content/unixfs'
import type { Network } from '@tidenet/testnet'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ask, data, publisher } from './ipfs-client.ts'
import { startNetwork } from './test-network.ts'
import { until } from './wire-client.ts'

/** Clients, publishers and nodes that mean harm to the public IPFS gateway. */

const MiB = 1024 * 1024
const STILL = 50
/** What the gateway may need for clients that stand still. */
const MEMORY_MAX = 200 * MiB
let network: Network
let owner: Awaited<ReturnType<typeof publisher>>
let large: string
const bytes = new Uint8Array(randomBytes(24 * MiB))
beforeAll(async () => {
  network = await startNetwork({
    nodes: [{ kind: 'candidate', name: 'only' }],
    s3: { port: 0 },
    ipfs: { port: 0 },
    env: { TIDENET_S3_IDLE_TIMEOUT_MS: '4000' },
  })
  owner = await publisher(network)
  large = await owner.published(bytes, 'large.bin')
}, 120_000)
afterAll(() => network?.stop())
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

const get = (path: string, headers: Record<string, string> = {}) => ask(network.ipfsUrl, path, headers)
/** Sends a message and reads nothing until it is resumed. */
async function open(message: string) {
  const { hostname, port } = new URL(network.ipfsUrl)
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  const pieces: Buffer[] = []
  const ended = new Promise<Buffer>((resolve) => {
    for (const event of ['error', 'close'] as const) socket.on(event, () => resolve(Buffer.concat(pieces)))
  })
  socket.pause()
  socket.write(message)
  return { socket, ended, read: () => socket.on('data', (piece) => pieces.push(piece)).resume(), pieces }
}
const begin = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
const memory = async () => {
  const status = await readFile(`/proc/${network.s3?.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
}
const hex = (port = 0) => port.toString(16).toUpperCase().padStart(4, '0')
/** How many of these connections the gateway has not ended. */
async function established(clients: readonly Socket[]): Promise<number> {
  const ports = clients.map(({ localPort }) => hex(localPort)).join('|')
  // Local address, remote address, state: 01 is established.
  const line = new RegExp(`: \\w+:${hex(Number(new URL(network.ipfsUrl).port))} \\w+:(${ports}) 01 `, 'g')
  return (await readFile('/proc/net/tcp', 'utf8')).match(line)?.length ?? 0
}
const bodyOf = (answer: Buffer) => answer.subarray(answer.indexOf('\r\n\r\n') + 4)

describe('clients', () => {
  it('that take nothing are ended, need little memory, and others are served', async () => {
    const before = await memory()
    const stills = await Promise.all(Array.from({ length: STILL }, () => open(begin(`/ipfs/${large}`))))
    expect((await get(`/ipfs/${large}`)).body.equals(Buffer.from(bytes))).toBe(true)
    expect((await memory()) - before).toBeLessThan(MEMORY_MAX)
    await until(async () => (await established(stills.map(({ socket }) => socket))) === 0, 40_000)
    for (const { ended, read } of stills) {
      read()
      expect(bodyOf(await ended).length).toBeLessThan(bytes.length)
    }
  }, 60_000)

  it('that stand still within their headers are told to go', async () => {
    const { ended, read } = await open('GET /ipfs/bafkqaaa HTTP/1.1\r\nHost:')
    read()
    expect((await ended).toString()).toMatch(/^HTTP\/1\.1 408/)
  }, 30_000)

  it('of one network cannot take all places', { tags: ['long'], timeout: 30_000 }, async () => {
    const many = await Promise.all(Array.from({ length: 140 }, () => open(begin(`/ipfs/${large}`))))
    await until(async () => (await get('/ipfs/bafkqaaa?format=raw')).status === 429, 10_000)
    for (const { socket } of many) socket.destroy()
    await until(async () => (await get('/ipfs/bafkqaaa?format=raw')).status === 200, 10_000)
  })

  it('do not choose their address: nobody believes X-Forwarded-For', async () => {
    const many = await Promise.all(Array.from({ length: 140 }, () => open(begin(`/ipfs/${large}`))))
    const forwarded = { 'x-forwarded-for': '9.9.9.9' }
    await until(async () => (await get('/ipfs/bafkqaaa?format=raw', forwarded)).status === 429, 10_000)
    for (const { socket } of many) socket.destroy()
  }, 30_000)
})

describe('a publication', () => {
  it('that ends takes running downloads with it', async () => {
    const own = new Uint8Array(randomBytes(24 * MiB))
    const cid = await owner.published(own, 'ending.bin')
    const { socket, ended, pieces } = await open(begin(`/ipfs/${cid}`))
    const slowly = setInterval(() => {
      const piece = socket.read(64 * 1024) as Buffer | null
      if (piece) pieces.push(piece)
    }, 100)
    await until(async () => pieces.length > 2, 10_000)
    await owner.unpublish(cid)
    const body = bodyOf(await ended)
    clearInterval(slowly)
    expect(body.length).toBeLessThan(own.length)
    expect(body.equals(Buffer.from(own.subarray(0, body.length)))).toBe(true)
  }, 60_000)

  it('with more entries than a page shows is listed in part, and its archive is whole', async () => {
    const files = Array.from({ length: 2500 }, (_, index) => ({
      path: `${index}.txt`,
      file: new File([`${index}`], `${index}.txt`),
    }))
    const cid = await owner.published(files, 'many')
    const page = (await get(`/ipfs/${cid}/`)).body.toString()
    expect(page.match(/<tr><td>/g)).toHaveLength(2000)
    expect((await get(`/ipfs/${cid}/2499.txt`)).body.toString()).toBe('2499')
    expect((await get(`/ipfs/${cid}?format=car`)).body.length).toBeGreaterThan(100_000)
  }, 90_000)

  it('that repeats one block very often costs what it has, not what it says', async () => {
    const leaf = randomBytes(1024)
    const blocks: Block[] = [{ cid: await rawCid(leaf), bytes: leaf }]
    let size = leaf.length
    for (let level = 0; level < 1; level++) {
      const below = blocks[0] as Block
      const links = Array.from({ length: 174 }, () => ({ cidBytes: below.cid.bytes, name: '', cumulativeSize: size }))
      blocks.unshift(await dagPbBlock(links, fileData(links.map(() => size))))
      size *= 174
    }
    const pieces: Uint8Array[] = []
    for await (const piece of writeCar([(blocks[0] as Block).cid], blocks)) pieces.push(piece)
    const car = new File([Buffer.concat(pieces)], 'bomb.car')
    const imported = await owner.storage.uploadAsset(car, { importCar: true })
    const { cid } = data(imported)
    await owner.publish(cid)
    const whole = await get(`/ipfs/${cid}?format=car&car-dups=n`)
    expect(whole.body.length).toBeLessThan(20_000)
    const range = await get(`/ipfs/${cid}`, { range: `bytes=${size - 10}-` })
    expect(range.body.equals(leaf.subarray(-10))).toBe(true)
  }, 90_000)
})

describe('what strangers read', () => {
  it('is reported soon after the last of them is gone, and when the gateway stops', async () => {
    const database = new pg.Client({ connectionString: network.databaseUrl })
    await database.connect()
    const isReported = async (cid: string) => {
      const text = "select total_size from traces where cid = $1 and kind = 'download' and closed_at is not null"
      const { rows } = await database.query(text, [cid])
      return rows.some(({ total_size }) => Number(total_size) >= 700_000)
    }
    const read = async () => {
      const cid = await owner.published(new Uint8Array(randomBytes(700_000)), 'a.bin')
      expect((await ask(network.ipfsUrl, `/ipfs/${cid}`)).body).toHaveLength(700_000)
      return cid
    }
    const first = await read()
    await until(() => isReported(first), 20_000)
    const second = await read()
    await network.s3?.restart()
    expect(await isReported(second)).toBe(true)
    await database.end()
  }, 60_000)
})

describe('the only node', () => {
  it('that sends wrong bytes: none reaches a client, and nothing is taken for whole', async () => {
    const small = await owner.published(new Uint8Array(randomBytes(1000)), 'small.bin')
    const [node] = network.nodes
    await node?.process.stop()
    await network.addNode({ kind: 'candidate', name: 'only', env: { TIDENET_NODE_FAULT: 'flip-bits' } })
    for (const path of [`/ipfs/${small}`, `/ipfs/${small}?format=raw`]) expect((await get(path)).status).toBe(503)
    for (const path of [`/ipfs/${large}`, `/ipfs/${large}?format=car`]) {
      const { ended, read } = await open(begin(path))
      read()
      const answer = await ended
      if (!answer.toString('latin1', 0, 12).startsWith('HTTP/1.1 200')) continue
      const body = bodyOf(answer)
      expect(body.length).toBeLessThan(bytes.length)
      // The last chunk, which ends an archive, did not come.
      expect(answer.subarray(-5).toString('latin1')).not.toBe('0\r\n\r\n')
      if (!path.includes('car')) expect(body.equals(Buffer.from(bytes.subarray(0, body.length)))).toBe(true)
    }
  }, 60_000)
})
