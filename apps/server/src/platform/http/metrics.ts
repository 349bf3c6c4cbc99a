import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Gauge, Registry } from 'prom-client'
import type { Context } from '../context.ts'

type Measure<C> = (registry: Registry, context: C) => void

/** `GET /metrics` in the format of Prometheus, for programs on this machine only. */
export function serveMetrics<C extends Pick<Context, 'db'>>(
  app: FastifyInstance,
  context: C,
  features: readonly { readonly measure?: Measure<C> }[],
): void {
  // Not the global registry: a process can run several servers.
  const registry = new Registry()
  const registers = [registry]
  const calls = new Counter({
    name: 'tidenet_server_calls_total',
    help: 'Requests answered since the start, by path and status.',
    labelNames: ['method', 'path', 'status'],
    registers,
  })
  const { pool } = context.db
  new Gauge({
    name: 'tidenet_server_database_connections',
    help: 'Database connections.',
    registers,
    collect() {
      this.set(pool.totalCount)
    },
  })
  new Gauge({
    name: 'tidenet_server_database_waiting',
    help: 'Calls that wait for a database connection.',
    registers,
    collect() {
      this.set(pool.waitingCount)
    },
  })
  for (const { measure } of features) measure?.(registry, context)

  app.addHook('onResponse', (request, reply, done) => {
    // The route pattern, to limit the number of time series.
    calls.inc({ method: request.method, path: request.routeOptions.url ?? '', status: reply.statusCode })
    done()
  })
  app.get('/metrics', { exposeHeadRoute: false }, async (request, reply) => {
    if (!isLocal(request)) return notFound(reply)
    return reply
      .type(registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics())
  })
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

// Requests through a proxy on this machine are not local.
const isLocal = ({ ip, socket, headers }: FastifyRequest): boolean =>
  LOOPBACK.test(ip) &&
  LOOPBACK.test(socket.remoteAddress ?? '') &&
  ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].every((name) => headers[name] === undefined)

function notFound(reply: FastifyReply): FastifyReply {
  reply.callNotFound()
  return reply
}
