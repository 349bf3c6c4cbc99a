import { fromBase64 } from '@cosmjs/encoding'
import { TxResponse } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Chain } from '../chain.ts'
import { Refusal, refusalOf } from '../state/refusal.ts'
import { queries } from './grpc.ts'
import { requestOf, toRest } from './rest-json.ts'
import { REST_ROUTES } from './rest-routes.ts'

/** The REST endpoints of the Cosmos SDK that wallets and clients use. Others answer 501. */

/** gRPC status codes: not found, invalid argument, unimplemented. */
const NOT_FOUND = 5
const INVALID = 3
const UNIMPLEMENTED = 12

/** Codes of `Refusal`. */
const isMissing = ({ code, message }: Refusal): boolean => code === 22 || code === 38 || message.startsWith('no such ')

const unchanged = (json: Record<string, unknown>) => json

function respond(reply: FastifyReply, work: () => unknown) {
  try {
    return work()
  } catch (error) {
    const refusal = refusalOf(error)
    const missing = isMissing(refusal)
    const code = missing ? NOT_FOUND : INVALID
    return reply.code(missing ? 404 : 400).send({ code, message: refusal.message, details: [] })
  }
}

export function serveRest(app: FastifyInstance, chain: Chain): void {
  for (const { path, method, map = unchanged } of REST_ROUTES)
    app.get<{ Params: Record<string, string>; Querystring: Record<string, unknown> }>(
      path,
      ({ params, query }, reply) => respond(reply, () => map(ask(chain, method, requestOf(params, query)))),
    )

  app.post<{ Body: { tx_bytes?: unknown } }>('/cosmos/tx/v1beta1/simulate', ({ body }, reply) =>
    respond(reply, () => ask(chain, '/cosmos.tx.v1beta1.Service/Simulate', { txBytes: textOf(body?.tx_bytes) })),
  )

  app.post<{ Body: { tx_bytes?: unknown } }>('/cosmos/tx/v1beta1/txs', ({ body }, reply) =>
    respond(reply, () => {
      const { hash, result } = chain.broadcast(fromBase64(textOf(body?.tx_bytes)))
      const { code, codespace, log: rawLog } = result
      return {
        tx_response: toRest(TxResponse.toJSON(TxResponse.fromPartial({ txhash: hash, code, codespace, rawLog }))),
      }
    }),
  )

  app.setNotFoundHandler((_, reply) =>
    reply.code(501).send({ code: UNIMPLEMENTED, message: 'Not Implemented', details: [] }),
  )
}

function ask(chain: Chain, method: string, request: object): Record<string, unknown> {
  const known = queries[method]
  if (!known) throw new Error(`${method} is no query`)
  return toRest(known.answerJson(chain, request)) as Record<string, unknown>
}

function textOf(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new Refusal('sdk', 18, 'tx_bytes is missing: invalid request')
  return value
}
