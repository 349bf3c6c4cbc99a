import { generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { createChallenges } from '@tidenet/certificates'
import { type CertificateProblem, certificateText } from '@tidenet/contract'
import { nodeLabelOf } from '@tidenet/daemon'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCertificateRequest } from '../../apps/node/src/reach/certificate-request.ts'
import { openSession } from '../../apps/server/src/identity/sessions/tokens.ts'
import { type CertificateQueue, openCertificateQueue } from '../../apps/server/src/network/certificates/queue.ts'
import { sampleRegistration, signedBy } from '../../apps/server/src/network/control/sample-registration.fixture.ts'
import { notifyOfReach } from '../../apps/server/src/network/devices/notify.ts'
import { nodeToken } from '../../apps/server/src/network/nodes/node-session.ts'
import { certificateStore } from '../../apps/server/src/platform/certificates/store.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { startTestCa, type TestCa } from '../../packages/certificates/src/test-ca.fixture.ts'

/** Certificates of nodes by public CAs: what they ask for, what the queue makes of it, and what people see. */

const ZONE = 'nodes.example.net'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let env: TestEnv
let ca: TestCa
let second: TestCa
let queue: CertificateQueue

beforeEach(async () => {
  env = await setup()
  ca = await startTestCa(env.clock, { days: 45 })
  second = await startTestCa(env.clock, { days: 45 })
  const challenges = createChallenges(certificateStore(env.context), env.clock, { cacheMs: 0 })
  for (const each of [ca, second])
    each.validate = async (_, name) => (await challenges.texts(`_acme-challenge.${name}`)).length > 0
  queue = await openQueue([ca])
})
afterEach(async () => {
  await queue.stop()
  await env.close()
  for (const each of [ca, second]) {
    await each.close()
    expect(each.violations).toEqual([])
  }
})

function openQueue(cas: readonly TestCa[], weekly = 50): Promise<CertificateQueue> {
  const authorities = cas.map(({ directory }) => ({ directory }))
  const acme = { authorities, email: '', profile: '', roots: '', issuers: [], weekly }
  Object.assign(env.context.config, {
    names: { zone: ZONE, tls: 'acme', acme, dns: undefined, nameservers: ['ns1.example.com'] },
  })
  return openCertificateQueue(env.context)
}

const p256 = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** A node that the server has reached, unless `reached` is false. */
async function node(more: { reached?: boolean; network?: string; kind?: 'edge' | 'candidate'; owner?: Person } = {}) {
  const { reached = true, network = '', kind = 'edge', owner } = more
  const { keys, input } = sampleRegistration(env, kind === 'edge' ? {} : { kind, join_token: 'join' })
  const { node_id: id } = (await env.call('nodeControl.register', input)).data
  // Registration probes it, which must not undo what follows.
  const probed = sql`select 1 as one from nodes where id = ${id} and unreachable_since is not null`
  await expect.poll(async () => (await env.db.maybe(probed)) !== undefined, { interval: 5 }).toBe(true)
  await env.db.run(sql`
    update nodes set name = ${id}, reachable = ${reached}, status = 'online', network = ${network === '' ? id : network},
      owner_id = ${owner?.id ?? null}, owner_mail = true, owner_lang = 'en' where id = ${id}`)
  return { id, keys, key: input.public_key, label: nodeLabelOf(input.public_key), tls: p256() }
}
type Node = Awaited<ReturnType<typeof node>>

async function ask(of: Node, more: { tls?: { publicKey: KeyObject; privateKey: KeyObject }; time?: number } = {}) {
  const csr = createCertificateRequest(`*.${of.label}.${ZONE}`, more.tls ?? of.tls).toString('base64url')
  const time = more.time ?? env.clock.now()
  const signature = signedBy(certificateText(of.key, csr, time), of.keys.privateKey)
  return env.call('nodeControl.certificate', { csr, time, signature }, { token: await nodeToken(env.context, of.id) })
}
/** A session that has not expired, however much time a test passed. */
const sessionOf = async ({ id, uid }: Person) =>
  (await openSession(env.context, env.db, { id, uid }, { ip: '127.0.0.1', agent: 'test' })).token
const deviceOf = async (owner: Person) =>
  (await env.call('devices.list', {}, { token: await sessionOf(owner) })).data.list[0]
