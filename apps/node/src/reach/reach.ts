import type { Socket } from 'node:net'
import { createServer, type SecureContext } from 'node:tls'
import { RELAYED_REPORTED_MAX, relayedText } from '@tidenet/contract'
import { type Clock, every, type Logger, nodeLabelOf, nodeOriginOf, readNodeName, trustZone } from '@tidenet/daemon'
import {
  connectToRelay,
  createPlaces,
  type DeviceConnection,
  type Relay,
  type RelayedStatement,
  startRelay,
} from '@tidenet/relay'
import type { FastifyInstance } from 'fastify'
import type { NodeConfig } from '../config.ts'
import type { Identity } from '../identity.ts'
import type { Limiter } from '../limits/limiter.ts'
import { type ServerLink, ServerRefused } from '../server-link.ts'
import type { Tokens } from '../tokens.ts'
import { type NodeCertificate, openNodeCertificate } from './certificate.ts'
import { type Direct, openDirect } from './direct.ts'
import type { Place } from './place.ts'

/** How others reach this node, in a network with names for nodes: directly, through relays, or as a relay. */
export interface Reach {
  /** The https origin at which others reach it; undefined: not at present. */
  readonly url: string | undefined
  /** How clients reach it; undefined: at its plain address, if at all. */
  readonly way: 'direct' | 'relay' | 'none' | undefined
  /** Of the relay in this node. */
  counts(): { devices: number; visitors: number; bytes: number }
  stop(): Promise<void>
}

/** A relay reports every minute; tickets are renewed on the way. */
const USUAL_MS = 60_000
/** While it is not reachable. */
const SOON_MS = 1000
const HANDSHAKE_MS = 10_000
/** Visitors of one network at a time, through all relays; each relay allows 16. */
const VISITORS_OF_NETWORK = 24
/** Keys used twice that are reported in one call. */
const CLONED_MAX = 20
/** How long a relay waits for visitors when it stops. */
const DRAIN_MS = 4000

interface Options {
  config: NodeConfig
  identity: Identity
  tokens: Tokens
  link: ServerLink
  app: FastifyInstance
  limiter: Pick<Limiter, 'away' | 'spend'>
  clock: Clock
  log: Logger
}

