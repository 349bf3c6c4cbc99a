import { getEventListeners } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import { FetchFailed, type Guard, guardedBytes, guardedFetch } from './guarded-fetch.ts'
import { invalidCertificate } from './invalid-certificate.fixture.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const opened: Server[] = []
afterEach(async () => {
  for (const server of opened.splice(0)) {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
})

/** An untrusted server, with counters of its connections. */
async function stranger(listener: RequestListener) {
  const sockets = new Set<Socket>()
  const seen = { connections: 0, open: () => sockets.size }
  const server = createServer(listener)
  opened.push(server)
  server.on('connection', (socket) => {
    seen.connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as AddressInfo).port,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    seen,
  }
}

const guard: Guard = { most: 1000, withinMs: 10_000, privateToo: true }

describe('the answer of an untrusted server', () => {
  it('has its status, headers and bytes', async () => {
    const { url } = await stranger((request, answer) =>
      answer.writeHead(206, { 'x-range': request.headers.range }).end('some bytes'),
    )
    const answer = await guardedBytes(url, { ...guard, headers: { range: 'bytes=0-9' } })
    expect(answer).toMatchObject({ status: 206, headers: { 'x-range': 'bytes=0-9' }, address: '127.0.0.1' })
    expect(answer.bytes.toString()).toBe('some bytes')
  })

  it('may have exactly the maximum size', async () => {
    const { url } = await stranger((_, answer) => answer.end(Buffer.alloc(1000)))
    expect((await guardedBytes(url, guard)).bytes).toHaveLength(1000)
  })

  it('comes to a connection from the given address, never to one from another', async () => {
    const { url } = await stranger((request, answer) => answer.end(request.socket.remoteAddress))
    const from = async (localAddress: string) => (await guardedBytes(url, { ...guard, localAddress })).bytes.toString()
    expect([await from('127.0.0.2'), await from('127.0.0.3'), await from('127.0.0.2')]).toEqual([
      '127.0.0.2',
      '127.0.0.3',
      '127.0.0.2',
    ])
  })

  it('leaves no listener on a signal that many requests share', async () => {
    const { url } = await stranger((request, answer) =>
      answer.writeHead(request.url === '/bad' ? 404 : 200).end(Buffer.alloc(900)),
    )
    const { signal } = new AbortController()
    for (let time = 0; time < 20; time++) {
      await guardedBytes(url, { ...guard, signal })
      const { body } = await guardedFetch(`${url}bad`, { ...guard, signal })
      const closed = new Promise((resolve) => body.once('close', resolve))
      body.destroy()
      await closed
      await expect(guardedBytes(url, { ...guard, most: 1, signal })).rejects.toThrow(FetchFailed)
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('is requested over a reused connection', async () => {
    const { url, seen } = await stranger((_, answer) => answer.end('x'))
    for (let time = 0; time < 5; time++) await guardedBytes(url, guard)
    expect(seen.connections).toBe(1)
  })

  it('is requested again if the reused connection was closed', async () => {
    let requests = 0
    const { url } = await stranger((request, answer) => {
      requests += 1
      if (requests === 2) request.socket.destroy()
      else answer.end('x')
    })
    await guardedBytes(url, guard)
    expect((await guardedBytes(url, guard)).bytes.toString()).toBe('x')
  })

  it('of a request that is sent once comes over a connection of its own, and a reset one is not repeated', async () => {
    let requests = 0
    const { url, seen } = await stranger((request, answer) => {
      requests += 1
      if (requests === 2) request.socket.destroy()
      else answer.end('x')
    })
    const once = { ...guard, post: Buffer.from('order'), once: true }
    await guardedBytes(url, { ...guard, post: Buffer.from('order') })
    await refused(guardedBytes(url, once))
    expect({ requests, connections: seen.connections }).toEqual({ requests: 2, connections: 2 })
  })

  it('may have a timeout above the limit of timers, for very large files', async () => {
    const { url } = await stranger((_, answer) => answer.end('x'))
    const { bytes } = await guardedBytes(url, { ...guard, withinMs: 2 ** 32, silenceMs: 2 ** 32 })
    expect(bytes.toString()).toBe('x')
  })

  it('may have some interim answers first', async () => {
    const { url } = await stranger((_, answer) => {
      answer.writeContinue()
      answer.writeProcessing()
      answer.end('ok')
    })
    expect((await guardedBytes(url, guard)).bytes.toString()).toBe('ok')
  })

  it('may be compressed where its status matters only', async () => {
    const { url } = await stranger((_, answer) => answer.writeHead(200, { 'content-encoding': 'gzip' }).end('x'))
    expect((await guardedBytes(url, { ...guard, encodedToo: true })).status).toBe(200)
  })

  it('may be read slowly', async () => {
    const { url } = await stranger((_, answer) => answer.end(Buffer.alloc(1_000_000)))
    const { body } = await guardedFetch(url, { ...guard, most: 1_000_000, silenceMs: 1000 })
    let size = 0
    for await (const part of body) {
      // The whole response takes longer than the allowed silence.
      await new Promise((later) => setTimeout(later, 100))
      size += (part as Buffer).length
    }
    expect(size).toBe(1_000_000)
  })
})

/** Sends until the client closes the connection. */
const endless: RequestListener = (_, answer) => {
  const piece = Buffer.alloc(65_536)
  const more = () => {
    while (!answer.destroyed && answer.write(piece));
  }
  answer.on('drain', more)
  more()
}
const dripping: RequestListener = (_, answer) => {
  const timer = setInterval(() => answer.write('.'), 10)
  answer.on('close', () => clearInterval(timer))
}
const refused = (answer: Promise<unknown>) => expect(answer).rejects.toBeInstanceOf(FetchFailed)

describe('a hostile answer is refused', () => {
  it('if it is endless, within the memory limit', async () => {
    const { url, seen } = await stranger(endless)
    await refused(guardedBytes(url, { ...guard, most: 1_000_000 }))
    await expect.poll(seen.open).toBe(0)
  })

  it('if it is endless and not read, after the time limit', async () => {
    const { url, seen } = await stranger(endless)
    await guardedFetch(url, { ...guard, most: Number.MAX_SAFE_INTEGER, withinMs: 200 })
    await expect.poll(seen.open).toBe(0)
  })

  it('if it is sent slowly, after the time limit, even across garbage collections', async () => {
    const { url, seen } = await stranger(dripping)
    const collecting = setInterval(collectGarbage, 20)
    await refused(guardedBytes(url, { ...guard, most: 1_000_000, withinMs: 400 }))
    clearInterval(collecting)
    await expect.poll(seen.open).toBe(0)
  })

  it('if it stops', async () => {
    const { url } = await stranger((_, answer) => answer.write('so far'))
    await refused(guardedBytes(url, { ...guard, silenceMs: 100 }))
  })

  it('if it never starts', async () => {
    const { url } = await stranger(() => {})
    await refused(guardedFetch(url, { ...guard, withinMs: 100 }))
    await refused(guardedFetch(url, { ...guard, silenceMs: 100 }))
  })

  it('at once if it declares a size above the limit', async () => {
    const { url, seen } = await stranger((_, answer) => answer.writeHead(200, { 'content-length': 1001 }).write('x'))
    await refused(guardedFetch(url, guard))
    await expect.poll(seen.open).toBe(0)
  })

  it('if it is shorter than declared', async () => {
    const { url } = await stranger((_, answer) => {
      answer.writeHead(200, { 'content-length': 500 }).write('too short')
      setImmediate(() => answer.destroy())
    })
    await refused(guardedBytes(url, guard))
  })

  it('if its connection is reset, as an error of the sender', async () => {
    let tear = () => {}
    const { url } = await stranger((_, answer) => {
      tear = () => answer.socket?.resetAndDestroy()
      answer.writeHead(200, { 'content-length': '500' }).write('some bytes')
    })
    const { body } = await guardedFetch(url, guard)
    tear()
    await refused(body.toArray())
  })

  it('if it is longer than declared', async () => {
    const server = createTcp((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n${'x'.repeat(5000)}`))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    const answer = await guardedBytes(`http://127.0.0.1:${port}/`, guard).catch((error: unknown) => error)
    // Bytes beyond the limit are not delivered: the client gets three bytes or an error, never a truncated body without one.
    if (answer instanceof Error) expect(answer).toBeInstanceOf(FetchFailed)
    else expect(answer).toMatchObject({ bytes: Buffer.from('xxx') })
    await new Promise((closed) => server.close(closed))
  })

  it('if interim answers have no end, after a few of them', async () => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\n'
    const server = createTcp((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write(interim.repeat(100)));
      }
      socket.on('error', () => {}).on('drain', more)
      socket.once('data', more)
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    const error = await guardedFetch(`http://127.0.0.1:${port}/`, { ...guard, withinMs: 2000 }).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(FetchFailed)
    expect(error).not.toMatchObject({ code: 'ETIMEDOUT' })
    await new Promise((closed) => server.close(closed))
  })

  it('if no authority has signed its certificate, whatever the environment says', async () => {
    const got: string[] = []
    const server = createHttps(invalidCertificate, (request, answer) => {
      got.push(request.url ?? '')
      answer.end()
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      await refused(guardedFetch(`https://127.0.0.1:${port}/`, guard))
      await refused(guardedFetch(`https://localhost:${port}/`, { ...guard, post: Buffer.from('x') }))
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    }
    expect(got).toEqual([])
    await new Promise((closed) => server.close(closed))
  })

  it('if it is compressed', async () => {
    const { url } = await stranger((_, answer) => answer.writeHead(200, { 'content-encoding': 'gzip' }).end('x'))
    await refused(guardedFetch(url, guard))
  })

  it('if it redirects: redirects are not followed', async () => {
    const inside = await stranger((_, answer) => answer.end('secret'))
    const { url } = await stranger((_, answer) => answer.writeHead(302, { location: inside.url }).end())
    expect((await guardedBytes(url, guard)).status).toBe(302)
    expect(inside.seen.connections).toBe(0)
  })

  it('if the request is aborted', async () => {
    const { url, seen } = await stranger(dripping)
    const given = new AbortController()
    const { body } = await guardedFetch(url, { ...guard, signal: given.signal })
    given.abort(new Error('called off'))
    await expect(body.toArray()).rejects.toThrow('called off')
    await expect(guardedFetch(url, { ...guard, signal: given.signal })).rejects.toThrow('called off')
    await expect.poll(seen.open).toBe(0)
  })
})

describe('a private address is refused', () => {
  it.each([
    ['as a number', (port: number) => `http://127.0.0.1:${port}/`],
    ['as another number', (port: number) => `http://0x7f.1:${port}/`],
    ['of IPv6', (port: number) => `http://[::ffff:127.0.0.1]:${port}/`],
    ['by a name that leads there when it is looked up', (port: number) => `http://localhost:${port}/`],
  ])('%s', async (_, at) => {
    const { port, seen } = await stranger((_, answer) => answer.end('secret'))
    await refused(guardedFetch(at(port), { ...guard, privateToo: false }))
    expect(seen.connections).toBe(0)
  })

  it('also over a connection opened by an allowed request', async () => {
    const { port, seen } = await stranger((_, answer) => answer.end('secret'))
    await guardedBytes(`http://localhost:${port}/`, guard)
    await refused(guardedFetch(`http://localhost:${port}/`, { ...guard, privateToo: false }))
    expect(seen.connections).toBe(1)
  })

  it('refused: any protocol but HTTP', async () => {
    await refused(guardedFetch('file:///etc/passwd', guard))
  })
})
