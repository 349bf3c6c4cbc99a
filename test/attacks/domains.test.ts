import { once } from 'node:events'
import { createServer, request as plainRequest, type Server } from 'node:http'
import { request as tlsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findValidSessions } from '../../apps/server/src/compute/console/console-sessions.ts'
import { NO_ACME } from '../../apps/server/src/compute/ingress/acme-config.ts'
import { NO_INGRESS } from '../../apps/server/src/compute/ingress/config.ts'
import { type RunningIngress, startIngress } from '../../apps/server/src/compute/ingress/start.ts'
import { reconcileWorkload } from '../../apps/server/src/compute/workspaces/reconcile.ts'
import {
  deploySample,
  sampleClusters,
  sampleTenant,
  shrinkMachine,
  type Tenant,
} from '../../apps/server/src/compute/workspaces/sample-tenant.fixture.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { startDnsTable } from '../../packages/certificates/src/dns-table.fixture.ts'
import { startTestCa, type TestCa } from '../../packages/certificates/src/test-ca.fixture.ts'

/** Domains of tenants for their programs: whose they are, and what visitors get there. */

const HOUR_MS = 3_600_000

let env: TestEnv
let sample: ReturnType<typeof sampleClusters>
let ingress: RunningIngress
let ca: TestCa
let table: Awaited<ReturnType<typeof startDnsTable>>
let program: Server
let names = 0

beforeAll(async () => {
  env = await setup()
  sample = sampleClusters(env)
  table = await startDnsTable()
  ca = await startTestCa(env.clock)
  env.context.config = {
    ...env.context.config,
    ingress: {
      ...NO_INGRESS,
      url: 'https://apps.test.example',
      httpPort: 0,
      addresses: ['127.0.0.1'],
      acme: { ...NO_ACME, directory: ca.directory, zone: 'apps.test.example', resolvers: [table.server] },
    },
  }
  ingress = await startIngress(env.context, findValidSessions)
  ca.validate = async (type, name, token) => {
    if (type === 'dns-01') return true
    const { text } = await visitPlain(name, `/.well-known/acme-challenge/${token}`)
    return text.startsWith(`${token}.`)
  }
  program = createServer((request, response) => response.end(`program ${request.headers.host}`))
  program.listen(0, '127.0.0.1')
  await once(program, 'listening')
})
afterAll(async () => {
  await ingress.stop()
  program.close()
  await ca.close()
  await table.close()
  await env.close()
})
beforeEach(() => {
  table.set()
  env.clock.move(0)
})

interface Running {
  tenant: Tenant
  id: string
  /** The name of its address. */
  target: string
}

async function runProgram(access: 'public' | 'account' = 'public', ports = [80]): Promise<Running> {
  const tenant = await sampleTenant(env)
  await shrinkMachine(env, tenant)
  const { id } = (await deploySample(env, tenant, { image: 'nginx:1.27', ports })).data
  for (const port of ports)
    sample.control.listening.set(`${id}:${port}`, { host: '127.0.0.1', port: (program.address() as AddressInfo).port })
  await env.call('clusters.publish', { id, port: 80, access }, tenant)
  const { list } = (await env.call('clusters.workspaces', {}, tenant)).data
  const url = list[0]?.workloads.find((one) => one.id === id)?.ports[0]?.url ?? ''
  return { tenant, id, target: new URL(url).hostname }
}
const newDomain = () => `shop${++names}.example${names}.org`
const add = ({ tenant, id }: Pick<Running, 'tenant' | 'id'>, domain: string, port = 80) =>
  env.call('clusters.addDomain', { id, port, domain }, tenant)
const domainsOf = async ({ tenant, id }: Running) =>
  (await env.call('clusters.workspaces', {}, tenant)).data.list[0]?.workloads.find((one) => one.id === id)?.domains ??
  []
