import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { duplexPair } from 'node:stream'
import { connect, createSecureContext, TLSSocket } from 'node:tls'
import { openLocalCa } from '@tidenet/certificates'
import { CERTIFICATES_PER_DAY, certificateText } from '@tidenet/contract'
import { nodeLabelOf, nodeNameOf } from '@tidenet/daemon'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createCertificateRequest } from '../../apps/node/src/reach/certificate-request.ts'
import { sampleRegistration, signedBy } from '../../apps/server/src/network/control/sample-registration.fixture.ts'
import { NO_NAMES } from '../../apps/server/src/network/names/config.ts'
import { nodeToken } from '../../apps/server/src/network/nodes/node-session.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

const ZONE = 'nodes.example.net'
const DAY_MS = 86_400_000

let env: TestEnv
let data: string
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'certificates-'))
  const names = { ...NO_NAMES, zone: ZONE, tls: 'local' as const }
  env = await setup({ data, names })
})
afterAll(async () => {
  await env?.close()
  await rm(data, { recursive: true })
})

async function registered(more = {}) {
  const { keys, input } = sampleRegistration(env, more)
  const { data: answer } = await env.call('nodeControl.register', input)
  return { keys, key: input.public_key, label: nodeLabelOf(input.public_key), id: answer.node_id, zone: answer.zone }
}
type Node = Awaited<ReturnType<typeof registered>>

const p256 = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const requestFor = (label: string, keys: Parameters<typeof createCertificateRequest>[1] = p256(), zone = ZONE) =>
  createCertificateRequest(`*.${label}.${zone}`, keys).toString('base64url')

async function ask(
  node: Node,
  {
    csr = requestFor(node.label),
    time = env.clock.now(),
    signer = node,
  }: { csr?: string; time?: number; signer?: Node } = {},
) {
  const signature = signedBy(certificateText(node.key, csr, time), signer.keys.privateKey)
  return env.call('nodeControl.certificate', { csr, time, signature }, { token: await nodeToken(env.context, node.id) })
}

describe('the certificate of a node', () => {
  it('is for its own names, with the key that it made', async () => {
    const node = await registered()
    expect(node.zone).toBe(ZONE)
    const own = p256()
    const { data: answer } = await ask(node, { csr: requestFor(node.label, own) })
    const certificate = new X509Certificate(answer.certificate)
    expect(certificate.subjectAltName).toBe(`DNS:*.${node.label}.${ZONE}`)
    expect(certificate.checkPrivateKey(own.privateKey)).toBe(true)
    const { data: relays } = await env.call('nodeControl.relays', {}, { token: await nodeToken(env.context, node.id) })
    expect(certificate.checkIssued(new X509Certificate(relays.ca))).toBe(true)
    expect(relays.relays).toEqual([])
  })

  it('is of no use outside the zone, even to whoever has the key of the local CA', async () => {
    const ca = await openLocalCa(join(data, 'other'), ZONE)
    /** What a client that trusts the CA says of a certificate for this name. */
    const verdict = async (name: string) => {
      const own = p256()
      const cert = await ca.issue([name], createCertificateRequest(name, own), Date.now())
      const context = createSecureContext({ cert, key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }) })
      const [near, far] = duplexPair()
      new TLSSocket(far, { isServer: true, secureContext: context }).on('error', () => {})
      const client = connect({ socket: near, servername: name, ca: ca.root, rejectUnauthorized: false })
      await once(client, 'secureConnect')
      client.destroy()
      return client.authorizationError ?? 'trusted'
    }
    expect(await verdict(`127-0-0-1.${'a'.repeat(32)}.${ZONE}`)).toBe('trusted')
    expect(await verdict('www.example.com')).not.toBe('trusted')
    expect(await verdict(`${ZONE}.example.com`)).not.toBe('trusted')
    await expect(openLocalCa(join(data, 'other'), 'another.example.net')).rejects.toThrow()
  })

  it('comes at most three times a day, also to many who ask at once', async () => {
    const node = await registered()
    const codes = []
    for (let turn = 0; turn < CERTIFICATES_PER_DAY + 1; turn++) codes.push((await ask(node)).err ?? 0)
    expect(codes).toEqual([0, 0, 0, 2142])
    const other = await registered()
    const answers = await Promise.all(Array.from({ length: CERTIFICATES_PER_DAY + 3 }, () => ask(other)))
    expect(answers.filter(({ code }) => code === 0).length).toBeLessThanOrEqual(CERTIFICATES_PER_DAY)
    env.clock.move(DAY_MS + 1)
    expect(await ask(node)).toMatchObject({ code: 0 })
  })

  it('is refused for names of others, and for requests that are not signed with their own P-256 key', async () => {
    const [node, other] = [await registered(), await registered()]
    const foreign = p256()
    const swapped = { publicKey: foreign.publicKey, privateKey: p256().privateKey }
    for (const csr of [
      requestFor(other.label),
      requestFor(node.label, p256(), 'example.net'),
      requestFor(`${node.label}.${other.label}`),
      createCertificateRequest(`*.${ZONE}`, p256()).toString('base64url'),
      createCertificateRequest(`127-0-0-1.${node.label}.${ZONE}`, p256()).toString('base64url'),
      requestFor(node.label, swapped),
      requestFor(node.label, generateKeyPairSync('ec', { namedCurve: 'P-384' })),
      'AAAA',
    ])
      expect(await ask(node, { csr })).toMatchObject({ code: -1, err: 2141 })
  })

  it('is refused without the signature of the node, and at another time', async () => {
    const [node, other] = [await registered(), await registered()]
    expect(await ask(node, { signer: other })).toMatchObject({ code: -1, err: 1021 })
    for (const off of [-61_000, 61_000])
      expect(await ask(node, { time: env.clock.now() + off })).toMatchObject({ code: -1 })
    expect(await ask(node, { time: env.clock.now() - 50_000 })).toMatchObject({ code: 0 })
  })

  it('is refused for a copy of a request, and for one that is older than the last', async () => {
    const node = await registered()
    const request = { csr: requestFor(node.label), time: env.clock.now() }
    expect(await ask(node, request)).toMatchObject({ code: 0 })
    expect(await ask(node, request)).toMatchObject({ code: -1, err: 2144 })
    expect(await ask(node, { time: request.time - 1 })).toMatchObject({ code: -1, err: 2144 })
    expect(await ask(node)).toMatchObject({ code: 0 })
  })
})

