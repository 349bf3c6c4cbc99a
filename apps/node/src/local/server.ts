import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Logger } from '@tidenet/daemon'
import { z } from 'zod'
import { writeDurably } from '../contents/durable.ts'
import { type Access, createAccess } from './access.ts'
import { SCRIPT, STYLE } from './assets.ts'
import { applyChange, changeShape } from './change.ts'
import { formPart, livePart, type PageLang, pageTexts, shell } from './page.ts'
import { type LiveState, readState } from './state.ts'

/** The page of this device for its owner, on this machine only. */
export interface LocalPage {
  port: number
  stop(): Promise<void>
}

const BODY_MAX = 16 * 1024
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** File with the address and the token of the page; only the owner of the data folder can read it. */
export const accessFile = (data: string): string => join(data, 'page.json')

const asked = z.object({
  lang: z.enum(['en', 'zh']).default('en'),
  code: z.string().max(100).optional(),
  change: z.unknown().optional(),
})

/** @param options.port 0: any free port */
export async function serveLocalPage(options: {
  data: string
  port: number
  live: () => Promise<LiveState>
  log: Logger
}): Promise<LocalPage> {
  const { data, live, log } = options
  let port = options.port
  const access = createAccess(() => port)
  const server = createServer((request, response) => {
    handle(request, response, { access, data, live }).catch((error: unknown) => {
      log.warn({ err: error }, 'the page of this device failed')
      send(response, 500, {})
    })
  })
  server.requestTimeout = 30_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  server.unref()
  port = (server.address() as { port: number }).port
  await writeDurably(accessFile(data), JSON.stringify({ port, token: access.token }), 0o600)
  return {
    port,
    async stop() {
      // Another program may get the port.
      await rm(accessFile(data), { force: true })
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

type Parts = { access: Access; data: string; live: () => Promise<LiveState> }

async function handle(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
  const { access, data, live } = parts
  if (!access.isOwnOrigin(request)) return send(response, 403, {})
  const path = request.url ?? ''
  if (request.method === 'GET') {
    if (path === '/') return sendText(response, 'text/html', shell())
    if (path === '/style.css') return sendText(response, 'text/css', STYLE)
    if (path === '/script.js') return sendText(response, 'text/javascript', SCRIPT)
    return send(response, 404, {})
  }
  // A form of another page cannot have this type.
  if (request.method !== 'POST' || request.headers['content-type'] !== 'application/json')
    return send(response, 405, {})
  const input = asked.safeParse(await readJson(request))
  if (!input.success) return send(response, 400, {})
  const { lang, code, change } = input.data
  if (path === '/api/session') {
    const token = access.takeCode(code ?? '')
    return token ? send(response, 200, { token }) : send(response, 401, {})
  }
  const t = pageTexts(lang)
  const texts = { title: t.title, language: t.language, saved: t.saved, gone: t.gone }
  if (!access.hasToken(request)) return send(response, 401, { closed: t.closed, texts })
  if (path === '/api/code') return send(response, 200, { code: access.makeCode() })
  if (path === '/api/state') return send(response, 200, { state: await readState(data, live) })
  if (path === '/api/page') return send(response, 200, { ...(await render(parts, lang)), texts })
  if (path !== '/api/change') return send(response, 404, {})
  const wanted = changeShape.safeParse(change)
  const problem = wanted.success ? await applyChange(data, wanted.data) : 'input'
  return send(response, problem ? 400 : 200, problem ? { error: t.errors[problem] } : {})
}

async function render({ data, live }: Parts, lang: PageLang) {
  const state = await readState(data, live)
  return { live: livePart(state, lang), forms: formPart(state, lang) }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    size += (part as Buffer).length
    if (size > BODY_MAX) return undefined
    parts.push(part as Buffer)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch {
    return undefined
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent) return
  response.writeHead(status, { ...HEADERS, 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function sendText(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { ...HEADERS, 'content-type': `${type}; charset=utf-8` }).end(text)
}
