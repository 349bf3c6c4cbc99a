import { AppError } from '@tidenet/contract'
import { RETRY_AFTER, refusal, requestLang } from '@tidenet/daemon'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailable } from '../db/unavailable.ts'

/** Errors that a trigger raises, because many services could break its rule. */
const RAISED = { TN001: 'folderEncrypted' } as const

/** Not logged per call: the pool logs once when the database becomes unavailable. */
export function refusalFor(error: unknown): AppError | undefined {
  if (error instanceof DatabaseUnavailable) return new AppError('unavailable')
  const key = RAISED[(error as { code?: keyof typeof RAISED } | null)?.code as keyof typeof RAISED]
  return key && new AppError(key)
}

/**
 * Answers errors before an operation (invalid JSON, too many requests, a malformed path) in the envelope and language of all refusals. Keeps
 * the HTTP status for proxies and simple clients.
 */
export function refuseEarly(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const unavailable = refusalFor(error)
  if (unavailable) reply.header('retry-after', RETRY_AFTER)
  const status = unavailable ? 503 : (error.statusCode ?? 500)
  if (status >= 500 && !unavailable) request.log.error({ err: error, path: request.url.split('?')[0] }, 'a call failed')
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .send(refusal(unavailable ?? asRefusal(error, status, request, reply), requestLang(request)))
}

function asRefusal(error: FastifyError, status: number, request: FastifyRequest, reply: FastifyReply): AppError {
  if (status >= 500) return new AppError('internal')
  if (status === 429) return new AppError('tooManyRequests', { seconds: Number(reply.getHeader('retry-after')) || 60 })
  if (status === 413) return new AppError('bodyTooLarge', { max: request.routeOptions.bodyLimit })
  if (status === 415) return new AppError('bodyKind')
  if (/_BODY$/.test(error.code)) return new AppError('bodyNotJson')
  return new AppError('badAddress')
}
