import type { FastifyInstance } from 'fastify'

/** Request headers that pages of other origins may send; `*` would not cover `Authorization`. */
const ALLOWED = [
  'Authorization',
  'Content-Type',
  'Range',
  'Accept',
  'lang',
  'uploadIndex',
  'JwtAuthorization',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-Range',
  'Tus-Resumable',
  'Upload-Length',
  'Upload-Offset',
  'Upload-Metadata',
  'Upload-Checksum',
  'Upload-Defer-Length',
  'Upload-Concat',
  'X-HTTP-Method-Override',
  'X-Requested-With',
].join(', ')

const EXPOSED = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Length',
  'Content-Range',
  'ETag',
  'Location',
  'Retry-After',
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Checksum-Algorithm',
  'Upload-Offset',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Expires',
  'Upload-Cid',
  'Upload-Receipt',
  'X-Ipfs-Path',
  'X-Ipfs-Roots',
].join(', ')

/** Headers of every answer: pages of any origin may talk to a node, its credentials being tokens and never cookies. */
export const crossOrigin: Record<string, string> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
  'cross-origin-resource-policy': 'cross-origin',
  'timing-allow-origin': '*',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

const preflight: Record<string, string> = {
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers': ALLOWED,
  'access-control-max-age': '86400',
}

/** Sets the headers above on all answers, before anything can fail, and answers preflight requests. */
export function allowOtherOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    for (const [name, value] of Object.entries(crossOrigin)) reply.raw.setHeader(name, value)
    if (request.method === 'OPTIONS') for (const [name, value] of Object.entries(preflight)) reply.header(name, value)
  })
  app.options('/*', async (_request, reply) => reply.code(204).send())
}
