import type { IncomingMessage, ServerResponse } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { networkOf } from '@tidenet/daemon'
import type { FastifyRequest } from 'fastify'

/** Addresses behind which a proxy or a router may stand for anybody. */
const near = new BlockList()
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  near.addSubnet(address, prefix, 'ipv4')
for (const [address, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  near.addSubnet(address, prefix, 'ipv6')

/**
 * The network that a request comes from: an IPv4 address, or a /64 of IPv6. Undefined for addresses of this machine or its own network:
 * without TIDENET_TRUST_PROXY all visitors of a proxy there look alike.
 */
export function visitorNetwork({ ip }: Pick<FastifyRequest, 'ip'>): string | undefined {
  const network = networkOf(ip)
  const address = network.replace(/\/64$/, '')
  const family = isIP(address)
  return family === 0 || near.check(address, family === 4 ? 'ipv4' : 'ipv6') ? undefined : network
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
