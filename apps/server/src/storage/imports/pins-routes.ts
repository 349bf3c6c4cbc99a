import { AppError, errors, errorText, type Route } from '@tidenet/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Member, requirePermission } from '../../platform/http/callers.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import {
  addPin,
  listPins,
  PINS_MAX,
  type PinView,
  removePin,
  replacePin,
  requirePin,
  spellingsOf,
  TooManyPins,
} from './pins.ts'
import { PIN_STATUSES } from './pins-repository.ts'

/** The Pinning Service API 1.0.0 of IPFS, for `ipfs pin remote` and other clients. It has paths, methods and errors of its own. */
const SERVICE = '/api/pinning'
const BASE = `${SERVICE}/v1/pins`

const CIDS_MAX = 10
/** Characters of the details of a pin, as JSON: lists have up to 1,000 pins. */
const META_MAX = 4096
/** PostgreSQL holds neither NUL nor half characters. */
const isStorable = (text: string) => !/\0|\p{Surrogate}/u.test(text)
const texts = z.record(z.string().max(255).refine(isStorable), z.string().max(1024).refine(isStorable))
const pin = z.object({
  cid: z.string().min(1).max(200),
  name: z.string().max(255).refine(isStorable).default(''),
  origins: z.array(z.string().max(500).refine(isStorable)).max(20).default([]),
  meta: texts.refine((meta) => Object.keys(meta).length <= 100 && JSON.stringify(meta).length <= META_MAX).default({}),
})
const list = (max: number) =>
  z
    .string()
    .max(5000)
    .transform((text) => text.split(',').map((one) => one.trim()))
    .pipe(z.array(z.string().min(1)).max(max))
const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const filter = z.object({
  cid: list(CIDS_MAX).optional(),
  name: z.string().max(255).refine(isStorable).optional(),
  match: z.enum(['exact', 'iexact', 'partial', 'ipartial']).default('exact'),
  status: list(PIN_STATUSES.length)
    .pipe(z.array(z.enum(PIN_STATUSES)))
    .default(['pinned']),
  before: time.optional(),
  after: time.optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(10),
  meta: z
    .string()
    .max(5000)
    .transform((text, check): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        check.addIssue({ code: 'custom', message: 'expected JSON' })
        return z.NEVER
      }
    })
    .pipe(texts)
    .optional(),
})

/** Reasons of the specification, and one of ours, by the error that they stand for. */
const REASONS: Partial<Record<AppError['key'], [status: number, reason: string]>> = {
  badCid: [400, 'BAD_REQUEST'],
  invalidParams: [400, 'BAD_REQUEST'],
  notFound: [404, 'NOT_FOUND'],
  forbidden: [403, 'FORBIDDEN'],
  keyPermission: [403, 'FORBIDDEN'],
  keyCapped: [403, 'FORBIDDEN'],
  keyFolders: [403, 'FORBIDDEN'],
  keyAddress: [403, 'FORBIDDEN'],
  contentBlocked: [451, 'CONTENT_BLOCKED'],
  quotaExceeded: [409, 'INSUFFICIENT_FUNDS'],
  tooManyImports: [429, 'TOO_MANY_PINS'],
  tooManyFolders: [409, 'TOO_MANY_FOLDERS'],
  accountClosing: [403, 'FORBIDDEN'],
  importNotOffered: [501, 'NOT_OFFERED'],
  unavailable: [503, 'UNAVAILABLE'],
}

interface Call {
  caller: Member
  request: FastifyRequest
  reply: FastifyReply
}

export function servePins({ app, authenticate, refusalFor }: ServerServing, context: Context): void {
  const on = (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    auth: 'readFile' | 'createFile' | 'deleteFile',
    handle: (call: Call) => Promise<unknown>,
  ) => {
    const route = { method: 'GET', path: url, auth, authorization: true } as unknown as Route
    app.route({
      method,
      url,
      exposeHeadRoute: false,
      onRequest: app.rateLimit({ max: 600, timeWindow: 60_000 }),
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store')
        try {
          const caller = (await authenticate(request, reply, route)) as Member
          const answer = await handle({ caller, request, reply })
          return answer === undefined ? reply.send() : reply.send(answer)
        } catch (thrown) {
          return refuse(request, reply, refusalFor?.(thrown) ?? thrown)
        }
      },
    })
  }
  const idOf = ({ request }: Call): string => {
    const { id } = request.params as { id: string }
    if (!isStorable(id)) throw new AppError('notFound')
    return id
  }
  const fromOf = ({ request }: Call) => ({ ip: request.ip })

  on('GET', BASE, 'readFile', async ({ caller, request }) => {
    const { cid, status: statuses, ...rest } = read(filter, request.query)
    const cids = cid?.flatMap(spellingsOf)
    const { count, list: found } = await listPins(context, caller, {
      ...rest,
      name: rest.name,
      before: rest.before,
      after: rest.after,
      meta: rest.meta,
      cids,
      statuses,
    })
    return { count, results: found.map(toWire) }
  })
  on('POST', BASE, 'createFile', async (call) => {
    call.reply.code(202)
    return toWire(await addPin(context, call.caller, read(pin, call.request.body), fromOf(call)))
  })
  on('GET', `${BASE}/:id`, 'readFile', async (call) => toWire(await requirePin(context.db, call.caller, idOf(call))))
  on('POST', `${BASE}/:id`, 'deleteFile', async (call) => {
    requirePermission(call.caller, 'createFile')
    await requirePin(context.db, call.caller, idOf(call))
    const wanted = read(pin, call.request.body)
    const added = await replacePin(context, call.caller, idOf(call), wanted, fromOf(call))
    call.reply.code(202)
    return toWire(added)
  })
  on('DELETE', `${BASE}/:id`, 'deleteFile', async (call) => {
    await removePin(context, call.caller, idOf(call), fromOf(call))
    call.reply.code(202)
  })
  // Users often forget the end of the address, and clients show only errors in the format of the Pinning Service API.
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: `${SERVICE}/*`,
    exposeHeadRoute: false,
    handler: (_, reply) =>
      answer(reply, 404, 'NOT_FOUND', `There is nothing here. The address of the service ends in ${SERVICE}/v1.`),
  })
}

function read<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(given ?? {})
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new AppError('invalidParams', { field: String(issue?.path[0] ?? 'body'), hint: issue?.message ?? '' })
}

/** Nodes are no peers of IPFS, so there are no delegates. */
const toWire = ({ requestid, status, created, detail, ...wanted }: PinView) => ({
  requestid,
  status,
  created,
  pin: wanted,
  delegates: [],
  ...(detail !== '' && { info: { status_details: detail } }),
})

function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof TooManyPins)
    return answer(
      reply,
      429,
      'TOO_MANY_PINS',
      `An account can have ${PINS_MAX} pins. Remove some, or ask the operator.`,
    )
  if (!(error instanceof AppError)) {
    request.log.error({ err: error, operation: 'pins' }, 'a call failed')
    return answer(reply, 500, 'INTERNAL_SERVER_ERROR', errorText('internal', 'en'))
  }
  const { key, facts } = error as AppError
  const details = errorText(key, 'en', facts)
  if (errors[key].err === 401) return answer(reply, 401, 'UNAUTHORIZED', details)
  const [status, reason] = REASONS[key] ?? [400, 'BAD_REQUEST']
  return answer(reply, status, reason, details)
}

const answer = (reply: FastifyReply, status: number, reason: string, details: string) =>
  reply.code(status).send({ error: { reason, details } })
