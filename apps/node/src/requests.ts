import type { IncomingMessage, ServerResponse } from 'node:http'
import { isPublicAddress, networkOf } from '@tidenet/daemon'
import type { FastifyRequest } from 'fastify'

/**
 * The network that a request comes from: an IPv4 address, or a /64 of IPv6. Undefined for addresses of this machine or its own network:
 * without TIDENET_TRUST_PROXY all visitors of a proxy there look alike.
 */
export function visitorNetwork({ ip }: Pick<FastifyRequest, 'ip'>): string | undefined {
  const network = networkOf(ip)
  return isPublicAddress(ip.replace(/^::ffff:(?=\d+\.)/i, '')) ? network : undefined
}

/** The token of a request: header `Authorization: Bearer`, or `token` in the query. */
export function bearerToken(request: FastifyRequest): string | undefined {
  const match = /^Bearer[ ]+(\S+)$/i.exec(request.headers.authorization ?? '')
  if (match) return match[1]
  const { token } = request.query as { token?: unknown }
  return typeof token === 'string' && token !== '' ? token : undefined
}

/** Aborts when the client is gone before it has its answer. */
export function hangUp(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const check = () => {
    if (!response.writableFinished) controller.abort(new Error('the client is gone'))
  }
  response.once('close', check)
  if (request.destroyed && !request.complete) controller.abort(new Error('the client is gone'))
  return controller.signal
}
