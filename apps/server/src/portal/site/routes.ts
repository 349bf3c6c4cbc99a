import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { contract, errorText, readLang } from '@tidenet/contract'
import { openApi } from '@tidenet/contract/openapi'
import { requestLang } from '@tidenet/daemon'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createCache } from '../../platform/cache.ts'
import { serveModule } from '../../platform/http/operations.ts'
import { isServicesHost } from '../../platform/http/origin.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import { readUrl } from '../../platform/read-url.ts'
import type { Context } from '../context.ts'
import { addressFor, type PageLang, readBuilt } from './built.ts'
import { llmsText } from './llms.ts'
import { createPages } from './pages.ts'
import { portalServices } from './services.ts'
import { portalSettings } from './settings.ts'
import { sendShortLinkPage, shortLinkToken } from './short-link-page.ts'
import { robots, sitemap } from './sitemap.ts'

/** The build of the portal in the workspace. */
export const BUILT = join(dirname(fileURLToPath(import.meta.url)), '../../../../web/dist')

/** Types of the files at the root of the build. */
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}
const HTML = 'text/html; charset=utf-8'
/** Pages of the services host; others are redirected to the portal. */
const SERVICES = new Set(['/', '/dashboard', '/myaccount', '/login', '/signup'])
const YEAR = 365 * 24 * 3600
const MINUTE = 60

let description: string | undefined
/** The OpenAPI document. Written on the first request, because it takes long compared with the rest of a server's start. */
function describeApi(): string {
  description ??= JSON.stringify(openApi(contract))
  return description
}

/** Serves the portal's settings, files and pages, and the API description. */
export async function servePortal(serving: ServerServing, context: Context, folder = BUILT): Promise<void> {
  const { app } = serving
  const cached = createCache(context)
  serveModule(serving, 'portal', {
    settings(_, { reply }) {
      reply.header('cache-control', `public, max-age=${MINUTE}`)
      return portalSettings(context.config)
    },
    services: (_, { lang }) => cached(['services', lang], () => portalServices(context, lang)),
  })
  app.get('/api/openapi.json', { exposeHeadRoute: false }, (_, reply) =>
    reply.type('application/json').send(describeApi()),
  )
  const refuse = (request: FastifyRequest, reply: FastifyReply) =>
    reply.code(404).send({ code: 404, msg: errorText('notFound', requestLang(request)) })

  const built = readBuilt(folder)
  if (!built) {
    app.setNotFoundHandler(refuse)
    return
  }
  if (existsSync(join(folder, 'assets')))
    await app.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      immutable: true,
      preCompressed: true,
      maxAge: '365d',
      index: false,
      decorateReply: false,
    })
  // Files without a hash in their name (theme.js, favicon.svg) change with the build, so clients must revalidate them.
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())) {
    const type = TYPES[extname(name)]
    if (!type || name === 'robots.txt') continue
    const bytes = readFileSync(join(folder, name))
    app.get(`/${name}`, (_, reply) => reply.type(type).header('cache-control', 'no-cache').send(bytes))
  }

  const send = createPages()
  const { addresses } = built
  app.get('/sitemap.xml', (request, reply) =>
    send(request, reply, {
      key: 'sitemap',
      type: 'application/xml; charset=utf-8',
      text: () => sitemap(context.portalUrl(), addresses),
    }),
  )
  app.get('/robots.txt', (request, reply) =>
    send(request, reply, {
      key: 'robots',
      type: 'text/plain; charset=utf-8',
      text: () => robots(context.portalUrl()),
    }),
  )

  app.get('/llms.txt', (request, reply) =>
    send(request, reply, {
      key: 'llms',
      type: 'text/plain; charset=utf-8',
      text: () =>
        llmsText({ origin: context.portalUrl(), s3Url: context.config.s3Url, ipfsUrl: context.config.ipfsUrl }, built),
    }),
  )

  app.setNotFoundHandler((request, reply) => {
    // With a host of our own: a path such as `//` would be read as a host.
    const url = readUrl(`http://portal${request.url}`)
    if (!url) return refuse(request, reply)
    const inPortal = !/^\/(api|assets|downloads)\//.test(url.pathname)
    if ((request.method !== 'GET' && request.method !== 'HEAD') || !inPortal) return refuse(request, reply)
    const services = isServicesVariant(context, request)
    if (services && !SERVICES.has(url.pathname.toLowerCase()))
      return reply.header('vary', 'host').redirect(context.portalUrl() + request.url, 302)

    const lang = pageLang(request, reply, url.searchParams.get('lang'))
    const address = addressFor(addresses, url.pathname, url.searchParams.get('slug'))
    const prerendered =
      services && address?.path === '/' ? built.servicesHome(lang) : address && built.prerendered(address.path, lang)
    reply.header('vary', 'cookie, accept-encoding')
    if (prerendered) reply.header('content-language', lang === 'zh' ? 'zh-CN' : 'en')
    const token = shortLinkToken(url.pathname)
    if (token) {
      const page = (prerendered ?? built.shell).replaceAll('{{origin}}', context.portalUrl())
      return sendShortLinkPage(context, request, reply, { token, page, lang })
    }
    if (!address && addresses.length > 0) reply.code(404)
    return send(request, reply, {
      key: `${services ? 'services' : 'portal'} ${prerendered ? `${lang} ${address?.path}` : 'shell'}`,
      type: HTML,
      text: () => {
        const text = (prerendered ?? built.shell).replaceAll('{{origin}}', context.portalUrl())
        return services ? text.replace('<html ', '<html data-variant="services" ') : text
      },
    })
  })
}

/** The language of the `lang` parameter, which is stored in the cookie; else that of the cookie; else English. */
function pageLang(request: FastifyRequest, reply: FastifyReply, asked: string | null): PageLang {
  const named = readLang(asked ?? undefined)
  const kept = readLang(/(?:^|;\s*)lang=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1])
  const lang = (named ?? kept) === 'cn' ? 'zh' : 'en'
  if (named && named !== kept)
    reply.setCookie('lang', lang, { path: '/', maxAge: YEAR, sameSite: 'lax', secure: request.protocol === 'https' })
  return lang
}

/** Whether a request is for the services variant. If both hosts are the same, it is for the portal. */
function isServicesVariant(context: Context, request: FastifyRequest): boolean {
  return isServicesHost(context, request) && readUrl(context.portalUrl())?.host !== request.host
}
