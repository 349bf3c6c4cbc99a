import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, createServer as createTlsServer, type SecureContext } from 'node:tls'
import { createChallenges, type LocalCa, openLocalCa } from '@tidenet/certificates'
import { certificateText, type RelayTicket } from '@tidenet/contract'
import { createLogger, nodeLabelOf, nodeNameOf, trustZone } from '@tidenet/daemon'
import { connectToRelay, type Relay, startRelay } from '@tidenet/relay'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCertificateRequest, createSelfSignedCertificate } from '../../apps/node/src/reach/certificate-request.ts'
import { type CertificateQueue, openCertificateQueue } from '../../apps/server/src/network/certificates/queue.ts'
import { sampleRegistration, signedBy } from '../../apps/server/src/network/control/sample-registration.fixture.ts'
import { nodeToken } from '../../apps/server/src/network/nodes/node-session.ts'
import { healthText } from '../../apps/server/src/network/nodes/signatures.ts'
import { certificateStore } from '../../apps/server/src/platform/certificates/store.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { startTestCa, type TestCa } from '../../packages/certificates/src/test-ca.fixture.ts'

/**
 * Certificates of public CAs are few, so a node gets its first one only after the server reached it. Nodes and relays that pretend to be
 * reached get none.
 */

const ZONE = 'nodes.example.net'
const HERE = '127.0.0.1'
const log = createLogger('test', 'silent')

let env: TestEnv
let folder: string
let localCa: LocalCa
let ca: TestCa
let queue: CertificateQueue
let relay: Relay & { node: Registered }
const cleanups: (() => Promise<unknown> | unknown)[] = []

const p256 = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

async function registered(more = {}) {
  const { keys, input } = sampleRegistration(env, more)
  const { node_id: id } = (await env.call('nodeControl.register', input)).data
  // Its address leads nowhere.
  const probed = sql`select 1 as one from nodes where id = ${id} and unreachable_since is not null`
  await expect.poll(async () => (await env.db.maybe(probed)) !== undefined, { interval: 5 }).toBe(true)
  return { keys, key: input.public_key, label: nodeLabelOf(input.public_key), id }
}
type Registered = Awaited<ReturnType<typeof registered>>

beforeAll(async () => {
  env = await setup()
  folder = await mkdtemp(join(tmpdir(), 'reach-'))
  localCa = await openLocalCa(folder, ZONE)
  trustZone(ZONE, localCa.root)
})
afterAll(async () => {
  await env.close()
  await rm(folder, { recursive: true })
})

beforeEach(async () => {
  ca = await startTestCa(env.clock)
  const acme = {
    authorities: [{ directory: ca.directory }],
    email: '',
    profile: '',
    roots: '',
    issuers: [],
    weekly: 50,
  }
  Object.assign(env.context.config, {
    names: { zone: ZONE, tls: 'acme', acme, dns: undefined, nameservers: ['ns1.example.com'] },
  })
  const challenges = createChallenges(certificateStore(env.context), env.clock, { cacheMs: 0 })
  ca.validate = async (_, name) => (await challenges.texts(`_acme-challenge.${name}`)).length > 0
  queue = await openCertificateQueue(env.context)
  relay = await openRelay()
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  await queue.stop()
  await ca.close()
})

/** A relay that the server has reached. */
async function openRelay() {
  const node = await registered({ kind: 'candidate', join_token: 'join' })
  const own = p256()
  const name = `*.${node.label}.${ZONE}`
  const cert = await localCa.issue([name], createCertificateRequest(name, own), Date.now())
  const context = createSecureContext({ cert, key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }) })
  const opened = await startRelay({
    listen: { host: HERE, port: 0 },
    zone: ZONE,
    label: node.label,
    secureContext: () => context,
    // The signature of tickets is not what this is about.
    readTicket: async (text) => JSON.parse(text) as RelayTicket,
    onOwnVisitor: (socket) => socket.destroy(),
    clock: { now: Date.now },
    log,
  })
  cleanups.push(() => opened.close(0))
  const url = `https://${nodeNameOf(HERE, node.label, ZONE)}:${opened.port}`
  await env.db.run(sql`update nodes set url = ${url}, reachable = true, status = 'online' where id = ${node.id}`)
  await env.db.run(sql`delete from relays`)
  const serves = { address: HERE, port: opened.port }
  await env.call('nodeControl.relays', { serves }, { token: await nodeToken(env.context, node.id) })
  return { ...opened, node }
}

