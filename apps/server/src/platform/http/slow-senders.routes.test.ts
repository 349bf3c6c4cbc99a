import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApp } from '../../app.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
let app: FastifyInstance
let port: number
beforeAll(async () => {
  env = await setup()
  app = await createApp(env.context, { headers: 200, request: 200, check: 50 })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
afterAll(async () => {
  await app?.close()
  await env?.close()
})

/** Sends the beginning of a request and collects the response. */
function begin(text: string): { socket: Socket; received: () => string } {
  const socket = connect(port, '127.0.0.1', () => socket.write(text))
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes
  })
  socket.on('error', () => {})
  return { socket, received: () => received }
}

const LOGIN =
  'POST /api/v1/user/login HTTP/1.1\r\nHost: portal.test\r\nContent-Type: application/json\r\nContent-Length: 100\r\n'

it('closes connections of slow senders, but not event streams', async () => {
  const events = begin('GET /api/v1/network/events HTTP/1.1\r\nHost: portal.test\r\n\r\n')
  await once(events.socket, 'data')
  const senders = [begin(`${LOGIN}\r\n{"user`), begin(LOGIN)]
  await Promise.all(senders.map(({ socket }) => once(socket, 'close')))
  for (const slow of senders) {
    expect(slow.received()).not.toMatch(/^HTTP\/1.1 200/)
  }
  expect(events.received()).toMatch(/^HTTP\/1.1 200/)
  expect(events.socket.destroyed).toBe(false)
  events.socket.destroy()
})
