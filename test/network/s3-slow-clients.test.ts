import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import type { Network } from '@tidenet/testnet'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { s3Account } from './s3-client.ts'
import { startGateway, type TestGateway } from './s3-gateway.ts'
import { answerOf, exchangeRaw, hexOf, type Key, messageOf, openSocket, signed } from './s3-raw-client.ts'
import { startNetwork } from './test-network.ts'

/** Clients of the S3 gateway that stand still, that send what nobody asked for, and that wait to be asked. Others do not notice them. */

const MiB = 1024 * 1024
const CLIENTS = 50
/** What the gateway may need for all of them. */
const MEMORY_MAX = 120 * MiB

const large = randomBytes(24 * MiB)

let network: Network
let gateway: TestGateway
let host: string
let key: Key
let store: Awaited<ReturnType<Awaited<ReturnType<typeof s3Account>>['bucket']>>
beforeAll(async () => {
  network = await startNetwork({ nodes: 2, s3: { port: 0 } })
  gateway = await startGateway(network, { env: { TIDENET_S3_IDLE_TIMEOUT_MS: '4000' } })
  host = `localhost:${gateway.port}`
  const account = await s3Account(network, { endpoint: gateway.url })
  key = account.credentials
  store = await account.bucket('photos')
  await store.put('large', large)
})
afterAll(async () => {
  await gateway?.program.stop()
  await network?.stop()
})

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

const memory = async () => {
  const status = await readFile(`/proc/${gateway.program.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
}

const hex = (port = 0) => port.toString(16).toUpperCase().padStart(4, '0')
/** How many of these connections the gateway has not ended. */
async function established(clients: readonly Socket[]): Promise<number> {
  const ports = clients.map(({ localPort }) => hex(localPort)).join('|')
  // Local address, remote address, state: 01 is established.
  const line = new RegExp(`: \\w+:${hex(gateway.port)} \\w+:(${ports}) 01 `, 'g')
  return (await readFile('/proc/net/tcp', 'utf8')).match(line)?.length ?? 0
}

/** Opens a connection, sends the beginning of a request, and stands still. */
async function standStill(beginning: string): Promise<{ ended: Promise<Buffer>; socket: Socket }> {
  const socket = await openSocket(gateway.port)
  sockets.push(socket)
  socket.write(Buffer.from(beginning, 'latin1'))
  const pieces: Buffer[] = []
  const ended = new Promise<Buffer>((resolve) => {
    socket.on('data', (piece) => pieces.push(piece))
    for (const event of ['error', 'close'] as const) socket.on(event, () => resolve(Buffer.concat(pieces)))
  })
  return { ended, socket }
}
const many = (beginning: string) => Promise.all(Array.from({ length: CLIENTS }, () => standStill(beginning)))

/** Another client is served while the others stand still. */
async function othersAreServed(): Promise<void> {
  const bytes = randomBytes(2 * MiB)
  await store.put('other', bytes)
  expect((await store.get('other')).bytes.equals(bytes)).toBe(true)
}
const begin = (method: string, path: string, more: Record<string, string>) =>
  messageOf(method, path, { ...signed(key, { method, path, headers: { host } }).headers, ...more })

describe('many downloads at a time', () => {
  it('are each the object, however slowly they are read', async () => {
    const path = '/photos/large'
    const { headers } = signed(key, { method: 'GET', path, headers: { host } })
    const read = async (pause: number) => {
      const answer = await fetch(`http://${host}${path}`, { headers })
      const hash = createHash('sha256')
      for await (const piece of answer.body ?? []) {
        hash.update(piece as Uint8Array)
        // What the system holds for this client is full for a moment.
        for (let turn = 0; turn < pause; turn++) await new Promise(setImmediate)
      }
      return hash.digest('hex')
    }
    const expected = createHash('sha256').update(large).digest('hex')
    const hashes = await Promise.all(Array.from({ length: 12 }, (_, index) => read(index * 3)))
    expect(hashes).toEqual(hashes.map(() => expected))
  })
})

describe('clients that reset their connections during a download', () => {
  it('are no failures of the gateway', async () => {
    const path = '/photos/large'
    for (let client = 0; client < 20; client++) {
      const socket = await openSocket(gateway.port)
      sockets.push(socket)
      socket.write(begin('GET', path, {}))
      await once(socket, 'data')
      socket.resetAndDestroy()
    }
    await othersAreServed()
    expect(await readFile(gateway.logFile, 'utf8')).not.toContain('"level":50')
  })
})