const domainOf = async (one: Running, domain: string) => (await domainsOf(one)).find((each) => each.domain === domain)
/** Checks it now, and waits until that came to something. */
async function checked(one: Running, domain: string, is: (found: Awaited<ReturnType<typeof domainOf>>) => boolean) {
  await env.call('clusters.checkDomain', { id: one.id, domain }, one.tenant)
  await expect
    .poll(async () => is(await domainOf(one, domain)), { timeout: 20_000, interval: 50, message: domain })
    .toBe(true)
    .catch(async (error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(await domainOf(one, domain))}`)
    })
  return domainOf(one, domain)
}
const alias = (domain: string, target: string) =>
  [
    { type: 'CNAME', name: domain, data: target } as const,
    { type: 'A', name: target, data: '127.0.0.1' } as const,
  ] as const
/** A program with a domain that is served. */
async function served(access: 'public' | 'account' = 'public') {
  const one = await runProgram(access)
  const domain = newDomain()
  table.set(...alias(domain, one.target))
  await add(one, domain)
  await isServed(one, domain)
  return { ...one, domain }
}
async function isServed(one: Running, domain: string) {
  await checked(one, domain, (found) => found?.proven === true)
  await expect.poll(() => visit(domain), { timeout: 20_000, interval: 50 }).toBeDefined()
}

interface Got {
  status: number
  text: string
  headers: Record<string, unknown>
}

/** As if its records were right for the last time so much earlier. */
const makeOlder = async (domain: string, hours: number) =>
  void (await env.db.pool.query(
    'update workload_domains set proven_at = proven_at - make_interval(hours => $2) where domain = $1',
    [domain, hours],
  ))

/** By HTTPS; undefined: the name has no certificate here. */
function visit(name: string, path = '/', headers: Record<string, string> = {}): Promise<Got | undefined> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port: ingress.port, path, servername: name, agent: false } as const
    const sent = tlsRequest({ ...options, rejectUnauthorized: false, headers: { host: name, ...headers } }, (got) => {
      const names = (got.socket as TLSSocket).getPeerX509Certificate()?.subjectAltName
      let text = ''
      got.on('data', (part) => {
        text += part
      })
      got.on('end', () => resolve({ status: got.statusCode ?? 0, text, headers: { ...got.headers, names } }))
    })
    sent.on('error', () => resolve(undefined))
    sent.end()
  })
}

function visitPlain(name: string, path = '/'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: ingress.httpPort, path, headers: { host: name }, agent: false } as const
    const sent = plainRequest(options, (got) => {
      let text = ''
      got.on('data', (part) => {
        text += part
      })
      got.on('end', () => resolve({ status: got.statusCode ?? 0, text, headers: got.headers }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('a domain of a tenant', () => {
  it('is served with a certificate of its own as soon as it is an alias of the program', async () => {
    const one = await runProgram()
    const domain = newDomain()
    expect((await add(one, domain.toUpperCase())).code).toBe(0)
    const waiting = await checked(one, domain, (found) => found?.detail !== '')
    expect(waiting).toMatchObject({ port: 80, target: one.target, proven: false, problem: 'record', lost_at: '' })
    expect(await visit(domain)).toBeUndefined()
    expect((await visitPlain(domain)).status).toBe(404)
    table.set(...alias(domain, one.target))
    await isServed(one, domain)
    const got = await visit(domain)
    expect(got).toMatchObject({ status: 200, text: `program ${domain}`, headers: { names: `DNS:${domain}` } })
    expect((await visitPlain(domain, '/a')).headers.location).toBe(`https://${domain}/a`)
    const done = await checked(one, domain, (found) => found?.certificate_until !== '')
    expect(done).toMatchObject({ proven: true, problem: '', lost_at: '' })
  })

  it('can be one that cannot be an alias, with a text that is the tenant’s alone', async () => {
    const one = await runProgram()
    const domain = `apex${++names}.org`
    await add(one, domain)
    const token = (await domainOf(one, domain))?.token ?? ''
    table.set(
      { type: 'A', name: domain, data: '127.0.0.1' },
      { type: 'TXT', name: `_tidenet.${domain}`, data: [token] },
    )
    await isServed(one, domain)
    expect((await visit(domain))?.status).toBe(200)
  })

  it('is told apart from one that leads elsewhere, and from one whose CA is another', async () => {
    const one = await runProgram()
    const domain = newDomain()
    table.set({ type: 'CNAME', name: domain, data: one.target }, { type: 'A', name: one.target, data: '192.0.2.9' })
    await add(one, domain)
    const found = await checked(one, domain, (each) => each?.problem === 'address')
    expect(found).toMatchObject({ proven: true, detail: expect.stringContaining('192.0.2.9') })
    expect(await visit(domain)).toBeUndefined()
  })

  it('keeps to the access of its port, with passes of its own', async () => {
    const one = await served('account')
    const html = { accept: 'text/html' }
    const asked = await visit(one.domain, '/inner', html)
    expect(new URL(String(asked?.headers.location)).searchParams.get('host')).toBe(one.domain)
    const { url } = (await env.call('clusters.open', { host: one.domain, path: '/inner' }, one.tenant)).data
    expect(new URL(url).host).toBe(one.domain)
    const path = url.slice(`https://${one.domain}`.length)
    // A ticket for the domain is none for the address, and the other way round.
    expect((await visit(one.target, path))?.headers['set-cookie']).toBeUndefined()
    const entered = await visit(one.domain, path)
    const cookie = String(entered?.headers['set-cookie']).split(';')[0] ?? ''
    expect((await visit(one.domain, '/', { cookie }))?.status).toBe(200)
    expect((await visit(one.target, '/', { cookie }))?.status).toBe(401)
  })

  it('is served while its records are gone, and given up after three days', async () => {
    const one = await served()
    table.set()
    const wrong = await checked(one, one.domain, (found) => found?.problem === 'record')
    const left = Date.parse(wrong?.lost_at ?? '') - env.clock.now()
    expect(Math.round(left / HOUR_MS)).toBe(72)
    expect((await visit(one.domain))?.status).toBe(200)
    await makeOlder(one.domain, 71)
    const later = await checked(one, one.domain, (found) => found?.lost_at !== wrong?.lost_at)
    expect(Date.parse(later?.lost_at ?? '') - env.clock.now()).toBeLessThan(HOUR_MS)
    expect((await visit(one.domain))?.status).toBe(200)
    await makeOlder(one.domain, 2)
    await expect.poll(() => visit(one.domain), { timeout: 20_000, interval: 50 }).toBeUndefined()
    expect(await domainsOf(one)).toEqual([])
  })

  it('stays its owner’s when the records return in time', async () => {
    const one = await served()
    table.set()
    await checked(one, one.domain, (found) => found?.problem === 'record')
    await makeOlder(one.domain, 50)
    table.set(...alias(one.domain, one.target))
    await checked(one, one.domain, (found) => found?.problem === '' && found.lost_at === '')
    await makeOlder(one.domain, 50)
    await checked(one, one.domain, (found) => found?.proven === true)
    expect((await visit(one.domain))?.status).toBe(200)
  })

  it('does not let its former owner open the program of the next one', async () => {
    const [one, other] = [await served('account'), await runProgram('account')]
    const passOf = async ({ tenant }: Running) => {
      const { url } = (await env.call('clusters.open', { host: one.domain }, tenant)).data
      const entered = await visit(one.domain, new URL(url).pathname + new URL(url).search)
      return { cookie: String(entered?.headers['set-cookie']).split(';')[0] ?? '' }
    }
    const former = await passOf(one)
    expect((await visit(one.domain, '/', former))?.status).toBe(200)
    await env.call('clusters.removeDomain', { id: one.id, domain: one.domain }, one.tenant)
    await expect.poll(() => visit(one.domain), { timeout: 20_000, interval: 50 }).toBeUndefined()
    table.set(...alias(one.domain, other.target))
    await add(other, one.domain)
    await isServed(other, one.domain)
    expect((await visit(one.domain, '/', former))?.status).toBe(401)
    expect((await visit(one.domain, '/', await passOf(other)))?.status).toBe(200)
  })

  it('is free again when its owner or the program is gone', async () => {
    const [one, other] = [await served(), await runProgram()]
    expect((await env.call('clusters.removeDomain', { id: one.id, domain: one.domain }, one.tenant)).code).toBe(0)
    await expect.poll(() => visit(one.domain), { timeout: 20_000, interval: 50 }).toBeUndefined()
    table.set(...alias(one.domain, other.target))
    await add(other, one.domain)
    await isServed(other, one.domain)
    await env.call('clusters.remove', { id: other.id }, other.tenant)
    await reconcileWorkload(env.context, other.id)
    await expect.poll(() => visit(one.domain), { timeout: 20_000, interval: 50 }).toBeUndefined()
    expect((await add(one, one.domain)).code).toBe(0)
  })
})