const problemOf = async (of: Node): Promise<CertificateProblem | undefined> => (await ask(of)).data.problem
const relaysOf = async (of: Node) =>
  (await env.call('nodeControl.relays', {}, { token: await nodeToken(env.context, of.id) })).data
const orderedNames = () => ca.orders.flatMap(({ names }) => names)

/** Until nothing is left to do at this time. */
async function settle(rounds = 4) {
  for (let round = 0; round < rounds; round++) await queue.round()
}

describe('a node', () => {
  it('gets a certificate of the CA for the key that it keeps', async () => {
    const own = await node()
    expect((await ask(own)).data).toMatchObject({ certificate: '', problem: 'queued' })
    await settle()
    const { data } = await ask(own)
    expect(data).toMatchObject({ problem: '', retry_after: 0 })
    const certificate = new X509Certificate(data.certificate)
    expect(certificate.subjectAltName).toBe(`DNS:*.${own.label}.${ZONE}`)
    expect(certificate.checkPrivateKey(own.tls.privateKey)).toBe(true)
    expect(certificate.checkIssued(new X509Certificate(ca.root))).toBe(true)
    // The same again, without an order.
    expect((await ask(own)).data.certificate).toBe(data.certificate)
    expect(ca.orders).toHaveLength(1)
  })

  it('gets another one for another key, three times a day', async () => {
    const own = await node()
    const keys = [p256(), p256(), p256(), p256()]
    const errors = []
    for (const tls of keys) {
      errors.push((await ask(own, { tls })).err)
      await settle()
    }
    expect(errors).toEqual([undefined, undefined, undefined, 2142])
    const { data } = await ask(own, { tls: keys[2] as (typeof keys)[number] })
    expect(new X509Certificate(data.certificate).checkPrivateKey((keys[2] as (typeof keys)[number]).privateKey)).toBe(
      true,
    )
    expect(ca.issued).toHaveLength(3)
  })

  it('is told when it is time for the next one, which the CA does not count', async () => {
    const start = env.clock.now() + 20 * DAY_MS
    ca.suggests = { start, end: start + 2 * DAY_MS }
    const own = await node()
    await ask(own)
    await settle()
    const first = (await ask(own)).data.certificate
    expect((await relaysOf(own)).certificate_due).toBe(false)
    env.pass(22 * DAY_MS - HOUR_MS)
    expect((await relaysOf(own)).certificate_due).toBe(true)
    expect((await ask(own)).data.certificate).toBe('')
    expect((await relaysOf(own)).certificate_due).toBe(false)
    await settle()
    // Also if the node was restarted and does not know that it has asked.
    expect((await relaysOf(own)).certificate_due).toBe(true)
    expect((await ask(own)).data.certificate).not.toBe(first)
    expect(ca.issued).toMatchObject([{ isExempt: false }, { isExempt: true, replaces: expect.any(String) }])
  })

  it('is told at two thirds of the life if the CA says nothing', async () => {
    const own = await node()
    await ask(own)
    await settle()
    await ask(own)
    env.pass(29 * DAY_MS)
    expect((await relaysOf(own)).certificate_due).toBe(false)
    env.pass(2 * DAY_MS)
    expect((await relaysOf(own)).certificate_due).toBe(true)
  })

  it('costs no order as long as the server has not reached it', async () => {
    const hidden = await node({ reached: false })
    await ask(hidden)
    await settle()
    expect(await problemOf(hidden)).toBe('unreached')
    expect(ca.requests).toBe(0)
    await env.db.run(sql`update nodes set reachable = true where id = ${hidden.id}`)
    env.pass(60_000)
    await ask(hidden)
    await settle()
    expect(await problemOf(hidden)).toBe('')
  })

  it('costs no order when it has gone', async () => {
    const gone = await node()
    await ask(gone)
    env.pass(2 * HOUR_MS)
    await settle()
    expect(ca.requests).toBe(0)
  })
})

