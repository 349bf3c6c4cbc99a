import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
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

/** Connects to the relay as a node does. @param answers whose name and signature it has in its answer */
async function connect(node: Registered, answers: { id: string; keys: Registered['keys'] } = node) {
  const health: Server = createServer((request, response) => {
    const nonce = new URL(request.url ?? '', 'http://node').searchParams.get('nonce') ?? ''
    const signature = signedBy(healthText(answers.id, nonce), answers.keys.privateKey)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ node_id: answers.id, signature, version: '1' }))
  })
  const tls = createTlsServer({ SNICallback: (_, done) => done(null, provisional(node)) }, (socket) => {
    socket.on('error', () => {})
    health.emit('connection', socket)
  })
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
