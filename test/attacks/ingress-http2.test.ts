import type { RequestListener } from 'node:http'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { samplePrograms } from '../../apps/server/src/compute/ingress/sample-programs.fixture.ts'
import { connectHttp2, type Held } from '../../apps/server/src/compute/ingress/visitor.fixture.ts'
import { createSigner } from '../../packages/certificates/src/test-certificates.fixture.ts'

/** HTTP/2: many requests of a visitor share a connection, and each is treated as one. */

let programs: Awaited<ReturnType<typeof samplePrograms>>
let name: string
let root: string
beforeAll(async () => {
  const signer = await createSigner()
  root = signer.root
  programs = await samplePrograms({ tls: await signer.issue(['*.apps.test', 'shop.example.org']) })
})
afterAll(() => programs.close())

async function program(more: Parameters<typeof programs.program>[1] = {}) {
  const tenant = await programs.tenant()
  const { id, host } = await programs.program(tenant, more)
  await programs.publish(tenant, id)
  name = host.split(':')[0] as string
  return { tenant, id, host }
}
const connect = () => connectHttp2(programs.ingress.port, name, root)

describe('a request by HTTP/2', () => {
  it('reaches its program with the address of its visitor and the host that was asked for', async () => {
    const { host } = await program()
    const connection = await connect()
    const got = await connection.visit(host, '/a?b=1', { ':method': 'POST', 'x-forwarded-for': '203.0.113.9' }, 'hello')
    const { headers, ...rest } = JSON.parse(got.text)
    expect(rest).toMatchObject({ method: 'POST', url: '/a?b=1', body: 'hello' })
    expect(headers).toMatchObject({ host, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' })
    connection.close()
  })

  it('keeps its body together, also where HTTP/1.1 has none', async () => {
    const urls: string[] = []
    const { host } = await program({
      serve: async (request, response) => {
        urls.push(request.url ?? '')
        for await (const _ of request);
        response.end()
      },
    })
    const connection = await connect()
    const inner = 'GET /inner HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 203.0.113.9\r\n\r\n'
    await connection.visit(host, '/outer', { ':method': 'GET' }, inner).catch(() => {})
    await connection.visit(host, '/last')
    expect(urls).toEqual(['/outer', '/last'])
    connection.close()
  })

  it('ends with an error if its answer is not complete', async () => {
    const { host } = await program({
      serve: (_request, response) => {
        response.write('first')
        setImmediate(() => response.destroy())
      },
    })
    const connection = await connect()
    expect(await (await connection.hold(host)).end).toBe('cut')
    connection.close()
  })

  it('gets the head of an answer before there is anything else', async () => {
    const { host } = await program({ serve: (_request, response) => response.flushHeaders() })
    const connection = await connect()
    const sent = connection.session.request({ ':authority': host })
    expect(await new Promise((resolve) => sent.once('response', (head) => resolve(head[':status'])))).toBe(200)
    connection.close()
  })

  it('counts for its client, whichever connection it uses', async () => {
    const { host } = await program({ serve: (_request, response) => response.write('first') })
    const other = await program()
    const held: Held[] = []
    const connections = [await connect(), await connect(), await connect()]
    for (let at = 0; at < 256; at++) held.push(await (connections[at % 3] as (typeof connections)[0]).hold(host))
    expect((await connections[0]?.visit(other.host))?.status).toBe(503)
    held[0]?.close()
    await expect.poll(async () => (await connections[0]?.visit(other.host))?.status).toBe(200)
    for (const connection of connections) connection.close()
  })

  it('ends alone when its access ends, also beside those to the programs of others', async () => {
    const stream: RequestListener = (_request, response) => void response.write('first')
    const [place, other] = [await program({ serve: stream }), await program({ serve: stream })]
    const connection = await connect()
    const [mine, theirs] = [await connection.hold(place.host), await connection.hold(other.host)]
    await programs.publish(place.tenant, place.id, { access: 'account' })
    expect(await mine.end).toBe('cut')
    expect(theirs.hasEnded()).toBe(false)
    expect((await connection.visit(place.host)).status).toBe(401)
    connection.close()
  })
})

/** A connection by TLS that speaks HTTP/2 by hand: each part is a frame (RFC 9113, 4.1). Resolves when the ingress ends it. */
function sendFrames(frames: Iterable<Buffer>): Promise<void> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port: programs.ingress.port, servername: name, ca: root }
    const socket = connectTls({ ...options, ALPNProtocols: ['h2'] }, () => {
      socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
      socket.write(frame(4, 0, 0))
      const all = frames[Symbol.iterator]()
      const more = () => {
        for (let next = all.next(); !next.done; next = all.next())
          if (!socket.write(next.value)) return void socket.once('drain', more)
      }
      more()
    })
    socket.resume()
    socket.on('error', () => {})
    socket.on('close', () => resolve())
  })
}
function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}
/** GET https://<name>/ without indexing (RFC 7541): `:method`, `:scheme` and `:path` of the table, and the host. */
const headersOf = (host: string) =>
  Buffer.concat([Buffer.from([0x82, 0x87, 0x84, 0x01, host.length]), Buffer.from(host)])

