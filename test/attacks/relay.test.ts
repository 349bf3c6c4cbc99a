import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:https'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls, createSecureContext, createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { openLocalCa } from '@tidenet/certificates'
import type { RelayTicket } from '@tidenet/contract'
import { createClock, createLogger, nodeLabelOf, nodeNameOf } from '@tidenet/daemon'
import { connectToRelay, type Pace, type Relay, startRelay } from '@tidenet/relay'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createCertificateRequest } from '../../apps/node/src/reach/certificate-request.ts'

/** A relay that strangers, devices with foreign keys and its own operator try to abuse. */

const ZONE = 'nodes.example.net'
const HERE = '127.0.0.1'
const SECRET = 'only the device and its visitor know this'
const log = createLogger('test', 'silent')
const clock = createClock()

let folder: string
let ca: Awaited<ReturnType<typeof openLocalCa>>
let relay: Relay
let relayNode: ReturnType<typeof keys>
const cleanups: (() => Promise<unknown> | unknown)[] = []

/** The identity of a node. */
function keys() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ format: 'jwk' }).x as string
  return {
    key,
    label: nodeLabelOf(key),
    sign: (line: string) => sign(null, Buffer.from(line), privateKey).toString('base64url'),
  }
}

async function contextOf(label: string) {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = `*.${label}.${ZONE}`
  const cert = await ca.issue([name], createCertificateRequest(name, own), clock.now())
  return createSecureContext({ cert, key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }) })
}

/** Tickets of this test are JSON; the signature of real ones is checked by `tokens.relay`. */
async function readTicket(ticket: string): Promise<RelayTicket> {
  const claims = JSON.parse(ticket) as RelayTicket
  if (claims.exp * 1000 <= clock.now() || claims.aud !== 'relay') throw new Error('refused')
  return claims
}
const ticketFor = (key: string, more: Partial<RelayTicket> = {}) =>
  JSON.stringify({ typ: 'relay', aud: 'relay', sub: 'device', key, most: 64, exp: clock.now() / 1000 + 60, ...more })

/** Labels that the relay reports. */
let cloned: string[] = []

async function openRelay(limits = {}, pace?: Pace) {
  cloned = []
  const context = await contextOf(relayNode.label)
  const opened = await startRelay({
    listen: { host: HERE, port: 0 },
    zone: ZONE,
    label: relayNode.label,
    secureContext: () => context,
    readTicket,
    onCloned: (label) => cloned.push(label),
    onOwnVisitor: (socket) => socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'),
    limits,
    ...(pace && { pace }),
    clock,
    log,
  })
  cleanups.push(() => opened.close(0))
  return opened
}

