import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApp } from '../../app.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'

let world: TestEnv
let app: FastifyInstance
let port: number
beforeAll(async () => {
  world = await setup()
  app = await createApp(world.context, { headers: 200, request: 200, check: 50 })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
afterAll(async () => {
  await app?.close()
  await world?.close()
})

/** Sends the beginning of a request, and collects what comes back. */
function begin(text: string): { socket: Socket; said: () => string } {
  const socket = connect(port, '127.0.0.1', () => socket.write(text))
  let said = ''
  socket.on('data', (bytes) => {
    said += bytes
  })
  socket.on('error', () => {})
  return { socket, said: () => said }
}

const LOGIN =
  'POST /api/v1/user/login HTTP/1.1\r\nHost: portal.test\r\nContent-Type: application/json\r\nContent-Length: 100\r\n'

it('a stream of events is kept, however long it lasts, while slow senders are cut off', async () => {
  const events = begin('GET /api/v1/network/events HTTP/1.1\r\nHost: portal.test\r\n\r\n')
  await once(events.socket, 'data')
  const senders = [begin(`${LOGIN}\r\n{"user`), begin(LOGIN)]
  await Promise.all(senders.map(({ socket }) => once(socket, 'close')))
  for (const slow of senders) {
    expect(slow.said()).not.toMatch(/^HTTP\/1.1 200/)
  }
  expect(events.said()).toMatch(/^HTTP\/1.1 200/)
  expect(events.socket.destroyed).toBe(false)
  events.socket.destroy()
})
