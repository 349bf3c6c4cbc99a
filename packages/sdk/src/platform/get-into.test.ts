import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { someBytes } from '../test-env.fixture.ts'
import { getInto } from './get-into.node.ts'

let server: Server | undefined
afterEach(async () => {
  server?.closeAllConnections()
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)))
  server = undefined
})

async function serve(listener: RequestListener): Promise<string> {
  const made = createServer(listener)
  server = made
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}/x?y=1`
}

/** Reads into buffers of a given size; `slow` makes each return a promise. */
async function read(
  url: string,
  size: number,
  options: { bufferBytes?: number; slow?: boolean; signal?: AbortSignal; idleTimeout?: number } = {},
) {
  const bytes = Buffer.alloc(size)
  let filled = 0
  let status = 0
  await getInto(url)!({
    url,
    headers: { Range: `bytes=0-${size - 1}` },
    signal: options.signal ?? new AbortController().signal,
    idleTimeout: options.idleTimeout ?? 5000,
    check(answer) {
      status = answer.status
      if (status !== 206) throw new Error(`status ${status}`)
    },
    intake: {
      buffer() {
        if (filled === size) throw new Error('more than was asked for')
        return bytes.subarray(filled, Math.min(filled + (options.bufferBytes ?? size), size))
      },
      took(count) {
        filled += count
        return options.slow ? Promise.resolve() : undefined
      },
    },
  })
  return { bytes: bytes.subarray(0, filled), status }
}

const answering =
  (body: Buffer, headers: Record<string, string | number> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(206, { 'content-length': body.length, ...headers })
    response.end(body)
  }

describe('an answer', () => {
  it.each([
    [1, 1, false],
    [300_000, 300_000, false],
    [300_000, 1000, false],
    [300_000, 1000, true],
    [5_000_000, 262_144, true],
  ])('of %i bytes in buffers of %i (slow: %s) is received unchanged', async (size, bufferBytes, slow) => {
    const body = someBytes(size)
    const url = await serve(answering(body))
    expect((await read(url, size, { bufferBytes, slow })).bytes.equals(body)).toBe(true)
  })

  it('reuses the connection', async () => {
    const ports = new Set<number | undefined>()
    const body = someBytes(100_000)
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort)
      answering(body)(request, response)
    })
    for (let turn = 0; turn < 5; turn++) expect((await read(url, body.length)).bytes.equals(body)).toBe(true)
    expect(ports.size).toBe(1)
  })

  it('uses a new connection if the server closed the old one', async () => {
    const body = someBytes(1000)
    const url = await serve(answering(body))
    await read(url, body.length)
    server?.closeAllConnections()
    expect((await read(url, body.length)).bytes.equals(body)).toBe(true)
  })

  it('is received if the server closes after each response', async () => {
    const body = someBytes(1000)
    const url = await serve(answering(body, { connection: 'close' }))
    for (let turn = 0; turn < 3; turn++) expect((await read(url, body.length)).bytes.equals(body)).toBe(true)
  })

  it('is requested with the given path, query and headers', async () => {
    let asked = ''
    const url = await serve((request, response) => {
      asked = `${request.url} ${request.headers.range} ${request.headers.host}`
      answering(Buffer.from('a'))(request, response)
    })
    await read(url, 1)
    expect(asked).toBe(`/x?y=1 bytes=0-0 ${new URL(url).host}`)
  })
})

describe('rejected or aborted:', () => {
  it.each<[string, RequestListener, RegExp]>([
    ['another status', (_, response) => void response.writeHead(503, { 'content-length': 0 }).end(), /status 503/],
    ['more than was asked for', answering(someBytes(2000)), /more than/],
    [
      'an answer that breaks off',
      (_, response) => {
        response.writeHead(206, { 'content-length': 1000 })
        response.write(someBytes(500), () => response.destroy())
      },
      /broke/,
    ],
    [
      'an answer of no known length',
      (_, response) => {
        response.writeHead(206)
        response.write('a')
        response.end('b')
      },
      /length/,
    ],
    ['an answer that never comes', () => {}, /still/],
  ])('%s', async (_, listener, message) => {
    const url = await serve(listener)
    await expect(read(url, 1000, { idleTimeout: 100 })).rejects.toThrow(message)
  })

  it('a request that the caller aborts', async () => {
    const stop = new AbortController()
    const url = await serve(() => stop.abort())
    await expect(read(url, 1000, { signal: stop.signal })).rejects.toMatchObject({ reason: 'aborted' })
  })

  it('an unreachable server', async () => {
    await expect(read('http://127.0.0.1:1/x', 1)).rejects.toMatchObject({ reason: 'network' })
  })

  it('URLs other than plain HTTP', () => expect(getInto('https://127.0.0.1/x')).toBeUndefined())
})
