import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticateFor } from '../../app.ts'
import type { Config } from '../../config.ts'
import { NO_CHAIN } from '../../payments/chain/config.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { servePortal } from './routes.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidenet-portal-'))
const page = (text: string) =>
  `<!doctype html><html lang="en"><head><link rel="canonical" href="{{origin}}/" /></head><body>${text}</body></html>`
const files: Record<string, string> = {
  'index.html': page('shell'),
  'theme.js': '// theme',
  'assets/app-1.js': '// app',
  'assets/app-1.js.br': 'packed',
  'prerendered/en/index.html': page('home'),
  'prerendered/zh/index.html': page('首页'),
  'prerendered/en/tss.html': page('storage'),
  'prerendered/zh/tss.html': page('存储'),
  'prerendered/en/login.html': page('login'),
  'prerendered/en/learndetail/cids.html': page('an article'),
  'prerendered/zh/learndetail/cids.html': page('文章'),
  'shells/en/services-host.html': page('services home'),
  'shells/zh/services-host.html': page('服务首页'),
  'shells/zh/signup.html': page('注册'),
  'addresses.json': JSON.stringify([
    { path: '/', frame: 'site', prerendered: true },
    { path: '/tss', frame: 'site', prerendered: true },
    { path: '/login', frame: 'site', prerendered: true },
    { path: '/signup', frame: 'site', prerendered: false },
    { path: '/dashboard', frame: 'console', prerendered: false },
    { path: '/learndetail', frame: 'site', prerendered: true },
    { path: '/learndetail?slug=cids', frame: 'site', prerendered: true },
  ]),
}

let env: TestEnv
let app: FastifyInstance
beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  env = await setup()
  app = await portal({ servicesHost: 'services.test' })
})
afterAll(async () => {
  await app.close()
  await env.close()
  rmSync(folder, { recursive: true })
})

async function portal(config: Partial<Config>): Promise<FastifyInstance> {
  const context = { ...env.context, config: { ...env.context.config, ...config } }
  const made = Fastify()
  await made.register(cookie)
  await servePortal(
    { app: made, authenticate: authenticateFor(context), authorize: async (_, __, input) => input, served: new Set() },
    context,
    folder,
  )
  return made
}
const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  app.inject({ method, url, headers: { host: 'portal.test', ...headers } })

