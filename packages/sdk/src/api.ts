import type { Input, OperationName, Output, RouteOf } from '@tidenet/contract'
import { paths } from '@tidenet/contract/paths.gen'
import { codeText, type Lang, type Phrase, phrase } from './codes.ts'
import { pause } from './progress.ts'
import type { Failure, Result } from './result.ts'
import {
  type Attempted,
  CALL_TIMEOUT,
  neverSent,
  RETRY_FOR,
  type RetryPolicy,
  retryAfter,
  withRetries,
} from './retry.ts'

export interface ApiOptions {
  /** Origin of the portal, without a trailing slash. */
  url: string
  token: string
  lang: Lang
  /** The uid of a team: files and links are those of the team. */
  team?: string | undefined
  /** Replaces the platform's fetch. */
  fetch?: typeof globalThis.fetch
  /** Timeout and retry policy. Default: 30 s per attempt, retries for 10 s. */
  retry?: Partial<RetryPolicy>
  /** Called with every new token that the server issues. */
  onToken?: (token: string) => void
  /** Called for every request, for debugging. */
  log?: (text: string, facts?: Record<string, unknown>) => void
}

export interface Api {
  call<N extends OperationName>(name: N, input: Input<RouteOf<N>>, options?: CallOptions): Promise<Result<Answer<N>>>
  readonly url: string
  readonly token: string
  readonly lang: Lang
  /** True without an account: the token is empty or the literal text `token`. */
  readonly anonymous: boolean
  setToken(token: string): void
  setLang(lang: Lang): void
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** Timeout of this call in ms; overrides the default. */
  timeout?: number | undefined
  /** Called when a request is retried that the portal may have processed already. */
  onRepeat?: () => void
  /** Message used if the server refuses without one. */
  otherwise?: Phrase
}

export type Answer<N extends OperationName> = Output<RouteOf<N>>

const JSON_TYPE = /\bjson\b/
/** Status codes for which a retry may help. */
const RETRYABLE_STATUS = new Set([502, 503, 504])

/** Defaults; tests replace the clock. */
const DEFAULT_RETRY_POLICY: RetryPolicy = {
  timeout: CALL_TIMEOUT,
  retryFor: RETRY_FOR,
  now: () => performance.now(),
  pause,
  deadline(ms, late) {
    // Node.js runs longer timers at once.
    if (ms >= 2 ** 31) return () => {}
    const timer = setTimeout(late, ms)
    return () => clearTimeout(timer)
  },
  random: Math.random,
}

