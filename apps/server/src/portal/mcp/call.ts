import { contract, type Input, type OperationName, type Output, type Route, type RouteOf } from '@tidenet/contract'
import { type PortalCall, ToolError } from '@tidenet/contract/mcp/index'
import type { FastifyInstance } from 'fastify'

interface Envelope {
  code: number
  msg?: string
  err?: number
  data?: unknown
}

/**
 * Calls operations of this server as the caller would: the same authentication, folders, limits per address and refusals.
 * @param key the API key of the caller
 * @param ip its address
 */
export function callAs(
  app: FastifyInstance,
  { key, ip, agent }: { key: string; ip: string; agent: string },
): PortalCall {
  return async <N extends OperationName>(name: N, input: Input<RouteOf<N>>) => {
    const [module, operation] = name.split('.') as [keyof typeof contract, string]
    const { method, path } = (contract[module] as Record<string, Route>)[operation] as Route
    const fields = Object.entries(input as Record<string, unknown>).filter(([, value]) => value !== undefined)
    const query = new URLSearchParams()
    if (method === 'GET')
      for (const [field, value] of fields)
        for (const each of Array.isArray(value) ? value : [value]) query.append(field, String(each))
    const response = await app.inject({
      method,
      url: query.size > 0 ? `${path}?${query}` : path,
      ...(method === 'POST' && { payload: Object.fromEntries(fields) }),
      remoteAddress: ip,
      headers: { jwtauthorization: `Bearer ${key}`, lang: 'en', 'user-agent': agent },
    })
    const { code, msg = '', err, data } = response.json<Envelope>()
    if (code !== 0) throw new ToolError(msg || `The portal answered with the status ${response.statusCode}.`, err)
    return data as Output<RouteOf<N>>
  }
}
