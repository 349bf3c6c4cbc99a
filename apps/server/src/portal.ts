import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { contract, errorText } from '@tidenet/contract'
import { openApi } from '@tidenet/contract/openapi'
import { requestLang } from '@tidenet/daemon'
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'

/** The built portal, beside this program in the workspace. */
const built = join(dirname(fileURLToPath(import.meta.url)), '../../web/dist')

/** Serves the portal's files and the API description; every address that is not a file opens the portal. */
export async function servePortal(app: FastifyInstance, _context: Context): Promise<void> {
  const description = JSON.stringify(openApi(contract))
  app.get('/api/openapi.json', { exposeHeadRoute: false }, (_, reply) =>
    reply.type('application/json').send(description),
  )

  const page = join(built, 'index.html')
  if (existsSync(page)) {
    await app.register(fastifyStatic, {
      root: join(built, 'assets'),
      prefix: '/assets/',
      immutable: true,
      maxAge: '365d',
      index: false,
      decorateReply: false,
    })
    const html = readFileSync(page)
    const icon = join(built, 'favicon.svg')
    if (existsSync(icon)) app.get('/favicon.svg', (_, reply) => reply.type('image/svg+xml').send(readFileSync(icon)))
    const portal = (path: string) => !path.startsWith('/api/') && !path.startsWith('/assets/')
    app.setNotFoundHandler((request, reply) => {
      if (request.method === 'GET' && portal(request.url))
        return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(html)
      return reply.code(404).send({ code: 404, msg: errorText('notFound', requestLang(request)) })
    })
    return
  }
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ code: 404, msg: errorText('notFound', requestLang(request)) }),
  )
}
