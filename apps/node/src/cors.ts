import cors from '@fastify/cors'
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
  'X-Request-ID',
]

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
  'Upload-Defer-Length',
  'Upload-Concat',
  'Upload-Cid',
  'Upload-Receipt',
  'X-Ipfs-Path',
  'X-Ipfs-Roots',
]

/** Allows requests from pages of any origin: authentication uses tokens, never cookies. Applies to every response, also refusals. */
export function allowOtherOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    // The tus plugin answers OPTIONS itself; elsewhere headers are enough.
    if (request.method === 'OPTIONS') reply.code(204)
    reply.headers({
      'cross-origin-resource-policy': 'cross-origin',
      'timing-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  })
  app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'],
    allowedHeaders: ALLOWED,
    exposedHeaders: EXPOSED,
    maxAge: 86_400,
    strictPreflight: false,
    preflightContinue: true,
  })
}
