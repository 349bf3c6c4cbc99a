import { once } from 'node:events'
import { connect } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { nodeNameOf } from '@tidenet/daemon'
import { connectToRelay } from '@tidenet/relay'
import { describe, expect, it, vi } from 'vitest'
import {
  answerTo,
  ca,
  cleanups,
  cloned,
  contextOf,
  control,
  device,
  enter,
  HERE,
  helloFor,
  keys,
  log,
  openRelay,
  proofOf,
  refusalOf,
  relayNode,
  SECRET,
  setupRelays,
  ticketFor,
  visit,
  ZONE,
} from './relays.ts'

/** A relay and its devices, of which one tries to abuse the other. */

setupRelays()

describe('a device', () => {
  it('that stalls before its proof, or a visitor before its name, is disconnected', async () => {
    const relay = await openRelay({ helloMs: 50 })
    expect(await answerTo(relay.port, Buffer.of(0x16, 3, 1))).toHaveLength(0)
    const { socket } = await control(relay.port)
    socket.resume()
    await once(socket, 'close')
  })

  it('needs a ticket of the server for this relay, and the key that is in it', async () => {
    const relay = await openRelay()
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
    const relay = await openRelay()
    const own = keys()
    const enter = () => refusalOf(ticketFor(own.key), (socket, nonce) => proofOf(own, socket, nonce))
    for (let connection = 0; connection < 4; connection++) expect(await enter()).toMatchObject({ type: 'welcome' })
    expect(cloned).toEqual([])
    expect(await enter()).toEqual({ type: 'refused', code: 'cloned' })
    expect(cloned).toEqual([own.label])
    expect(relay.counts().devices).toBe(1)
  })

  it('has so many visitors at a time, each address fewer, and the others are told so', async () => {
    const relay = await openRelay({ visitors: 4, visitorsPerAddress: 2 })
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
    const relay = await openRelay({ visitors: 1 })
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
    const relay = await openRelay({ devicesPerNetwork: 1 })
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

  it('that has given up waiting costs the relay no handshake, so that the others get theirs', async () => {
    const context = await contextOf(relayNode.label)
    let handshakes = 0
    const relay = await openRelay(
      { newPerSecond: 1e6 },
      {
        secureContext() {
          handshakes++
          return context
        },
      },
    )
    const hello = await helloFor(nodeNameOf(HERE, relayNode.label, ZONE))
    const count = 50
    const sockets = await Promise.all(
      Array.from({ length: count }, async () => {
        const socket = connect(relay.port, HERE)
        cleanups.push(() => socket.destroy())
        await once(socket, 'connect')
        return socket
      }),
    )
    // The relay has accepted them before it answers this one.
    await visit(relay.port, relayNode.label)
    for (const socket of sockets) socket.end(hello)
    const own = await device(relay)
    await own.isThere
    expect(handshakes).toBeLessThan(count / 2)
  })

  it('that does not dial back costs its visitor only a wait', async () => {
    const relay = await openRelay({ dialMs: 100 })
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
    const relay = await openRelay()
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
    const relay = await openRelay()
    for (const line of ['{"type":"dial"}\n', 'x'.repeat(20_000), '{"type":"busy","token":"a"}\n']) {
      const { socket, read } = await control(relay.port)
      await read()
      socket.write(line)
      expect(await read()).toEqual({ type: 'refused', code: 'protocol' })
    }
  })

  it('connects to the relay only, whatever the relay asks for', async () => {
    const relay = await openRelay()
    // The certificate is that of another node: the device does not even begin.
    const wrong = connectToRelay({
      relay: {
        node_id: 'relay',
        name: nodeNameOf(HERE, keys().label, ZONE),
        address: HERE,
        port: relay.port,
        ticket: ticketFor(keys().key),
      },
      nodeId: 'device',
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

  it('gets no signature for bytes that the device did not send', async () => {
    const signed: Record<string, unknown>[] = []
    const hostile = await hostileRelay((socket) => {
      const session = `${Math.floor(Date.now() / 1000)}-${'A'.repeat(16)}`
      const welcome = { type: 'welcome', visitors: 64, ping_ms: 20_000, address: HERE }
      socket.write(lines(welcome, { type: 'sign', session, bytes: 1_000_000 }))
      socket.on('data', (text) => signed.push(JSON.parse(String(text)) as Record<string, unknown>))
    })
    await device(hostile)
    await vi.waitFor(() => expect(signed).toHaveLength(1))
    expect(signed[0]).toMatchObject({ type: 'signed', bytes: 0 })
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
