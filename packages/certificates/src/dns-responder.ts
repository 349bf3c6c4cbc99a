import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Logger } from '@tidenet/daemon'
import { type Query, RCODE, type Rejected, readQuery, writeResponse, writeTruncated } from './dns-message.ts'
import { createQueryLimiter, networkOf, type QueryRate } from './dns-rate.ts'
import { answerOf, type Zone } from './dns-zone.ts'

export interface DnsResponderOptions extends Zone {
  /** Address and port for UDP and TCP. Port 0: a free one, for tests. */
  listen: { host: string; port: number }
  /** Queries by UDP of one network (/24, /56 of IPv6). Default: 100 a second, 200 at once. */
  rate?: QueryRate
  log: Logger
}

export interface DnsResponder {
  port: number
  close(): Promise<void>
}

const DEFAULT_RATE: QueryRate = { perSecond: 100, burst: 200 }
/** Longer ones are no queries. */
const QUERY_BYTES = 1024
const TCP_BYTES = 65_535
/** An idle connection is closed after this time, and every connection after so many queries. */
const IDLE_MS = 5000
const QUERIES_PER_CONNECTION = 100
/** A further one replaces the oldest: idle ones of strangers must not keep away the resolvers that were sent to TCP. */
const CONNECTIONS_MAX = 256
const CONNECTIONS_PER_NETWORK = 16
/** Tries to get the same free port for UDP and TCP. */
const PORT_ATTEMPTS = 20

/**
 * An authoritative name server for one zone, by UDP and TCP: addresses, the texts of DNS-01, CAA, SOA and NS. It refuses everything
 * outside, ANY and copies of the zone.
 * @throws the error of the system if the port cannot be opened
 */
export async function createDnsResponder(options: DnsResponderOptions): Promise<DnsResponder> {
  const { log, rate = DEFAULT_RATE } = options
  const zone: Zone = { ...options, zone: options.zone.toLowerCase() }
  const limit = createQueryLimiter(rate, () => performance.now())

  /** Undefined: no answer. */
  const respond = async (message: Buffer, room: (query: Query | Rejected) => number): Promise<Buffer | undefined> => {
    if (message.length > QUERY_BYTES) return undefined
    const query = readQuery(message)
    if (!query) return undefined
    if ('code' in query) return writeResponse(query, query, room(query))
    try {
      return writeResponse(query, await answerOf(zone, query), room(query))
    } catch (error) {
      // The store of texts does not answer: resolvers try again.
      log.warn({ err: error }, 'a DNS query could not be answered')
      return writeResponse(query, { code: RCODE.serverFailure }, room(query))
    }
  }

  const onMessage = (udp: UdpSocket, message: Buffer, from: RemoteInfo) => {
    const send = (response: Buffer | undefined) =>
      // Errors are those of the sender's network.
      response && udp.send(response, from.port, from.address, () => {})
    // Port 0 cannot be sent to.
    if (from.port === 0) return
    const verdict = limit(from.address)
    if (verdict === 'drop') return
    if (verdict === 'truncate') {
      const query = message.length > QUERY_BYTES ? undefined : readQuery(message)
      return void send(query && !('code' in query) ? writeTruncated(query) : undefined)
    }
    void respond(message, (query) => ('room' in query ? query.room : QUERY_BYTES)).then(send)
  }

  const perNetwork = new Map<string, number>()
  const onConnection = (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '')
    const count = (perNetwork.get(network) ?? 0) + 1
    if (count > CONNECTIONS_PER_NETWORK) return void socket.destroy()
    perNetwork.set(network, count)
    socket.once('close', () => {
      const left = (perNetwork.get(network) ?? 1) - 1
      if (left > 0) perNetwork.set(network, left)
      else perNetwork.delete(network)
    })
    socket.on('error', () => socket.destroy())
    void answerConnection(socket, (message) => respond(message, () => TCP_BYTES))
  }

  const { udp, tcp } = await listenBoth(options.listen)
  udp.on('message', (message, from) => onMessage(udp, message, from))
  udp.on('error', (error) => log.warn({ err: error }, 'the DNS socket failed'))
  tcp.on('connection', onConnection)
  tcp.on('error', (error) => log.warn({ err: error }, 'the DNS socket failed'))
  const connections = new Set<Socket>()
  tcp.on('connection', (socket) => {
    // One too many of its network.
    if (socket.destroyed) return
    const [oldest] = connections
    if (connections.size >= CONNECTIONS_MAX) oldest?.destroy()
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  return {
    port: udp.address().port,
    async close() {
      udp.close()
      tcp.close()
      for (const socket of connections) socket.destroy()
      await Promise.all([once(udp, 'close'), once(tcp, 'close')])
    },
  }
}

/** Messages by TCP have their length before them. One after the other is answered, so nobody makes this buffer answers that are not read. */
async function answerConnection(socket: Socket, respond: (message: Buffer) => Promise<Buffer | undefined>) {
  // A connection that sends a byte now and then is closed as well.
  const deadline = setTimeout(() => socket.destroy(), IDLE_MS)
  let waiting = Buffer.alloc(0)
  let queries = 0
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      waiting = Buffer.concat([waiting, chunk])
      while (waiting.length >= 2 && waiting.length >= 2 + waiting.readUInt16BE(0)) {
        const length = waiting.readUInt16BE(0)
        const response = await respond(waiting.subarray(2, 2 + length))
        waiting = waiting.subarray(2 + length)
        if (!response || ++queries > QUERIES_PER_CONNECTION) return
        const size = Buffer.alloc(2)
        size.writeUInt16BE(response.length)
        if (!socket.write(Buffer.concat([size, response]))) await once(socket, 'drain')
        deadline.refresh()
      }
      if (waiting.length > 2 + QUERY_BYTES) return
    }
  } catch {
    // The other side is gone.
  } finally {
    clearTimeout(deadline)
    socket.end()
    socket.destroySoon()
  }
}

/** UDP and TCP on one port; 0: a free one. @throws the error of the system */
export async function listenBoth({
  host,
  port,
}: {
  host: string
  port: number
}): Promise<{ udp: UdpSocket; tcp: Server }> {
  for (let attempt = 1; ; attempt++) {
    const tcp = createServer({ allowHalfOpen: true })
    tcp.maxConnections = 2 * CONNECTIONS_MAX
    const udp = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    try {
      tcp.listen(port, host)
      await once(tcp, 'listening')
      udp.bind((tcp.address() as AddressInfo).port, host)
      await once(udp, 'listening')
      return { udp, tcp }
    } catch (error) {
      tcp.close()
      udp.close()
      // A free port for TCP may be taken for UDP.
      if (port !== 0 || attempt === PORT_ATTEMPTS) throw error
    }
  }
}
