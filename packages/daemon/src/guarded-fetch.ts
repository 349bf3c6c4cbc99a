import { type LookupAddress, promises } from 'node:dns'
import { Agent as AgentHttp, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as AgentHttps, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable, Transform } from 'node:stream'
import { rootCertificates } from 'node:tls'
import { readNodeName } from './node-names.ts'
import { isOwnAddress } from './own-address.ts'
import { isPublicAddress } from './public-address.ts'

/**
 * GET from, or POST to, an untrusted address. `fetch` does not check the IP address it connects to, and may not abort a body: a signal that only `fetch`
 * references can be garbage-collected together with its timer.
 */

export interface Guard {
  /** POSTs this; default: GET. A stream is sent once, so a request that failed is not repeated. */
  post?: Buffer | AsyncIterable<Uint8Array>
  /**
   * Sends it once, over a connection of its own: for requests that must not be repeated. On a reused connection, nobody knows whether a
   * request that was reset has arrived.
   */
  once?: boolean
  /** Default: POST with `post`, otherwise GET. */
  method?: 'DELETE' | 'POST'
  /** Most bytes of the body. */
  most: number
  /** Time limit for the whole request including the body, in ms. */
  withinMs: number
  /** Idle timeout, headers included, in ms. */
  silenceMs?: number
  /** Whether private addresses are allowed. */
  privateToo: boolean
  /** Refuses public addresses of this machine as well, unless private ones are allowed. */
  othersOnly?: boolean
  /**
   * Many strangers choose the names, as for a server. The system resolves few names at a time for the whole process, and name servers that
   * stay silent would stop all others. These names are resolved by DNS only, without the hosts file unless they have no dot.
   */
  manyNames?: boolean
  /** The address of this machine from which it connects; default: what the system chooses. */
  localAddress?: string
  headers?: Record<string, string>
  /** Also returns a compressed body, as it is; default: refused. */
  encodedToo?: boolean
  /**
   * Names in a zone of nodes only: whatever certificate they show. For an answer that proves by itself who gave it, and that tells nobody
   * anything. Always over a connection of its own.
   */
  anyCertificate?: boolean
  /** Sends no other headers than these and those that HTTP needs; `without-connection`: not even Connection. */
  bare?: 'with-connection' | 'without-connection'
  signal?: AbortSignal
}

/** Redirects are returned, not followed. */
export interface GuardedAnswer {
  status: number
  headers: IncomingMessage['headers']
  /** The IP address that answered. */
  address: string
  /** Destroy it unless you read it to the end. Fails if a limit is exceeded or the sender closes early. */
  body: Readable
}

/** The address is not allowed, a limit was exceeded, or the sender closed early. */
export class FetchFailed extends Error {
  override name = 'FetchFailed'
  /** `EPRIVATE`: the address is not allowed; `ETIMEDOUT`: the time limit; `EMSGSIZE`: more bytes than allowed; otherwise the code of the system error, or empty. */
  readonly code: string
  constructor(message: string, code = '') {
    super(message)
    this.code = code
  }
}

/** Longer delays overflow the timer, which then fires at once. */
const TIMER_MAX_MS = 2 ** 31 - 1
const timer = (late: () => void, ms: number) => setTimeout(late, Math.min(Math.max(0, ms), TIMER_MAX_MS))

/** Interim answers (status 1xx) before the final one. Without a limit, each costs time of the event loop. */
const INTERIM_MAX = 10

/** How long an idle connection is kept for reuse. */
const IDLE_MS = 4000

/** @throws FetchFailed, or the signal's reason if it was aborted */
export function guardedFetch(address: string | URL, guard: Guard): Promise<GuardedAnswer> {
  return attempt(new URL(address), guard, performance.now() + guard.withinMs)
}

/** The whole body, in memory. @throws FetchFailed, or the signal's reason if it was aborted */
export async function guardedBytes(
  address: string | URL,
  guard: Guard,
): Promise<Omit<GuardedAnswer, 'body'> & { bytes: Buffer }> {
  const { body, ...head } = await guardedFetch(address, guard)
  const parts: Buffer[] = []
  for await (const part of body) parts.push(part as Buffer)
  return { ...head, bytes: Buffer.concat(parts) }
}