/** Starts it; nothing happens unless the server names a zone. */
export function startReach(options: Options): Reach {
  const { config, identity, tokens, link, app, limiter, clock, log } = options
  const label = nodeLabelOf(identity.publicKey)
  let certificate: NodeCertificate | undefined
  let relay: Relay | undefined
  let zone = ''
  const connections = new Map<string, { url: string; connection: DeviceConnection }>()
  /** Labels of devices whose key two programs use. */
  const cloned = new Set<string>()
  let url: string | undefined
  let told: string | undefined
  let isStopping = false
  let said = ''

  /** Of all relays together. */
  const takePlace = createPlaces(VISITORS_OF_NETWORK)
  let direct: Direct | undefined
  /** Where the server was last told that the node is, and whether that is so. */
  let claimed: (Place & { certified: boolean }) | undefined
  let isDirect = false

  const httpsOrigin = (place: Place) => nodeOriginOf(place, label, zone)

  // Ends TLS of visitors with the own key; what is inside is served like plain HTTP.
  const tls = createServer({
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // A visitor who stalls keeps one of few places.
    handshakeTimeout: HANDSHAKE_MS,
    SNICallback(name, done) {
      const context = contextFor(name)
      if (context) done(null, context)
      else done(new Error('not a name of this node'))
    },
  })
  tls.on('tlsClientError', () => {})
  tls.on('secureConnection', (socket) => {
    socket.on('error', () => socket.destroy())
    app.server.emit('connection', socket)
  })
  /** Until there is a certificate, the server looks whether it can reach the node. */
  const anyContext = () => certificate?.context() ?? certificate?.provisional()
  const contextFor = (name: string): SecureContext | undefined =>
    readNodeName(name.toLowerCase(), zone)?.label === label ? anyContext() : undefined

  /** Tells the server where the node is. Registrations that run at the same time are one, so it may take two. */
  const tell = async () => {
    while (!isStopping && told !== url) {
      const next = url
      await link.register()
      if (next === url) told = next
    }
  }
  const update = (next: string | undefined) => {
    if (next === url) return
    url = next
    log.info({ url }, next ? 'others reach this node by https' : 'no relay leads to this node')
    tell().catch((error: unknown) => log.warn({ err: error }, 'the server does not know the new address yet'))
  }
  /**
   * A relay if there is one, because the server adds the way that is direct; the present one as long as it works, so that another relay
   * cannot move the node by coming and going. None without a certificate: visitors could not use it.
   */
  const best = () => {
    if (!certificate?.context()) return undefined
    const working = [...connections.values()].filter(({ connection }) => connection.isConnected)
    const relay = working.find((each) => each.url === url) ?? working[0]
    return relay?.url ?? (isDirect && claimed ? httpsOrigin(claimed) : undefined)
  }

  /** The place of the relay in this node. */
  const placeOf = (listen: { host: string }, { port }: Relay) => ({ address: listen.host, port })

  const serveAsRelay = async (listen: { host: string; port: number }) => {
    const isFirst = relay === undefined
    relay ??= await startRelay({
      listen,
      zone,
      label,
      secureContext: anyContext,
      readTicket: tokens.relay,
      pace: {
        get isOpen() {
          return limiter.away === undefined
        },
        spend: limiter.spend,
      },
      onCloned: (device) => cloned.add(device),
      onOwnVisitor: (socket) => app.server.emit('connection', socket),
      clock,
      log,
    })
    // While its owner pauses it, it is offered to nobody.
    if (isFirst && !limiter.away) await link.call('relays', { serves: placeOf(listen, relay) })
  }

  const relayedNow = () => relay?.statements(RELAYED_REPORTED_MAX) ?? []
  const countersign = (statement: RelayedStatement) => {
    const { session, device, bytes } = statement
    return { ...statement, relay_signature: identity.sign(relayedText(session, identity.id, device, bytes)) }
  }
  /** What devices signed while the relay stopped. */
  const reportLast = async () => {
    const relayed = relayedNow()
    if (relayed.length > 0) await link.call('relays', { relayed: relayed.map(countersign) })
  }

  const useRelays = async (relays: readonly RelayOffer[], ca: string) => {
    const wanted = new Map(relays.map((each) => [`${each.name}:${each.port}`, each]))
    for (const [key, { connection }] of connections)
      if (!wanted.has(key) && !(connection.isConnected && relays.length === 0)) {
        connections.delete(key)
        await connection.stop()
      }
    for (const [key, place] of wanted) {
      const known = connections.get(key)
      if (known) known.connection.renew(place.ticket)
      else
        connections.set(key, {
          url: httpsOrigin(place),
          connection: connectToRelay({
            relay: place,
            nodeId: identity.id,
            takePlace,
            ca,
            sign: identity.sign,
            onVisitor: (socket: Socket) => tls.emit('connection', socket),
            onChange: () => update(best()),
            onCloned: () => cloned.add(label),
            log,
          }),
        })
    }
  }

  /** The address at which visitors reach the node now. */
  const announce = async () => {
    const serves = config.relay && relay && placeOf(config.relay, relay)
    update(serves ? certificate?.context() && httpsOrigin(serves) : best())
    await tell()
  }

  const claimNow = () => {
    const place = direct?.place()
    return place && { ...place, certified: certificate?.context() !== undefined }
  }

  const round = async () => {
    if (link.zone === '' || (config.url && !config.relay)) return
    // Also without a certificate: the server orders the first one for nodes that it reached.
    const claim = claimNow()
    claimed = claim
    const seenTwice = [...cloned].slice(0, CLONED_MAX)
    const relayed = relayedNow()
    const answer = await link.call('relays', {
      ...(config.relay && relay && !limiter.away && { serves: placeOf(config.relay, relay) }),
      ...(claim && { direct: claim }),
      ...(seenTwice.length > 0 && { cloned: seenTwice }),
      relayed: relayed.map(countersign),
    })
    relay?.confirm(relayed)
    for (const each of seenTwice) cloned.delete(each)
    const { zone: named, ca, relays, certificate_due } = answer
    if (claim && (answer.direct === true) !== isDirect)
      log.info(
        { address: claim.address, port: claim.port },
        answer.direct === true ? 'clients reach this node directly' : 'clients reach this node through relays',
      )
    isDirect = answer.direct === true
    if (named !== zone || !certificate) {
      zone = named
      const name = `*.${label}.${zone}`
      certificate = await openNodeCertificate({ folder: config.data, name, identity, link, clock, log })
    }
    trustZone(zone, ca)
    if (!config.relay)
      direct ??= await openDirect({
        how: config.direct ?? 'off',
        onVisitor: (socket) => tls.emit('connection', socket),
        log,
      })
    // Before the certificate, because the server orders one only for nodes that it reached.
    if (config.relay) await serveAsRelay(config.relay)
    else await useRelays(relays, ca)
    await certificate.ensure(certificate_due).finally(announce)
  }

  let next = 0
  const hasMoved = () => {
    const claim = claimNow()
    return (
      claim?.address !== claimed?.address || claim?.port !== claimed?.port || claim?.certified !== claimed?.certified
    )
  }
  const rounds = every(
    SOON_MS,
    async () => {
      const now = performance.now()
      if (now < next && !hasMoved()) return
      next = now + (url === undefined ? 2 * SOON_MS : USUAL_MS)
      await round().then(
        () => {
          said = ''
          const wait = certificate?.waitMs() ?? USUAL_MS
          next = Math.min(next, performance.now() + Math.max(wait, 2 * SOON_MS))
        },
        (error: unknown) => {
          const why = error instanceof Error ? error.message : String(error)
          if (why !== said) log.warn({ why }, 'this node cannot be reached by https yet')
          said = why
          // The answer stays the same for hours.
          if (error instanceof ServerRefused) next = performance.now() + USUAL_MS
        },
      )
    },
    { name: 'reach', log },
  )

  return {
    get url() {
      return url
    },
    get way() {
      if (zone === '') return undefined
      // In a private network, others use its plain address.
      if (url === undefined) return config.privateNodes ? undefined : 'none'
      return isDirect || config.relay ? 'direct' : 'relay'
    },
    counts: () => relay?.counts() ?? { devices: 0, visitors: 0, bytes: 0 },
    async stop() {
      isStopping = true
      await rounds.stop()
      await Promise.all([...connections.values()].map(({ connection }) => connection.stop()))
      await direct?.stop()
      await relay?.close(DRAIN_MS)
      await reportLast().catch((error: unknown) => log.info({ err: error }, 'what devices signed last is not reported'))
    },
  }
}

type RelayOffer = Parameters<typeof connectToRelay>[0]['relay']
