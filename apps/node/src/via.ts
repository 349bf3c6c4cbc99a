import { pipeline } from 'node:stream/promises'
import { SAMPLE_SILENCE_MS } from '@tidenet/content/read-sample'
import { transferTimeout, type ViaClaims } from '@tidenet/contract'
import { clientFetch, FetchFailed, type Guard, type GuardedAnswer, postForCopies, VIA_COPIES } from '@tidenet/daemon'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BODY_MAX } from './downloads/copies.ts'
import { readText } from './read-text.ts'
import { Refusal, refuseBusy, refuseForeign } from './refusal.ts'
import { disconnectSignal } from './requests.ts'
import type { Reach } from './tasks/source.ts'
import { texts } from './texts.ts'
import type { Tokens } from './tokens.ts'

/** Passes requests of audits on to the node that is audited, so that they come from another address. */

/** Requests at a time; a node does this beside its own work. */
const AT_A_TIME = 16

/**
 * `GET /via/{cid}[/path]?token=…&{query}` is sent on as `/ipfs/{cid}[/path]?{query}`, with the headers of a client. The token names the
 * only node and content, and limits the bytes, so the node is no open proxy.
 *
 * `POST /via/copies?token=…` is sent on as `POST /copies` with the same body: the request of a node that copies many small contents.
 */
export function serveVia(app: FastifyInstance, { tokens, reach }: { tokens: Tokens; reach: Reach }): void {
  const sent = createBudgets()
  let running = 0

  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = '', search = ''] = request.url.split('?', 2)
    const [first = '', ...query] = search.split('&')
    const token = first.startsWith('token=') ? first.slice('token='.length) : ''
    const claims = await tokens.via(token)
    const ask = request.method === 'POST' ? await copiesOf(claims, request) : partOf(claims, request, path, query)
    if (running >= AT_A_TIME) throw refuseBusy()
    running += 1
    try {
      const budget = sent.of(token, claims)
      const signal = disconnectSignal(request.raw, reply.raw)
      const answer = await ask({
        most: budget.left,
        withinMs: transferTimeout(budget.left),
        silenceMs: SAMPLE_SILENCE_MS,
        ...reach,
        signal,
      })
      await pass(answer, reply, budget)
    } catch (error) {
      if (reply.sent) reply.raw.destroy()
      else throw error instanceof FetchFailed ? new Refusal(502, texts.noAnswer, { why: error.message }) : error
    } finally {
      running -= 1
    }
    return reply
  }
  for (const url of ['/via/:cid', '/via/:cid/*']) app.route({ method: 'GET', url, handler })
  app.post('/via/copies', handler)
}

/** Sends one request to the audited node. */
type Ask = (guard: Omit<Guard, 'post' | 'headers' | 'bare'>) => Promise<GuardedAnswer>

function partOf(claims: ViaClaims, { headers }: FastifyRequest, path: string, query: readonly string[]): Ask {
  const address = addressOf(claims, path, query.join('&'))
  return (guard) => clientFetch(address, { ...guard, range: headers.range })
}

/** @throws Refusal if the token is for one content */
async function copiesOf({ cid, origin }: ViaClaims, { raw }: FastifyRequest): Promise<Ask> {
  if (cid !== VIA_COPIES) throw refuseForeign('The token is for another content.')
  const body = await readText(raw, BODY_MAX)
  return (guard) => postForCopies(`${origin}/copies`, body, guard)
}

/** @throws Refusal if the request is for another content, or for something else than contents */
function addressOf(claims: ViaClaims, path: string, query: string): URL {
  const address = new URL(`${claims.origin}${path.replace(/^\/via\//, '/ipfs/')}?${query}`)
  const [, prefix, name] = address.pathname.split('/')
  // A block inside the content is proven by the audited node.
  const isInside = name === claims.cid || address.searchParams.get('format') === 'raw'
  if (address.origin !== claims.origin || prefix !== 'ipfs' || !isInside)
    throw refuseForeign('The token is for another content.')
  return address
}

/** Its length is taken from the budget before it is sent: requests at the same time must not use the same bytes. */
async function pass({ status, headers, body }: GuardedAnswer, reply: FastifyReply, budget: Budget): Promise<void> {
  const tooMuch = () => new FetchFailed('it sends more than was asked for', 'EMSGSIZE')
  const announced = Number(headers['content-length'] ?? 0)
  if (!budget.take(announced)) {
    body.destroy()
    throw tooMuch()
  }
  let sent = 0
  body.on('data', (part: Buffer) => {
    sent += part.length
    if (sent > announced && !budget.take(part.length)) body.destroy(tooMuch())
  })
  const kept = ['content-length', 'content-range'] as const
  const { raw } = reply.hijack()
  raw.writeHead(status, {
    'content-type': 'application/octet-stream',
    'cache-control': 'no-store',
    ...Object.fromEntries(kept.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))),
  })
  try {
    await pipeline(body, raw)
  } finally {
    if (sent < announced) budget.giveBack(announced - sent)
  }
}

/** A token that expired this much earlier than a new one is over. */
const EXPIRED_S = 120

/** What is left of the bytes of a token. */
interface Budget {
  readonly left: number
  /** @returns false, and takes nothing, if fewer bytes are left */
  take(bytes: number): boolean
  giveBack(bytes: number): void
}

function createBudgets() {
  const lefts = new Map<string, { left: number; exp: number }>()
  return {
    of(token: string, { most, exp }: ViaClaims): Budget {
      for (const [other, { exp: end }] of lefts) if (end < exp - EXPIRED_S) lefts.delete(other)
      const budget = lefts.get(token) ?? { left: most, exp }
      lefts.set(token, budget)
      if (budget.left <= 0) throw refuseForeign('The token is used up.')
      return {
        get left() {
          return budget.left
        },
        take(bytes) {
          if (bytes > budget.left) return false
          budget.left -= bytes
          return true
        },
        giveBack(bytes) {
          budget.left += bytes
        },
      }
    },
  }
}