describe('a page', () => {
  it.each([
    ['lang=zh', '首页', 'zh-CN'],
    ['lang=cn', '首页', 'zh-CN'],
    ['a=1; lang=zh-CN', '首页', 'zh-CN'],
    ['lang=en', 'home', 'en'],
    ['lang=fr', 'home', 'en'],
    ['', 'home', 'en'],
  ])('is prerendered in the language of the cookie: %s', async (kept, text, code) => {
    const answer = await get('/', { cookie: kept, 'accept-language': 'zh' })
    expect(answer.body).toContain(text)
    expect(answer.headers).toMatchObject({
      'content-language': code,
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
    })
    expect(answer.headers.vary).toContain('cookie')
  })

  it('is sent in the language of its address, which is stored in a cookie', async () => {
    const answer = await get('/tss?lang=zh', { cookie: 'lang=en' })
    expect(answer.body).toContain('存储')
    expect(answer.headers['set-cookie']).toMatch(/^lang=zh;.*Path=\//)
    expect((await get('/tss?lang=zh', { cookie: 'lang=zh' })).headers['set-cookie']).toBeUndefined()
  })

  it('contains the portal’s origin', async () => {
    expect((await get('/')).body).toContain('href="http://portal.test/"')
  })

  it('of an article is prerendered, too', async () => {
    expect((await get('/learndetail?slug=cids')).body).toContain('an article')
    expect((await get('/learndetail?slug=cids', { cookie: 'lang=zh' })).body).toContain('文章')
  })

  it('that depends on the caller has a shell in the language', async () => {
    expect((await get('/signup', { cookie: 'lang=zh' })).body).toContain('注册')
    expect((await get('/sitemap.xml')).body).not.toContain('/signup')
  })

  it('that was not prerendered, or not in this language, is rendered by the browser', async () => {
    for (const [url, kept] of [
      ['/dashboard', ''],
      ['/login', 'lang=zh'],
    ] as const) {
      const answer = await get(url, { cookie: kept })
      expect(answer.statusCode).toBe(200)
      expect(answer.body).toContain('shell')
      expect(answer.headers['content-language']).toBeUndefined()
    }
  })

  it('is compressed as the client accepts', async () => {
    const brotli = await get('/', { 'accept-encoding': 'gzip, br' })
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toContain('home')
    const gzip = await get('/', { 'accept-encoding': 'gzip, br;q=0' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.rawPayload).toString()).toContain('home')
    expect((await get('/')).headers['content-encoding']).toBeUndefined()
  })

  it('is not sent again to a client that has it, unless in another language', async () => {
    const { etag } = (await get('/', { 'accept-encoding': 'br' })).headers
    const again = await get('/', { 'if-none-match': `"x", ${etag}` })
    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
    expect((await get('/', { 'if-none-match': String(etag), cookie: 'lang=zh' })).statusCode).toBe(200)
  })

  it('answers HEAD without its text', async () => {
    const answer = await get('/tss', {}, 'HEAD')
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe('')
  })
})

describe('files', () => {
  it('with a hash in their name are cached for a year, and compressed if the build did', async () => {
    const answer = await get('/assets/app-1.js', { 'accept-encoding': 'br' })
    expect(answer.headers['cache-control']).toContain('immutable')
    expect(answer.body).toBe('packed')
    expect((await get('/theme.js')).headers['cache-control']).toBe('no-cache')
  })

  it('for search engines list the pages', async () => {
    expect((await get('/sitemap.xml')).body).toContain('<loc>http://portal.test/learndetail?slug=cids</loc>')
    expect((await get('/robots.txt')).body).toContain('Disallow: /api/')
    const llms = await get('/llms.txt')
    expect(llms.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(llms.headers['cache-control']).toBe('no-cache')
    expect(llms.body).toContain('(http://portal.test/mcp)')
  })
})

describe('on the services host', () => {
  const services = (url: string) => get(url, { host: 'services.test' })

  it('the portal is marked as the services variant', async () => {
    for (const url of ['/', '/dashboard', '/login', '/signup']) {
      const answer = await services(url)
      expect(answer.statusCode).toBe(200)
      expect(answer.body).toContain('<html data-variant="services"')
    }
    expect((await services('/')).body).toContain('services home')
    const chinese = await get('/', { host: 'services.test', cookie: 'lang=zh' })
    expect(chinese.body).toContain('服务首页')
    expect(chinese.headers['content-language']).toBe('zh-CN')
    expect((await services('/login')).body).toContain('login')
    expect((await get('/')).body).not.toContain('data-variant')
  })

  it('programs and files are served, and everything else is redirected', async () => {
    expect((await services('/api/v1/portal/settings')).json().data.services_host).toBe('services.test')
    expect((await services('/theme.js')).statusCode).toBe(200)
    const away = await services('/tss?lang=zh')
    expect(away.statusCode).toBe(302)
    expect(away.headers.location).toBe('http://portal.test/tss?lang=zh')
  })

  it('is ignored if it is the only host', async () => {
    const only = await portal({ servicesHost: 'portal.test' })
    const answer = await only.inject({ url: '/tss', headers: { host: 'portal.test' } })
    expect(answer.statusCode).toBe(200)
    await only.close()
  })
})

describe('settings', () => {
  const settings = async (made: FastifyInstance) => (await made.inject('/api/v1/portal/settings')).json().data

  it('link to pages of the portal if nothing is configured', async () => {
    expect(await settings(app)).toEqual({
      edge_signup_url: '/login?mode=signup',
      extension_store_urls: { cn: '/download#extension', en: '/download#extension' },
      social: {},
      feedback_urls: { cn: '/about?lang=zh#feedback', en: '/about?lang=en#feedback' },
      outbound_hosts: [],
      services_host: 'services.test',
      s3_url: '',
      ipfs_url: '',
      chain: { id: 'tidenet-devnet-1', prefix: 'tide' },
      sign_in_providers: [],
    })
  })

  it('contain the operator’s links, and can be cached for a minute', async () => {
    const links = {
      ...env.context.config.links,
      edgeSignup: 'https://edge.test/join',
      feedbackEn: 'https://Forms.test:8443/en?form=1',
      telegram: 'https://chat.test/t',
    }
    const set = await portal({
      links,
      outboundHosts: ['chat.test', 'docs.test'],
      s3Url: 'https://s3.test',
      ipfsUrl: 'https://ipfs.test',
      chain: { ...NO_CHAIN, id: 'other-1', prefix: 'other' },
    })
    expect(await settings(set)).toMatchObject({
      edge_signup_url: 'https://edge.test/join',
      social: { telegram: 'https://chat.test/t' },
      // Hosts of links are included without being listed.
      outbound_hosts: ['chat.test', 'docs.test', 'edge.test', 'forms.test:8443'],
      s3_url: 'https://s3.test',
      ipfs_url: 'https://ipfs.test',
      chain: { id: 'other-1', prefix: 'other' },
    })
    expect((await set.inject('/api/v1/portal/settings')).headers['cache-control']).toBe('public, max-age=60')
    await set.close()
  })
})

/** Sends the path unchanged. */
const statusOf = (url: string, path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(url)
    request({ hostname, port, path }, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end()
  })

describe('refused are', () => {
  it.each([
    '/nowhere',
    '/learndetail?slug=none',
    '/learndetail?slug=../tss',
    '/prerendered/en/index.html',
    '/%2e%2e/etc/passwd',
  ])('%s, with a page that says so', async (url) => {
    const answer = await get(url)
    expect(answer.statusCode).toBe(404)
    expect(answer.body).toContain('shell')
  })

  it('a path with several slashes at the start, which is never read as a host', async () => {
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    for (const path of ['//', '///', '//tss', '//elsewhere.test/tss', '/\\\\'])
      expect(await statusOf(url, path)).toBe(404)
  })

  it.each(['/api/nowhere', '/assets/none.js', '/downloads/none.tgz'])('%s, which is not a page', async (url) => {
    const answer = await get(url)
    expect(answer.statusCode).toBe(404)
    expect(answer.json().code).toBe(404)
  })

  it('writing to a page', async () => expect((await get('/tss', {}, 'POST')).statusCode).toBe(404))
})
