import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StorageNode } from '../app.ts'
import { createTestEnv, randomFile, type TestEnv, upload } from '../test-env.fixture.ts'

let env: TestEnv
let data: string
let node: StorageNode
const sockets: Socket[] = []
beforeAll(async () => {
  env = await createTestEnv()
  data = await env.folder()
  node = await env.start({ data })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await env.stop()
})

/** A raw connection and the bytes received on it. */
async function dial(to: StorageNode = node) {
  const socket = connect(to.port, '127.0.0.1')
  sockets.push(socket)
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  socket.on('error', () => {})
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1')
  })
  return {
    say: (...parts: (string | Buffer)[]) => {
      for (const part of parts) socket.write(part)
    },
    /** Status codes received so far. */
    statuses: () => [...heard.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => Number(match[1])),
  }
}

const FORM = 'content-type: multipart/form-data; boundary=b\r\n'
const FILE = '--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n'
const post = (headers: string, length: number, path = '/uploadv2') =>
  `POST ${path} HTTP/1.1\r\nhost: node\r\n${headers}content-length: ${length}\r\n\r\n`

describe('senders without a valid token', () => {
  it('get no slot, whatever part of the request is missing', async () => {
    const silent = await Promise.all(Array.from({ length: 20 }, () => dial()))
    for (const [index, { say }] of silent.entries()) {
      say(post(FORM, 1_000_000))
      if (index % 2) say('--b\r\ncontent-disposition: form-data; name="other"\r\n\r\nx')
    }
    const wrong = await Promise.all(Array.from({ length: 10 }, () => dial()))
    for (const { say } of wrong) say(post(FORM, 1_000_000), FILE, 'x')
    const archives = await Promise.all(Array.from({ length: 10 }, () => dial()))
    for (const { say } of archives) say(post('content-type: application/car\r\n', 1_000_000, '/upload'), 'x')
    const { bytes, cid } = await randomFile(10_000)
    expect(await upload(env, node, bytes)).toMatchObject({ status: 200, cid })
    for (const { statuses } of [...wrong, ...archives]) await expect.poll(statuses).toEqual([401])
    expect(await upload(env, node, randomBytes(10))).toMatchObject({ status: 200 })
  })
})

describe('a refused upload', () => {
  const authorized = async (claims: object) =>
    `authorization: Bearer ${await env.server.uploadToken(node.id, claims)}\r\n`
  const health = 'GET /health HTTP/1.1\r\nhost: node\r\n\r\n'

  it.each([
    ['before its file was read', { max: 10 }, 400_000, 413],
    ['while its file was read', { size: 2_000_000, max: 4_000_000 }, 3_000_000, 422],
    ['after its file was read', { cid: 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy' }, 50_000, 400],
    ['without a token', undefined, 300_000, 401],
  ])('%s keeps the connection usable for the next request', async (_when, claims, size, status) => {
    const { say, statuses } = await dial()
    const body = Buffer.concat([Buffer.from(FILE), randomBytes(size), Buffer.from('\r\n--b--\r\n')])
    say(post(FORM + (claims ? await authorized(claims) : ''), body.length), body)
    await expect.poll(statuses).toEqual([status])
    say(health)
    await expect.poll(statuses).toEqual([status, 200])
    say(health)
    await expect.poll(statuses).toEqual([status, 200, 200])
  })

  it('keeps it usable for resumable uploads too', async () => {
    const { say, statuses } = await dial()
    const chunk = 'tus-resumable: 1.0.0\r\ncontent-type: application/offset+octet-stream\r\n'
    const headers = (await authorized({ max: 1000 })) + chunk
    say(post(`${headers}upload-length: 5000\r\n`, 300_000, '/tus'), randomBytes(300_000))
    await expect.poll(statuses).toEqual([413])
    say(post(`${headers}upload-length: 500\r\n`, 300_000, '/tus'), randomBytes(300_000))
    await expect.poll(statuses).toEqual([413, 413])
    say(health)
    await expect.poll(statuses).toEqual([413, 413, 200])
  })
})

describe('the capacity of a node', () => {
  const lying = async (folder: string): Promise<number> => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const sizes = entries.map(async (entry) =>
      entry.isFile() ? (await stat(join(entry.parentPath, entry.name))).size : 0,
    )
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  }

  it('is not exceeded by one byte, including indexes and metadata', async () => {
    const capacity = 3_000_000
    const folder = await env.folder()
    const small = await env.start({ data: folder, capacity })
    const statuses = new Set<number>()
    for (const size of [700_000, 600_000, 500_000, 400_000, 300_000, 250_000, 100_000, 50_000, 40_000, 30_000])
      for (let turn = 0; turn < 3; turn += 1) statuses.add((await upload(env, small, randomBytes(size))).status)
    for (let size = 20_000; size > 10; size = Math.floor(size / 1.3))
      statuses.add((await upload(env, small, randomBytes(size))).status)
    expect([...statuses].sort()).toEqual([200, 503])
    const used = (await lying(join(folder, 'contents'))) + (await lying(join(folder, 'leaves')))
    expect(used).toBeLessThanOrEqual(capacity)
    expect(used).toBeGreaterThan(capacity - 20_000)
    const metrics = async (at: StorageNode) =>
      Number((await (await fetch(`${at.url}/metrics`)).text()).match(/^tidenet_node_used (\d+)/m)?.[1])
    expect(await metrics(small)).toBe(used)
    await small.stop()
    expect(await metrics(await env.start({ data: folder, capacity }))).toBe(used)
  })
})
