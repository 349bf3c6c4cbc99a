import { type ChildProcess, spawn } from 'node:child_process'
import type { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as plainRequest, type Server } from 'node:http'
import { request as tlsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { freePort } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findValidSessions } from '../../apps/server/src/compute/console/console-sessions.ts'
import { readIngressConfig } from '../../apps/server/src/compute/ingress/config.ts'
import { type RunningIngress, startIngress } from '../../apps/server/src/compute/ingress/start.ts'
import {
  deploySample,
  sampleClusters,
  sampleTenant,
  shrinkMachine,
  type Tenant,
} from '../../apps/server/src/compute/workspaces/sample-tenant.fixture.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { startDnsTable } from '../../packages/certificates/src/dns-table.fixture.ts'
import { type Pebble, startPebble } from './pebble.ts'

/**
 * The ingress with certificates of a CA, end to end: a server process with our name server and port 80, and a second ingress of the same
 * network, which has the programs. Clients trust the CA alone.
 */

const ZONE = 'apps.example.com'
const SERVER = fileURLToPath(new URL('../../apps/server/dist/main.js', import.meta.url))

let env: TestEnv
let settings: Record<string, string>
let customers: Awaited<ReturnType<typeof startDnsTable>>
let pebble: Pebble
let folder: string
let process1: ChildProcess
let second: RunningIngress
let program: Server
let tenant: Tenant
let host: string
let workload: string
const ports = { https: 0, http: 0, dns: 0 }

beforeAll(async () => {
  env = await setup()
  const sample = sampleClusters(env)
  folder = mkdtempSync(join(tmpdir(), 'tidenet-acme-ingress-'))
  for (const name of ['https', 'http', 'dns'] as const) ports[name] = await freePort()
  customers = await startDnsTable({ zone: ZONE, port: ports.dns })
  pebble = await startPebble({ dns: customers.server, httpPort: ports.http })
  const roots = join(folder, 'roots.pem')
  writeFileSync(roots, pebble.serverRoot)
  settings = {
    TIDENET_INGRESS_URL: `https://${ZONE}:${ports.https}`,
    TIDENET_INGRESS_ADDRESSES: '127.0.0.1',
    TIDENET_INGRESS_HTTP_PORT: String(ports.http),
    TIDENET_INGRESS_ACME: pebble.directory,
    TIDENET_INGRESS_ACME_ROOTS: roots,
    TIDENET_INGRESS_ACME_PROFILE: 'default',
    TIDENET_INGRESS_RESOLVERS: customers.server,
  }
  const platform = { host: '127.0.0.1', publicUrl: 'https://portal.example.org', port: 8080 }
  const ingress = { ...readIngressConfig(settings, platform), port: 0, httpPort: undefined }
  env.context.config = { ...env.context.config, ingress }

  program = createServer((request, response) => response.end(`hello ${request.headers['x-forwarded-proto']}`))
  program.listen(0, '127.0.0.1')
  await once(program, 'listening')
  tenant = await sampleTenant(env)
  await shrinkMachine(env, tenant)
  workload = (await deploySample(env, tenant, { image: 'nginx:1.27', ports: [80] })).data.id
  const id = workload
  sample.control.listening.set(`${id}:80`, { host: '127.0.0.1', port: (program.address() as AddressInfo).port })
  await env.call('clusters.publish', { id, port: 80, access: 'public' }, tenant)
  const { list } = (await env.call('clusters.workspaces', {}, tenant)).data
  host = new URL(list[0]?.workloads.find((one) => one.id === id)?.ports[0]?.url ?? '').hostname

  process1 = await startProcess()
  second = await startIngress(env.context, findValidSessions)
})
afterAll(async () => {
  await second.stop()
  await end(process1)
  program.close()
  await pebble.close()
  await customers.close()
  await env.close()
  rmSync(folder, { recursive: true })
})

/** A server process that has only the role of the ingress. */
async function startProcess(): Promise<ChildProcess> {
  const { secret, databaseUrl } = env.context.config
  const child = spawn(process.execPath, [SERVER], {
    env: {
      PATH: process.env.PATH,
      ...settings,
      TIDENET_ENV: 'test',
      TIDENET_ROLES: 'ingress',
      TIDENET_PUBLIC_URL: 'https://portal.example.org',
      TIDENET_PORT: '0',
      TIDENET_DATA: folder,
      TIDENET_SECRET: secret.toString('hex'),
      TIDENET_JOIN_TOKEN: 'join',
      TIDENET_INGRESS_DNS: `127.0.0.1:${ports.dns}`,
      TIDENET_INGRESS_NAMESERVERS: 'ns1.example.com',
      DATABASE_URL: databaseUrl,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    let said = ''
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      said += `${line}\n`
      if (line.includes('the ingress listens')) resolve()
    })
    child.once('exit', () => reject(new Error(`the ingress does not start:\n${said}`)))
  })
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

interface Got {
  status: number
  text: string
  certificate: X509Certificate | undefined
}

/** Undefined: there is no connection, or its certificate is not trusted. */
function visit(port: number, name: string, path = '/'): Promise<Got | undefined> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path, servername: name, ca: pebble.root, agent: false } as const
    const sent = tlsRequest({ ...options, headers: { host: name } }, (got) => {
      const certificate = (got.socket as TLSSocket).getPeerX509Certificate()
      let text = ''
      got.on('data', (part) => {
        text += part
      })
      got.on('end', () => resolve({ status: got.statusCode ?? 0, text, certificate }))
    })
    sent.on('error', () => resolve(undefined))
    sent.end()
  })
}