describe('the private key of a domain', () => {
  it('is deleted also if no ingress ran when the domain was removed, and others stay', async () => {
    const [gone, stays] = [await served(), await served()]
    const keys = async (domain: string) =>
      (
        await env.db.pool.query('select 1 from certificate_documents where starts_with(key, $1)', [
          `certificate/${domain}`,
        ])
      ).rowCount
    expect(await keys(gone.domain)).toBe(1)
    await ingress.stop()
    await env.call('clusters.removeDomain', { id: gone.id, domain: gone.domain }, gone.tenant)
    ingress = await startIngress(env.context, findValidSessions)
    await expect.poll(() => keys(gone.domain), { timeout: 20_000 }).toBe(0)
    expect(await keys(stays.domain)).toBe(1)
  })
})

describe('two tenants that want the same domain', () => {
  it('get it only if its records name them', async () => {
    const [one, other] = [await runProgram(), await runProgram()]
    const domain = newDomain()
    expect([(await add(one, domain)).code, (await add(other, domain)).code]).toEqual([0, 0])
    table.set(...alias(domain, other.target))
    await isServed(other, domain)
    expect(await checked(one, domain, (found) => found?.detail !== '')).toMatchObject({
      proven: false,
      problem: 'record',
    })
    expect((await env.call('clusters.open', { host: domain }, one.tenant)).msg).toBe(errors.notPublished.en())
  })

  it('cannot both have it, even if its records name both at the same moment', async () => {
    const both = [await runProgram(), await runProgram()] as const
    const domain = newDomain()
    for (const one of both) await add(one, domain)
    const texts = await Promise.all(both.map(async (one) => (await domainOf(one, domain))?.token ?? ''))
    table.set(
      { type: 'A', name: domain, data: '127.0.0.1' },
      ...texts.map((token) => ({ type: 'TXT' as const, name: `_tidenet.${domain}`, data: [token] })),
    )
    await Promise.all(both.map((one) => env.call('clusters.checkDomain', { id: one.id, domain }, one.tenant)))
    const states = () => Promise.all(both.map((one) => domainOf(one, domain)))
    await expect
      .poll(async () => (await states()).map((state) => state?.problem).sort(), { timeout: 20_000 })
      .toEqual(['', 'taken'])
    expect((await states()).map((state) => state?.proven).sort()).toEqual([false, true])
  })

  it('cannot take it from who has it, with the token of another program of theirs', async () => {
    const [one, other] = [await served(), await runProgram()]
    expect((await add(other, one.domain)).msg).toBe(errors.domainTaken.en())
    const elsewhere = newDomain()
    await add(other, elsewhere)
    const token = (await domainOf(other, elsewhere))?.token ?? ''
    const third = newDomain()
    await add(other, third)
    table.set({ type: 'A', name: third, data: '127.0.0.1' }, { type: 'TXT', name: `_tidenet.${third}`, data: [token] })
    expect(await checked(other, third, (found) => found?.detail !== '')).toMatchObject({ proven: false })
  })
})

