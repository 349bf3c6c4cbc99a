import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchProtectedResource,
  fetchUserInfo,
  None,
  type ServerMetadata,
} from 'openid-client'
import { z } from 'zod'
import type { GithubProvider, OidcProvider, SignInProvider } from './providers.ts'
import type { Identified } from './repository.ts'

/** A service that does not answer is given up after this many seconds. */
const PATIENCE = 8
/** What was discovered is asked for again after this long, so that a service that has stopped is noticed here. */
const DISCOVERED_FOR = 60_000
const NAME_MAX = 100

/** What binds an answer to its question. */
export interface Secrets {
  state: string
  verifier: string
  nonce: string
}

/** Why a service did not say who somebody is. */
export class IdentityFailed extends Error {
  override readonly name = 'IdentityFailed'
  readonly why: 'unreachable' | 'denied' | 'refused'
  constructor(why: IdentityFailed['why'], cause: unknown) {
    // Codes only: messages and causes of the library may hold what the service sent.
    super(codeOf(cause))
    this.why = why
  }
}

/** What this server says to the services that people sign in by. */
export interface Clients {
  /**
   * Where to send the browser.
   * @throws IdentityFailed `unreachable` when the service cannot be discovered
   */
  authorizationUrl(
    provider: SignInProvider,
    request: Secrets & { redirectUri: string; lang: 'en' | 'cn' },
  ): Promise<string>
  /**
   * Who has signed in, by the address that the browser came back to.
   * @throws IdentityFailed
   */
  identify(provider: SignInProvider, answer: URL, secrets: Secrets): Promise<Identified>
}

/** Clients of OpenID Connect and OAuth 2; discoveries are kept for a minute. */
export function createClients(): Clients {
  const known = new Map<string, { client: Promise<Configuration>; until: number }>()

  function clientOf(provider: SignInProvider): Promise<Configuration> {
    const found = known.get(provider.id)
    if (found && found.until > Date.now()) return found.client
    const client = provider.kind === 'oidc' ? discover(provider) : Promise.resolve(githubClient(provider))
    known.set(provider.id, { client, until: Date.now() + DISCOVERED_FOR })
    client.catch(() => known.delete(provider.id))
    return client
  }

  return {
    async authorizationUrl(provider, { state, verifier, nonce, redirectUri, lang }) {
      const client = await clientOf(provider).catch((error: unknown) => {
        throw new IdentityFailed('unreachable', error)
      })
      return buildAuthorizationUrl(client, {
        redirect_uri: redirectUri,
        scope: provider.scopes.join(' '),
        state,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(provider.kind === 'oidc' && { nonce, ui_locales: lang === 'cn' ? 'zh-CN zh en' : 'en' }),
      }).href
    },
    async identify(provider, answer, secrets) {
      try {
        const client = await clientOf(provider)
        return provider.kind === 'oidc'
          ? await identifyByOidc(client, answer, secrets)
          : await identifyByGithub(client, provider, answer, secrets)
      } catch (error) {
        throw new IdentityFailed(reasonOf(error), error)
      }
    },
  }
}

function discover(provider: OidcProvider): Promise<Configuration> {
  const issuer = new URL(provider.issuer)
  return discovery(issuer, provider.clientId, undefined, preferred(provider), {
    timeout: PATIENCE,
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
  })
}

function githubClient(provider: GithubProvider): Configuration {
  const client = new Configuration(
    {
      // An answer that names its sender (RFC 9207) has to name this one.
      issuer: provider.issuer ?? provider.tokenUrl.replace(/\/[^/]*$/, ''),
      authorization_endpoint: provider.authorizationUrl,
      token_endpoint: provider.tokenUrl,
    },
    provider.clientId,
    undefined,
    preferred(provider),
  )
  client.timeout = PATIENCE
  if (new URL(provider.tokenUrl).protocol === 'http:') allowInsecureRequests(client)
  return client
}

