import type { IncomingMessage } from 'node:http'
import { receivedBody, transferTimeout } from '@tidenet/contract'
import type { FastifyInstance } from 'fastify'
import { consume } from './consume.ts'
import { parseJson } from './parse-json.ts'
import { Refusal, refuseForeign } from './refusal.ts'
import type { Served } from './served.ts'
import { texts } from './texts.ts'
import type { Tokens } from './tokens.ts'

/** A token of at most 4,000 characters, a number and a signature. */
const BODY_MAX = 8 * 1024
const BODY_TIMEOUT_MS = transferTimeout(BODY_MAX)

/** `POST /received`: a client signs what it received. The content type is a simple one, so that browsers send no preflight request. */
export function serveReceived(app: FastifyInstance, { tokens, served }: { tokens: Tokens; served: Served }): void {
  app.post('/received', async (request, reply) => {
    const body = receivedBody.safeParse(parseJson(await readText(request.raw)))
    if (!body.success) throw new Refusal(400, texts.badRequest)
    const claims = await tokens.received(body.data.token)
    if (!claims.rk) throw refuseForeign('The token has no key for signatures.')
    served.receive({ claims, bytes: body.data.bytes, signature: body.data.signature })
    return reply.code(204).header('cache-control', 'no-store').send()
  })
}

async function readText(request: IncomingMessage): Promise<string> {
  const tooLarge = () => new Refusal(413, texts.badRequest)
  if (Number(request.headers['content-length'] ?? 0) > BODY_MAX) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  const limit = AbortSignal.timeout(BODY_TIMEOUT_MS)
  try {
    await consume(
      request,
      (chunk) => {
        size += chunk.length
        if (size > BODY_MAX) throw tooLarge()
        chunks.push(chunk)
        return undefined
      },
      { signal: limit },
    )
  } catch (error) {
    if (limit.aborted) throw new Refusal(408, texts.silent)
    throw error
  }
  return Buffer.concat(chunks).toString()
}
