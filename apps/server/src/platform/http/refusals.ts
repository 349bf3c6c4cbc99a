import { AppError } from '@tidenet/contract'
import { RETRY_AFTER, refusal, requestLang } from '@tidenet/daemon'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailable } from '../db/unavailable.ts'

/** A database that is away was logged when it went: each call that meets it says only that it is. */
export const refusalFor = (error: unknown): AppError | undefined =>
  error instanceof DatabaseUnavailable ? new AppError('unavailable') : undefined

/**
 * Answers what never reached an operation (a body that is no JSON, too many requests, a broken address) in the envelope and language of
 * every other refusal. The HTTP status stays what it is, for proxies and for clients that look at nothing else.
 */
export function refuseEarly(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const away = refusalFor(error)
  if (away) reply.header('retry-after', RETRY_AFTER)
  const status = away ? 503 : (error.statusCode ?? 500)
  if (status >= 500 && !away) request.log.error({ err: error, path: request.url.split('?')[0] }, 'a call failed')
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .send(refusal(away ?? asRefusal(error, status, request, reply), requestLang(request)))
}

function asRefusal(error: FastifyError, status: number, request: FastifyRequest, reply: FastifyReply): AppError {
  if (status >= 500) return new AppError('internal')
  if (status === 429) return new AppError('tooManyRequests', { seconds: Number(reply.getHeader('retry-after')) || 60 })
  if (status === 413) return new AppError('bodyTooLarge', { max: request.routeOptions.bodyLimit })
  if (status === 415) return new AppError('bodyKind')
  if (/_BODY$/.test(error.code)) return new AppError('bodyNotJson')
  return new AppError('badAddress')
}
