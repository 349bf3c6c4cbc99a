import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:http2'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findValidSessions } from '../../apps/server/src/compute/console/console-sessions.ts'
import { NO_INGRESS } from '../../apps/server/src/compute/ingress/config.ts'
import { startIngress } from '../../apps/server/src/compute/ingress/start.ts'
import {
  deploySample,
  sampleClusters,
  sampleTenant,
  shrinkMachine,
} from '../../apps/server/src/compute/workspaces/sample-tenant.fixture.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { createSigner } from '../../packages/certificates/src/test-certificates.fixture.ts'

/** Programs at addresses with TLS, over HTTP/2. */

let env: TestEnv
let sample: ReturnType<typeof sampleClusters>
let ingress: Awaited<ReturnType<typeof startIngress>>
let ca: string
let host: string
let workload: string
let program: Server
const folder = mkdtempSync(join(tmpdir(), 'tidenet-ingress-'))

beforeAll(async () => {
  env = await setup()
  sample = sampleClusters(env)
  const signer = await createSigner()
  ca = signer.root
  const issued = await signer.issue(['*.apps.test'])
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(cert, issued.cert)
  writeFileSync(key, issued.key, { mode: 0o600 })
  const own = { ...NO_INGRESS, url: 'https://apps.test', cert, key }
  env.context.config = { ...env.context.config, ingress: own }
  ingress = await startIngress(env.context, findValidSessions)

  const tenant = await sampleTenant(env)
  await shrinkMachine(env, tenant)
  const { id } = (await deploySample(env, tenant, { image: 'nginx:1.27', ports: [80] })).data
  await env.call('clusters.publish', { id, port: 80, access: 'public' }, tenant)
  const { list } = (await env.call('clusters.workspaces', {}, tenant)).data
  host = new URL(list[0]?.workloads.find((one) => one.id === id)?.ports[0]?.url ?? '').host
  workload = id
  program = createServer((incoming, response) => {
    response.setHeader('keep-alive', 'timeout=5')
    response.write(`${incoming.headers['x-forwarded-proto']} ${incoming.headers.host} `)
    incoming.pipe(response)
  })
  await listen(program)
})
afterAll(async () => {
  await ingress.stop()
  program.close()
  await env.close()
  rmSync(folder, { recursive: true })
})

async function listen(server: Pick<Server, 'listen' | 'address'>): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  sample.control.listening.set(`${workload}:80`, { host: '127.0.0.1', port })
}

/** @returns status and body; undefined if the stream was ended with an error */
function post(body: string): Promise<{ status: number; text: string } | undefined> {
  return new Promise((resolve, reject) => {
    const session = connect(`https://127.0.0.1:${ingress.port}`, { ca, servername: host })
    session.on('error', reject)
    const stream = session.request({ ':method': 'POST', ':path': '/', ':authority': host })
    let [status, text] = [0, '']
    stream.on('response', (headers) => {
      status = Number(headers[':status'])
    })
    stream.on('data', (part) => {
      text += part
    })
    stream.on('error', () => resolve(undefined))
    stream.on('close', () => {
      session.close()
      resolve({ status, text })
    })
    stream.end(body)
  })
}

describe('over HTTP/2', () => {
  it('a program gets requests with their bodies, and knows that they came encrypted', async () => {
    expect(await post('hello')).toEqual({ status: 200, text: `https ${host} hello` })
  })

  it.each(['000 none', '600 more', '101 switch', '200 \u0001'])('an answer of %j ends no other', async (line) => {
    const bad = createNetServer((socket) =>
      socket.on('error', () => {}).end(`HTTP/1.1 ${line}\r\nupgrade: x\r\ncontent-length: 0\r\n\r\n`),
    )
    await listen(bad as unknown as Server)
    await post('')
    bad.close()
    const { port } = program.address() as AddressInfo
    sample.control.listening.set(`${workload}:80`, { host: '127.0.0.1', port })
    expect((await post('again'))?.text).toBe(`https ${host} again`)
  })
})

describe('refused are', () => {
  it.each(['apps.test', 'portal.test', 'a.b.apps.test'])(
    'connections to %s, which has no certificate here',
    async (servername) => {
      const ended = new Promise((resolve) => {
        const socket = connectTls({ host: '127.0.0.1', port: ingress.port, servername, ca, rejectUnauthorized: false })
        socket.on('secureConnect', () => resolve('connected'))
        socket.on('error', () => resolve('refused'))
      })
      expect(await ended).toBe('refused')
    },
  )
})
