import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isPublicAddress, type Logger, StartError } from '@tidenet/daemon'
import { createPlaces } from '@tidenet/relay'
import type { Place } from './place.ts'
import { findMapping, type Mapping } from './port-mapping.ts'

/** How this node is reached without a relay: at an address of its own, or at a port that its router forwards. */
export interface Direct {
  /** Where it believes to be reached; undefined: nowhere. The server finds out whether that is so. */
  place(): Place | undefined
  stop(): Promise<void>
}

/** Connections at a time; a relay allows fewer. */
const CONNECTIONS_MAX = 256
/** Of one client network at a time, so that nobody takes all of them. */
export const CONNECTIONS_OF_NETWORK = 32
/** How often the router is asked again whether it still forwards the port, and for a router if there was none. */
const MAPPED_MS = 120_000
const NONE_MS = 600_000

/**
 * @param how a place at which it listens; `auto`: its public address, or one of its router; `off`: it is reached through relays only
 * @throws StartError if the given place cannot be used
 */
export async function openDirect({
  how,
  onVisitor,
  log,
}: {
  how: Place | 'auto' | 'off'
  /** A connection; its first bytes are those of TLS. */
  onVisitor: (socket: Socket) => void
  log: Logger
}): Promise<Direct> {
  const open = new Set<Socket>()
  const takePlace = createPlaces(CONNECTIONS_OF_NETWORK)
  const listen = async (host: string | undefined, port: number): Promise<Server> => {
    const server = createServer({ noDelay: true }, (socket) => {
      socket.on('error', () => socket.destroy())
      const release = takePlace(socket.remoteAddress ?? '')
      if (!release) return socket.destroy()
      open.add(socket)
      socket.once('close', () => {
        open.delete(socket)
        release()
      })
      onVisitor(socket)
    })
    server.maxConnections = CONNECTIONS_MAX
    server.listen({ port, ...(host && { host }) })
    await once(server, 'listening')
    // What a system says instead of accepting a connection, such as that it has no memory for it.
    server.on('error', (error) => log.warn({ err: error }, 'a direct connection could not be accepted'))
    return server
  }
  const close = async (server: Server | undefined) => {
    if (!server) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of open) socket.destroy()
    await closed
  }
  const portOf = (server: Server) => (server.address() as AddressInfo).port

  if (how === 'off') return { place: () => undefined, stop: async () => {} }
  if (how !== 'auto') {
    const server = await listen(how.address, how.port).catch((error: NodeJS.ErrnoException) => {
      throw new StartError(
        `The node cannot listen on ${how.address}:${how.port} (${error.code}). Choose another address with TIDENET_NODE_DIRECT, or "off".`,
      )
    })
    return { place: () => ({ address: how.address, port: portOf(server) }), stop: () => close(server) }
  }

  let server: Server | undefined
  let mapping: Mapping | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined
  const stopped = new AbortController()

  /** Listens only when somebody could get here: some systems ask their user whether a program may. */
  const ownPort = async () => {
    server ??= await listen(undefined, 0)
    return portOf(server)
  }
  const ask = async () => {
    const own = publicAddress()
    if (own !== undefined) {
      await ownPort()
      await mapping?.end()
      mapping = undefined
      return
    }
    if (mapping && (await mapping.renew())) return
    mapping = await findMapping({ port: ownPort, signal: stopped.signal, log })
  }

  return {
    place() {
      const now = performance.now()
      if (!asking && now - askedAt >= (mapping || server ? MAPPED_MS : NONE_MS)) {
        askedAt = now
        asking = ask()
          .catch((error: unknown) => log.info({ err: error }, 'no port of the router can be used'))
          .finally(() => {
            asking = undefined
          })
      }
      const address = publicAddress()
      if (address !== undefined && server) return { address, port: portOf(server) }
      return mapping?.place
    },
    async stop() {
      stopped.abort()
      await asking
      await mapping?.end()
      await close(server)
    },
  }
}

/** A public address of this machine; IPv4 first, which every visitor can reach. */
function publicAddress(): string | undefined {
  const own = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ address, internal }) => !internal && isPublicAddress(address))
  return (own.find(({ family }) => family === 'IPv4') ?? own[0])?.address
}