describe('a connection by HTTP/2', () => {
  it('that opens and resets requests without end is ended, and others are served meanwhile', async () => {
    const { host } = await program()
    const other = await connect()
    const headers = headersOf(host)
    const ended = sendFrames(
      (function* () {
        for (let id = 1; id < 20_000; id += 2)
          yield Buffer.concat([frame(1, 0x5, id, headers), frame(3, 0, id, Buffer.from([0, 0, 0, 8]))])
      })(),
    )
    expect((await other.visit(host)).status).toBe(200)
    await ended
    expect((await other.visit(host)).status).toBe(200)
    other.close()
  })

  it('that takes back what it asked for frees it: for its client, and at the program', async () => {
    const big = Buffer.alloc(1 << 20)
    const tenant = await programs.tenant()
    const { server, id, host } = await programs.program(tenant, {
      serve: ({ url }, response) => (url === '/' ? response.end(big) : response.end('ok')),
    })
    await programs.publish(tenant, id)
    name = host.split(':')[0] as string
    const headers = headersOf(host)
    for (let round = 0; round < 3; round++) {
      const frames = Array.from({ length: 120 }, (_, at) =>
        Buffer.concat([frame(1, 0x5, 2 * at + 1, headers), frame(3, 0, 2 * at + 1, Buffer.from([0, 0, 0, 8]))]),
      )
      await sendFrames([...frames, frame(7, 0, 0, Buffer.alloc(8))])
    }
    const other = await connect()
    expect((await other.visit(host)).status).toBe(200)
    other.close()
    const count = () => new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open)))
    await expect.poll(count).toBeLessThan(20)
  })

  it.each([
    ['headers without end', () => frame(9, 0, 1, Buffer.alloc(1000, 0x82))],
    ['empty headers without end', () => frame(9, 0, 1)],
    ['settings without end', () => frame(4, 0, 0)],
    ['pings without end', () => frame(6, 0, 0, Buffer.alloc(8))],
  ])('with %s is ended or passed over, and others are served', async (_, flood) => {
    const { host } = await program()
    const before = process.memoryUsage().rss
    await Promise.race([
      sendFrames(
        (function* () {
          if (flood()[3] === 9) yield frame(1, 0, 1, headersOf(host))
          for (let at = 0; at < 20_000; at++) yield flood()
        })(),
      ),
      new Promise((resolve) => setTimeout(resolve, 3000)),
    ])
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1024 * 1024)
    const other = await connect()
    expect((await other.visit(host)).status).toBe(200)
    other.close()
  })

  it('for the domain of one tenant does not lead to the programs of others', async () => {
    const { host } = await program()
    const connection = await connectHttp2(programs.ingress.port, 'shop.example.org', root)
    expect((await connection.visit(host)).status).toBe(421)
    expect((await connection.visit('shop.example.org')).status).toBe(404)
    connection.close()
    const own = await connect()
    expect((await own.visit('shop.example.org')).status).toBe(421)
    own.close()
  })

  it.each([
    ['a path with a space', { ':path': '/a b' }],
    ['a path with another request', { ':path': '/ HTTP/1.1\r\nhost: x\r\n\r\n' }],
    ['another host beside its own', { host: 'evil.test' }],
  ])('with %s reaches no program, or only its own', async (_, headers) => {
    const { host } = await program()
    const connection = await connect()
    const got = await connection.visit(host, '/', headers).catch(() => undefined)
    if (got?.status === 200) expect(JSON.parse(got.text).headers.host).toBe(host)
    else expect([400, undefined]).toContain(got?.status)
    connection.close()
  })
})