interface Answers {
  id: string
  keys: Registered['keys']
  /** The nonce that it signs; by default the one it was asked for. */
  nonce?: string
}

/** TLS of a node, with a certificate of its own making. @param answers whose name and signature it has in its answer */
function tlsOf(node: Registered, answers: Answers) {
  const health: Server = createServer((request, response) => {
    const asked = new URL(request.url ?? '', 'http://node').searchParams.get('nonce') ?? ''
    const signature = signedBy(healthText(answers.id, answers.nonce ?? asked), answers.keys.privateKey)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ node_id: answers.id, signature, version: '1' }))
  })
  return createTlsServer({ SNICallback: (_, done) => done(null, provisional(node)) }, (socket) => {
    socket.on('error', () => {})
    health.emit('connection', socket)
  })
}

/** Listens as a node does behind a router that forwards a port. @returns the place, and how often somebody connected */
async function listen(node: Registered, answers: Answers = node) {
  const tls = tlsOf(node, answers)
  const seen = { connections: 0 }
  tls.on('connection', () => seen.connections++)
  tls.listen(0, HERE)
  await once(tls, 'listening')
  cleanups.push(() => tls.close())
  return { seen, place: { address: HERE, port: (tls.address() as AddressInfo).port } }
}

/** Says where it believes to be reached. */
const claim = async (node: Registered, place: { address: string; port: number }, ip = HERE, certified = false) =>
  (
    await env.call(
      'nodeControl.relays',
      { direct: { ...place, certified } },
      { token: await nodeToken(env.context, node.id), ip },
    )
  ).data.direct

/** Connects to the relay as a node does. */
async function connect(node: Registered, answers: Answers = node) {
  const tls = tlsOf(node, answers)
  await new Promise<void>((resolve) => {
    const exp = Date.now() / 1000 + 60
    const connection = connectToRelay({
      relay: {
        node_id: 'relay',
        name: nodeNameOf(HERE, relay.node.label, ZONE),
        address: HERE,
        port: relay.port,
        ticket: JSON.stringify({ typ: 'relay', aud: 'relay', sub: node.id, key: node.key, most: 64, exp }),
      },
      nodeId: node.id,
      ca: localCa.root,
      sign: (text) => sign(null, Buffer.from(text), node.keys.privateKey).toString('base64url'),
      onVisitor: (socket) => tls.emit('connection', socket),
      onChange: (isConnected) => isConnected && resolve(),
      log,
    })
    cleanups.push(() => connection.stop())
  })
}

function provisional({ label }: Registered): SecureContext {
  const own = p256()
  const cert = createSelfSignedCertificate(`*.${label}.${ZONE}`, own)
  return createSecureContext({ cert, key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }) })
}

/** Asks for a certificate, and lets the queue work. @returns why there is none; empty: there is one */
async function problemOf(node: Registered): Promise<string | undefined> {
  const keys = p256()
  const ask = async () => {
    const csr = createCertificateRequest(`*.${node.label}.${ZONE}`, keys).toString('base64url')
    const time = env.clock.now()
    const signature = signedBy(certificateText(node.key, csr, time), node.keys.privateKey)
    return (
      await env.call(
        'nodeControl.certificate',
        { csr, time, signature },
        { token: await nodeToken(env.context, node.id) },
      )
    ).data.problem
  }
  await ask()
  for (let round = 0; round < 3; round++) await queue.round()
  return ask()
}

