import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type SecureContext, type TLSSocket } from 'node:tls'
import type { RelayTicket } from '@tidenet/contract'
import { type Clock, type Logger, readNodeName, StartError, visitorNetworkOf } from '@tidenet/daemon'
import { createHelloReader, HELLO_BYTES_MAX } from './client-hello.ts'
import { createFairShare, type Pace } from './fair-share.ts'
import { createHandshakes } from './handshakes.ts'
import { type Join, joinSockets } from './join.ts'
import { createPlaces, createRate, RELAY_LIMITS, type RelayLimits } from './limits.ts'
import { DIAL_BYTE, RELAY_PROTOCOL, TOKEN_BYTES } from './messages.ts'
import { createSessions, type Session } from './sessions.ts'
import { type Counter, createStatements, type RelayedStatement } from './statements.ts'

export interface RelayOptions {
  listen: { host: string; port: number }
  zone: string
  /** Of the node that is this relay. */
  label: string
  /** Its certificate for its own names; undefined: there is none yet. */
  secureContext: () => SecureContext | undefined
  /** @throws if the ticket is not the server's, not for this relay, or expired */
  readTicket: (ticket: string) => Promise<RelayTicket>
  /** A visitor of the node itself: TLS ended here, HTTP follows. */
  onOwnVisitor: (socket: TLSSocket) => void
  /** Programs with the same key keep replacing each other; the latest one was refused. */
  onCloned?: (label: string) => void
  limits?: Partial<RelayLimits>
  /** What its owner lets it pass on; default: everything, at once. */
  pace?: Pace
  clock: Clock
  log: Logger
}

export interface Relay {
  port: number
  counts(): RelayCounts
  /** What devices signed since the last ones that were confirmed, at most so many. */
  statements(most: number): RelayedStatement[]
  /** The server has these. */
  confirm(statements: readonly RelayedStatement[]): void
  /** Tells devices to go elsewhere, and waits at most this long for visitors. */
  close(waitMs: number): Promise<void>
}

export interface RelayCounts {
  devices: number
  visitors: number
  /** Bytes that were passed on, in both directions, since the start. */
  bytes: number
}

interface Waiting {
  label: string
  visitor: Socket
  session: Session
  counter: Counter
  release: () => void
  timer: NodeJS.Timeout
}

/** TLS alerts: fatal, internal error (80) and unrecognized name (112). */
const alert = (code: number) => Buffer.from([0x15, 3, 3, 0, 2, 2, code])
const INTERNAL_ERROR = alert(80)
const UNKNOWN_NAME = alert(112)
const TLS_BYTE = 0x16
/** Connections that are open at the same time, of any kind. */
const CONNECTIONS_MAX = 20_000

