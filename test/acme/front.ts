import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Pebble } from './pebble.ts'

/**
 * Stands before Pebble and counts what a client asks for. Pebble writes its addresses with the host of the request, so all requests of a
 * client pass here.
 */
export async function startFront(pebble: Pick<Pebble, 'port' | 'agent' | 'own'>) {
  const front = {
    directory: '',
    /** Names of each order. */
    orders: [] as string[][],
    /** Names of orders that replace a certificate. */
    replacements: [] as string[][],
    requests: 0,
    rejectedNonces: 0,
    /** Called before each request is passed on. */
    onRequest: async () => {},
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const pass = async (from: IncomingMessage, to: ServerResponse) => {
    const body = await buffer(from)
    front.requests++
    await front.onRequest()
    const call = request({
      host: 'localhost',
      port: pebble.port,
      agent: pebble.agent,
      method: from.method,
      path: from.url,
      headers: from.headers,
    })
    call.end(body)
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    const answered = await buffer(answer)
    if (answer.statusCode === 400 && answered.includes('badNonce')) front.rejectedNonces++
    if (from.url === '/order-plz' && answer.statusCode === 201) {
      const { payload } = JSON.parse(body.toString()) as { payload: string }
      const order = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
        identifiers: { value: string }[]
        replaces?: string
      }
      const names = order.identifiers.map(({ value }) => value)
      front.orders.push(names)
      if (order.replaces) front.replacements.push(names)
    }
    to.writeHead(answer.statusCode ?? 500, answer.headers).end(answered)
  }
  const server = createServer(pebble.own, (from, to) => {
    pass(from, to).catch(() => to.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  front.directory = `https://localhost:${(server.address() as AddressInfo).port}/dir`
  return front
}
