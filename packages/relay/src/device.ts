import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import {
  connect as connectTls,
  createSecureContext,
  rootCertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import { relayedText } from '@tidenet/contract'
import type { Logger } from '@tidenet/daemon'
import {
  DIAL_BYTE,
  EXPORTER,
  proofText,
  REFUSALS,
  RELAY_PROTOCOL,
  type RelayMessage,
  readMessages,
  relayMessage,
  TOKEN_BYTES,
  writeMessage,
} from './messages.ts'

export interface RelayPlace {
  /** Of the relay. */
  node_id: string
  /** Its name in the zone, for which it has a certificate. */
  name: string
  address: string
  port: number
  ticket: string
}

export interface DeviceOptions {
  relay: RelayPlace
  /** Of the device itself. */
  nodeId: string
  /** CA of a network on one machine, PEM; empty: those of Node.js. */
  ca: string
  /** Signs with the node's key, base64url. */
  sign: (text: string) => string
  /**
   * Takes a place for a visitor, by the address that the relay says. @returns how to give it back; undefined: it is not served
   */
  takePlace?: (from: string) => (() => void) | undefined
  /** A visitor's connection; the first bytes are its ClientHello. */
  onVisitor: (socket: Socket) => void
  /** Whether visitors can reach the device through this relay. */
  onChange: (isConnected: boolean) => void
  /** Another program uses the same key. */
  onCloned?: () => void
  /** How long a relay that is there may take to answer. */
  answerMs?: number
  log: Logger
}

export interface DeviceConnection {
  readonly isConnected: boolean
  /** For the next proof, and for the connection that exists. */
  renew(ticket: string): void
  stop(): Promise<void>
}

const BACKOFF_MS = { first: 250, most: 30_000 }
/** Only a connection that lasted so long ends the back-off: after each one, the device tells the server where it is. */
const STABLE_MS = 30_000
const CONNECT_MS = 10_000
/** From then on: after a restart, a relay answers its devices one after the other. */
const ANSWER_MS = 30_000
/**
 * Idle time after which TCP asks whether the relay still knows this connection. It does not after the router's address changed: it answers
 * with a reset, while a ping would go to the former address.
 */
const KEEP_ALIVE_MS = 5000
/** Without a ping: it comes every 20 s. */
const SILENCE_MS = 45_000
/** Connections at a time that the device dials back with. */
const DIALLED_MAX = 64
const DIAL_MS = 8000
/** Those that are over are kept for a last signature. */
const SESSIONS_KEPT = 16
/** How often the own address is looked at: after a change, the old connection stays silent for minutes. */
const ADDRESS_MS = 1000

let known: { ca: string; context: SecureContext } | undefined
/** Reading all root certificates takes 17 ms, in which the device serves nobody. */
function contextFor(ca: string): SecureContext {
  if (known?.ca !== ca)
    known = { ca, context: createSecureContext({ ca: [...rootCertificates, ca], minVersion: 'TLSv1.3' }) }
  return known.context
}

/** Keeps a device connected to one relay, and dials back for every visitor. It never connects to any other address than the relay's. */
export function connectToRelay(options: DeviceOptions): DeviceConnection {
  const { relay, log, onVisitor, onChange } = options
  const takePlace = options.takePlace ?? (() => () => {})
  const stopped = new AbortController()
  const { signal } = stopped
  const dialled = new Set<Socket>()
  /** What was sent in each session, also by connections that are closed. */
  const sessions = new Map<string, { sockets: Set<Socket>; closed: number }>()
  let ticket = relay.ticket
  let control: TLSSocket | undefined
  let isConnected = false
  let connectedAt = 0
  let backoff = BACKOFF_MS.first

  const set = (connected: boolean) => {
    if (isConnected === connected) return
    isConnected = connected
    onChange(connected)
  }

  const countFor = (session: string) => {
    const count = sessions.get(session) ?? { sockets: new Set<Socket>(), closed: 0 }
    sessions.set(session, count)
    for (const [id, { sockets }] of sessions)
      if (sessions.size > SESSIONS_KEPT && sockets.size === 0 && id !== session) sessions.delete(id)
    return count
  }
  /** Bytes for the visitor; the token is for the relay. */
  const sentBy = (back: Socket) => Math.max(0, (back.bytesWritten ?? 0) - 1 - TOKEN_BYTES)
  /** Not more than were sent, whatever the relay asks for. */
  const signSent = (socket: TLSSocket, session: string, asked: number) => {
    const count = sessions.get(session)
    let sent = count?.closed ?? 0
    for (const back of count?.sockets ?? []) sent += sentBy(back)
    const bytes = Math.min(sent, asked)
    const signature = options.sign(relayedText(session, relay.node_id, options.nodeId, bytes))
    writeMessage(socket, { type: 'signed', session, bytes, signature })
  }

  const dial = (socket: TLSSocket, { token, from, session }: { token: string; from: string; session: string }) => {
    const release = dialled.size < DIALLED_MAX && !signal.aborted ? takePlace(from) : undefined
    if (!release) return writeMessage(socket, { type: 'busy', token })
    const back = connect({ host: relay.address, port: relay.port })
    dialled.add(back)
    back.setTimeout(DIAL_MS, () => back.destroy())
    back.on('error', () => back.destroy())
    const count = countFor(session)
    count.sockets.add(back)
    back.once('close', () => {
      dialled.delete(back)
      release()
      count.sockets.delete(back)
      count.closed += sentBy(back)
    })
    back.once('connect', () => {
      back.setTimeout(0)
      back.setNoDelay(true)
      back.write(Buffer.concat([Buffer.of(DIAL_BYTE), Buffer.from(token, 'base64url')]))
      onVisitor(back)
    })
    return undefined
  }

  const onMessage = (socket: TLSSocket, message: RelayMessage | undefined) => {
    switch (message?.type) {
      case 'hello': {
        const exporter = socket.exportKeyingMaterial(EXPORTER.bytes, EXPORTER.label, Buffer.alloc(0))
        const [, label = ''] = relay.name.split('.')
        const signature = options.sign(proofText(label, message.nonce, exporter))
        return writeMessage(socket, { type: 'proof', ticket, signature })
      }
      case 'welcome':
        // Once: the server is told of every change.
        if (connectedAt > 0) return socket.destroy()
        connectedAt = performance.now()
        log.info({ relay: relay.name, address: message.address }, 'reachable through a relay')
        return set(true)
      case 'dial':
        return isConnected ? dial(socket, message) : socket.destroy()
      case 'sign':
        return connectedAt > 0 ? signSent(socket, message.session, message.bytes) : socket.destroy()
      case 'ping':
        return writeMessage(socket, { type: 'pong' })
      case 'drain':
        // The port is closed by then: the next attempt finds the relay again when it is back.
        return set(false)
      case 'refused':
        log.warn({ relay: relay.name }, REFUSALS[message.code])
        if (message.code === 'cloned') options.onCloned?.()
        backoff = BACKOFF_MS.most
        connectedAt = 0
        return socket.destroy()
      default:
        log.warn({ relay: relay.name }, 'the relay does not follow the protocol')
        return socket.destroy()
    }
  }

  /** One connection, until it ends. */
  const keep = async () => {
    const socket = connectTls({
      host: relay.address,
      port: relay.port,
      servername: relay.name,
      ALPNProtocols: [RELAY_PROTOCOL],
      minVersion: 'TLSv1.3',
      rejectUnauthorized: true,
      ...(options.ca && { secureContext: contextFor(options.ca) }),
    })
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    control = socket
    const closed = once(socket, 'close')
    let failure: Error | undefined
    socket.on('error', (error) => {
      failure = error
    })
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('the relay is silent')))
    socket.once('connect', () => socket.setTimeout(options.answerMs ?? ANSWER_MS))
    socket.once('secureConnect', () => {
      if (socket.alpnProtocol !== RELAY_PROTOCOL) socket.destroy(new Error('it is no relay'))
      else socket.setTimeout(SILENCE_MS)
    })
    readMessages(socket, relayMessage, (message) => onMessage(socket, message))
    const addresses = setInterval(() => {
      if (socket.localAddress && !isOwnAddress(socket.localAddress))
        socket.destroy(new Error('the address of this machine changed'))
    }, ADDRESS_MS)
    const stop = () => socket.destroy()
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    await closed
    signal.removeEventListener('abort', stop)
    clearInterval(addresses)
    if (isConnected || failure)
      log.info({ relay: relay.name, why: failure && reasonOf(failure) }, 'the connection to the relay ended')
    if (connectedAt > 0 && performance.now() - connectedAt >= STABLE_MS) backoff = BACKOFF_MS.first
    connectedAt = 0
    set(false)
  }

  const run = async () => {
    while (!signal.aborted) {
      await keep().catch((error: unknown) => log.warn({ err: error, relay: relay.name }, 'the relay cannot be used'))
      if (signal.aborted) return
      const pause = backoff * (0.5 + Math.random())
      backoff = Math.min(backoff * 2, BACKOFF_MS.most)
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          resolve()
        }
        const timer = setTimeout(done, pause)
        signal.addEventListener('abort', done, { once: true })
      })
    }
  }
  const running = run()

  return {
    get isConnected() {
      return isConnected
    },
    renew(next) {
      ticket = next
      if (isConnected && control) writeMessage(control, { type: 'ticket', ticket })
    },
    async stop() {
      stopped.abort()
      await running
      for (const socket of dialled) socket.destroy()
    },
  }
}

const WRONG_TIME = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])

const reasonOf = (error: NodeJS.ErrnoException): string =>
  WRONG_TIME.has(error.code ?? '')
    ? `${error.message}: check the clock of this machine; if it is right, the relay has to get a new certificate, and another relay is used until then`
    : error.message

function isOwnAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '')
  // All of 127.0.0.0/8 is this machine.
  if (plain.startsWith('127.')) return true
  return Object.values(networkInterfaces()).some((each) => each?.some((own) => own.address === plain))
}