/** Calls operations of the portal and parses their envelope. Network and server failures become results; nothing is thrown. */
export function createApi(options: ApiOptions): Api {
  let { token, lang } = options
  const { url: origin, log } = options

  const policy: RetryPolicy = { ...DEFAULT_RETRY_POLICY, ...options.retry }

  const send = (name: OperationName, input: Record<string, unknown>, call: CallOptions): Promise<Result<unknown>> => {
    const repeatable = 'repeatable' in paths[name]
    const signal = call.signal ?? new AbortController().signal
    const onRepeat = (arrived: boolean) => {
      log?.(`${name} is tried again`)
      if (arrived) call.onRepeat?.()
    }
    return withRetries(policy, { repeatable, signal, onRepeat }, () => sendOnce(name, input, call))
  }

  const sendOnce = async (
    name: OperationName,
    input: Record<string, unknown>,
    call: CallOptions,
  ): Promise<Attempted<Result<unknown>>> => {
    const { method, path } = paths[name]
    const { target, rest } = fillPath(path, input)
    const headers: Record<string, string> = { lang }
    if (!isAnonymous(token)) headers.JwtAuthorization = `Bearer ${token}`
    if (options.team && 'team' in paths[name]) headers.Team = options.team
    if (method === 'POST') headers['content-type'] = 'application/json'
    const address = `${origin}${target}${method === 'GET' ? query(rest) : ''}`
    log?.(`${method} ${name}`, { address })
    const stop = new AbortController()
    const abort = () => stop.abort()
    let late = false
    const cancelDeadline = policy.deadline(call.timeout ?? policy.timeout, () => {
      late = true
      abort()
    })
    call.signal?.addEventListener('abort', abort)
    if (call.signal?.aborted) abort()
    try {
      const response = await (options.fetch ?? globalThis.fetch)(address, {
        method,
        headers,
        ...(method === 'POST' && { body: JSON.stringify(rest) }),
        signal: stop.signal,
        cache: 'no-store',
      })
      const newToken = response.headers.get('new-token')
      if (newToken && newToken !== token) {
        token = newToken
        options.onToken?.(newToken)
      }
      const isDouble = 'shape' in paths[name] && paths[name].shape === 'double'
      const result = await readAnswer(response, lang, call, isDouble)
      const after = retryAfter(response.headers.get('retry-after'))
      return { result, ...(RETRYABLE_STATUS.has(response.status) && { again: { arrived: true, after } }) }
    } catch (error) {
      log?.(`${name} did not get through`, { error: String(error) })
      if (call.signal?.aborted) return { result: failure(10028, lang) }
      const result = failure(late ? 10029 : 10010, lang)
      return { result, again: { arrived: late || !neverSent(error) } }
    } finally {
      cancelDeadline()
      call.signal?.removeEventListener('abort', abort)
    }
  }

  return {
    call: (name, input, call = {}) =>
      send(name, input as Record<string, unknown>, call) as Promise<Result<Answer<typeof name>>>,
    url: origin,
    get token() {
      return token
    },
    get lang() {
      return lang
    },
    get anonymous() {
      return isAnonymous(token)
    },
    setToken(next) {
      token = next
    },
    setLang(next) {
      lang = next
    },
  }
}

/** True for an empty token or the literal text `token`. */
export function isAnonymous(token: string): boolean {
  return token === '' || token === 'token'
}

/** Parses the envelope `{ code, data, err, msg }`; `double` responses nest their data once more. Throws if the response ends early. */
async function readAnswer(
  response: Response,
  lang: Lang,
  call: CallOptions,
  double: boolean,
): Promise<Result<unknown>> {
  if (!response.ok) {
    const said = readJson(await response.text())
    return { ...failure(response.status, lang), data: errOf(said) }
  }
  if (!JSON_TYPE.test(response.headers.get('content-type') ?? '')) {
    // Exports are files, without an envelope.
    return { code: 0, msg: codeText(0, lang), data: await response.blob() }
  }
  const said = readJson(await response.text())
  if (!isRecord(said) || typeof said.code !== 'number') return failure(10010, lang)
  const { code } = said
  const msg = typeof said.msg === 'string' ? said.msg : ''
  if (code === 0) {
    const data = said.data ?? {}
    return { code, msg: msg || codeText(0, lang), data: double && isRecord(data) && 'data' in data ? data.data : data }
  }
  return {
    code,
    msg: msg || (call.otherwise ? phrase(call.otherwise, lang) : codeText(code, lang)),
    data: { ...(isRecord(said.data) ? said.data : {}), ...errOf(said) },
  }
}

function failure(code: number, lang: Lang): Failure {
  return { code, msg: codeText(code, lang), data: {} }
}

function errOf(said: unknown): { err?: number } {
  return isRecord(said) && typeof said.err === 'number' ? { err: said.err } : {}
}

/** Fills in `:name` path parameters; the remaining fields go into the query or the body. */
function fillPath(path: string, input: Record<string, unknown>): { target: string; rest: Record<string, unknown> } {
  const rest = { ...input }
  const target = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name] ?? '')
    delete rest[name]
    return encodeURIComponent(value)
  })
  return { target, rest }
}

/** `?a=1&b=2&b=3`: arrays repeat their name, undefined and null are omitted. */
export function query(input: Record<string, unknown>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(input))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) search.append(name, String(one))
  const text = search.toString()
  return text ? `?${text}` : ''
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
