import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair } from 'jose'
import { type AccountClaims, Provider } from 'oidc-provider'

/** For tests: external sign-in services on loopback, with a page that asks for the user's name. */
export interface TestService {
  url: string
  /** Profiles by name. For other names, a name with @ is a verified e-mail address. */
  people: Map<string, Omit<AccountClaims, 'sub'>>
  /** Stops the service until it is started again. */
  stop(): Promise<void>
  start(): Promise<void>
}

const CLIENT = { id: 'tidenet', secret: 'a secret of the client' }

/** A real OpenID Connect provider. `name` separates the cookies of several providers; `lie` changes its ID tokens. */
export async function openidService(
  name: string,
  client = CLIENT,
): Promise<TestService & { lie: { about?: ((idToken: string) => string) | undefined } }> {
  const service = await listen()
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const people: TestService['people'] = new Map()
  const provider = new Provider(service.url, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: ['http://portal.test/'],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: name }] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...toldOf(people, sub) }) }),
    // No consent page.
    async loadExistingGrant(context) {
      const { client: asking, session } = context.oidc
      const grant = new provider.Grant({
        ...(asking && { clientId: asking.clientId }),
        ...(session?.accountId && { accountId: session.accountId }),
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    cookies: {
      keys: [randomBytes(16).toString('hex')],
      names: { interaction: `${name}-interaction`, resume: `${name}-resume`, session: `${name}-session` },
    },
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Interaction: 600, Session: 600, Grant: 600 },
  })
  const lie: { about?: ((idToken: string) => string) | undefined } = {}
  provider.use(async (context, next) => {
    await next()
    const { body } = context as { body?: { id_token?: string } }
    if (context.path === '/token' && body?.id_token && lie.about) body.id_token = lie.about(body.id_token)
  })
  // The port differs per network.
  provider.Client.prototype.redirectUriAllowed = () => true
  const answer = provider.callback()
  service.handle((request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
    if (request.method === 'GET') return page(response, name)
    void text(request).then((body) => {
      const form = new URLSearchParams(body)
      const result = form.has('no')
        ? { error: 'access_denied' }
        : { login: { accountId: form.get('name') ?? '', remember: false } }
      return provider.interactionFinished(request, response, result)
    })
  })
  return { ...service, people, lie }
}

/** OAuth 2 of GitHub: users have a permanent id and a changeable login. */
export async function githubService(client = CLIENT): Promise<TestService> {
  const service = await listen()
  const people: TestService['people'] = new Map()
  const codes = new Map<string, { login: string; challenge: string; redirect: string }>()
  const tokens = new Map<string, string>()
  const json = (response: ServerResponse, value: unknown) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))

  async function token(request: IncomingMessage, response: ServerResponse) {
    const form = new URLSearchParams(await text(request))
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const right =
      form.get('client_id') === client.id &&
      form.get('client_secret') === client.secret &&
      form.get('redirect_uri') === code?.redirect &&
      challenge === code?.challenge
    // GitHub answers errors with status 200.
    if (!code || !right) return json(response, { error: 'bad_verification_code' })
    const issued = randomBytes(16).toString('hex')
    tokens.set(issued, code.login)
    return json(response, { access_token: issued, token_type: 'bearer', scope: 'read:user,user:email' })
  }

  service.handle((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', service.url)
    if (pathname === '/login/oauth/authorize' && request.method === 'GET') return page(response, 'github')
    if (pathname === '/login/oauth/authorize')
      return void text(request).then((body) => {
        const form = new URLSearchParams(body)
        const back = new URL(searchParams.get('redirect_uri') ?? '')
        back.searchParams.set('state', searchParams.get('state') ?? '')
        if (form.has('no')) back.searchParams.set('error', 'access_denied')
        else {
          const code = randomBytes(16).toString('hex')
          const challenge = searchParams.get('code_challenge') ?? ''
          codes.set(code, {
            login: form.get('name') ?? '',
            challenge,
            redirect: searchParams.get('redirect_uri') ?? '',
          })
          back.searchParams.set('code', code)
        }
        response.writeHead(302, { location: back.href }).end()
      })
    if (pathname === '/login/oauth/access_token') return void token(request, response)
    const login = tokens.get(request.headers.authorization?.replace(/^Bearer /i, '') ?? '')
    const person: Record<string, unknown> | undefined = login
      ? { id: numberOf(login), ...toldOf(people, login) }
      : undefined
    if (!person) return void response.writeHead(401).end()
    if (pathname === '/user') return void json(response, { id: person.id, login, name: person.name ?? null })
    if (pathname !== '/user/emails') return void response.writeHead(404).end()
    const { email, email_verified: verified } = person
    return void json(response, email ? [{ email, primary: true, verified, visibility: null }] : [])
  })
  return { ...service, people }
}

const toldOf = (people: TestService['people'], name: string): Record<string, unknown> =>
  people.get(name) ?? (name.includes('@') ? { email: name, email_verified: true } : {})
const numberOf = (login: string): number => createHash('sha256').update(login).digest().readUInt32BE(0)

/** The server's setting for the service. */
export const clientOf = (id: string, name: string, service: { url: string }, kind: 'oidc' | 'github' = 'oidc') => ({
  id,
  name,
  clientId: CLIENT.id,
  clientSecretEnv: 'TEST_CLIENT_SECRET',
  ...(kind === 'oidc'
    ? { issuer: service.url }
    : {
        kind,
        authorizationUrl: `${service.url}/login/oauth/authorize`,
        tokenUrl: `${service.url}/login/oauth/access_token`,
        userinfoUrl: `${service.url}/user`,
        emailsUrl: `${service.url}/user/emails`,
      }),
})
export const CLIENT_SECRET = CLIENT.secret

/** For tests without a browser: signs in at a service, or denies access. @returns the callback URL */
export async function visit(url: string, name: string | undefined): Promise<string> {
  const home = new URL(url).origin
  const cookies = new Map<string, string>()
  let next = new URL(url)
  let body: URLSearchParams | undefined
  for (let steps = 0; steps < 20; steps++) {
    const answer = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; ') },
      ...(body && { method: 'POST', body }),
    })
    body = undefined
    for (const line of answer.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(key, value)
    }
    const location = answer.headers.get('location')
    const shown = await answer.text()
    if (location) {
      next = new URL(location, next)
      if (next.origin !== home) return next.href
    } else if (shown.includes('<form')) body = new URLSearchParams(name === undefined ? { no: '' } : { name })
    else throw new Error(`${next.pathname} answers ${answer.status}: ${shown.slice(0, 300)}`)
  }
  throw new Error('the service did not redirect to the callback')
}

function page(response: ServerResponse, service: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html><html lang="en">
<meta name="viewport" content="width=device-width"><title>${service}</title><h1>${service}</h1>
<form method="post"><label>Name <input name="name"></label>
<button>Continue</button> <button name="no" value="1">Decline</button></form></html>`)
}

async function listen() {
  let handler: RequestListener = (_, response) => void response.writeHead(503).end()
  const server = createServer((request, response) => {
    if (request.url === '/favicon.ico') return void response.writeHead(204).end()
    handler(request, response)
  })
  const open = (port: number) =>
    new Promise<number>((ready) =>
      server.listen(port, '127.0.0.1', () => ready((server.address() as AddressInfo).port)),
    )
  const port = await open(0)
  return {
    url: `http://127.0.0.1:${port}`,
    handle(next: RequestListener) {
      handler = next
    },
    stop: () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
    start: async () => {
      await open(port)
    },
  }
}
