import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'

type Asked = Pick<FastifyRequest, 'host' | 'hostname'>

/** Whether the request names the services host, with or without the port. */
export function namesServices(
  { config: { servicesHost } }: Pick<Context, 'config'>,
  { host, hostname }: Asked,
): boolean {
  return servicesHost !== '' && (host === servicesHost || hostname === servicesHost)
}

/**
 * Where this browser sees the portal, without a trailing slash: the services host is a second address of it. Under any other name it is the
 * portal's own address, so that nobody is told of one that is not ours.
 */
export function originOf(
  context: Pick<Context, 'config' | 'portalUrl'>,
  request: Asked & Pick<FastifyRequest, 'protocol'>,
): string {
  return namesServices(context, request) ? `${request.protocol}://${request.host}` : context.portalUrl()
}
