import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer as createTcpServer } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { nodeNameOf } from '@tidenet/daemon'
import { describe, expect, it, vi } from 'vitest'
import {
  answerTo,
  cleanups,
  device,
  enter,
  HERE,
  helloFor,
  keys,
  openRelay,
  relayNode,
  SECRET,
  setupRelays,
  visit,
  ZONE,
} from './relays.ts'

/** Visitors of a relay who try to abuse it, and its own operator. */

setupRelays()

describe('what passes a relay', () => {
  it('is answered by the device, and nobody between can read it', async () => {
    const relay = await openRelay()
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
    const relay = await openRelay()
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

  it.each([
    ['a relay', {}],
    ['a relay whose owner limits it', { pace: { isOpen: true, spend: () => 1 } }],
  ])('may end its own direction first, and gets all bytes of the other one: %s', async (_, more) => {
    const relay = await openRelay({}, more)
    const own = keys()
    const { read } = await enter(relay.port, own)
    const hello = await helloFor(nodeNameOf(HERE, own.label, ZONE))
    const visitor = connect({ host: HERE, port: relay.port, allowHalfOpen: true })
    cleanups.push(() => visitor.destroy())
    visitor.end(hello)
    const { token } = await read()
    const back = connect({ host: HERE, port: relay.port, allowHalfOpen: true })
    cleanups.push(() => back.destroy())
    back.write(Buffer.concat([Buffer.from('T'), Buffer.from(String(token), 'base64url')]))
    const received: Buffer[] = []
    back.on('data', (chunk) => received.push(chunk))
    await once(back, 'end')
    expect(Buffer.concat(received)).toEqual(hello)
    // More than all buffers on the way hold, to a visitor who does not read yet.
    const answer = randomBytes(8 * 1024 * 1024)
    back.end(answer)
    await once(visitor, 'readable')
    expect((await buffer(visitor)).equals(answer)).toBe(true)
    await vi.waitFor(() => expect(relay.counts().visitors).toBe(0))
    expect(relay.counts().bytes).toBe(17 + hello.length + answer.length)
  })

  it('goes to the relay itself for its own name, and to nobody for unknown or foreign names', async () => {
    const relay = await openRelay()
    expect(await visit(relay.port, relayNode.label)).toBe('')
    // TLS alert: unrecognized name.
    for (const name of [nodeNameOf(HERE, keys().label, ZONE), 'www.example.com', `${relayNode.label}.example.com`])
      expect((await answerTo(relay.port, await helloFor(name))).subarray(-2)).toEqual(Buffer.of(2, 112))
  })

  it('is nothing but TLS and dialled connections', async () => {
    const relay = await openRelay()
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

describe('an address', () => {
  it('that connects too often is refused for a second', async () => {
    const relay = await openRelay({ newPerSecond: 2 })
    const attempts = await Promise.all(
      Array.from({ length: 6 }, () => visit(relay.port, relayNode.label).catch(() => 'refused')),
    )
    expect(attempts.filter((each) => each === 'refused').length).toBeGreaterThanOrEqual(3)
  })

  it('cannot use up the rate of the address of a device, which dials back for every visitor', async () => {
    const relay = await openRelay({ newPerSecond: 4 })
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
    const relay = await openRelay({ openPerNetwork: 2 })
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
    const limited = await openRelay({}, { pace })
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
    const limited = await openRelay({}, { pace })
    const own = await device(limited)
    await own.isThere
    close()
    await expect(visit(limited.port, own.label)).rejects.toThrow()
    expect(passed()).toBe(0)
  })
})