describe('a relay', () => {
  it('is an invited node; edges are refused', async () => {
    const serves = { address: '127.0.0.1', port: 4430 }
    const edge = await registered()
    const token = await nodeToken(env.context, edge.id)
    expect(await env.call('nodeControl.relays', { serves }, { token })).toMatchObject({ code: -1, err: 2143 })
    const invited = await registered({ kind: 'candidate', join_token: 'join' })
    const asInvited = { token: await nodeToken(env.context, invited.id) }
    expect(await env.call('nodeControl.relays', { serves }, asInvited)).toMatchObject({ code: 0 })
    // Nobody reached it yet.
    expect((await env.call('nodeControl.relays', {}, { token })).data.relays).toEqual([])
  })

  it('is offered where the server reached it, and nowhere else', async () => {
    const invited = await registered({ kind: 'candidate', join_token: 'join' })
    const url = `https://${nodeNameOf('127.0.0.1', invited.label, ZONE)}:4430`
    // The probe after the registration is over.
    await vi.waitFor(async () => {
      const probed = sql`select 1 as found from nodes where id = ${invited.id} and unreachable_since is not null`
      expect(await env.db.maybe(probed)).toBeDefined()
    })
    await env.db.run(sql`update nodes set url = ${url}, reachable = true, status = 'online' where id = ${invited.id}`)
    const token = await nodeToken(env.context, (await registered()).id)
    const offered = async (serves: { address: string; port: number }) => {
      await env.call('nodeControl.relays', { serves }, { token: await nodeToken(env.context, invited.id) })
      return (await env.call('nodeControl.relays', {}, { token })).data.relays.map(({ address, port }) => ({
        address,
        port,
      }))
    }
    const own = { address: '127.0.0.1', port: 4430 }
    expect(await offered(own)).toEqual([own])
    // Of somebody else, to whom all devices would connect again and again.
    for (const victim of [
      { ...own, address: '127.0.0.2' },
      { ...own, port: 443 },
    ])
      expect(await offered(victim)).toEqual([])
  })
})