/** As the provider is set, or else as the service says; OpenID Connect calls `client_secret_basic` the default. */
function preferred({ secret, clientAuth, kind }: SignInProvider): ClientAuth {
  const text = secret()
  if (text === '') return None()
  const [basic, post] = [ClientSecretBasic(text), ClientSecretPost(text)]
  return (server, client, body, headers) => {
    const offered = (server as ServerMetadata).token_endpoint_auth_methods_supported
    const byPost =
      clientAuth === 'post' ||
      (clientAuth === undefined && (offered ? !offered.includes('client_secret_basic') : kind === 'github'))
    return (byPost ? post : basic)(server, client, body, headers)
  }
}

async function identifyByOidc(client: Configuration, answer: URL, { state, verifier, nonce }: Secrets) {
  const tokens = await authorizationCodeGrant(client, answer, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new ClientError('no ID token')
  const asks = claims.email === undefined && client.serverMetadata().userinfo_endpoint !== undefined
  const told = asks ? { ...(await fetchUserInfo(client, tokens.access_token, claims.sub)), ...claims } : claims
  const email = textOf(told.email)
  return identified(
    claims.sub,
    textOf(told.name) || textOf(told.preferred_username),
    email,
    told.email_verified === true,
  )
}

const account = z.object({ id: z.union([z.number().int(), z.string().min(1)]), login: z.string().optional() })
const addresses = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

async function identifyByGithub(
  client: Configuration,
  { userinfoUrl, emailsUrl }: GithubProvider,
  answer: URL,
  { state, verifier }: Secrets,
) {
  const { access_token } = await authorizationCodeGrant(client, answer, {
    expectedState: state,
    pkceCodeVerifier: verifier,
  })
  const ask = async (address: string): Promise<unknown> => {
    const headers = new Headers({ accept: 'application/json' })
    const response = await fetchProtectedResource(client, access_token, new URL(address), 'GET', undefined, headers)
    if (!response.ok) throw new ClientError('unexpected status')
    return response.json()
  }
  // The number stays when somebody changes the name, which another person may take then.
  const { id, login } = account.parse(await ask(userinfoUrl))
  const list = emailsUrl ? addresses.parse(await ask(emailsUrl)) : []
  const primary = list.find((each) => each.primary)
  return identified(String(id), login ?? '', primary?.email ?? '', primary?.verified ?? false)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function identified(subject: string, name: string, email: string, verified: boolean): Identified {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL takes no NUL, and nobody needs the others
  const clean = (text: string) => text.replace(/[\u0000-\u001f\u007f]/g, '').trim()
  const parsed = z.email().max(254).safeParse(clean(email).toLowerCase())
  const address = parsed.success ? parsed.data : ''
  if (subject === '' || subject.length > 255 || clean(subject) !== subject) throw new ClientError('no usable subject')
  return {
    subject,
    name: clean(name).slice(0, NAME_MAX),
    verified_email: verified ? address : '',
    shown_email: address,
  }
}

/** Said by the service, or that nothing useful came from it at all. */
function reasonOf(error: unknown): IdentityFailed['why'] {
  if (error instanceof AuthorizationResponseError) {
    if (error.error === 'access_denied') return 'denied'
    return ['server_error', 'temporarily_unavailable'].includes(error.error) ? 'unreachable' : 'refused'
  }
  return UNREACHABLE.has(codeOf(error)) ? 'unreachable' : 'refused'
}

const UNREACHABLE = new Set([
  'FETCH_FAILED',
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
])

function codeOf(error: unknown): string {
  const {
    error: said,
    code,
    cause,
    message,
  } = error as {
    error?: unknown
    code?: unknown
    cause?: { code?: unknown }
    message?: unknown
  }
  // Node's fetch: the host does not answer or cannot be found.
  if (error instanceof TypeError && message === 'fetch failed') return 'FETCH_FAILED'
  if (typeof said === 'string') return said.replace(/[^\w-]/g, '').slice(0, 60)
  return String(code ?? cause?.code ?? (error instanceof Error ? error.name : 'unknown')).slice(0, 60)
}
