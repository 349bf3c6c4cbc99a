// Baseline for the authenticated call: Fastify with one route that does nothing.
import { createRequire } from 'node:module'

const { default: Fastify } = await import(
  createRequire(new URL('../apps/server/package.json', import.meta.url)).resolve('fastify')
)
const app = Fastify()
app.get('/', async () => ({ code: 0 }))
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