function visitPlain(name: string, path: string): Promise<{ status: number; location: string | undefined }> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: ports.http, path, headers: { host: name }, agent: false } as const
    const sent = plainRequest(options, (got) => {
      got.resume()
      resolve({ status: got.statusCode ?? 0, location: got.headers.location })
    })
    sent.on('error', reject)
    sent.end()
  })
}

const eventually = async <T>(ask: () => Promise<T | undefined>): Promise<T> => {
  let found: T | undefined
  await expect.poll(async () => (found = await ask()), { timeout: 60_000, interval: 200 }).toBeDefined()
  return found as T
}

describe('the domain of programs', () => {
  it('gets a wildcard by DNS from our own name server, which all servers of the network use', async () => {
    const first = await eventually(() => visit(ports.https, `nobody-0123456789ab.${ZONE}`))
    expect(first.status).toBe(404)
    expect(first.certificate?.subjectAltName).toBe(`DNS:*.${ZONE}`)
    const got = await eventually(() => visit(second.port, host))
    expect(got).toMatchObject({ status: 200, text: 'hello https' })
    expect(got.certificate?.serialNumber).toBe(first.certificate?.serialNumber)
  })

  it('keeps its certificate when the server is killed', async () => {
    const before = await eventually(() => visit(ports.https, host))
    await end(process1)
    process1 = await startProcess()
    const after = await eventually(() => visit(ports.https, host))
    expect(after.certificate?.serialNumber).toBe(before.certificate?.serialNumber)
  })

  it('stores no private key that can be read from a copy of the database', async () => {
    const { rows } = await env.db.pool.query<{ key: string; value: string }>(
      'select key, value from certificate_documents',
    )
    expect(rows.some(({ key }) => key.startsWith('certificate/'))).toBe(true)
    for (const { value } of rows) expect(Buffer.from(value, 'base64').toString('latin1')).not.toContain('PRIVATE')
  })

  it('leads from plain HTTP to HTTPS', async () => {
    expect(await visitPlain(host, '/a?b=1')).toEqual({
      status: 308,
      location: `https://${host}:${ports.https}/a?b=1`,
    })
  })

  it('refuses other hosts by HTTP and HTTPS, and answers of challenges that nobody asked for', async () => {
    for (const name of ['evil.test', ZONE, `a.b.${ZONE}`, ''])
      expect(await visitPlain(name, '/')).toEqual({ status: 404, location: undefined })
    expect((await visitPlain(host, `/.well-known/acme-challenge/${'x'.repeat(43)}`)).status).toBe(404)
    expect((await visitPlain(host, 'http://evil.test/')).status).toBe(404)
    for (const name of [ZONE, 'evil.test', `a.b.${ZONE}`]) expect(await visit(ports.https, name)).toBeUndefined()
  })
})

describe('a domain of a tenant', () => {
  const domain = 'shop.example.org'
  const call = (operation: 'addDomain' | 'checkDomain', more: object = {}) =>
    env.call(`clusters.${operation}`, { id: workload, domain, ...more } as never, tenant)
  const found = async () =>
    (await env.call('clusters.workspaces', {}, tenant)).data.list[0]?.workloads.find(({ id }) => id === workload)
      ?.domains[0]

  it('gets a certificate by HTTP-01 through port 80 of a server, which all servers of the network use', async () => {
    customers.set({ type: 'CNAME', name: domain, data: host }, { type: 'A', name: host, data: '127.0.0.1' })
    expect((await call('addDomain', { port: 80 })).code).toBe(0)
    const got = await eventually(() => visit(ports.https, domain))
    // This server has no programs.
    expect(got).toMatchObject({ status: 502, certificate: { subjectAltName: `DNS:${domain}` } })
    const other = await eventually(() => visit(second.port, domain))
    expect(other).toMatchObject({ status: 200, text: 'hello https' })
    expect(other.certificate?.serialNumber).toBe(got.certificate?.serialNumber)
    expect(await visitPlain(domain, '/a')).toEqual({ status: 308, location: `https://${domain}:${ports.https}/a` })
    await call('checkDomain')
    await expect.poll(async () => (await found())?.certificate_until, { timeout: 60_000 }).not.toBe('')
    expect(await found()).toMatchObject({ proven: true, problem: '' })
  })

  it('gets none, and spends no order, while its records lead elsewhere', async () => {
    const away = 'elsewhere.example.org'
    customers.set({ type: 'A', name: away, data: '127.0.0.2' })
    await env.call('clusters.addDomain', { id: workload, domain: away, port: 80 }, tenant)
    await expect
      .poll(
        async () => {
          const list = (await env.call('clusters.workspaces', {}, tenant)).data.list[0]?.workloads ?? []
          return list.flatMap(({ domains }) => domains).find((each) => each.domain === away)?.detail
        },
        { timeout: 60_000 },
      )
      .toContain(away)
    expect(await visit(second.port, away)).toBeUndefined()
    const { rows } = await env.db.pool.query('select 1 from certificate_documents where key like $1', [`%${away}%`])
    expect(rows).toEqual([])
  })
})