async function attempt(url: URL, guard: Guard, until: number): Promise<GuardedAnswer> {
  const { localAddress, signal, bare, post, method = post ? 'POST' : 'GET' } = guard
  signal?.throwIfAborted()
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // Sockets do not call `lookup` for an IP address.
  if (isIP(host) !== 0 && !ALLOWED[reachOf(guard)](host)) throw new FetchFailed('a private address', 'EPRIVATE')
  const transport = transportOf(url, guard)
  if (!transport) throw new FetchFailed('neither http nor https')
  const call = transport.request(url, {
    agent: transport.agent,
    ...(localAddress && { localAddress }),
    method,
    headers: {
      ...(!bare && { accept: '*/*', 'accept-encoding': 'identity' }),
      ...(Buffer.isBuffer(post) && { 'content-length': post.length }),
      ...guard.headers,
    },
  })
  if (bare === 'without-connection') call.removeHeader('connection')
  const watch = watchOver(call, guard, until)
  try {
    const answer = await watch.answer
    const { headers, statusCode: status = 0 } = answer
    if (Number(headers['content-length'] ?? 0) > guard.most)
      throw new FetchFailed('it sends more than was asked for', 'EMSGSIZE')
    if (!guard.encodedToo && (headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new FetchFailed('it sends another encoding')
    return { status, headers, address: answer.socket.remoteAddress ?? '', body: watch.bounded(answer) }
  } catch (error) {
    watch.end(error as Error)
    // The server closed the reused connection before it got the request.
    if (call.reusedSocket && !guard.once && codeOf(error) === 'ECONNRESET' && (!post || Buffer.isBuffer(post)))
      return attempt(url, guard, until)
    signal?.throwIfAborted()
    throw error instanceof FetchFailed
      ? error
      : new FetchFailed(`it cannot be reached (${codeOf(error)})`, codeOf(error))
  }
}

/** Enforces the limits of a request. */
function watchOver(call: ClientRequest, { most, silenceMs, signal, post }: Guard, until: number) {
  let body: Transform | undefined
  let failure: Error | undefined
  let fail: (error: Error) => void = () => {}

  const end = (error?: Error) => {
    clearTimeout(deadline)
    clearTimeout(silence)
    signal?.removeEventListener('abort', onAbort)
    if (!error) return
    failure ??= error
    fail(error)
    // Body first: after destroying the request, a partial body would end as if it were complete.
    body?.destroy(error)
    call.destroy(error)
  }
  const onAbort = () => end(signal?.reason instanceof Error ? signal.reason : new FetchFailed('called off'))
  const onSilence = () => {
    // Unread bytes: the reader is slow, not the sender.
    if (body && (body.readableLength > 0 || body.writableLength > 0)) silence?.refresh()
    else end(new FetchFailed('it went silent', 'ETIMEDOUT'))
  }
  const deadline = timer(() => end(new FetchFailed('it took too long', 'ETIMEDOUT')), until - performance.now())
  const silence = silenceMs === undefined ? undefined : timer(onSilence, silenceMs)
  signal?.addEventListener('abort', onAbort, { once: true })

  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    fail = reject
    call.once('response', resolve)
    let interim = 0
    call.on('information', () => {
      if (++interim > INTERIM_MAX) end(new FetchFailed('it sends interim answers without end'))
    })
    // Not `once`: a destroyed request can emit another error.
    call.on('error', (error) => end(body ? brokeOff(error) : error))
    call.once('close', () => reject(new FetchFailed('it broke off')))
    if (!post || Buffer.isBuffer(post)) return void call.end(post)
    const sending = Readable.from(post, { objectMode: false })
    sending.once('error', (error) => end(error))
    // The receiver answered early, or the request failed.
    call.once('close', () => sending.destroy())
    sending.pipe(call)
  })

  const bounded = (from: IncomingMessage): Readable => {
    if (failure) throw failure
    const length = from.headers['content-length']
    let size = 0
    const counted = new Transform({
      transform(chunk: Buffer, _, done) {
        silence?.refresh()
        size += chunk.length
        if (size > most) done(new FetchFailed('it sends more than was asked for', 'EMSGSIZE'))
        else done(null, chunk)
      },
      flush(done) {
        if (from.complete && (length === undefined || size === Number(length))) done()
        else done(new FetchFailed('it broke off'))
      },
    })
    body = counted
    from.on('error', (error) => counted.destroy(brokeOff(error)))
    counted.on('error', end)
    counted.once('end', () => end())
    counted.once('close', () => {
      end()
      if (!from.readableEnded) call.destroy()
    })
    return from.pipe(counted)
  }
  return { answer, bounded, end }
}

type Agents = Record<'http:' | 'https:', { request: typeof requestHttp; agent: AgentHttp }>

/** A separate error class, because other requests of the program fail with the same system error codes. */
const brokeOff = (error: Error): FetchFailed =>
  error instanceof FetchFailed ? error : new FetchFailed(`it broke off (${codeOf(error)})`)

type Lookup = Parameters<LookupFunction>[1]

const bySystem = (hostname: string, options: Lookup): Promise<LookupAddress[]> =>
  promises.lookup(hostname, { ...options, all: true })