describe('the queue', () => {
  it('serves invited nodes first, and networks by turns, so that many nodes of one network do not use up a week', async () => {
    queue = await openQueue([ca], 8)
    const flood = []
    for (let index = 0; index < 12; index++) flood.push(await node({ network: '203.0.113.0/24' }))
    const others = [await node(), await node(), await node({ kind: 'candidate' })]
    for (const each of [...flood, ...others]) await ask(each)
    await env.db.run(sql`update node_certificates set reached_at = ${new Date(env.clock.now())}`)
    await settle(8)
    const names = orderedNames()
    expect(names).toHaveLength(8)
    for (const each of others) expect(names).toContain(`*.${each.label}.${ZONE}`)
    expect(await problemOf(flood.at(-1) as Node)).toBe('quota')
    env.pass(7 * DAY_MS + HOUR_MS)
    for (const each of flood) await ask(each)
    await settle(8)
    expect(ca.issued).toHaveLength(15)
  })

  it('renews while new nodes wait for the limit of a week', async () => {
    queue = await openQueue([ca], 2)
    const start = env.clock.now() + DAY_MS
    ca.suggests = { start, end: start + DAY_MS }
    const nodes = [await node(), await node(), await node()]
    for (const each of nodes) await ask(each)
    await settle()
    expect(ca.issued).toHaveLength(2)
    const has = await Promise.all(nodes.map(async (each) => (await ask(each)).data.certificate !== ''))
    env.pass(2 * DAY_MS - HOUR_MS)
    for (const each of nodes) await ask(each)
    await settle()
    expect(ca.issued.filter(({ isExempt }) => isExempt)).toHaveLength(2)
    const waiting = nodes[has.indexOf(false)] as Node
    expect(await problemOf(waiting)).toBe('quota')
  })

  it('goes on with a second CA when the first is away', async () => {
    queue = await openQueue([ca, second])
    ca.isDown = true
    const own = await node()
    await ask(own)
    await settle()
    expect(await problemOf(own)).toBe('')
    expect(second.issued).toHaveLength(1)
  })

  it('stops for all when the name server is at fault, and goes on when it is not', async () => {
    const nodes = await Promise.all(Array.from({ length: 12 }, () => node()))
    for (const { label } of nodes) ca.failing.add(`${label}.${ZONE}`)
    for (const each of nodes) await ask(each)
    await settle(6)
    expect(ca.orders.length).toBeLessThan(nodes.length)
    ca.failing.clear()
    for (let turn = 0; turn < 3; turn++) {
      env.pass((turn + 1) * HOUR_MS - turn * HOUR_MS)
      for (const each of nodes) await ask(each)
      await settle(6)
    }
    expect(ca.issued).toHaveLength(nodes.length)
  })

  it('asks a CA that is away now and then, however many nodes wait', async () => {
    ca.isDown = true
    const nodes = await Promise.all(Array.from({ length: 20 }, () => node()))
    for (const each of nodes) await ask(each)
    await settle(6)
    expect(ca.requests).toBeLessThan(nodes.length)
    ca.isDown = false
    env.pass(HOUR_MS / 2)
    for (const each of nodes) await ask(each)
    await settle(6)
    expect(ca.issued).toHaveLength(nodes.length)
  })

  it('orders once, however many servers there are', async () => {
    const other = await openCertificateQueue(env.context)
    const nodes = await Promise.all(Array.from({ length: 6 }, () => node()))
    for (const each of nodes) await ask(each)
    for (let round = 0; round < 4; round++) await Promise.all([queue.round(), other.round()])
    expect(ca.orders).toHaveLength(6)
    await other.stop()
  })
})

