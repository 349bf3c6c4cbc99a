import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pathOf, samplePrograms } from '../../apps/server/src/compute/ingress/sample-programs.fixture.ts'
import { holdSocket } from '../../apps/server/src/compute/ingress/visitor.fixture.ts'

/** What strangers send to programs by HTTP/1.1, byte by byte, and what of it reaches them. */

let programs: Awaited<ReturnType<typeof samplePrograms>>
let host: string
/** What the program got. */
let got: { url: string; body: string; headers: NodeJS.Dict<string | string[]> }[]
const answers = new Map<string, RequestListener>()

beforeAll(async () => {
  programs = await samplePrograms()
  const tenant = await programs.tenant()
  const program = await programs.program(tenant, {
    serve: async (request, response) => {
      const answer = answers.get(request.url ?? '')
      if (answer) return answer(request, response)
      let body = ''
      for await (const part of request) body += part
      got.push({ url: request.url ?? '', body, headers: request.headers })
      response.end('ok')
    },
  })
  host = program.host
  await programs.publish(tenant, program.id)
})
afterAll(() => programs.close())
beforeEach(() => {
  got = []
})

/** Sends bytes on a connection of their own; resolves to what came back, when the connection ends. */
function send(...parts: (string | (() => Promise<unknown>))[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(programs.ingress.port, '127.0.0.1')
    let back = ''
    socket.on('data', (part) => {
      back += part.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(back))
    const sendAll = async () => {
      for (const part of parts) await (typeof part === 'string' ? socket.write(part, 'latin1') : part())
    }
    void sendAll()
  })
}
const statusesOf = (back: string) => [...back.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
/** A request in a request: it must never be one. */
const INNER = 'GET /inner HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 203.0.113.9\r\n\r\n'
const request = (line: string, headers: string[], body = '') => `${line}\r\n${[...headers, '', body].join('\r\n')}`
const post = (headers: string[], body: string) =>
  request('POST /outer HTTP/1.1', [`host: ${host}`, 'connection: close', ...headers], body)
const chunked = 'transfer-encoding: chunked'

describe('a request whose end is not clear', () => {
  it.each([
    ['with length and chunks', [chunked, 'content-length: 4'], `0\r\n\r\n${INNER}`],
    ['with chunks and length', ['content-length: 4', chunked], `0\r\n\r\n${INNER}`],
    ['with two lengths', ['content-length: 0', 'content-length: 4'], INNER],
    ['with a list of lengths', ['content-length: 0, 4'], INNER],
    ['with a length with a sign', ['content-length: +0'], INNER],
    ['with a negative length', ['content-length: -1'], INNER],
    ['with a hexadecimal length', ['content-length: 0x0'], INNER],
    ['with a length that is empty', ['content-length:'], INNER],
    ['with chunks by another name', ['transfer-encoding: xchunked'], `0\r\n\r\n${INNER}`],
    ['with chunks that are not last', ['transfer-encoding: chunked, identity'], `0\r\n\r\n${INNER}`],
    ['with another encoding first', ['transfer-encoding: gzip, chunked'], `0\r\n\r\n${INNER}`],
    ['with two encodings', [chunked, 'transfer-encoding: cow'], `0\r\n\r\n${INNER}`],
    ['with a space before the colon', ['transfer-encoding : chunked'], `0\r\n\r\n${INNER}`],
    ['with a control character', ['transfer-encoding: \u000bchunked'], `0\r\n\r\n${INNER}`],
    ['with a folded header', ['x-a: b\r\n transfer-encoding: chunked', chunked], `0\r\n\r\n${INNER}`],
    ['with a line that ends early', [`x-a: b\n${chunked}`], `0\r\n\r\n${INNER}`],
    ['with a bare CR', [`x-a: b\r${chunked}`], `0\r\n\r\n${INNER}`],
    ['with a NUL', ['x-a: b\0', 'content-length: 0'], INNER],
    ['with a chunk that has no size', [chunked], `\r\n\r\n${INNER}`],
    ['with a negative chunk', [chunked], `-1\r\n\r\n${INNER}`],
    ['with a chunk of letters', [chunked], `5x\r\nhello\r\n0\r\n\r\n${INNER}`],
    ['with a chunk beyond all', [chunked], `fffffffffffffffff\r\n\r\n${INNER}`],
    ['with a space before a size', [chunked], ` 0\r\n\r\n${INNER}`],
    ['with a chunk that is longer', [chunked], `1\r\nhello\r\n0\r\n\r\n${INNER}`],
    ['with chunks that end early', [chunked], `0\n\n${INNER}`],
  ])('%s is refused, and nothing in it is another request', async (_, headers, body) => {
    const back = await send(post(headers, body))
    expect(statusesOf(back).filter((status) => status < 400)).toEqual([])
    expect(got.filter(({ url }) => url === '/inner')).toEqual([])
  })
})

describe('a body', () => {
  it.each([
    ['of a length', ['content-length: 5'], 'hello'],
    ['in chunks', [chunked], '2\r\nhe\r\n3;x="y"\r\nllo\r\n0\r\nx-forwarded-for: 203.0.113.9\r\n\r\n'],
  ])('%s arrives whole, without what follows it', async (_, headers, body) => {
    await send(post(headers, body))
    expect(got).toMatchObject([{ url: '/outer', body: 'hello', headers: { 'x-forwarded-for': '127.0.0.1' } }])
  })

  it('of a GET arrives as a body', async () => {
    const line = [`host: ${host}`, 'connection: close', `content-length: ${INNER.length}`]
    await send(request('GET /outer HTTP/1.1', line, INNER))
    expect(got).toMatchObject([{ url: '/outer', body: INNER }])
  })
})

describe('the host of a request', () => {
  const get = (line: string, ...hosts: string[]) =>
    send(request(line, [...hosts.map((each) => `host: ${each}`), 'connection: close']))

  it.each([
    ['with a port', () => `${host.split(':')[0]}:1`],
    ['without port', () => `${host.split(':')[0]}`],
    ['with the dot of a full name', () => `${host.split(':')[0]}.`],
    ['in capitals', () => host.toUpperCase()],
  ])('%s leads to its program', async (_, name) => {
    expect(statusesOf(await get('GET / HTTP/1.1', name()))).toEqual([200])
  })

  it('can be in the request line, if both are the same', async () => {
    expect(statusesOf(await get(`GET http://${host}/a?b HTTP/1.1`, host))).toEqual([200])
    expect(got).toMatchObject([{ url: '/a?b' }])
  })

  it.each([
    ['none', () => []],
    ['two', () => [host, host]],
    ['an empty one', () => ['']],
    ['one with a user', () => [`x@${host}`]],
    ['two in one', () => [`${host}, evil.test`]],
    ['an address', () => ['[::1]:8090']],
    ['a path', () => [`${host}/x`]],
    ['a space', () => [`${host} evil.test`]],
    ['two dots', () => [`${host.split(':')[0]}..`]],
    ['a name above it', () => [`x.${host}`]],
  ])('is refused if it is %s', async (_, hosts) => {
    const [status] = statusesOf(await get('GET / HTTP/1.1', ...hosts()))
    expect([400, 404]).toContain(status)
    expect(got).toEqual([])
  })

  it.each([
    ['another one in the request line', () => 'GET http://evil.test/ HTTP/1.1'],
    ['a user in the request line', () => `GET http://${host}@evil.test/ HTTP/1.1`],
    ['a path that is none', () => 'GET x HTTP/1.1'],
    ['another scheme', () => `GET file://${host}/etc/passwd HTTP/1.1`],
    ['a tunnel', () => `CONNECT ${host} HTTP/1.1`],
    ['a method that is none', () => 'GE\u0001T / HTTP/1.1'],
    ['HTTP/0.9', () => 'GET /'],
    ['HTTP/2 without TLS', () => 'PRI * HTTP/2.0'],
  ])('is refused with %s', async (_, line) => {
    expect(statusesOf(await get(line(), host)).filter((status) => status < 400)).toEqual([])
    expect(got).toEqual([])
  })
})

describe('what a program learns', () => {
  it('is not what a visitor says about itself, in any spelling, nor what is for the ingress', async () => {
    const names = ['X-Forwarded-For', 'x_forwarded_for', 'X_Real-IP', 'Forwarded', 'X-Forwarded-User', 'True-Client-IP']
    await send(
      request('GET / HTTP/1.1', [
        `host: ${host}`,
        ...names.map((name) => `${name}: 203.0.113.9`),
        'connection: close, x-forwarded-for, x-secret',
        'x-secret: 1',
        'te: trailers',
        'proxy-authorization: Basic eA==',
        'cookie: a=1; tidenet=x.y; b=2; tidenet=z',
      ]),
    )
    const { headers } = got[0] as (typeof got)[0]
    expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', cookie: 'a=1; b=2' })
    expect(JSON.stringify(headers)).not.toMatch(/203\.0|secret|proxy-auth|trailers|tidenet/)
  })

  it('is not a protocol that nobody asked for', async () => {
    const upgrades = ['h2c', 'websocket, h2c', 'TLS/1.0']
    for (const upgrade of upgrades)
      await send(request('GET /outer HTTP/1.1', [`host: ${host}`, 'connection: upgrade', `upgrade: ${upgrade}`], INNER))
    expect(got).toEqual([])
  })
})

describe('what a program answers', () => {
  it('cannot reach beyond its own address', async () => {
    answers.set('/headers', (_request, response) => {
      response.writeHead(200, {
        'set-cookie': [
          'a=1; Domain=apps.test; Path=/',
          'tidenet=forged; Path=/',
          '=tidenet=forged',
          'b=2;\tDOMAIN\t=.apps.test',
        ],
        'clear-site-data': '"*"',
        'alt-svc': 'h2=":20000"',
        connection: 'close, x-hop',
        'x-hop': '1',
        'keep-alive': 'timeout=999',
      })
      response.end()
    })
    const { headers } = await programs.visit(host, '/headers')
    expect(headers).toMatchObject({ 'set-cookie': ['a=1; Path=/', 'b=2'], 'clear-site-data': '"cache", "storage"' })
    expect(headers['alt-svc'] ?? headers['x-hop']).toBeUndefined()
    expect(headers['keep-alive']).not.toBe('timeout=999')
  })
})

describe('a visitor who is slow', () => {
  /** Until the ingress ends the connection. */
  const slowly = (bytes: string, drop: string) =>
    new Promise<string>((resolve) => {
      const socket: Socket = connect(programs.ingress.port, '127.0.0.1', () => socket.write(bytes))
      let back = ''
      socket.on('data', (part) => {
        back += part
      })
      socket.on('error', () => {})
      const drops = setInterval(() => socket.write(drop), 100)
      socket.on('close', () => {
        clearInterval(drops)
        resolve(back)
      })
    })

  it.each([
    ['says nothing', '', ''],
    ['does not end the head', 'GET / HTTP/1.1\r\nhost: x\r\n', 'x-a: b\r\n'],
  ])('and %s is ended', async (_, bytes, drop) => {
    expect(statusesOf(await slowly(bytes, drop)).filter((status) => status !== 408)).toEqual([])
  })

  it('and drips a body is ended, for the program too', async () => {
    const ended = new Promise((resolve) => {
      answers.set('/drip', (given) => given.resume().once('close', resolve))
    })
    const head = [`host: ${host}`, 'content-length: 1000000']
    expect(statusesOf(await slowly(request('POST /drip HTTP/1.1', head), 'x'))).toEqual([])
    await ended
  })

  it('and does not read stops the program, instead of filling memory', async () => {
    let sent = 0
    const part = Buffer.alloc(65_536)
    answers.set('/flood', (_request, response) => {
      const more = () => {
        do sent += part.length
        while (!response.destroyed && response.write(part))
      }
      response.on('drain', more)
      more()
    })
    const readers = Array.from({ length: 20 }, () => {
      const socket = connect(programs.ingress.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.pause()
      socket.write(request('GET /flood HTTP/1.1', [`host: ${host}`]))
      return socket
    })
    let before = -1
    await expect
      .poll(
        () => {
          const isStill = sent > 0 && sent === before
          before = sent
          return isStill
        },
        { interval: 1000, timeout: 60_000 },
      )
      .toBe(true)
    // The buffers of the kernel, on both sides of the ingress.
    expect(sent / readers.length).toBeLessThan(16 * 1024 * 1024)
    for (const reader of readers) reader.destroy()
  })
})

describe('headers that are too large', () => {
  it('are refused, and others are served', async () => {
    const large = [`host: ${host}`, `x-a: ${'a'.repeat(20_000)}`]
    expect(statusesOf(await send(request('GET / HTTP/1.1', large)))).toEqual([431])
    expect((await programs.visit(host)).status).toBe(200)
  })
})

describe('connections', () => {
  it('that end with requests waiting behind another free them all', async () => {
    const began: (() => void)[] = []
    answers.set('/slow', () => began.shift()?.())
    for (let round = 0; round < 2; round++) {
      const slow = new Promise<void>((resolve) => began.push(resolve))
      const socket = connect(programs.ingress.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(request('GET /slow HTTP/1.1', [`host: ${host}`]))
      socket.write(request('GET / HTTP/1.1', [`host: ${host}`]).repeat(200))
      await slow
      await expect.poll(() => got.length).toBeGreaterThan(200 * round + 150)
      socket.destroy()
    }
    await expect.poll(async () => (await programs.visit(host)).status).toBe(200)
    answers.delete('/slow')
  })

  it('of one client are limited, and free again when they end', async () => {
    const sockets: Socket[] = []
    const isOpen = () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(programs.ingress.port, '127.0.0.1')
        sockets.push(socket)
        socket.on('error', () => {})
        socket.on('close', () => resolve(false))
        socket.on('data', () => resolve(true))
        socket.write(request('GET / HTTP/1.1', [`host: ${host}`]))
      })
    const opened = await Promise.all(Array.from({ length: 300 }, isOpen))
    expect(opened.filter(Boolean).length).toBeLessThanOrEqual(256)
    expect(opened.filter(Boolean).length).toBeGreaterThan(200)
    for (const socket of sockets) socket.destroy()
    await expect.poll(isOpen).toBe(true)
    for (const socket of sockets) socket.destroy()
  })

  it('to websockets by the page of another tenant need a public program', async () => {
    const tenant = await programs.tenant()
    const own = await programs.program(tenant)
    const { url } = (await programs.env.call('clusters.open', { host: own.host }, tenant)).data
    const entered = await programs.visit(own.host, pathOf(url))
    const cookie = entered.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    const open = (origin: string) =>
      holdSocket(programs.ingress.port, own.host, { cookie, origin }).then(
        (held) => {
          held.close()
          return true
        },
        () => false,
      )
    expect(await open(`http://${own.host}`)).toBe(true)
    expect(await open(`http://${host}`)).toBe(false)
    await programs.publish(tenant, own.id)
    await expect.poll(() => open(`http://${host}`)).toBe(true)
  })
})