describe('a node behind a router', () => {
  it('gets its first certificate when the server reached it through its relay', async () => {
    const node = await registered()
    await connect(node)
    expect(await problemOf(node)).toBe('')
    expect(ca.issued).toHaveLength(1)
  })

  it('gets none if it is connected to no relay', async () => {
    expect(await problemOf(await registered())).toBe('unreached')
    expect(ca.requests).toBe(0)
  })

  it('gets none by the answers of somebody else, so one machine cannot get them for a thousand keys', async () => {
    const [node, other] = [await registered(), await registered()]
    await connect(node, other)
    expect(await problemOf(node)).toBe('unreached')
    // Its own name with a foreign signature.
    const third = await registered()
    await connect(third, { id: third.id, keys: other.keys })
    expect(await problemOf(third)).toBe('unreached')
    expect(ca.requests).toBe(0)
  })

  it('gets none if its relay only says that it is reached', async () => {
    const node = await registered()
    // Another relay at this place, whose device it is not.
    await env.db.run(sql`update relays set port = 1`)
    expect(await problemOf(node)).toBe('unreached')
    expect(ca.requests).toBe(0)
  })
})

describe('a node whose router forwards a port, in a network without relays', () => {
  beforeEach(async () => {
    await env.db.run(sql`delete from relays`)
  })

  it('gets its first certificate when the server reached it at the place from which it calls', async () => {
    const node = await registered()
    const { place } = await listen(node)
    // Clients are not sent there, whatever the node says: they could not use a certificate of its own making.
    for (const certified of [true, false]) expect(await claim(node, place, HERE, certified)).toBe(false)
    expect(await problemOf(node)).toBe('')
    expect(ca.issued).toHaveLength(1)
  })

  it('gets none by the key, the name or an earlier answer of somebody else', async () => {
    const other = await registered()
    for (const impostor of [
      (node: Registered) => ({ id: node.id, keys: other.keys }),
      () => other,
      (node: Registered) => ({ id: node.id, keys: node.keys, nonce: 'an-earlier-nonce-000000' }),
    ]) {
      const node = await registered()
      const { place, seen } = await listen(node, impostor(node))
      await claim(node, place)
      expect(await problemOf(node)).toBe('unreached')
      expect(seen.connections).toBeGreaterThan(0)
    }
    expect(ca.requests).toBe(0)
  })

  it('gets none for a place of another node: its answers are signed for that one', async () => {
    const [node, other] = [await registered(), await registered()]
    const { place } = await listen(other)
    await claim(node, place)
    expect(await problemOf(node)).toBe('unreached')
    expect(ca.requests).toBe(0)
  })

  it('makes the server connect to no private address, and to none from which it does not call', async () => {
    const node = await registered()
    const { place, seen } = await listen(node)
    const { privateNodes } = env.context.config
    Object.assign(env.context.config, { privateNodes: false })
    try {
      for (const ip of [HERE, '192.88.99.7']) await claim(node, place, ip)
      await claim(node, { ...place, address: '192.88.99.8' }, '192.88.99.7')
      // A public place that it would connect to.
      expect(await env.db.one(sql`select claimed_url from nodes where id = ${node.id}`)).toEqual({ claimed_url: '' })
      expect(await problemOf(node)).toBe('unreached')
    } finally {
      Object.assign(env.context.config, { privateNodes })
    }
    expect(seen.connections).toBe(0)
    expect(ca.requests).toBe(0)
  })

  it('gets none for a place that it does not claim any more', async () => {
    const node = await registered()
    const { place } = await listen(node)
    await claim(node, place)
    await env.call('nodeControl.relays', {}, { token: await nodeToken(env.context, node.id) })
    expect(await problemOf(node)).toBe('unreached')
    expect(ca.requests).toBe(0)
  })
})
