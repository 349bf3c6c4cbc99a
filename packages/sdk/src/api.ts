import type { Input, OperationName, Output, RouteOf } from '@tidenet/contract'
import { paths } from '@tidenet/contract/paths.gen'
import { codeText, type Lang, type Phrase, phrase } from './codes.ts'
import { CALL_TIMEOUT, neverArrived, type Patience, patiently, RETRY_FOR, retryAfter, type Try } from './patience.ts'
import { pause } from './progress.ts'
import type { Failure, Result } from './result.ts'

export interface ApiOptions {
  /** Origin of the portal, without a trailing slash. */
  url: string
  token: string
  lang: Lang
  /** Replaces the platform's fetch. */
  fetch?: typeof globalThis.fetch
  /** How long it waits and tries again. Default: 30 s for a call, 10 s of trying again. */
  patience?: Partial<Patience>
  /** Told of every token the server hands out in place of the current one. */
  onToken?: (token: string) => void
  /** Told of every call when debugging. */
  log?: (text: string, facts?: Record<string, unknown>) => void
}

export interface Api {
  call<N extends OperationName>(name: N, input: Input<RouteOf<N>>, options?: CallOptions): Promise<Result<Answer<N>>>
  readonly url: string
  readonly token: string
  readonly lang: Lang
  /** No account: an empty token, or the literal text `token`. */
  readonly anonymous: boolean
  setToken(token: string): void
  setLang(lang: Lang): void
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** Ms that this call may take in place of the usual. */
  timeout?: number | undefined
  /** Told when a call is sent again that the portal may have carried out already. */
  onRepeat?: () => void
  /** Said when the server refuses without a sentence of its own. */
  otherwise?: Phrase
}

export type Answer<N extends OperationName> = Output<RouteOf<N>>

const JSON_TYPE = /\bjson\b/
/** The portal, its database or what stands before them is away for a while. */
const AWAY = new Set([502, 503, 504])

/** The platform's own ways. */
const PATIENCE: Patience = {
  timeout: CALL_TIMEOUT,
  retryFor: RETRY_FOR,
  now: () => performance.now(),
  pause,
  deadline(ms, late) {
    // Timers do not count further, and fire at once.
    if (ms >= 2 ** 31) return () => {}
    const timer = setTimeout(late, ms)
    return () => clearTimeout(timer)
  },
  random: Math.random,
}

/** Calls operations of the portal and reads their envelope. Never throws for what a network or a server can do. */
export function createApi(options: ApiOptions): Api {
  let { token, lang } = options
  const { url: origin, log } = options

  const patience: Patience = { ...PATIENCE, ...options.patience }

  const send = (name: OperationName, input: Record<string, unknown>, call: CallOptions): Promise<Result<unknown>> => {
    const repeatable = 'repeatable' in paths[name]
    const signal = call.signal ?? new AbortController().signal
    const onRepeat = (arrived: boolean) => {
      log?.(`${name} is tried again`)
      if (arrived) call.onRepeat?.()
    }
    return patiently(patience, { repeatable, signal, onRepeat }, () => sendOnce(name, input, call))
  }

  const sendOnce = async (
    name: OperationName,
    input: Record<string, unknown>,
    call: CallOptions,
  ): Promise<Try<Result<unknown>>> => {
    const { method, path } = paths[name]
    const { target, rest } = place(path, input)
    const headers: Record<string, string> = { lang }
    if (!isAnonymous(token)) headers.JwtAuthorization = `Bearer ${token}`
    if (method === 'POST') headers['content-type'] = 'application/json'
    const address = `${origin}${target}${method === 'GET' ? query(rest) : ''}`
    log?.(`${method} ${name}`, { address })
    const stop = new AbortController()
    const give = () => stop.abort()
    let late = false
    const inTime = patience.deadline(call.timeout ?? patience.timeout, () => {
      late = true
      give()
    })
    call.signal?.addEventListener('abort', give)
    if (call.signal?.aborted) give()
    try {
      const response = await (options.fetch ?? globalThis.fetch)(address, {
        method,
        headers,
        ...(method === 'POST' && { body: JSON.stringify(rest) }),
        signal: stop.signal,
        cache: 'no-store',
      })
      const fresh = response.headers.get('new-token')
      if (fresh && fresh !== token) {
        token = fresh
        options.onToken?.(fresh)
      }
      const double = 'shape' in paths[name] && paths[name].shape === 'double'
      const result = await readAnswer(response, lang, call, double)
      const after = retryAfter(response.headers.get('retry-after'))
      return { result, ...(AWAY.has(response.status) && { again: { arrived: true, after } }) }
    } catch (error) {
      log?.(`${name} did not get through`, { error: String(error) })
      if (call.signal?.aborted) return { result: plain(10028, lang) }
      const result = plain(late ? 10029 : 10010, lang)
      return { result, again: { arrived: late || !neverArrived(error) } }
    } finally {
      inTime()
      call.signal?.removeEventListener('abort', give)
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

/** Clients without an account send no token, or the literal text `token`. */
export function isAnonymous(token: string): boolean {
  return token === '' || token === 'token'
}

/** Reads the envelope `{ code, data, err, msg }`; `double` answers nest their data once more. Throws when the answer breaks off. */
async function readAnswer(
  response: Response,
  lang: Lang,
  call: CallOptions,
  double: boolean,
): Promise<Result<unknown>> {
  if (!response.ok) {
    const said = readJson(await response.text())
    return { ...plain(response.status, lang), data: errOf(said) }
  }
  if (!JSON_TYPE.test(response.headers.get('content-type') ?? '')) {
    // A file instead of an envelope: exports are handed over as they come.
    return { code: 0, msg: codeText(0, lang), data: await response.blob() }
  }
  const said = readJson(await response.text())
  if (!isRecord(said) || typeof said.code !== 'number') return plain(10010, lang)
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

function plain(code: number, lang: Lang): Failure {
  return { code, msg: codeText(code, lang), data: {} }
}

function errOf(said: unknown): { err?: number } {
  return isRecord(said) && typeof said.err === 'number' ? { err: said.err } : {}
}

/** Puts `:name` parts into the path; what is left goes into the query or the body. */
function place(path: string, input: Record<string, unknown>): { target: string; rest: Record<string, unknown> } {
  const rest = { ...input }
  const target = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name] ?? '')
    delete rest[name]
    return encodeURIComponent(value)
  })
  return { target, rest }
}

/** `?a=1&b=2&b=3`: arrays repeat their name, undefined is left out. */
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