describe('refused are', () => {
  it('names that nobody may have', async () => {
    const one = await runProgram()
    for (const domain of [
      'apps.test.example',
      'evil.apps.test.example',
      one.target,
      'portal.test',
      'www.portal.test',
      '127.0.0.1',
      '[::1]',
      '2130706433',
      '*.example.org',
      'co.uk',
      'localhost',
      'a..example.org',
      'shop.example.org:443',
      'https://shop.example.org',
      'shop.example.org/a',
      `${'a'.repeat(64)}.example.org`,
      'shop.example.org\u0000.evil.test',
    ])
      expect([domain, (await add(one, domain)).code]).toEqual([domain, -1])
    expect(await domainsOf(one)).toEqual([])
  })

  it('more than ten in a workspace, other ports, and programs of others', async () => {
    const [one, other] = [await runProgram(), await runProgram()]
    expect((await add({ ...one, tenant: other.tenant }, newDomain())).msg).toBe(errors.workloadUnknown.en())
    expect((await add(one, newDomain(), 81)).msg).toBe(errors.portUnknown.en())
    const mine = Array.from({ length: 10 }, newDomain)
    for (const domain of mine) expect((await add(one, domain)).code).toBe(0)
    expect((await add(one, newDomain())).msg).toBe(errors.tooManyDomains.en({ max: 10 }))
    // The same once more is no other one.
    expect((await add(one, mine[0] as string)).code).toBe(0)
    expect(await domainsOf(one)).toHaveLength(10)
    for (const call of ['clusters.checkDomain', 'clusters.removeDomain'] as const) {
      expect((await env.call(call, { id: one.id, domain: mine[0] as string }, other.tenant)).msg).toBe(
        errors.workloadUnknown.en(),
      )
      expect((await env.call(call, { id: other.id, domain: mine[0] as string }, other.tenant)).msg).toBe(
        errors.domainUnknown.en(),
      )
    }
  })
})
