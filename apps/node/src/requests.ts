import type { IncomingMessage, ServerResponse } from 'node:http'
import { clientNetworkOf, isPublicAddress } from '@tidenet/daemon'
import type { FastifyRequest } from 'fastify'

/**
 * The client's network: an IPv4 address or an IPv6 /64. Undefined for local and private addresses: behind a proxy there, without
 * TIDENET_TRUST_PROXY, all clients have the same address.
 */
export function visitorNetwork({ ip }: Pick<FastifyRequest, 'ip'>): string | undefined {
  const network = clientNetworkOf(ip)
  return isPublicAddress(ip.replace(/^::ffff:(?=\d+\.)/i, '')) ? network : undefined
}

/** The token of a request: header `Authorization: Bearer`, or `token` in the query. */
export function bearerToken(request: FastifyRequest): string | undefined {
  const match = /^Bearer[ ]+(\S+)$/i.exec(request.headers.authorization ?? '')
  return match ? match[1] : queryToken(request)
}

/** The token in the query of a request. */
export function queryToken(request: FastifyRequest): string | undefined {
  const { token } = request.query as { token?: unknown }
  return typeof token === 'string' && token !== '' ? token : undefined
}

/** Aborts if the client disconnects before its response is complete. */
export function disconnectSignal(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const check = () => {
    if (!response.writableFinished) controller.abort(new Error('the client is gone'))
  }
  response.once('close', check)
  if (request.destroyed && !request.complete) controller.abort(new Error('the client is gone'))
  return controller.signal
}
