import { fork } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import {
  type CertificateState,
  type Certificates,
  type CertificatesOptions,
  createCertificates,
  createChallenges,
  createDnsResponder,
  createDomainResolver,
  createFolderStore,
  createSniCallback,
  type DnsResponder,
  everyName,
  pointsHere,
} from '@tidenet/certificates'
import { createClock, createLogger } from '@tidenet/daemon'
import { freePort } from '@tidenet/testnet'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startDnsTable } from '../../packages/certificates/src/dns-table.fixture.ts'
import { startFront } from './front.ts'
import { type Pebble, startPebble } from './pebble.ts'

/**
 * Certificates by ACME, end to end: our name server, the answers over HTTP, a CA that checks signatures and nonces, and a TLS client that
 * trusts that CA alone.
 */

const ZONE = 'apps.example.com'
const WILDCARD = [`*.${ZONE}`]
const CUSTOM = ['shop.example.org']
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const log = createLogger('test', 'silent')

let folder: string
let clock: ReturnType<typeof createClock>
let responder: DnsResponder
let customers: Awaited<ReturnType<typeof startDnsTable>>
let web: Server
let pebble: Pebble
let front: Awaited<ReturnType<typeof startFront>>
let servers: Certificates[]
let challenges: ReturnType<typeof createChallenges>

beforeAll(async () => {
  responder = await createDnsResponder({
    zone: ZONE,
    listen: { host: '127.0.0.1', port: 0 },
    nameservers: ['ns1.example.com'],
    addresses: everyName(ZONE, ['127.0.0.1']),
    texts: (name) => challenges.texts(name),
    log,
  })
  // The names of customers are elsewhere.
  customers = await startDnsTable({ zone: ZONE, port: responder.port })
  web = createServer(async (request, response) => {
    const body = await challenges.httpAnswer(request.url ?? '')
    response.writeHead(body ? 200 : 404).end(body)
  })
  web.listen(await freePort(), '127.0.0.1')
  await once(web, 'listening')
  pebble = await startPebble({ dns: customers.server, httpPort: (web.address() as AddressInfo).port })
})
afterAll(async () => {
  await pebble.close()
  web.close()
  await customers.close()
  await responder.close()
})

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidenet-acme-'))
  clock = createClock()
  challenges = createChallenges(createFolderStore(folder), clock)
  front = await startFront(pebble)
  customers.set({ type: 'A', name: 'shop.example.org', data: '127.0.0.1' })
  servers = []
})
afterEach(async () => {
  for (const server of servers) await server.stop()
  await front.close()
  rmSync(folder, { recursive: true, force: true })
})

function start(options: Partial<CertificatesOptions> = {}): Certificates {
  const server = createCertificates(optionsOf(options))
  servers.push(server)
  return server
}

function optionsOf(options: Partial<CertificatesOptions>): CertificatesOptions {
  const store = createFolderStore(folder)
  return {
    directory: front.directory,
    roots: pebble.serverRoot,
    profile: 'default',
    store,
    challenges: createChallenges(store, clock),
    zones: [ZONE],
    clock,
    log,
    ...options,
  }
}