/** With asynchronous queries, of which any number can wait. */
async function byDns(hostname: string, { family = 0 }: Lookup): Promise<LookupAddress[]> {
  const ask = async (own: 4 | 6, resolve: (name: string) => Promise<string[]>) =>
    [0, own, `IPv${own}`].includes(family) ? (await resolve(hostname)).map((address) => ({ address, family: own })) : []
  const answers = await Promise.allSettled([ask(4, promises.resolve4), ask(6, promises.resolve6)])
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/** Which addresses a request may connect to. */
type Reach = 'anywhere' | 'public' | 'others'
const reachOf = ({ privateToo, othersOnly }: Guard): Reach =>
  privateToo ? 'anywhere' : othersOnly ? 'others' : 'public'
const ALLOWED: Record<Reach, (address: string) => boolean> = {
  anywhere: () => true,
  public: isPublicAddress,
  others: (address) => isPublicAddress(address) && !isOwnAddress(address),
}

/** Resolves a name and refuses it if one of its addresses is not allowed; the socket connects to exactly these. */
const allowedBy =
  (resolve: typeof bySystem, isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, options).then(
      (addresses) => {
        const [first] = addresses
        if (!first) done(new FetchFailed('its name has no address', 'ENOTFOUND'), '', 4)
        else if (!addresses.every(({ address }) => isAllowed(address)))
          done(new FetchFailed('a private address', 'EPRIVATE'), '', 4)
        else if (options.all) done(null, addresses)
        else done(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => done(error, '', 4),
    )
  }

/** Separate agents, so that a connection opened without the check is never reused where the check applies. */
const agents = (more: {
  lookup?: LookupFunction
  ca?: readonly string[]
  rejectUnauthorized?: false
}): Record<'kept' | 'once', Agents> => {
  const of = (keepAlive: boolean): Agents => {
    // Set, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment changes nothing.
    const { ca, ...rest } = more
    const options = { keepAlive, timeout: IDLE_MS, rejectUnauthorized: true, ...rest, ...(ca && { ca: [...ca] }) }
    return {
      'http:': { request: requestHttp, agent: new AgentHttp(options) },
      'https:': { request: requestHttps, agent: new AgentHttps(options) },
    }
  }
  return { kept: of(true), once: of(false) }
}
// Names without a dot, such as localhost, are none of a stranger.
const manyBy: typeof bySystem = (hostname, options) => (hostname.includes('.') ? byDns : bySystem)(hostname, options)

type AgentsByReach = Record<Reach, ReturnType<typeof agents>>
const few: AgentsByReach = {
  anywhere: agents({}),
  public: agents({ lookup: allowedBy(bySystem, ALLOWED.public) }),
  others: agents({ lookup: allowedBy(bySystem, ALLOWED.others) }),
}
const many: AgentsByReach = {
  anywhere: few.anywhere,
  public: agents({ lookup: allowedBy(manyBy, ALLOWED.public) }),
  others: agents({ lookup: allowedBy(manyBy, ALLOWED.others) }),
}

/** Zones in which nodes have names. `unverified`: whatever certificate they show. */
const zones = new Map<string, { ca: string; verified: AgentsByReach; unverified: AgentsByReach }>()

/**
 * Names of nodes in this zone contain their address, so they are not looked up: no name server is needed, and none can be wrong.
 * @param ca a CA that is trusted for these names alone, PEM; empty: those of Node.js
 */
export function trustZone(zone: string, ca: string): void {
  if (zone === '' || zones.get(zone)?.ca === ca) return
  const trusted = ca === '' ? {} : { ca: [...rootCertificates, ca] }
  const by =
    (isAllowed: (address: string) => boolean): LookupFunction =>
    (hostname, options, done) => {
      const address = readNodeName(hostname.toLowerCase(), zone)?.address
      if (!address) return done(new FetchFailed('its name has no address', 'ENOTFOUND'), '', 4)
      if (!isAllowed(address)) return done(new FetchFailed('a private address', 'EPRIVATE'), '', 4)
      const family = isIP(address)
      if (options.all) done(null, [{ address, family }])
      else done(null, address, family)
    }
  const byReach = (more: Parameters<typeof agents>[0]): AgentsByReach => ({
    anywhere: agents({ ...more, lookup: by(ALLOWED.anywhere) }),
    public: agents({ ...more, lookup: by(ALLOWED.public) }),
    others: agents({ ...more, lookup: by(ALLOWED.others) }),
  })
  zones.set(zone, { ca, verified: byReach(trusted), unverified: byReach({ rejectUnauthorized: false }) })
}

const zoneOf = (hostname: string) => {
  for (const [zone, each] of zones) if (hostname.endsWith(`.${zone}`)) return each
  return undefined
}

function transportOf({ protocol, hostname }: URL, guard: Guard) {
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const { manyNames, once, anyCertificate } = guard
  const zone = protocol === 'https:' ? zoneOf(hostname) : undefined
  if (zone && anyCertificate) return zone.unverified[reachOf(guard)].once[protocol]
  return (zone?.verified ?? (manyNames ? many : few))[reachOf(guard)][once ? 'once' : 'kept'][protocol]
}

function codeOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  return code ?? message ?? 'unknown'
}