describe('50 clients that stand still', () => {
  it.each([
    ['before they say anything', () => ''],
    ['within their headers', () => begin('GET', '/photos/large', {}).slice(0, -10)],
  ])('%s are ended', async (_, beginning) => {
    const stills = await many(beginning())
    await othersAreServed()
    for (const bytes of await Promise.all(stills.map(({ ended }) => ended)))
      expect(answerOf(bytes).statuses).toEqual([408])
  })

  it('within their body are told so, and nothing of it is stored', async () => {
    const before = await memory()
    // All of them together fit the quota, which would refuse them before.
    const stills = await many(`${begin('PUT', '/photos/slow', { 'content-length': String(1_200_000) })}some bytes`)
    await othersAreServed()
    expect((await memory()) - before).toBeLessThan(MEMORY_MAX)
    for (const bytes of await Promise.all(stills.map(({ ended }) => ended)))
      expect(answerOf(bytes)).toMatchObject({ statuses: [400], code: 'RequestTimeout' })
    await expect(store.get('slow')).rejects.toThrow(/key does not exist/)
  })

  it.each([
    ['objects', 300, MiB, (length: object) => begin('PUT', '/photos/small', { ...length })],
    [
      'lists of keys to delete',
      80,
      4 * MiB,
      (length: object) => {
        const { headers } = signed(key, { method: 'POST', path: '/photos', query: 'delete=', headers: { host } })
        return messageOf('POST', '/photos?delete', { ...headers, ...length })
      },
    ],
  ])('do not fill the memory with %s, though they send a byte now and then', async (_, count, size, message) => {
    const before = await memory()
    const stills = await Promise.all(
      Array.from({ length: count }, async () => {
        const { socket, ended } = await standStill(message({ 'content-length': String(size) }))
        socket.write(Buffer.alloc(size - 100, ' '))
        return { ended, socket }
      }),
    )
    const trickle = setInterval(() => {
      for (const { socket } of stills) if (socket.writable) socket.write('x')
    }, 1000)
    try {
      await othersAreServed()
      expect((await memory()) - before).toBeLessThan(2 * MEMORY_MAX)
      const refused = answerOf(await Promise.race(stills.map(({ ended }) => ended)))
      expect(refused.code).toMatch(/^(SlowDown|RequestTimeout)$/)
      await othersAreServed()
    } finally {
      clearInterval(trickle)
    }
  })

  it('within a form are told so, although nobody knows who they are', async () => {
    const field = '--b\r\nContent-Disposition: form-data; name="key"\r\n\r\nslow'
    const form = { host, 'content-type': 'multipart/form-data; boundary=b', 'content-length': '100000' }
    const stills = await many(messageOf('POST', '/photos', form) + field)
    await othersAreServed()
    for (const bytes of await Promise.all(stills.map(({ ended }) => ended)))
      expect(answerOf(bytes)).toMatchObject({ statuses: [400], code: 'RequestTimeout' })
  })

  it('within an answer are ended, and their pieces do not stay in memory', { tags: ['long'] }, async () => {
    const before = await memory()
    const stills = await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const socket = await openSocket(gateway.port)
        sockets.push(socket)
        socket.pause()
        const ended = new Promise((resolve) => socket.on('error', resolve).on('close', resolve))
        socket.write(begin('GET', '/photos/large', {}))
        return { socket, ended }
      }),
    )
    await othersAreServed()
    expect((await memory()) - before).toBeLessThan(2 * MEMORY_MAX)
    const clients = stills.map(({ socket }) => socket)
    await expect.poll(() => established(clients), { timeout: 90_000 }).toBe(0)
    // Those that go on find that their answer ended early.
    const sizes = await Promise.all(
      stills.map(async ({ socket, ended }) => {
        let size = 0
        socket.on('data', (piece) => {
          size += piece.length
        })
        socket.resume()
        await ended
        return size
      }),
    )
    for (const size of sizes) expect(size).toBeLessThan(24 * MiB)
  })
})

describe('a client that is refused', () => {
  const unsigned = (more: Record<string, string>) => messageOf('PUT', '/photos/refused', { host, ...more })

  it('sees why, although it looks only after it has sent all', async () => {
    const size = 8 * MiB
    const answer = await exchangeRaw(gateway.port, [unsigned({ 'content-length': String(size) }), Buffer.alloc(size)])
    expect(answer).toMatchObject({ statuses: [403], code: 'AccessDenied' })
  })

  it('is not read for ever', async () => {
    const before = await memory()
    const { socket, ended } = await standStill(unsigned({ 'content-length': String(100 * MiB) }))
    let sent = 0
    const piece = Buffer.alloc(MiB)
    while (!socket.destroyed && sent < 100) {
      sent += 1
      const isRoom = socket.write(piece)
      if (!isRoom) await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve))
    }
    const answer = answerOf(await ended)
    expect(answer).toMatchObject({ statuses: [403], code: 'AccessDenied' })
    expect(sent).toBeLessThan(60)
    expect((await memory()) - before).toBeLessThan(MEMORY_MAX)
  })

  it('is not asked for its body', async () => {
    const expects = { 'content-length': String(5 * MiB), expect: '100-continue' }
    for (const message of [
      unsigned(expects),
      begin('PUT', '/photos/refused', { ...expects, 'content-md5': 'none' }),
      begin('PUT', `/photos/${'k'.repeat(1025)}`, expects),
      begin('PUT', '/missing/bucket', expects),
      begin('PUT', '/photos/refused', { ...expects, 'content-length': String(6 * 1024 ** 3) }),
    ]) {
      const { statuses } = answerOf(await (await standStill(message)).ended)
      expect(statuses).toHaveLength(1)
      expect(statuses[0]).toBeGreaterThanOrEqual(400)
    }
  })

  it('is asked for it once if there is no reason to refuse it', async () => {
    const body = randomBytes(2 * MiB)
    const { socket, ended } = await standStill(
      messageOf('PUT', '/photos/asked', {
        ...signed(key, { method: 'PUT', path: '/photos/asked', headers: { host }, payload: hexOf(body) }).headers,
        'content-length': String(body.length),
        expect: '100-continue',
        connection: 'close',
      }),
    )
    socket.once('data', () => socket.write(body))
    expect(answerOf(await ended).statuses).toEqual([100, 200])
    expect((await store.get('asked')).bytes.equals(body)).toBe(true)
  })
})