/** What a client that trusts the CA alone sees; undefined: no connection. */
async function visit(tls: TlsServer, servername: string): Promise<X509Certificate | undefined> {
  const { port } = tls.address() as AddressInfo
  const socket = connect({ host: '127.0.0.1', port, servername, ca: pebble.root })
  try {
    await once(socket, 'secureConnect')
    return socket.getPeerX509Certificate()
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}

async function withTls(server: Certificates, test: (tls: TlsServer) => Promise<void>) {
  const tls = createTlsServer({ SNICallback: createSniCallback(server.find) }, (socket) => socket.on('error', () => {}))
  tls.on('tlsClientError', () => {})
  tls.listen(0, '127.0.0.1')
  await once(tls, 'listening')
  try {
    await test(tls)
  } finally {
    tls.close()
  }
}

const serialOf = (server: Certificates, name: string) => new X509Certificate(server.find(name)?.cert ?? '').serialNumber

describe('certificates of a CA', () => {
  it('are trusted for every name of the zone, and for the domain of a customer', async () => {
    const server = start()
    expect(await server.ensure(WILDCARD)).toMatchObject({ failure: undefined })
    expect(await server.ensure(CUSTOM)).toMatchObject({ failure: undefined })
    await withTls(server, async (tls) => {
      expect((await visit(tls, `web-1.${ZONE}`))?.subjectAltName).toBe(`DNS:*.${ZONE}`)
      expect((await visit(tls, 'shop.example.org'))?.subjectAltName).toBe('DNS:shop.example.org')
      expect(await visit(tls, 'other.example.org')).toBeUndefined()
    })
  })

  it('can cover a zone and all names below it, and have the profile that was named', async () => {
    const server = start({ profile: 'shortlived' })
    const { notAfter = 0 } = await server.ensure([ZONE, ...WILDCARD])
    expect(notAfter - clock.now()).toBeLessThan(7 * DAY_MS)
    expect(server.find(ZONE)).toBe(server.find(`a.${ZONE}`))
  })

  it('come from a CA whose own server is trusted, and from no other', async () => {
    const { roots: _, ...options } = optionsOf({ directory: pebble.directory })
    const distrusting = createCertificates(options)
    servers.push(distrusting)
    expect((await distrusting.ensure(WILDCARD)).failure).toMatchObject({ code: 'unreachable' })
    expect(await start({ directory: pebble.directory }).ensure(WILDCARD, { retry: true })).toMatchObject({
      failure: undefined,
    })
  })

  it('are ordered although the CA rejects nonces, many at a time', async () => {
    const server = start()
    const sets = Array.from({ length: 12 }, (_, index) => [`n${index}.${ZONE}`])
    const states = await Promise.all(sets.map((names) => server.ensure(names)))
    expect(states.map(({ failure }) => failure)).toEqual(sets.map(() => undefined))
    expect(front.orders).toHaveLength(12)
    expect(front.rejectedNonces).toBeGreaterThan(0)
  })

  it('are ordered by one server of several', async () => {
    // One folder is for one process, so they share the store.
    const store = createFolderStore(folder)
    const both = [start({ store }), start({ store })]
    await Promise.all(both.map((server) => server.ensure(WILDCARD)))
    for (const server of both) await server.ensure(WILDCARD)
    expect(front.orders).toHaveLength(1)
    expect(new Set(both.map((server) => serialOf(server, `a.${ZONE}`))).size).toBe(1)
  })
})

describe('renewal', () => {
  it('happens at the suggested time by itself, while the old certificate serves', async () => {
    const server = start()
    await server.ensure(WILDCARD)
    const first = serialOf(server, `a.${ZONE}`)
    clock.move(75 * DAY_MS)
    // Nobody calls: the regular look finds it.
    await expect.poll(() => serialOf(server, `a.${ZONE}`), { timeout: 60_000, interval: 200 }).not.toBe(first)
    expect(front.replacements).toEqual([WILDCARD])
    await withTls(server, async (tls) => expect(await visit(tls, `a.${ZONE}`)).toBeDefined())
  })

  it('is early if the CA says so', async () => {
    const server = start()
    await server.ensure(WILDCARD)
    const first = serialOf(server, `a.${ZONE}`)
    await pebble.suggest(
      server.find(`a.${ZONE}`)?.cert ?? '',
      new Date(Date.now() - 2 * DAY_MS),
      new Date(Date.now() - DAY_MS),
    )
    // It may have asked a moment before, and asks again after some hours.
    clock.move(7 * HOUR_MS)
    await server.ensure(WILDCARD)
    expect(serialOf(server, `a.${ZONE}`)).not.toBe(first)
    expect(front.replacements).toEqual([WILDCARD])
  })

  it('follows a revocation, with another key', async () => {
    const server = start()
    await server.ensure(CUSTOM)
    const [serial, key] = [serialOf(server, 'shop.example.org'), server.find('shop.example.org')?.key]
    expect(await pebble.statusOf(serial)).toBe('Valid')
    expect(await server.revoke(CUSTOM)).toMatchObject({ failure: undefined })
    expect(await pebble.statusOf(serial)).toBe('Revoked')
    expect(server.find('shop.example.org')?.key).not.toBe(key)
  })
})

describe('a killed program', () => {
  /** Orders in a process, which is killed before its n-th request reaches the CA. Undefined: it was killed. */
  const order = async (
    names: readonly string[],
    offsetMs: number,
    killAt?: number,
  ): Promise<CertificateState | undefined> => {
    const input = { directory: front.directory, roots: pebble.serverRoot, folder, zone: ZONE, names, offsetMs }
    const child = fork(new URL('orderer.mjs', import.meta.url), [JSON.stringify(input)])
    const last = front.requests + (killAt ?? Number.POSITIVE_INFINITY)
    front.onRequest = async () => {
      if (front.requests >= last && child.connected) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
    }
    let state: CertificateState | undefined
    child.on('message', (message) => {
      state = message as CertificateState
    })
    await once(child, 'exit')
    front.onRequest = async () => {}
    return state
  }

  it.each([2, 4, 6, 8, 10, 12, 14, 16, 18])('continues its order (killed at request %i)', async (killAt) => {
    const names = [`k${killAt}.${ZONE}`, 'shop.example.org']
    const killed = await order(names, 0, killAt)
    const state = await order(names, 180_000)
    expect(state?.failure).toBeUndefined()
    expect(state?.notAfter).toBeGreaterThan(Date.now())
    // An order is lost only if the program was killed before it could store it.
    expect(front.orders.length).toBeLessThanOrEqual(killed ? 1 : 2)
  })
})

describe('failures', () => {
  it('name the reason of the CA: no address, wrong answer, forbidden name', async () => {
    const server = start()
    customers.set({ type: 'A', name: 'other.example.org', data: '127.0.0.1' })
    expect((await server.ensure(CUSTOM)).failure).toMatchObject({ code: 'connection', tries: 1 })
    const foreign = createChallenges(createFolderStore(join(folder, 'foreign')), clock)
    const withoutAnswers = start({ challenges: foreign })
    expect((await withoutAnswers.ensure(['other.example.org'])).failure).toMatchObject({
      code: 'unauthorized',
      detail: expect.stringContaining('404'),
    })
    expect((await withoutAnswers.ensure(WILDCARD)).failure).toMatchObject({ code: 'unauthorized' })
    expect((await server.ensure(['blocked.example.org'])).failure).toMatchObject({ code: 'rejectedIdentifier' })
    expect(server.find('shop.example.org')).toBeUndefined()
  })

  it('are over when the customer has corrected the domain', async () => {
    customers.set()
    const resolver = createDomainResolver([customers.server])
    const server = start({ mayOrder: (domain) => pointsHere({ domain, addresses: ['127.0.0.1'], resolver }) })
    expect((await server.ensure(CUSTOM)).failure).toMatchObject({ code: 'not-pointing-here' })
    expect(front.requests).toBe(0)
    customers.set({ type: 'A', name: 'shop.example.org', data: '127.0.0.1' })
    expect(await server.ensure(CUSTOM, { retry: true })).toMatchObject({ failure: undefined })
  })

  it('do not include a CA that lost everything it knew', async () => {
    const { port } = web.address() as AddressInfo
    const first = await startPebble({ dns: customers.server, httpPort: port })
    const server = start({ directory: first.directory, roots: first.serverRoot })
    await server.ensure(WILDCARD)
    await first.close()
    const second = await startPebble({ dns: customers.server, httpPort: port, port: first.port })
    try {
      const again = start({ directory: second.directory, roots: second.serverRoot })
      clock.move(75 * DAY_MS)
      for (let attempt = 0; attempt < 4; attempt++) await again.ensure(WILDCARD, { retry: true })
      const { failure, notAfter = 0 } = await again.ensure(WILDCARD)
      expect(failure).toBeUndefined()
      expect(notAfter).toBeGreaterThan(Date.now() + 89 * DAY_MS)
    } finally {
      await second.close()
    }
  })
})
