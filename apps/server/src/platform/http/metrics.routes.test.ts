import { afterAll, beforeAll, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

it('serves metrics to programs on the same machine', async () => {
  await env.app.inject('/livez')
  const { headers, body } = await env.app.inject('/metrics')
  expect(headers['content-type']).toContain('text/plain; version=0.0.4')
  expect(body).toMatch(/^tidenet_server_calls_total\{method="GET",path="\/livez",status="200"\} 1$/m)
  expect(body).toMatch(/^tidenet_server_database_connections \d+$/m)
  expect(body).toMatch(/^tidenet_server_database_waiting 0$/m)
  expect(body).toMatch(/^tidenet_server_nodes\{status="online"\} 0$/m)
})

it.each([
  ['another machine', { remoteAddress: '203.0.113.7' }],
  ['a proxy that sends X-Forwarded-For', { headers: { 'x-forwarded-for': '127.0.0.1' } }],
  ['a proxy that sends Via', { headers: { via: '1.1 proxy' } }],
])('returns 404 to %s', async (_, from) => {
  const unknown = await env.app.inject({ url: '/no-such-page', ...from })
  const answer = await env.app.inject({ url: '/metrics', ...from })
  expect(answer.statusCode).toBe(unknown.statusCode)
  expect(answer.body).not.toContain('tidenet_server')
})