/**
 * Passes TLS connections of visitors on to devices that cannot be reached otherwise. It routes by the name in the ClientHello and has none of
 * the devices' keys.
 * @throws StartError if the port cannot be opened
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { zone, label, log } = options
  const limits = { ...RELAY_LIMITS, ...options.limits }
  const now = () => performance.now()
  const mayConnect = createRate(limits.newPerSecond, now)
  const takePlace = createPlaces(limits.openPerNetwork)
  const share = options.pace && createFairShare(options.pace)
  const waiting = new Map<string, Waiting>()
  const joins = new Map<Join, string>()
  const statements = createStatements({
    limits,
    now,
    clock: options.clock,
    onUnsigned(device) {
      log.info({ device }, 'a device does not sign what was passed on for it')
      sessions.endUnsigned(device)
      for (const [join, owner] of joins) if (owner === device) join.destroy()
    },
  })
  const sessions = createSessions({ ...options, limits, now, statements })
  const open = new Set<Socket>()
  let closedBytes = 0
  let isClosing = false

  const tls = createTlsServer({
    ALPNProtocols: [RELAY_PROTOCOL, 'http/1.1'],
    minVersion: 'TLSv1.2',
    handshakeTimeout: limits.helloMs,
    SNICallback(_name, done) {
      const context = options.secureContext()
      if (context) done(null, context)
      else done(new Error('there is no certificate yet'))
    },
  })
  tls.on('tlsClientError', () => {})
  tls.on('secureConnection', (socket) => {
    socket.on('error', () => socket.destroy())
    if (socket.alpnProtocol !== RELAY_PROTOCOL) options.onOwnVisitor(socket)
    else if (socket.getProtocol() === 'TLSv1.3' && !isClosing) sessions.accept(socket)
    else socket.destroy()
  })

  const handshakes = createHandshakes((socket) => tls.emit('connection', socket))

  const reject = (socket: Socket, answer: Buffer) => {
    socket.end(answer)
    socket.destroySoon()
  }

  const passOn = (visitor: Socket, hello: Buffer, name: string) => {
    const own = readNodeName(name, zone)
    if (own?.label === label) return handshakes.add(visitor, hello)
    const session = own && sessions.find(own.label)
    if (!session || isClosing || options.pace?.isOpen === false) return reject(visitor, UNKNOWN_NAME)
    const address = visitorNetworkOf(visitor.remoteAddress ?? '')
    const release = session.admit(address)
    if (!release) return reject(visitor, INTERNAL_ERROR)
    const counter = statements.begin(own.label)
    if (!counter) {
      release()
      return reject(visitor, INTERNAL_ERROR)
    }
    visitor.unshift(hello)
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const end = () => {
      if (!waiting.delete(token)) return
      clearTimeout(timer)
      release()
      counter.end()
      reject(visitor, INTERNAL_ERROR)
    }
    const timer = setTimeout(end, limits.dialMs)
    waiting.set(token, { label: own.label, visitor, session, counter, release, timer })
    visitor.once('close', end)
    session.dial(token, visitor.remoteAddress ?? '', counter.session, end)
  }

  const joinDialled = (device: Socket, token: string, rest: Buffer) => {
    const found = waiting.get(token)
    if (!found) return device.destroy()
    waiting.delete(token)
    clearTimeout(found.timer)
    const { label: own, visitor, session, counter, release } = found
    if (rest.length > 0) device.unshift(rest)
    visitor.setTimeout(0)
    device.setTimeout(0)
    const inTurn = share && ((bytes: number, send: () => void) => share.take(own, bytes, send))
    const ways = {
      up: inTurn,
      // In the turn of the device, so that one which has to sign first keeps nobody waiting.
      down: (bytes: number, send: () => void) => counter.take(bytes, inTurn ? () => inTurn(bytes, send) : send),
    }
    const join = joinSockets(visitor, device, { now: now(), ...ways }, (bytes) => {
      joins.delete(join)
      session.joins.delete(join)
      closedBytes += bytes
      counter.end()
      release()
    })
    joins.set(join, own)
    session.joins.add(join)
  }

  /**
   * Looks at the first bytes of a connection.
   * @param part those that just arrived
   * @returns whether it knows what to do
   */
  const decide = (socket: Socket, bytes: Buffer, part: Buffer, read: ReturnType<typeof createHelloReader>): boolean => {
    if (bytes[0] === DIAL_BYTE) {
      if (bytes.length < 1 + TOKEN_BYTES) return false
      const token = bytes.subarray(1, 1 + TOKEN_BYTES).toString('base64url')
      joinDialled(socket, token, bytes.subarray(1 + TOKEN_BYTES))
      return true
    }
    const hello = bytes[0] === TLS_BYTE ? read(part) : { state: 'invalid' as const }
    if (hello.state === 'incomplete' && bytes.length <= HELLO_BYTES_MAX) return false
    if (hello.state !== 'complete') socket.destroy()
    else if (hello.serverName === undefined) reject(socket, UNKNOWN_NAME)
    else passOn(socket, bytes, hello.serverName)
    return true
  }

  const server = createServer({ allowHalfOpen: true, pauseOnConnect: false }, (socket) => {
    socket.on('error', () => socket.destroy())
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    const address = socket.remoteAddress ?? ''
    const leave = takePlace(address)
    if (!leave) return void socket.destroy()
    socket.once('close', leave)
    // Visitors decide how often a device dials back, so that does not count: else they could use up the rate of its address.
    const isAwaited = sessions.awaits(address)
    if (!isAwaited && !mayConnect(address)) return void socket.destroy()
    let bytes: Buffer = Buffer.alloc(0)
    const read = createHelloReader()
    // From the first byte to the last one of the hello: a byte now and then does not extend it.
    const deadline = setTimeout(() => socket.destroy(), limits.helloMs)
    const onEnd = () => socket.destroy()
    const onData = (chunk: Buffer) => {
      if (bytes.length === 0 && isAwaited && chunk[0] !== DIAL_BYTE && !mayConnect(address))
        return void socket.destroy()
      bytes = Buffer.concat([bytes, chunk])
      socket.pause()
      socket.off('data', onData)
      const isDecided = decide(socket, bytes, chunk, read)
      if (isDecided) {
        clearTimeout(deadline)
        socket.off('end', onEnd)
        return
      }
      socket.on('data', onData)
      socket.resume()
    }
    socket.once('close', () => clearTimeout(deadline))
    socket.on('end', onEnd)
    socket.on('data', onData)
  })
  server.maxConnections = CONNECTIONS_MAX

  const { host, port } = options.listen
  server.listen(port, host)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new StartError(
      `The relay cannot listen on ${host}:${port} (${error.code}). Choose another address with TIDENET_NODE_RELAY.`,
    )
  })
  // What a system says instead of accepting a connection, such as that it has no memory for it.
  server.on('error', (error) => log.warn({ err: error }, 'the relay could not accept a connection'))
  const checks = setInterval(() => {
    sessions.check()
    statements.check()
    for (const join of joins.keys()) {
      if (options.pace?.isOpen === false) join.destroy()
      else join.check(now(), limits)
    }
  }, limits.checkMs)
  const { port: listening } = server.address() as AddressInfo
  log.info({ port: listening, label }, 'the relay listens')

  return {
    port: listening,
    counts: () => ({
      devices: sessions.size,
      visitors: joins.size,
      bytes: closedBytes + [...joins.keys()].reduce((sum, { bytes }) => sum + bytes, 0),
    }),
    statements: statements.list,
    confirm: statements.confirm,
    async close(waitMs) {
      isClosing = true
      const closed = once(server, 'close')
      server.close()
      sessions.drain()
      const until = now() + waitMs
      const wait = () => new Promise((resolve) => setTimeout(resolve, 50))
      while (joins.size > 0 && now() < until) await wait()
      statements.askAll()
      while (statements.isAwaited && now() < until) await wait()
      clearInterval(checks)
      share?.stop()
      sessions.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
