import {
  AppError,
  bodyHint,
  controlHint,
  type ErrorFacts,
  type ErrorKey,
  errors,
  errorText,
  formatHint,
  type InputIssue,
  inputHint,
  isErrorKey,
  type Lang,
  langOf,
  missingHint,
  type Output,
  type Parsed,
  type Route,
} from '@tidenet/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'

/** A request as a handler receives it. */
export interface Call<C> {
  /** The caller, as returned by `authenticate`. */
  caller: C
  lang: Lang
  /** IP address and user agent of the caller, for limits and logs. */
  ip: string
  agent: string
  /** Aborted when the client disconnects. */
  signal: AbortSignal
  request: FastifyRequest
  reply: FastifyReply
}

export interface Serving<C> {
  app: FastifyInstance
  /** Identifies the caller and refuses callers the route does not allow. */
  authenticate(request: FastifyRequest, reply: FastifyReply, route: Route): C | Promise<C>
  /** Maps other errors to refusals, such as an unavailable database. */
  refusalFor?(error: unknown): AppError | undefined
}

/** An app with @fastify/rate-limit; without it there are no limits. */
interface Limiting {
  rateLimit(limit: { max: number; timeWindow: number }): onRequestAsyncHookHandler
}

/** Language of a request: header, cookie, Accept-Language, English. */
export function requestLang(request: FastifyRequest): Lang {
  const { lang, cookie, 'accept-language': accept } = request.headers
  return langOf({
    header: typeof lang === 'string' ? lang : undefined,
    cookie: /(?:^|;\s*)lang=([\w-]+)/.exec(cookie ?? '')?.[1],
    accept,
  })
}

/**
 * The envelope of a refusal. `as401` gives it the shape of a missing session, except for refusals with data, which ask for more input. The
 * seconds to wait are in the message, and in the data for countdowns.
 */
export function refusal(error: AppError, lang: Lang, as401 = false): Record<string, unknown> {
  const msg = errorText(error.key, lang, error.facts)
  const { err } = errors[error.key]
  const { seconds } = error.facts
  const wait = typeof seconds === 'number' ? { seconds } : undefined
  if (err === 401 || (as401 && error.data === undefined))
    return { code: 401, msg, success: false, ...(wait && { data: wait }) }
  const data = error.data ?? wait
  return { code: -1, err, msg, ...(data !== undefined && { data }) }
}

/** Value of Retry-After in seconds while the server is unavailable. */
export const RETRY_AFTER = 2

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract operation of a route, such as `assets.create`. */
    operation?: string
  }
}

/** Registers one operation: validates the input, authenticates the caller, runs the handler, serializes the answer. */
export function serve<R extends Route, C>(
  { app, authenticate, refusalFor }: Serving<C>,
  name: string,
  route: R,
  handler: (input: Parsed<R>, call: Call<C>) => Promise<Output<R>> | Output<R>,
): void {
  const run = async (request: FastifyRequest, reply: FastifyReply) => {
    const lang = requestLang(request)
    reply.header('cache-control', 'no-store')
    let handled = false
    try {
      const caller = await authenticate(request, reply, route)
      const input = parseInput(route, request, lang)
      handled = true
      const call: Call<C> = {
        caller,
        lang,
        ip: request.ip,
        agent: request.headers['user-agent'] ?? '',
        get signal() {
          return hangUp(request)
        },
        request,
        reply,
      }
      const answer = await handler(input, call)
      if (route.shape === 'raw' || reply.sent) return reply
      const data = route.output.parse(answer)
      return reply.send({ code: 0, data: route.shape === 'double' ? { data } : data })
    } catch (thrown) {
      const error = refusalFor?.(thrown) ?? thrown
      const known = error instanceof AppError && (!handled || declares(route, error.key)) ? error : undefined
      if (!known) request.log.error({ err: error, operation: name }, 'a call failed')
      if (known?.key === 'unavailable') reply.code(503).header('retry-after', RETRY_AFTER)
      return reply.send(known ? refusal(known, lang, route.refuses401) : refusal(new AppError('internal'), lang))
    }
  }
  // One limiter for all paths of an operation, so that switching paths does not reset the count.
  const { rateLimit } = app as Partial<Limiting>
  const limiter = route.limit && rateLimit ? rateLimit({ max: route.limit, timeWindow: 60_000 }) : undefined
  const methods = route.alsoPost ? (['GET', 'POST'] as const) : [route.method]
  for (const url of [route.path, ...(route.aliases ?? [])])
    app.route({
      method: [...methods],
      url,
      handler: run,
      ...(limiter && { onRequest: limiter }),
      config: { operation: name },
      exposeHeadRoute: false,
    })
}

/** Errors of any operation: another caller is required, the account is locked, the input is invalid, or the server is unavailable. */
const OF_ALL = new Set<ErrorKey>([
  'unauthorized',
  'tokenHeader',
  'sessionExpired',
  'accountLocked',
  'forbidden',
  'keyPermission',
  'keyAdmin',
  'keyFolders',
  'invalidParams',
  'unavailable',
])

/** Clients rely on declared errors: an undeclared one is a bug. */
const declares = (route: Route, key: ErrorKey): boolean => OF_ALL.has(key) || route.errors.includes(key)

const hints = {
  en: (issue: object) => inputHint(issue as InputIssue, 'en'),
  cn: (issue: object) => inputHint(issue as InputIssue, 'cn'),
}
const BODY = { en: 'body', cn: '请求体' } as const

function parseInput<R extends Route>(route: R, request: FastifyRequest, lang: Lang): Parsed<R> {
  const { query, params, body } = request as { query: object; params: object; body: unknown }
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body)))
    throw new AppError('invalidParams', { field: BODY[lang], hint: bodyHint(lang) })
  const given = { ...query, ...(body as object | undefined), ...params }
  const broken = Object.entries(given).find(([, value]) => hasNul(value))
  if (broken) throw new AppError('invalidParams', { field: broken[0], hint: controlHint(lang) })
  const parsed = route.input.safeParse(given, { error: hints[lang] })
  if (parsed.success) return parsed.data as Parsed<R>
  throw inputRefusal(parsed.error.issues[0], given, lang)
}

/** The refusal for a validation issue: the one named by the schema, or the type that the field should have. */
export function inputRefusal(
  issue: { path: PropertyKey[]; message: string } | undefined,
  given: object,
  lang: Lang,
): AppError {
  const { path = [], message = '' } = issue ?? {}
  const [key = '', ...facts] = message.split(' ')
  if (isErrorKey(key))
    return new AppError(key, ...((facts.length ? [JSON.parse(facts.join(' '))] : []) as ErrorFacts<ErrorKey>))
  // Preprocessing may have replaced a missing number before validation.
  const left = path.length === 1 && (given as Record<PropertyKey, unknown>)[path[0] as PropertyKey] === undefined
  const hint = left ? missingHint(lang) : formatHint(message, lang)
  return new AppError('invalidParams', { field: path.join('.') || BODY[lang], hint })
}

/** PostgreSQL texts cannot contain NUL: refuse it instead of failing. */
function hasNul(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  // No operation accepts deeper input.
  return depth > 20 || Object.values(value).some((inner) => hasNul(inner, depth + 1))
}

function hangUp(request: FastifyRequest): AbortSignal {
  const controller = new AbortController()
  request.raw.once('close', () => {
    if (!request.raw.complete || request.raw.destroyed) controller.abort()
  })
  return controller.signal
}
