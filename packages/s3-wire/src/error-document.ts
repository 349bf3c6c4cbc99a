import type { S3Error } from './errors.ts'
import { writeXml } from './xml.ts'

/**
 * The body of a refusal; not sent for HEAD.
 * @param request the resource is the path as the client sent it; the ids are ours, to find the request in the log
 */
export function errorXml(
  { code, message, details }: Pick<S3Error, 'code' | 'message' | 'details'>,
  request: { resource: string; requestId: string; hostId: string },
): string {
  return writeXml([
    'Error',
    [
      ['Code', code],
      ['Message', message],
      ...Object.entries(details),
      ['Resource', request.resource],
      ['RequestId', request.requestId],
      ['HostId', request.hostId],
    ],
  ])
}