/** A device with an https server, connected to the relay. */
async function device(
  to: Pick<Relay, 'port'>,
  own = keys(),
  more: { ticket?: string; sign?: (line: string) => string; onChange?: () => void } = {},
) {
  const context = await contextOf(own.label)
  const visitors: Socket[] = []
  const server = createTlsServer({ SNICallback: (_, done) => done(null, context) }, (socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${SECRET.length}\r\n\r\n${SECRET}`))
  })
  let onFirst = () => {}
  const isThere = new Promise<void>((resolve) => {
    onFirst = resolve
  })
  const connection = connectToRelay({
    relay: {
      name: nodeNameOf(HERE, relayNode.label, ZONE),
      address: HERE,
      port: to.port,
      ticket: more.ticket ?? ticketFor(own.key),
    },
    ca: ca.root,
    sign: more.sign ?? own.sign,
    onVisitor: (socket) => {
      visitors.push(socket)
      server.emit('connection', socket)
    },
    onChange: (isConnected) => {
      more.onChange?.()
      if (isConnected) onFirst()
    },
    log,
  })
  cleanups.push(() => connection.stop())
  return { ...own, connection, visitors, isThere }
}

const visit = (port: number, label: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const servername = nodeNameOf(HERE, label, ZONE)
    get(
      { host: HERE, port, servername, ca: ca.root, agent: false, path: '/', headers: { host: servername } },
      (answer) => resolve(text(answer)),
    ).on('error', reject)
  })

/** A control connection that is made by hand. */
async function control(port: number): Promise<{ socket: TLSSocket; read: () => Promise<Record<string, unknown>> }> {
  const socket = connectTls({
    host: HERE,
    port,
    servername: nodeNameOf(HERE, relayNode.label, ZONE),
    ca: ca.root,
    ALPNProtocols: ['tidenet-relay/1'],
  })
  cleanups.push(() => socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  const read = async () =>
    JSON.parse(String((await once(socket, 'data'))[0]).split('\n')[0] ?? '') as Record<string, unknown>
  return { socket, read }
}
const proofOf = (own: ReturnType<typeof keys>, socket: TLSSocket, nonce: unknown, to = relayNode.label) => {
  const exporter = socket.exportKeyingMaterial(32, 'EXPORTER-tidenet-relay-1', Buffer.alloc(0))
  return own.sign(['tidenet-relay/1', to, nonce, exporter.toString('base64url')].join('|'))
}
async function refusalOf(ticket: string, signed: (socket: TLSSocket, nonce: unknown) => string) {
  const { socket, read } = await control(relay.port)
  const { nonce } = await read()
  socket.write(`${JSON.stringify({ type: 'proof', ticket, signature: signed(socket, nonce) })}\n`)
  return read()
}

/** A device made by hand, which has been welcomed. */
async function enter(port: number, own: ReturnType<typeof keys>) {
  const { socket, read } = await control(port)
  const { nonce } = await read()
  socket.write(
    `${JSON.stringify({ type: 'proof', ticket: ticketFor(own.key), signature: proofOf(own, socket, nonce) })}\n`,
  )
  expect(await read()).toMatchObject({ type: 'welcome' })
  return { socket, read }
}

/** What a connection gets that sends this, until it is closed. */
async function answerTo(port: number, ...parts: Buffer[]): Promise<Buffer> {
  const socket = connect(port, HERE)
  socket.on('error', () => {})
  const received: Buffer[] = []
  socket.on('data', (chunk) => received.push(chunk))
  await once(socket, 'connect')
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  return Buffer.concat(received)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-'))
  ca = await openLocalCa(folder)
  relayNode = keys()
})
afterAll(() => rm(folder, { recursive: true }))
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** The first bytes of a visitor with this name, as a TLS client sends them. */
async function helloFor(name: string): Promise<Buffer> {
  const server = createTcpServer()
  server.listen(0, HERE)
  await once(server, 'listening')
  const client = connectTls({ host: HERE, port: (server.address() as { port: number }).port, servername: name })
  client.on('error', () => {})
  const [socket] = (await once(server, 'connection')) as [Socket]
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  client.destroy()
  server.close()
  return bytes
}

describe('what passes a relay', () => {
  it('is answered by the device, and nobody between can read it', async () => {
    relay = await openRelay()
    const recorded: Buffer[] = []
    // All that the relay sends and receives, from both sides.
    const tap = createTcpServer((near) => {
      const far = connect(relay.port, HERE)
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        from.on('data', (chunk) => {
          recorded.push(chunk)
          to.write(chunk)
        })
        from.on('end', () => to.end())
        from.on('error', () => to.destroy())
      }
    })
    tap.listen(0, HERE)
    await once(tap, 'listening')
    cleanups.push(() => tap.close())
    const { port } = tap.address() as { port: number }
    const { label, isThere } = await device({ port })
    await isThere
    expect(await visit(port, label)).toBe(SECRET)
    expect(relay.counts().bytes).toBeGreaterThan(SECRET.length)
    expect(Buffer.concat(recorded).includes(SECRET)).toBe(false)
  })

  it('may begin with a hello in single bytes', async () => {
    relay = await openRelay()
    const own = await device(relay)
    await own.isThere
    const hello = await helloFor(nodeNameOf(HERE, own.label, ZONE))
    const socket = connect(relay.port, HERE)
    cleanups.push(() => socket.destroy())
    socket.setNoDelay(true)
    for (const byte of hello) socket.write(Buffer.of(byte))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    // A handshake record of the device.
    expect(answer[0]).toBe(0x16)
    expect(own.visitors).toHaveLength(1)
  })

  it('goes to the relay itself for its own name, and to nobody for unknown or foreign names', async () => {
    relay = await openRelay()
    expect(await visit(relay.port, relayNode.label)).toBe('')
    // TLS alert: unrecognized name.
    for (const name of [nodeNameOf(HERE, keys().label, ZONE), 'www.example.com', `${relayNode.label}.example.com`])
      expect((await answerTo(relay.port, await helloFor(name))).subarray(-2)).toEqual(Buffer.of(2, 112))
  })

  it('is nothing but TLS and dialled connections', async () => {
    relay = await openRelay()
    for (const bytes of [
      Buffer.from('GET / HTTP/1.1\r\nHost: 192.168.1.1\r\n\r\n'),
      Buffer.from('CONNECT 192.168.1.1:80 HTTP/1.1\r\n\r\n'),
      Buffer.of(5, 1, 0),
      Buffer.concat([Buffer.of(0x16, 3, 1, 0, 0), Buffer.alloc(100)]),
      Buffer.concat([Buffer.of(0x16, 3, 1, 0x40, 0, 1, 0xff, 0xff, 0xff), Buffer.alloc(20_000)]),
      Buffer.concat([Buffer.from('T'), randomBytes(16)]),
    ])
      expect(await answerTo(relay.port, bytes)).toHaveLength(0)
  })
})

describe('a device', () => {
  it('that stalls before its proof, or a visitor before its name, is disconnected', async () => {
    relay = await openRelay({ helloMs: 50 })
    expect(await answerTo(relay.port, Buffer.of(0x16, 3, 1))).toHaveLength(0)
    const { socket } = await control(relay.port)
    socket.resume()
    await once(socket, 'close')
  })

  it('needs a ticket of the server for this relay, and the key that is in it', async () => {
    relay = await openRelay()
    const own = keys()
    const refused = { type: 'refused' }
    expect(await refusalOf(ticketFor(own.key, { exp: 1 }), (socket, nonce) => proofOf(own, socket, nonce))).toEqual({
      ...refused,
      code: 'ticket',
    })
    expect(
      await refusalOf(ticketFor(own.key, { aud: 'other relay' }), (socket, nonce) => proofOf(own, socket, nonce)),
    ).toEqual({ ...refused, code: 'ticket' })
    expect(await refusalOf('{}', (socket, nonce) => proofOf(own, socket, nonce))).toEqual({
      ...refused,
      code: 'ticket',
    })
    expect(await refusalOf(ticketFor(keys().key), (socket, nonce) => proofOf(own, socket, nonce))).toEqual({
      ...refused,
      code: 'signature',
    })
    // A signature for another relay, as a malicious relay would pass it on.
    expect(await refusalOf(ticketFor(own.key), (socket, nonce) => proofOf(own, socket, nonce, keys().label))).toEqual({
      ...refused,
      code: 'signature',
    })
    // One of another connection.
    const other = await control(relay.port)
    expect(await refusalOf(ticketFor(own.key), (_, nonce) => proofOf(own, other.socket, nonce))).toEqual({
      ...refused,
      code: 'signature',
    })
    expect(relay.counts().devices).toBe(0)
  })

  it('may be replaced by its newer connection, but two with one key are refused', async () => {
    relay = await openRelay()
    const own = keys()
    const enter = () => refusalOf(ticketFor(own.key), (socket, nonce) => proofOf(own, socket, nonce))
    for (let connection = 0; connection < 4; connection++) expect(await enter()).toMatchObject({ type: 'welcome' })
    expect(cloned).toEqual([])
    expect(await enter()).toEqual({ type: 'refused', code: 'cloned' })
    expect(cloned).toEqual([own.label])
    expect(relay.counts().devices).toBe(1)
  })

  it('has so many visitors at a time, each address fewer, and the others are told so', async () => {
    relay = await openRelay({ visitors: 4, visitorsPerAddress: 2 })
    const own = await device(relay)
    await own.isThere
    const hello = await helloFor(nodeNameOf(HERE, own.label, ZONE))
    const stalled = [1, 2].map(() => connect(relay.port, HERE))
    for (const socket of stalled) {
      cleanups.push(() => socket.destroy())
      socket.write(hello)
      await once(socket, 'data')
    }
    // TLS alert: internal error.
    expect((await answerTo(relay.port, hello)).subarray(-2)).toEqual(Buffer.of(2, 80))
    for (const socket of stalled) socket.destroy()
    await vi.waitFor(() => expect(relay.counts().visitors).toBe(0), 3000)
    expect(await visit(relay.port, own.label)).toBe(SECRET)
  })

  it('has no more of them by connecting again', async () => {
    relay = await openRelay({ visitors: 1 })
    const own = keys()
    const { read } = await enter(relay.port, own)
    const hello = await helloFor(nodeNameOf(HERE, own.label, ZONE))
    const visitor = connect(relay.port, HERE)
    cleanups.push(() => visitor.destroy())
    visitor.write(hello)
    const { token } = await read()
    const dialled = connect(relay.port, HERE)
    cleanups.push(() => dialled.destroy())
    dialled.write(Buffer.concat([Buffer.from('T'), Buffer.from(String(token), 'base64url')]))
    await once(dialled, 'data')
    const again = await enter(relay.port, own)
    const began = performance.now()
    expect((await answerTo(relay.port, hello)).subarray(-2)).toEqual(Buffer.of(2, 80))
    // At once, without a dial that nobody answers.
    expect(performance.now() - began).toBeLessThan(6000)
    visitor.destroy()
    await vi.waitFor(() => expect(relay.counts().visitors).toBe(0), 3000)
    const next = connect(relay.port, HERE)
    cleanups.push(() => next.destroy())
    next.write(hello)
    expect(await again.read()).toMatchObject({ type: 'dial' })
  })

  it('shares the places of its network with others, and leaves its own to its newer connection', async () => {
    relay = await openRelay({ devicesPerNetwork: 1 })
    const own = keys()
    await enter(relay.port, own)
    const other = keys()
    const asOther = () => refusalOf(ticketFor(other.key), (socket, nonce) => proofOf(other, socket, nonce))
    expect(await asOther()).toEqual({ type: 'refused', code: 'full' })
    const { socket } = await enter(relay.port, own)
    expect(await asOther()).toEqual({ type: 'refused', code: 'full' })
    socket.destroy()
    await vi.waitFor(async () => expect(await asOther()).toMatchObject({ type: 'welcome' }))
  })

  it('that does not dial back costs its visitor only a wait', async () => {
    relay = await openRelay({ dialMs: 100 })
    const own = keys()
    const { socket, read } = await control(relay.port)
    const { nonce } = await read()
    const proof = { type: 'proof', ticket: ticketFor(own.key), signature: proofOf(own, socket, nonce) }
    socket.write(`${JSON.stringify(proof)}\n`)
    expect(await read()).toMatchObject({ type: 'welcome' })
    const visitor = answerTo(relay.port, await helloFor(nodeNameOf(HERE, own.label, ZONE)))
    const { token } = await read()
    expect((await visitor).subarray(-2)).toEqual(Buffer.of(2, 80))
    // Too late.
    const late = Buffer.concat([Buffer.from('T'), Buffer.from(String(token), 'base64url')])
    expect(await answerTo(relay.port, late)).toHaveLength(0)
  })

  it('dials back once for each visitor', async () => {
    relay = await openRelay()
    const own = keys()
    const { socket, read } = await control(relay.port)
    const { nonce } = await read()
    const proof = { type: 'proof', ticket: ticketFor(own.key), signature: proofOf(own, socket, nonce) }
    socket.write(`${JSON.stringify(proof)}\n`)
    await read()
    const visitor = connect(relay.port, HERE)
    cleanups.push(() => visitor.destroy())
    const hello = await helloFor(nodeNameOf(HERE, own.label, ZONE))
    visitor.write(hello)
    const { token } = await read()
    const dialled = Buffer.concat([Buffer.from('T'), Buffer.from(String(token), 'base64url')])
    const first = connect(relay.port, HERE)
    cleanups.push(() => first.destroy())
    first.write(dialled)
    const [passed] = (await once(first, 'data')) as [Buffer]
    expect(passed).toEqual(hello)
    // Who reads the token on the way gets nothing with it.
    expect(await answerTo(relay.port, dialled)).toHaveLength(0)
  })

  it('that sends what is no message is disconnected', async () => {
    relay = await openRelay()
    for (const line of ['{"type":"dial"}\n', 'x'.repeat(20_000), '{"type":"busy","token":"a"}\n']) {
      const { socket, read } = await control(relay.port)
      await read()
      socket.write(line)
      expect(await read()).toEqual({ type: 'refused', code: 'protocol' })
    }
  })

  it('connects to the relay only, whatever the relay asks for', async () => {
    relay = await openRelay()
    // The certificate is that of another node: the device does not even begin.
    const wrong = connectToRelay({
      relay: {
        name: nodeNameOf(HERE, keys().label, ZONE),
        address: HERE,
        port: relay.port,
        ticket: ticketFor(keys().key),
      },
      ca: ca.root,
      sign: keys().sign,
      onVisitor: () => {},
      onChange: () => {},
      log,
    })
    const own = await device(relay)
    await own.isThere
    await visit(relay.port, own.label)
    expect(own.visitors.map(({ remotePort }) => remotePort)).toEqual([relay.port])
    expect(wrong.isConnected).toBe(false)
    await wrong.stop()
    expect(relay.counts().devices).toBe(1)
  })
})

describe('a relay', () => {
  /** One that does what it wants with the control connections of its devices. */
  async function hostileRelay(onDevice: (socket: TLSSocket, count: number) => void) {
    const context = await contextOf(relayNode.label)
    let count = 0
    const server = createTlsServer(
      { SNICallback: (_, done) => done(null, context), ALPNProtocols: ['tidenet-relay/1'], minVersion: 'TLSv1.3' },
      (socket) => {
        socket.on('error', () => {})
        onDevice(socket, ++count)
      },
    )
    server.listen(0, HERE)
    await once(server, 'listening')
    cleanups.push(() => server.close())
    return { port: (server.address() as { port: number }).port, count: () => count }
  }
  const lines = (...messages: object[]) => messages.map((each) => `${JSON.stringify(each)}\n`).join('')

  it('cannot have its devices tell the server a hundred times where they are', async () => {
    const changes: number[] = []
    const hostile = await hostileRelay((socket) => {
      const welcome = { type: 'welcome', visitors: 64, ping_ms: 20_000, address: HERE }
      socket.write(
        lines(
          ...Array(50)
            .fill([welcome, { type: 'drain' }])
            .flat(),
        ),
      )
    })
    const began = performance.now()
    await device(hostile, keys(), { onChange: () => changes.push(performance.now() - began) })
    await vi.waitFor(() => expect(hostile.count()).toBe(5), { timeout: 20_000 })
    // 250 ms, doubled after each attempt, and half of that at least.
    expect(performance.now() - began).toBeGreaterThan(1875)
    expect(changes.length).toBeLessThanOrEqual(10)
  })

  it('that goes on after the end cannot make its devices fail', async () => {
    // The device closes the connection at the first message, and the second one has come with it.
    const hostile = await hostileRelay((socket) =>
      socket.write(lines({ type: 'refused', code: 'full' }, { type: 'hello', nonce: 'a' })),
    )
    const failed: unknown[] = []
    const note = (error: unknown) => failed.push(error)
    process.once('uncaughtException', note)
    await device(hostile)
    await vi.waitFor(() => expect(hostile.count()).toBe(1))
    await new Promise((resolve) => setTimeout(resolve, 200))
    process.off('uncaughtException', note)
    expect(failed).toEqual([])
  })
})

describe('an address', () => {
  it('that connects too often is refused for a second', async () => {
    relay = await openRelay({ newPerSecond: 2 })
    const attempts = await Promise.all(
      Array.from({ length: 6 }, () => visit(relay.port, relayNode.label).catch(() => 'refused')),
    )
    expect(attempts.filter((each) => each === 'refused').length).toBeGreaterThanOrEqual(3)
  })

  it('cannot use up the rate of the address of a device, which dials back for every visitor', async () => {
    relay = await openRelay({ newPerSecond: 4 })
    const own = await device(relay)
    await own.isThere
    for (let second = 0; second < 2; second++) {
      await new Promise((resolve) => setTimeout(resolve, 1100))
      // With the dial-backs, these are six connections.
      const visits = await Promise.all([1, 2, 3].map(() => visit(relay.port, own.label)))
      expect(visits).toEqual([SECRET, SECRET, SECRET])
    }
  })

  it('has so many connections open at a time', async () => {
    relay = await openRelay({ openPerNetwork: 2 })
    const held = [1, 2].map(() => connect(relay.port, HERE))
    for (const socket of held) {
      cleanups.push(() => socket.destroy())
      await once(socket, 'connect')
    }
    await expect(visit(relay.port, relayNode.label)).rejects.toThrow()
    for (const socket of held) socket.destroy()
    await vi.waitFor(async () => expect(await visit(relay.port, relayNode.label)).toBe(''))
  })
})

describe('a relay whose owner limits it', () => {
  const paced = () => {
    let passed = 0
    let isOpen = true
    return {
      pace: {
        get isOpen() {
          return isOpen
        },
        spend(bytes: number) {
          passed += bytes
          return 1
        },
      },
      passed: () => passed,
      close: () => {
        isOpen = false
      },
    }
  }

  it('counts every byte that it passes on, and passes on all of them', async () => {
    const { pace, passed } = paced()
    const limited = await openRelay({}, pace)
    const own = await device(limited)
    await own.isThere
    expect(await visit(limited.port, own.label)).toBe(SECRET)
    await vi.waitFor(() => expect(limited.counts().visitors).toBe(0))
    // The token with which the device dialled back is for the relay.
    expect(passed()).toBe(limited.counts().bytes - 17)
    expect(passed()).toBeGreaterThan(SECRET.length)
  })

  it('serves nobody while it is paused', async () => {
    const { pace, close, passed } = paced()
    const limited = await openRelay({}, pace)
    const own = await device(limited)
    await own.isThere
    close()
    await expect(visit(limited.port, own.label)).rejects.toThrow()
    expect(passed()).toBe(0)
  })
})
