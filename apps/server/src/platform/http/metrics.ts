import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Gauge, Registry } from 'prom-client'
import type { Context } from '../context.ts'

type Measure<C> = (registry: Registry, context: C) => void

/** `GET /metrics`: numbers of the server as Prometheus reads them, for programs on this machine alone. */
export function serveMetrics<C extends Pick<Context, 'db'>>(
  app: FastifyInstance,
  context: C,
  features: readonly { readonly measure?: Measure<C> }[],
): void {
  // Not the global registry: a process may run several servers.
  const registry = new Registry()
  const registers = [registry]
  const calls = new Counter({
    name: 'tidenet_server_calls_total',
    help: 'Calls that were answered since the start, by address and status.',
    labelNames: ['method', 'path', 'status'],
    registers,
  })
  const { pool } = context.db
  new Gauge({
    name: 'tidenet_server_database_connections',
    help: 'Connections to the database.',
    registers,
    collect() {
      this.set(pool.totalCount)
    },
  })
  new Gauge({
    name: 'tidenet_server_database_waiting',
    help: 'Calls that wait for a connection to the database.',
    registers,
    collect() {
      this.set(pool.waitingCount)
    },
  })
  for (const { measure } of features) measure?.(registry, context)

  app.addHook('onResponse', (request, reply, done) => {
    // The address with its parameters' names: there are as many as routes.
    calls.inc({ method: request.method, path: request.routeOptions.url ?? '', status: reply.statusCode })
    done()
  })
  app.get('/metrics', { exposeHeadRoute: false }, async (request, reply) => {
    if (!isOfThisMachine(request)) return notThere(reply)
    return reply
      .type(registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics())
  })
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

/** A proxy on this machine speaks for others. */
const isOfThisMachine = ({ ip, socket, headers }: FastifyRequest): boolean =>
  LOOPBACK.test(ip) &&
  LOOPBACK.test(socket.remoteAddress ?? '') &&
  ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].every((name) => headers[name] === undefined)

function notThere(reply: FastifyReply): FastifyReply {
  reply.callNotFound()
  return reply
}
