import { duplexPair } from 'node:stream'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { serveMetrics } from './metrics.ts'

const numbers = (sent: number) => ({
  capacity: 2 ** 40,
  used: 0,
  free: 123,
  load: 0.25,
  uploads: 1,
  downloads: 2,
  receive_rate: 3,
  send_rate: 4,
  contents: 5,
  receipts_waiting: 6,
  relay_devices: 7,
  relay_visitors: 8,
  sent_bytes_total: sent,
  relay_bytes_total: 9,
})

it('returns the figures of one node to Prometheus', async () => {
  const [app, other] = [Fastify(), Fastify()]
  serveMetrics(app, async () => numbers(7))
  serveMetrics(other, async () => numbers(8))
  const asked = () => app.inject('/metrics')
  await other.inject('/metrics')
  await asked()
  const { headers, body } = await asked()
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('# HELP'))
  expect(lines).toEqual(
    Object.entries(numbers(7)).flatMap(([name, value]) => [
      `# TYPE tidenet_node_${name} ${name.endsWith('_total') ? 'counter' : 'gauge'}`,
      `tidenet_node_${name} ${value}`,
    ]),
  )
})

it('returns nothing to readers, who come by https to a name of the node, or to the port of its relay', async () => {
  const app = Fastify()
  serveMetrics(app, async () => numbers(7))
  await app.ready()
  const asked = async (encrypted: boolean) => {
    const [near, far] = duplexPair()
    app.server.emit('connection', Object.assign(far, { encrypted }))
    near.write('GET /metrics HTTP/1.1\r\nHost: node\r\nConnection: close\r\n\r\n')
    return (await text(near)).split('\r\n')[0]
  }
  expect(await asked(false)).toBe('HTTP/1.1 200 OK')
  expect(await asked(true)).toBe('HTTP/1.1 404 Not Found')
})