describe('people see', () => {
  it('what is wrong with a certificate, since when, and until when it is valid', async () => {
    const owner = await env.person()
    const operator = await env.person({ role: 'operator' })
    const own = await node({ owner })
    const seen = async () => (await deviceOf(owner))?.certificate
    const seenByOperators = async () =>
      (await env.call('admin.nodes', {}, { token: operator.token })).data.list.find(({ node_id }) => node_id === own.id)
        ?.certificate
    expect(await seen()).toBeNull()
    ca.failing.add(`${own.label}.${ZONE}`)
    await ask(own)
    await settle()
    expect(await seen()).toMatchObject({ until: null, problem: 'dns', since: expect.any(String) })
    expect(await seenByOperators()).toMatchObject({ problem: 'dns', detail: expect.stringContaining('unauthorized') })
    const { problems } = (await env.call('admin.overview', {}, { token: operator.token })).data
    expect(problems.find(({ kind }) => kind === 'certificatesFailing')).toMatchObject({ count: 1 })
    ca.failing.clear()
    env.pass(HOUR_MS)
    await ask(own)
    await settle()
    expect(await seen()).toMatchObject({ until: expect.any(String), problem: '', since: null })
    env.pass(50 * DAY_MS)
    expect((await seen())?.problem).toBe('expired')
  })

  it('by how much a clock is wrong, until it is right', async () => {
    const owner = await env.person()
    const own = await node({ owner })
    const seen = async () => (await deviceOf(owner))?.certificate
    expect(await ask(own, { time: env.clock.now() - 90_000 })).toMatchObject({ code: -1, err: 1021 })
    expect(await seen()).toMatchObject({ problem: 'clock', detail: '-90' })
    await ask(own)
    expect((await seen())?.problem).toBe('queued')
    // A copy of an old request says nothing about the clock.
    const old = env.clock.now()
    env.pass(HOUR_MS)
    await ask(own)
    await ask(own, { time: old })
    expect((await seen())?.problem).not.toBe('clock')
  })

  it('an e-mail when a certificate expires soon, once a week, and none for one that is renewed', async () => {
    const owner = await env.person()
    const [late, renewed] = [await node({ owner }), await node({ owner })]
    for (const each of [late, renewed]) await ask(each)
    await settle()
    const mails = () =>
      env.db.rows<{ body: string }>(sql`select body_text as body from mails where recipient = ${owner.email}`)
    await notifyOfReach(env.context)
    expect(await mails()).toEqual([])
    env.pass(38 * DAY_MS)
    await ask(renewed)
    await settle()
    await notifyOfReach(env.context)
    const [mail, ...more] = await mails()
    expect(more).toEqual([])
    expect(mail?.body).toContain(late.id)
    expect(mail?.body).not.toContain(renewed.id)
    await notifyOfReach(env.context)
    expect(await mails()).toHaveLength(1)
  })
})

describe('a key that two programs use', () => {
  const report = async (from: { id: string }, labels: readonly string[], serves?: { address: string; port: number }) =>
    env.call(
      'nodeControl.relays',
      { cloned: [...labels], ...(serves && { serves }) },
      {
        token: await nodeToken(env.context, from.id),
      },
    )
  /** A relay that the server reached. */
  async function relay() {
    const own = await node({ kind: 'candidate' })
    const serves = { address: '127.0.0.1', port: 4430 }
    const url = `https://127-0-0-1.${own.label}.${ZONE}:4430`
    await env.db.run(sql`update nodes set url = ${url}, reachable = true where id = ${own.id}`)
    return { ...own, serves }
  }
  const clonedAt = async (owner: Person) => (await deviceOf(owner))?.cloned_at

  it('is shown to its owner, who gets an e-mail once a week, when the device or its relay says so', async () => {
    const owner = await env.person()
    const [own, by] = [await node({ owner }), await relay()]
    await ask(own)
    await report(by, [], by.serves)
    await relaysOf(own)
    await report(by, [own.label], by.serves)
    expect(await clonedAt(owner)).toEqual(expect.any(String))
    const mails = () => env.db.rows(sql`select 1 as one from mails where recipient = ${owner.email}`)
    for (let turn = 0; turn < 3; turn++) {
      await report(own, [own.label])
      await notifyOfReach(env.context)
    }
    expect(await mails()).toHaveLength(1)
    env.pass(8 * DAY_MS)
    expect(await clonedAt(owner)).toBeNull()
    await report(own, [own.label])
    await notifyOfReach(env.context)
    expect(await mails()).toHaveLength(2)
  })

  it('is none because of what other devices say, or relays that the device does not use', async () => {
    const owner = await env.person()
    const [own, stranger] = [await node({ owner }), await node()]
    await ask(own)
    await report(stranger, [own.label])
    // Invited, but not a relay.
    await report(await node({ kind: 'candidate' }), [own.label])
    expect(await clonedAt(owner)).toBeNull()
    const relays = await Promise.all(Array.from({ length: 5 }, relay))
    for (const each of relays) await report(each, [], each.serves)
    await env.db.run(sql`update relays set seen_at = ${new Date(env.clock.now())}`)
    const used = new Set((await relaysOf(own)).relays.map(({ node_id }) => node_id))
    expect(used.size).toBe(2)
    for (const each of relays) if (!used.has(each.id)) await report(each, [own.label], each.serves)
    expect(await clonedAt(owner)).toBeNull()
  })
})
