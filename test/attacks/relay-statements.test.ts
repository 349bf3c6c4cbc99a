import { createPublicKey, verify } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { relayedText } from '@tidenet/contract'
import { nodeNameOf } from '@tidenet/daemon'
import type { Relay, RelayedStatement, RelayLimits } from '@tidenet/relay'
import { describe, expect, it, vi } from 'vitest'
import {
  answerTo,
  cleanups,
  control,
  device,
  HERE,
  helloFor,
  type Keys,
  keys,
  openRelay,
  proofOf,
  SECRET,
  setupRelays,
  ticketFor,
  visit,
  ZONE,
} from './relays.ts'

/** What a device signs of the bytes that a relay passed on for it, and what happens if it does not. */

setupRelays()

const isBy = ({ key }: Keys, { session, bytes, signature }: RelayedStatement) =>
  verify(
    null,
    Buffer.from(relayedText(session, 'relay', 'device', bytes)),
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' }),
    Buffer.from(signature, 'base64url'),
  )

type Message = Record<string, unknown>

/** A device made by hand that is asked to sign after each KiB, and loses its visitors after 128 KiB without a signature. */
const limits: Partial<RelayLimits> = { signBytes: 1024, unsignedBytes: 131_072, pongMs: 100, checkMs: 20, idleMs: 500 }
async function handMade(relay: Relay, own: Keys, answer: (message: Message) => Message | undefined) {
  const { socket, read } = await control(relay.port)
  const { nonce } = await read()
  const messages: Message[] = []
  createInterface(socket).on('line', (line) => {
    const message = JSON.parse(line) as Message
    messages.push(message)
    const answered = message.type === 'sign' ? answer(message) : undefined
    if (answered) socket.write(`${JSON.stringify({ type: 'signed', session: message.session, ...answered })}\n`)
  })
  socket.write(
    `${JSON.stringify({ type: 'proof', ticket: ticketFor(own.key), signature: proofOf(own, socket, nonce) })}\n`,
  )
  const last = (type: string) => messages.findLast((message) => message.type === type)
  const said = (type: string) => vi.waitFor(() => expect(last(type)).toBeDefined(), 5000)
  await said('welcome')
  return { socket, last, said }
}

/** A visitor to whom the device sends so many bytes. @returns how many the visitor got when the connection ended, or was `most` */
async function sendTo(relay: Relay, own: Keys, { last }: Awaited<ReturnType<typeof handMade>>, bytes: number) {
  const before = last('dial')
  const visitor = connect(relay.port, HERE)
  cleanups.push(() => visitor.destroy())
  visitor.on('error', () => {})
  let received = 0
  const isOver = new Promise<void>((resolve) => {
    visitor.on('data', (chunk) => {
      received += chunk.length
      if (received >= bytes) resolve()
    })
    visitor.once('close', () => resolve())
  })
  visitor.write(await helloFor(nodeNameOf(HERE, own.label, ZONE)))
  await vi.waitFor(() => expect(last('dial')).not.toBe(before), 5000)
  const back = connect(relay.port, HERE)
  cleanups.push(() => back.destroy())
  back.on('error', () => {})
  await once(back, 'connect')
  back.write(
    Buffer.concat([Buffer.from('T'), Buffer.from(String(last('dial')?.token), 'base64url'), Buffer.alloc(bytes)]),
  )
  await isOver
  return received
}

const MORE = 1024 * 1024
const isServed = async (relay: Relay, own: Keys) =>
  // TLS alert: internal error.
  !(await answerTo(relay.port, await helloFor(nodeNameOf(HERE, own.label, ZONE)))).subarray(-2).equals(Buffer.of(2, 80))

