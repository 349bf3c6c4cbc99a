import { afterAll, beforeAll, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'

let world: TestEnv
beforeAll(async () => {
  world = await setup()
})
afterAll(() => world.close())

it('numbers of the server are there for programs on its machine', async () => {
  await world.app.inject('/livez')
  const { headers, body } = await world.app.inject('/metrics')
  expect(headers['content-type']).toContain('text/plain; version=0.0.4')
  expect(body).toMatch(/^tidenet_server_calls_total\{method="GET",path="\/livez",status="200"\} 1$/m)
  expect(body).toMatch(/^tidenet_server_database_connections \d+$/m)
  expect(body).toMatch(/^tidenet_server_database_waiting 0$/m)
  expect(body).toMatch(/^tidenet_server_nodes\{status="online"\} 0$/m)
})

it.each([
  ['another machine', { remoteAddress: '203.0.113.7' }],
  ['a proxy that names its caller', { headers: { 'x-forwarded-for': '127.0.0.1' } }],
  ['a proxy that names itself', { headers: { via: '1.1 proxy' } }],
])('and not there for %s', async (_, from) => {
  const unknown = await world.app.inject({ url: '/no-such-page', ...from })
  const answer = await world.app.inject({ url: '/metrics', ...from })
  expect(answer.statusCode).toBe(unknown.statusCode)
  expect(answer.body).not.toContain('tidenet_server')
})
