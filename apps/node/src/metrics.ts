import type { TLSSocket } from 'node:tls'
import type { NodeStats } from '@tidenet/contract'
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Registry } from 'prom-client'

interface Numbers extends NodeStats {
  receipts_waiting: number
  sent_bytes_total: number
  relay_devices: number
  relay_visitors: number
  relay_bytes_total: number
}

const GAUGES: Record<Exclude<keyof Numbers, 'sent_bytes_total' | 'relay_bytes_total'>, string> = {
  capacity: 'Bytes that contents may take at most.',
  used: 'Bytes that contents take.',
  free: 'Bytes that the node can still take.',
  load: 'Load of the processor or of transfers, whichever is greater, from 0 to 1.',
  uploads: 'Uploads under way.',
  downloads: 'Downloads under way.',
  receive_rate: 'Bytes a second of the latest large uploads.',
  send_rate: 'Bytes a second of the latest large downloads.',
  contents: 'Contents that the node holds.',
  receipts_waiting: 'Receipts that the server does not have yet.',
  relay_devices: 'Devices that are reached through the relay in this node.',
  relay_visitors: 'Connections that the relay passes on at the moment.',
}

/** `GET /metrics` in the Prometheus format. */
export function serveMetrics(app: FastifyInstance, read: () => Promise<Numbers>): void {
  // A separate registry: a process may run several nodes.
  const registry = new Registry()
  const registers = [registry]
  const gauges = Object.entries(GAUGES).map(([name, help]) => ({
    name: name as keyof typeof GAUGES,
    gauge: new Gauge({ name: `tidenet_node_${name}`, help, registers }),
  }))
  const sent = new Counter({ name: 'tidenet_node_sent_bytes_total', help: 'Bytes sent since the start.', registers })
  const relayed = new Counter({
    name: 'tidenet_node_relay_bytes_total',
    help: 'Bytes that the relay passed on since the start.',
    registers,
  })

  app.get('/metrics', async (request, reply) => {
    // Names of nodes are for readers, who come by https, also to the port of a relay. Operators ask the port of the program.
    if ((request.raw.socket as Partial<TLSSocket>).encrypted) return reply.callNotFound()
    const numbers = await read()
    for (const { name, gauge } of gauges) gauge.set(numbers[name])
    sent.reset()
    sent.inc(numbers.sent_bytes_total)
    relayed.reset()
    relayed.inc(numbers.relay_bytes_total)
    reply.header('content-type', registry.contentType)
    return registry.metrics()
  })
}
