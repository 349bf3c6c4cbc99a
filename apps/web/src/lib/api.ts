import type { Input, OperationName, Output, RouteOf } from '@tidenet/contract'
import { firstPaths } from './first-paths.ts'
import { clearSession, currentToken, replaceToken } from './session-store.ts'
import { actingTeam } from './team.ts'
import { lang, t } from './texts.ts'

/** A failed call; `message` is a sentence in the page's language that can be shown as it is. */
export class ApiError extends Error {
  readonly kind: 'refused' | 'session' | 'server' | 'busy' | 'network'
  /** Error code of the API. */
  readonly err: number | undefined
  readonly data: unknown

  /** Seconds until a retry is allowed; 0 if the server gave none. */
  get seconds(): number {
    const { seconds } = (this.data ?? {}) as { seconds?: unknown }
    return typeof seconds === 'number' && seconds > 0 ? seconds : 0
  }

  constructor(kind: ApiError['kind'], message: string, err?: number, data?: unknown) {
    super(message)
    this.name = 'ApiError'
    this.kind = kind
    this.err = err
    this.data = data
  }
}

interface Path {
  method: 'GET' | 'POST'
  path: string
  shape?: string
  team?: boolean
}
type Paths = Partial<Record<OperationName, Path>>

let paths: Paths = firstPaths

/** Sets the table of all routes. lib/queries.ts includes it, so that its pages need no further request. */
export function registerPaths(all: Paths): void {
  paths = all
}

/** @throws ApiError without a connection, as the call itself would */
async function pathOf(name: OperationName): Promise<Path> {
  if (!paths[name])
    await import('@tidenet/contract/paths.gen').then(
      ({ paths: all }) => registerPaths(all),
      () => {
        throw new ApiError('network', t.errors.network)
      },
    )
  return paths[name] as Path
}

export interface CallOptions {
  signal?: AbortSignal
  /** Used instead of the session's token; if it is rejected, the session continues. */
  token?: string
  /** The header of `token`, if it is not a portal session's. */
  header?: 'Authorization'
}

/**
 * Calls one operation of the contract.
 * @throws ApiError with a sentence in the page's language; AbortError when `signal` fires
 */
export async function api<N extends OperationName>(
  name: N,
  input: Input<RouteOf<N>>,
  options: CallOptions = {},
): Promise<Output<RouteOf<N>>> {
  const route = await pathOf(name)
  const { path, fields } = fillPath(route.path, (input ?? {}) as Record<string, unknown>)
  const token = options.token ?? currentToken()
  const headers: Record<string, string> = { lang, 'content-type': 'application/json' }
  if (token) headers[options.header ?? 'JwtAuthorization'] = `Bearer ${token}`
  const team = route.team && options.token === undefined ? actingTeam() : undefined
  if (team) headers.Team = team.team
  const request: RequestInit = { method: route.method, headers, signal: options.signal ?? null }
  if (route.method === 'POST') request.body = JSON.stringify(fields)

  const response = await fetch(route.method === 'GET' ? path + queryOf(fields) : path, request).catch((cause) => {
    if (options.signal?.aborted) throw cause
    throw new ApiError('network', t.errors.network)
  })
  const rotated = response.headers.get('new-token')
  if (rotated && token === currentToken()) replaceToken(rotated)
  const answer = await readAnswer(response)
  if (answer.code === 0) {
    const data = answer.data as { data?: unknown } | undefined
    return (route.shape === 'double' ? data?.data : data) as Output<RouteOf<N>>
  }
  if (answer.code === 401 && token) {
    // If the token was replaced during this call, the new one may be valid.
    if (options.token === undefined && token === currentToken()) clearSession('expired')
    throw new ApiError('session', answer.msg || t.errors.session)
  }
  const busy = response.status === 429
  const message = answer.msg || (busy ? t.errors.tooMany : t.errors.server)
  throw new ApiError(busy ? 'busy' : 'refused', message, answer.err, answer.data)
}

interface Answer {
  code: number
  err?: number
  msg?: string
  data?: unknown
}

/** HTTP error statuses whose body is the usual JSON envelope. */
const ENVELOPE_STATUSES = new Set([400, 413, 414, 415, 429, 503])

async function readAnswer(response: Response): Promise<Answer> {
  const hasEnvelope = response.ok || ENVELOPE_STATUSES.has(response.status)
  const answer: unknown = hasEnvelope ? await response.json().catch(() => undefined) : undefined
  if (typeof answer === 'object' && answer !== null && typeof (answer as Answer).code === 'number') {
    if (response.status === 503) throw new ApiError('server', (answer as Answer).msg ?? t.errors.server)
    return answer as Answer
  }
  // A reverse proxy may answer 429 with its own page.
  if (response.status === 429) throw new ApiError('busy', t.errors.tooMany)
  throw new ApiError('server', t.errors.server)
}

function fillPath(path: string, input: Record<string, unknown>): { path: string; fields: Record<string, unknown> } {
  const fields = { ...input }
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(fields[name] ?? '')
    delete fields[name]
    return encodeURIComponent(value)
  })
  return { path: filled, fields }
}

function queryOf(fields: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined && each !== null) query.append(name, String(each))
  const text = query.toString()
  return text && `?${text}`
}

/** A message for the user for anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : t.errors.unexpected
}
