import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { contract, errorText } from '@tidenet/contract'
import { openApi } from '@tidenet/contract/openapi'
import { requestLang } from '@tidenet/daemon'
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'

/** The built portal, beside this program in the workspace. */
const built = join(dirname(fileURLToPath(import.meta.url)), '../../web/dist')

/** What may lie at the root of the built portal. */
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

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
      preCompressed: true,
      maxAge: '365d',
      index: false,
      decorateReply: false,
    })
    const html = readFileSync(page)
    // Unhashed names (theme.js, favicon.svg) may change with the next build: small, and asked for each time.
    for (const { name } of readdirSync(built, { withFileTypes: true }).filter((entry) => entry.isFile())) {
      const type = TYPES[extname(name)]
      if (name === 'index.html' || !type) continue
      const bytes = readFileSync(join(built, name))
      app.get(`/${name}`, (_, reply) => reply.type(type).header('cache-control', 'no-cache').send(bytes))
    }
    const portal = (path: string) => !path.startsWith('/api/') && !path.startsWith('/assets/')
    app.setNotFoundHandler((request, reply) => {
      if ((request.method === 'GET' || request.method === 'HEAD') && portal(request.url))
        return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(html)
      return reply.code(404).send({ code: 404, msg: errorText('notFound', requestLang(request)) })
    })
    return
  }
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ code: 404, msg: errorText('notFound', requestLang(request)) }),
  )
}
