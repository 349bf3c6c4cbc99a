import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { allowOtherOrigins } from './cors.ts'

const app = Fastify()
await allowOtherOrigins(app)
app.get('/api/a', async () => 'a')
app.get('/page', async () => 'page')

async function corsOf(method: 'GET' | 'OPTIONS', url: string) {
  const { statusCode, headers } = await app.inject({ method, url, headers: { origin: 'https://other.example' } })
  const cors = Object.entries(headers).filter(([name]) => name.startsWith('access-control-'))
  return { statusCode, ...Object.fromEntries(cors) }
}
const OPEN = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'new-token' }

it.each([
  ['/api/a', 200],
  ['/api/none', 404],
  ['/link?cid=1', 404],
])('allows other origins to call %s', async (url, statusCode) => {
  expect(await corsOf('GET', url)).toEqual({ statusCode, ...OPEN })
  expect(await corsOf('OPTIONS', url)).toEqual({
    statusCode: 204,
    ...OPEN,
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': 'JwtAuthorization, Authorization, apiKey, Content-Type, lang, Team',
    'access-control-max-age': '600',
  })
})

it('does not allow other origins to read pages of the portal', async () => {
  expect(await corsOf('GET', '/page')).toEqual({ statusCode: 200 })
  expect(await corsOf('OPTIONS', '/page')).toEqual({ statusCode: 404 })
  expect((await app.inject('/api/a')).headers.vary).toBeUndefined()
})
