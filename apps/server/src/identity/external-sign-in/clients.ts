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
import type { ExternalProfile } from './repository.ts'

const TIMEOUT_SECONDS = 8
/** How long a discovery document is cached. Short, so that an unreachable service is noticed. */
const DISCOVERY_TTL_MS = 60_000
const NAME_MAX = 100

/** Binds the response of a service to our request. */
export interface Secrets {
  state: string
  verifier: string
  nonce: string
}

/** Signing in at the service failed. */
export class IdentityFailed extends Error {
  override readonly name = 'IdentityFailed'
  readonly why: 'unreachable' | 'denied' | 'refused'
  constructor(why: IdentityFailed['why'], cause: unknown) {
    // Only the code: messages and causes of the library can contain data from the service.
    super(codeOf(cause))
    this.why = why
  }
}

/** Clients of the external sign-in services. */
export interface Clients {
  /**
   * The URL to which the browser is redirected.
   * @throws IdentityFailed `unreachable` if discovery fails
   */
  authorizationUrl(
    provider: SignInProvider,
    request: Secrets & { redirectUri: string; lang: 'en' | 'cn' },
  ): Promise<string>
  /**
   * Redeems the callback.
   * @param answer URL of the callback
   * @throws IdentityFailed
   */
  identify(provider: SignInProvider, answer: URL, secrets: Secrets): Promise<ExternalProfile>
}

/** Supports OpenID Connect and the OAuth 2 of GitHub. */
export function createClients(): Clients {
  const cache = new Map<string, { client: Promise<Configuration>; until: number }>()

  function clientOf(provider: SignInProvider): Promise<Configuration> {
    const cached = cache.get(provider.id)
    if (cached && cached.until > Date.now()) return cached.client
    const client = provider.kind === 'oidc' ? discover(provider) : Promise.resolve(githubClient(provider))
    cache.set(provider.id, { client, until: Date.now() + DISCOVERY_TTL_MS })
    client.catch(() => cache.delete(provider.id))
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
  return discovery(issuer, provider.clientId, undefined, clientAuthOf(provider), {
    timeout: TIMEOUT_SECONDS,
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
  })
}

function githubClient(provider: GithubProvider): Configuration {
  const client = new Configuration(
    {
      // The expected `iss` of responses (RFC 9207).
      issuer: provider.issuer ?? provider.tokenUrl.replace(/\/[^/]*$/, ''),
      authorization_endpoint: provider.authorizationUrl,
      token_endpoint: provider.tokenUrl,
    },
    provider.clientId,
    undefined,
    clientAuthOf(provider),
  )
  client.timeout = TIMEOUT_SECONDS
  if (new URL(provider.tokenUrl).protocol === 'http:') allowInsecureRequests(client)
  return client
}

/** As configured, otherwise as the service advertises. `client_secret_basic` is the default of OpenID Connect. */
function clientAuthOf({ secret, clientAuth, kind }: SignInProvider): ClientAuth {
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
  const needsUserInfo = claims.email === undefined && client.serverMetadata().userinfo_endpoint !== undefined
  const info = needsUserInfo ? { ...(await fetchUserInfo(client, tokens.access_token, claims.sub)), ...claims } : claims
  const email = textOf(info.email)
  return identified(
    claims.sub,
    textOf(info.name) || textOf(info.preferred_username),
    email,
    info.email_verified === true,
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
  // The id, because logins can be renamed and taken by somebody else.
  const { id, login } = account.parse(await ask(userinfoUrl))
  const list = emailsUrl ? addresses.parse(await ask(emailsUrl)) : []
  const primary = list.find((each) => each.primary)
  return identified(String(id), login ?? '', primary?.email ?? '', primary?.verified ?? false)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function identified(subject: string, name: string, email: string, verified: boolean): ExternalProfile {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL text cannot contain NUL; the others are useless
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
    error: oauthError,
    code,
    cause,
    message,
  } = error as {
    error?: unknown
    code?: unknown
    cause?: { code?: unknown }
    message?: unknown
  }
  // Node's fetch: the host is unknown or does not respond.
  if (error instanceof TypeError && message === 'fetch failed') return 'FETCH_FAILED'
  if (typeof oauthError === 'string') return oauthError.replace(/[^\w-]/g, '').slice(0, 60)
  return String(code ?? cause?.code ?? (error instanceof Error ? error.name : 'unknown')).slice(0, 60)
}
