import type { Duplex } from 'node:stream'
import { RELAY_SESSION } from '@tidenet/contract'
import { z } from 'zod'

/**
 * The control connection between a device and its relay: TLS 1.3 with the ALPN protocol below, and JSON objects, one a line. Bytes of
 * visitors never pass it (decision 50).
 */

export const RELAY_PROTOCOL = 'tidenet-relay/1'
/** First byte of a connection with which a device dials back; the token follows. */
export const DIAL_BYTE = 0x54
export const TOKEN_BYTES = 16

/** What a device signs. The exporter is a value of this very TLS connection, so nobody can pass the signature on. */
export const proofText = (relay: string, nonce: string, exporter: Buffer): string =>
  [RELAY_PROTOCOL, relay, nonce, exporter.toString('base64url')].join('|')
export const EXPORTER = { bytes: 32, label: 'EXPORTER-tidenet-relay-1' } as const

/** Why a relay ends a control connection. */
export const REFUSALS = {
  ticket:
    'The ticket is not valid for this relay and this key, or it has expired: ask the server for relays again, and check the clock.',
  signature: 'The signature does not belong to the key in the ticket: restore node.key of this node.',
  cloned:
    'Several devices use the same key: they replaced each other more than three times in a minute. Stop the others, or delete node.key in the copy so that it becomes a device of its own.',
  replaced: 'Another connection with the same key has replaced this one.',
  protocol: 'The message does not follow the protocol: update the node.',
  unsigned:
    'The device has not signed what the relay passed on for it, so the relay serves it no longer: update the node. An hour later, it is served again.',
  full: 'The relay serves as many devices as it can: use another one.',
} as const
export type RefusalCode = keyof typeof REFUSALS

const base64url = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[A-Za-z0-9_-]+$/)
const session = z.string().regex(RELAY_SESSION)
const code = z.enum(Object.keys(REFUSALS) as [RefusalCode, ...RefusalCode[]])

export const relayMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), nonce: base64url(64) }),
  /** `address`: the device's, as the relay sees it. */
  z.object({ type: z.literal('welcome'), visitors: z.number(), ping_ms: z.number(), address: z.string().max(64) }),
  /** `session`: to which the bytes of this visitor are counted. */
  z.object({ type: z.literal('dial'), token: base64url(32), from: z.string().max(64), session }),
  /** Asks for a signature of `relayedText` with so many bytes. */
  z.object({ type: z.literal('sign'), session, bytes: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
  z.object({ type: z.literal('ping') }),
  /** The relay stops soon: use another one. */
  z.object({ type: z.literal('drain') }),
  z.object({ type: z.literal('refused'), code }),
])
export type RelayMessage = z.infer<typeof relayMessage>

export const deviceMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('proof'), ticket: z.string().max(4000), signature: base64url(100) }),
  /** A newer ticket for the same key. */
  z.object({ type: z.literal('ticket'), ticket: z.string().max(4000) }),
  z.object({ type: z.literal('pong') }),
  /** Not more bytes than it was asked for, and not more than it sent. */
  z.object({
    type: z.literal('signed'),
    session,
    bytes: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
    signature: base64url(100),
  }),
  /** It does not dial back for this visitor. */
  z.object({ type: z.literal('busy'), token: base64url(32) }),
])
export type DeviceMessage = z.infer<typeof deviceMessage>

const LINE_MAX = 8192

export const writeMessage = (socket: Duplex, message: RelayMessage | DeviceMessage): void => {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`)
}

/**
 * Calls `onMessage` for every message until this side ends the connection, whatever has come with it. One that does not fit, or a line
 * without end, is `undefined` and the last.
 */
export function readMessages<M>(
  socket: Duplex,
  schema: z.ZodType<M>,
  onMessage: (message: M | undefined) => void,
): void {
  let waiting = ''
  let isOver = false
  const isEnded = () => isOver || socket.destroyed || socket.writableEnded
  const parse = (line: string): M | undefined => {
    try {
      return schema.safeParse(JSON.parse(line)).data
    } catch {
      return undefined
    }
  }
  socket.on('data', (chunk: Buffer) => {
    if (isEnded()) return
    waiting += chunk.toString('latin1')
    for (let end = waiting.indexOf('\n'); end >= 0 && !isEnded(); end = waiting.indexOf('\n')) {
      const message = parse(waiting.slice(0, end))
      waiting = waiting.slice(end + 1)
      isOver = message === undefined
      onMessage(message)
    }
    if (!isEnded() && waiting.length > LINE_MAX) {
      isOver = true
      onMessage(undefined)
    }
  })
}