describe('what a relay passes on', () => {
  it('is signed by the device, in total for each session', async () => {
    const relay = await openRelay(limits)
    const own = await device(relay)
    await own.isThere
    await visit(relay.port, own.label)
    const first = await vi.waitFor(() => {
      const [statement] = relay.statements(10)
      expect(statement?.bytes).toBeGreaterThan(SECRET.length)
      return statement as RelayedStatement
    }, 5000)
    expect(isBy(own, first)).toBe(true)
    // Bytes in both directions, and the token of the device.
    expect(first.bytes).toBeLessThan(relay.counts().bytes - 17)
    relay.confirm([first])
    expect(relay.statements(10)).toEqual([])
    await visit(relay.port, own.label)
    await vi.waitFor(() => expect(relay.statements(10)[0]?.bytes).toBeGreaterThan(first.bytes), 5000)
    const [second] = relay.statements(10)
    expect(second?.session).toBe(first.session)
    expect(isBy(own, second as RelayedStatement)).toBe(true)
    // What was not confirmed is reported again.
    relay.confirm([first])
    expect(relay.statements(10)).toEqual([second])
  })

  it('goes on without a pause as long as the device signs', async () => {
    const relay = await openRelay(limits)
    const own = keys()
    const made = await handMade(relay, own, ({ session, bytes }) => ({
      bytes,
      signature: own.sign(relayedText(String(session), 'relay', 'device', Number(bytes))),
    }))
    expect(await sendTo(relay, own, made, MORE)).toBe(MORE)
    await vi.waitFor(() => expect(relay.statements(10)).toMatchObject([{ bytes: MORE }]), 5000)
  })

  it('can be signed over the next connection of the device', async () => {
    const relay = await openRelay(limits)
    const own = keys()
    const silent = await handMade(relay, own, () => undefined)
    expect(await sendTo(relay, own, silent, MORE)).toBeLessThan(MORE)
    await silent.said('refused')
    const made = await handMade(relay, own, ({ session, bytes }) => ({
      bytes,
      signature: own.sign(relayedText(String(session), 'relay', 'device', Number(bytes))),
    }))
    await vi.waitFor(() => expect(relay.statements(10)).toHaveLength(1), 5000)
    expect(await sendTo(relay, own, made, MORE)).toBe(MORE)
  })
})

describe('a device', () => {
  const other = keys()
  it.each<[string, (message: Message, own: Keys) => Message | undefined]>([
    ['does not sign', () => undefined],
    ['signs nothing', () => ({ bytes: 0, signature: 'none' })],
    [
      'signs half of it',
      ({ session, bytes }, own) => {
        const half = Math.floor(Number(bytes) / 2)
        return { bytes: half, signature: own.sign(relayedText(String(session), 'relay', 'device', half)) }
      },
    ],
    [
      'signs with another key',
      ({ session, bytes }) => ({
        bytes,
        signature: other.sign(relayedText(String(session), 'relay', 'device', Number(bytes))),
      }),
    ],
    [
      'signs for another relay',
      ({ session, bytes }, own) => ({
        bytes,
        signature: own.sign(relayedText(String(session), 'another', 'device', Number(bytes))),
      }),
    ],
  ])('that %s is served no longer, whatever it does', async (_, answer) => {
    const relay = await openRelay(limits)
    const own = keys()
    const made = await handMade(relay, own, (message) => answer(message, own))
    const received = await sendTo(relay, own, made, MORE)
    expect(received).toBeLessThanOrEqual(140_000)
    await made.said('refused')
    expect(made.last('refused')).toMatchObject({ code: 'unsigned' })
    await vi.waitFor(() => expect(relay.counts().visitors).toBe(0), 5000)
    // A new connection does not change that.
    await handMade(relay, own, (message) => answer(message, own))
    expect(await isServed(relay, own)).toBe(false)
  })

  it('that signs more than it was asked for is disconnected', async () => {
    const relay = await openRelay(limits)
    const own = keys()
    const made = await handMade(relay, own, ({ session, bytes }) => {
      const more = Number(bytes) + 1
      return { bytes: more, signature: own.sign(relayedText(String(session), 'relay', 'device', more)) }
    })
    await sendTo(relay, own, made, MORE)
    await made.said('refused')
    expect(relay.statements(10)).toEqual([])
  })
})
