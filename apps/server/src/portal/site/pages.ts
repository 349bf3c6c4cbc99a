import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A page as it travels. */
interface Ready {
  etag: string
  plain: Buffer
  br?: Buffer
  gzip?: Buffer
}

/** Quick enough for the first who asks; the next ones get what is there. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/** Sends pages packed as the reader understands it, or says that it has the page already. */
export function createPages() {
  const ready = new Map<string, Ready>()

  /** @param key names the page: the same key is the same text */
  return function send(
    request: FastifyRequest,
    reply: FastifyReply,
    page: { key: string; text: () => string; type: string },
  ): FastifyReply {
    let known = ready.get(page.key)
    if (!known) {
      const plain = Buffer.from(page.text())
      known = { plain, etag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"` }
      ready.set(page.key, known)
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

const isKnown = (shown: string | undefined, etag: string): boolean =>
  shown?.split(',').some((each) => each.trim() === etag || `W/${each.trim()}` === etag || each.trim() === '*') ?? false

/** What a reader says it can unpack; `;q=0` says that it cannot. */
function encodings(header: string | string[] | undefined): Set<string> {
  const named = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.trim().split(/\s*;\s*/))
  return new Set(named.filter(([, q]) => !/^q=0(\.0*)?$/.test(q ?? '')).map(([name = '']) => name))
}
