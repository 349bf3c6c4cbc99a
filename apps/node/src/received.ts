import { receivedBody } from '@tidenet/contract'
import type { FastifyInstance } from 'fastify'
import { parseJson } from './parse-json.ts'
import { readText } from './read-text.ts'
import { Refusal, refuseForeign } from './refusal.ts'
import type { Served } from './served.ts'
import { texts } from './texts.ts'
import type { Tokens } from './tokens.ts'

/** A token of at most 4,000 characters, a number and a signature. */
const BODY_MAX = 8 * 1024

/** `POST /received`: a client signs what it received. The content type is a simple one, so that browsers send no preflight request. */
export function serveReceived(app: FastifyInstance, { tokens, served }: { tokens: Tokens; served: Served }): void {
  app.post('/received', async (request, reply) => {
    const body = receivedBody.safeParse(parseJson(await readText(request.raw, BODY_MAX)))
    if (!body.success) throw new Refusal(400, texts.badRequest)
    const claims = await tokens.received(body.data.token)
    if (!claims.rk) throw refuseForeign('The token has no key for signatures.')
    served.receive({ claims, bytes: body.data.bytes, signature: body.data.signature })
    return reply.code(204).header('cache-control', 'no-store').send()
  })
}
