import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type Gateway, upnpNat } from '@achingbrain/nat-port-mapper'
import { isPublicAddress, type Logger } from '@tidenet/daemon'
import type { Place } from './place.ts'

/** A port of the router that leads to this machine (UPnP). What routers say is a hint: the server tries it. */
export interface Mapping {
  readonly place: Place
  /** @returns whether the router still forwards it, perhaps at another address */
  renew(): Promise<boolean>
  end(): Promise<void>
}

const FIND_MS = 10_000
const CALL_MS = 5000
/** After a crash, the router forgets the port by itself. */
const LIFE_MS = 3_600_000

/**
 * Asks the routers of this network to forward a port.
 * @param port opens the port of this machine; called only if there is a router
 * @returns undefined if no router does
 */
export async function findMapping({
  port,
  signal,
  log,
}: {
  port: () => Promise<number>
  signal: AbortSignal
  log: Logger
}): Promise<Mapping | undefined> {
  const client = upnpNat({ autoRefresh: false, ttl: LIFE_MS, description: 'Tidenet' })
  const within = AbortSignal.any([signal, AbortSignal.timeout(FIND_MS)])
  try {
    for await (const gateway of client.findGateways({ signal: within })) {
      if (gateway.family !== 'IPv4') continue
      const mapping = await map(gateway, await port(), log).catch((error: unknown) =>
        log.info({ err: error, router: gateway.host }, 'the router does not forward a port'),
      )
      if (mapping) return mapping
    }
  } catch (error) {
    if (!within.aborted) throw error
  }
  return undefined
}

async function map(gateway: Gateway, port: number, log: Logger): Promise<Mapping | undefined> {
  const own = await localAddressTo(gateway)
  const ask = async (): Promise<Place> => {
    const { externalHost, externalPort } = await gateway.map(port, own, {
      protocol: 'tcp',
      signal: AbortSignal.timeout(CALL_MS),
    })
    return { address: externalHost, port: externalPort }
  }
  const end = async () => {
    // `stop` leaves the port open.
    await gateway.unmap(port, { signal: AbortSignal.timeout(CALL_MS) }).catch(() => {})
    await gateway.stop().catch(() => {})
  }
  let place = await ask()
  if (!isPublicAddress(place.address)) {
    log.info({ address: place.address }, 'the router is behind another one')
    await end()
    return undefined
  }
  log.info(place, 'the router forwards a port to this node')
  return {
    get place() {
      return place
    },
    async renew() {
      try {
        place = await ask()
        return isPublicAddress(place.address)
      } catch {
        return false
      }
    },
    end,
  }
}

/** The address of this machine in the network of the router. */
async function localAddressTo({ host, port }: Gateway): Promise<string> {
  const socket = createSocket('udp4')
  try {
    socket.connect(port, host)
    await once(socket, 'connect')
    return socket.address().address
  } finally {
    socket.close()
  }
}
