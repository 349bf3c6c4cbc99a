import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocketServer } from 'ws'
import { setup } from '../../test-env.fixture.ts'
import { findValidSessions } from '../console/console-sessions.ts'
import {
  deploySample,
  sampleClusters,
  sampleTenant,
  shrinkMachine,
  type Tenant,
} from '../workspaces/sample-tenant.fixture.ts'
import { type IngressConfig, NO_INGRESS } from './config.ts'
import { startIngress } from './start.ts'
import { visitorOf } from './visitor.fixture.ts'

/** For tests: answers with what it received. */
const echo =
  (id: () => string): RequestListener =>
  async (incoming, response) => {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part as Buffer)
    const { method, url, headers } = incoming
    response.setHeader('set-cookie', 'own=1; Domain=x; Path=/; domain = .apps.test;Domain')
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(parts).toString(), id: id() }))
  }

/** For tests: an ingress, and programs of tenants that are HTTP servers of this process. @param options.tls for HTTPS and HTTP/2, PEM */
export async function samplePrograms(options: Partial<IngressConfig> & { tls?: { cert: string; key: string } } = {}) {
  const { tls, ...settings } = options
  const env = await setup()
  const sample = sampleClusters(env)
  const folder = mkdtempSync(join(tmpdir(), 'tidenet-ingress-'))
  const own = { ...NO_INGRESS, url: `${tls ? 'https' : 'http'}://apps.test:8090`, ...settings }
  if (tls) {
    own.cert = join(folder, 'cert.pem')
    own.key = join(folder, 'key.pem')
    writeFileSync(own.cert, tls.cert)
    writeFileSync(own.key, tls.key, { mode: 0o600 })
  }
  env.context.config = { ...env.context.config, ingress: own }
  const ingress = await startIngress(env.context, findValidSessions)
  const servers: Server[] = []
  const urlsOf = async (tenant: Tenant, id: string) =>
    (await workloadOf(tenant, id))?.ports.map(({ url }: { url: string }) => url) ?? []
  const workloadOf = async (tenant: Tenant, id: string) =>
    (await env.call('clusters.workspaces', {}, tenant)).data.list[0]?.workloads.find((one) => one.id === id)
  return {
    env,
    sample,
    ingress,
    visit: visitorOf(ingress.port),
    workloadOf,
    async tenant(): Promise<Tenant> {
      const one = await sampleTenant(env)
      await shrinkMachine(env, one)
      return one
    },
    /** A program of a tenant. @param more.serve instead of an echo, see `echo` */
    async program(tenant: Tenant, { ports = [80], serve }: { ports?: number[]; serve?: RequestListener } = {}) {
      const deployed = await deploySample(env, tenant, { image: 'nginx:1.27', ports })
      const { id } = deployed.data
      const server = createServer(serve ?? echo(() => id))
      const sockets = new WebSocketServer({ server, handleProtocols: () => 'echo' })
      sockets.on('headers', (headers) => headers.push('set-cookie: own=1; Domain=apps.test'))
      sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(String(data))))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      servers.push(server)
      const { port } = server.address() as AddressInfo
      for (const each of ports) sample.control.listening.set(`${id}:${each}`, { host: '127.0.0.1', port })
      const urls = await urlsOf(tenant, id)
      return { id, server, host: new URL(urls[0] as string).host, urls }
    },
    publish: (tenant: Tenant, id: string, more: object = {}) =>
      env.call('clusters.publish', { id, port: 80, access: 'public', ...more }, tenant),
    async close() {
      await ingress.stop()
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
      await env.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** For tests: asks until the answer is right, since what visitors see is at most a second old; then returns it, or the last one. */
export async function settled<T>(ask: () => Promise<T>, is: (answer: T) => boolean): Promise<T> {
  for (const end = performance.now() + 10_000; ; ) {
    const answer = await ask()
    if (is(answer) || performance.now() > end) return answer
  }
}

/** For tests: the path and query of a location on the address itself. */
export const pathOf = (location = ''): string => location.replace(/^https?:\/\/[^/]+/, '')
