import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'

type RequestHost = Pick<FastifyRequest, 'host' | 'hostname'>

/** Whether the request is for the services host, with or without the port. */
export function isServicesHost(
  { config: { servicesHost } }: Pick<Context, 'config'>,
  { host, hostname }: RequestHost,
): boolean {
  return servicesHost !== '' && (host === servicesHost || hostname === servicesHost)
}

/**
 * The origin at which this browser uses the portal, without a trailing slash: the services host or the portal's URL. A forged Host header
 * has no effect.
 */
export function originOf(
  context: Pick<Context, 'config' | 'portalUrl'>,
  request: RequestHost & Pick<FastifyRequest, 'protocol'>,
): string {
  return isServicesHost(context, request) ? `${request.protocol}://${request.host}` : context.portalUrl()
}
