import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** An encoded page. */
interface EncodedPage {
  etag: string
  plain: Buffer
  br?: Buffer
  gzip?: Buffer
}

/** Compression runs during the first request for a page, so it must be fast. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/** Sends pages compressed and with ETag; compressed pages are cached. */
export function createPages() {
  const encoded = new Map<string, EncodedPage>()

  /** @param page.key identifies the text */
  return function send(
    request: FastifyRequest,
    reply: FastifyReply,
    page: { key: string; text: () => string; type: string },
  ): FastifyReply {
    let known = encoded.get(page.key)
    if (!known) {
      const plain = Buffer.from(page.text())
      known = { plain, etag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"` }
      encoded.set(page.key, known)
    }
    reply.type(page.type).header('etag', known.etag).header('cache-control', 'no-cache')
    if (isKnown(request.headers['if-none-match'], known.etag) && reply.statusCode === 200) return reply.code(304).send()
    const accepted = encodings(request.headers['accept-encoding'])
    if (accepted.has('br')) {
      known.br ??= brotliCompressSync(known.plain, BROTLI)
      return reply.header('content-encoding', 'br').send(known.br)
    }
    if (accepted.has('gzip')) {
      known.gzip ??= gzipSync(known.plain)
      return reply.header('content-encoding', 'gzip').send(known.gzip)
    }
    return reply.send(known.plain)
  }
}

const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((each) => each.trim() === etag || `W/${each.trim()}` === etag || each.trim() === '*') ??
  false

/** Accepted encodings, without those with `;q=0`. */
function encodings(header: string | string[] | undefined): Set<string> {
  const named = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.trim().split(/\s*;\s*/))
  return new Set(named.filter(([, q]) => !/^q=0(\.0*)?$/.test(q ?? '')).map(([name = '']) => name))
}
