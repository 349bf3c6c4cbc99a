import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFaults, type FaultCall, isFault } from './faults.ts'
import { ACCOUNTS, type LedgerEntry, openLedger } from './ledger.ts'

/**
 * A stand-in for the partner of the points exchange, with accounts, a ledger and faults. It speaks the API of docs/EXCHANGE.md. Only for
 * development and tests: its credits have no value.
 */

const BODY_MAX = 16 * 1024
const SLOW_MS = 3000

interface Reply {
  status: number
  body: object
}

class BadRequest extends Error {}

const creditOf = ({ key, state, id, account, points, reason }: LedgerEntry): Reply => ({
  status: 200,
  body: { credit: state === 'credited' ? { state, key, id, account, points } : { state, key, reason } },
})
const failure = (status: number, code: string): Reply => ({ status, body: { error: { code } } })

export interface RunningPartner {
  url: string
  port: number
  stop(): Promise<void>
}

export async function servePartner({
  data,
  port,
  key,
}: {
  data: string
  port: number
  /** Callers send it as a bearer token. */
  key: string
}): Promise<RunningPartner> {
  const ledger = openLedger(data)
  const faults = createFaults()
  /** Keys whose first answer was withheld already. */
  const lostOnce = new Set<string>()

  function isAllowed({ headers }: IncomingMessage): boolean {
    const [given, wanted] = [Buffer.from(headers.authorization ?? ''), Buffer.from(`Bearer ${key}`)]
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isAllowed(request)) return send(response, failure(401, 'unauthorized'))
    const url = new URL(request.url ?? '/', 'http://partner')
    const [, version, kind = '', id = '', action = ''] = url.pathname.split('/').map(decodeURIComponent)
    const route = `${request.method} ${kind}${id ? '/:id' : ''}${action ? `/${action}` : ''}`
    if (request.method === 'POST' && url.pathname === '/faults') {
      const list = await readBody(request)
      if (!Array.isArray(list) || !list.every(isFault)) return send(response, failure(400, 'invalid'))
      faults.set(list)
      return send(response, { status: 200, body: {} })
    }
    if (version !== 'v1') return send(response, failure(404, 'not_found'))
    if (route === 'GET status') return send(response, { status: 200, body: { name: 'Stand-in', simulated: true } })
    const calls: Record<string, [FaultCall, () => Promise<Reply> | Reply]> = {
      'GET accounts': ['lookup', () => lookup(url.searchParams.get('q') ?? '')],
      'POST credits': ['credit', () => credit(request)],
      'GET credits/:id': ['find', () => find(id)],
      'POST credits/:id/revoke': ['revoke', () => creditOf(ledger.revoke(id))],
    }
    const call = calls[route]
    if (!call) return send(response, failure(404, 'not_found'))
    await withFault(call[0], request, response, call[1])
  }

  async function withFault(
    call: FaultCall,
    request: IncomingMessage,
    response: ServerResponse,
    work: () => Promise<Reply> | Reply,
  ): Promise<void> {
    const fault = faults.next(call)
    const fails = failure(500, 'internal')
    if (fault?.kind === 'error before') return send(response, fails)
    if (fault?.kind === 'lost before') return void response.destroy()
    const isRepeated = ledger.find(String(request.headers['idempotency-key'])) !== undefined
    const reply = await work()
    if (fault?.kind === 'slow') await wait(fault.ms)
    if (fault?.kind === 'error after') return send(response, fails)
    if (fault?.kind === 'lost after') return void response.destroy()
    if (fault?.kind === 'duplicate' && call === 'credit' && isRepeated) return send(response, failure(409, 'duplicate'))
    send(response, reply)
  }

  async function lookup(text: string): Promise<Reply> {
    const account = ACCOUNTS.find(({ id, email }) => id === text || email === text.toLowerCase())
    if (!account) return failure(404, 'account_unknown')
    if (account.name === 'Slow') await wait(SLOW_MS)
    return { status: 200, body: { account: { id: account.id, name: account.name } } }
  }

  async function credit(request: IncomingMessage): Promise<Reply> {
    const idempotencyKey = request.headers['idempotency-key']
    const { account, points } = (await readBody(request)) as { account?: unknown; points?: unknown }
    if (typeof idempotencyKey !== 'string' || typeof account !== 'string' || !Number.isSafeInteger(points))
      return failure(400, 'invalid')
    const entry = ledger.credit(idempotencyKey, account, points as number)
    const { name } = ACCOUNTS.find(({ id }) => id === account) ?? {}
    if (name === 'Slow') await wait(SLOW_MS)
    if (name === 'Lost' && !lostOnce.has(idempotencyKey)) {
      lostOnce.add(idempotencyKey)
      return failure(500, 'internal')
    }
    return creditOf(entry)
  }

  function find(id: string): Reply {
    const entry = ledger.find(id)
    return entry ? creditOf(entry) : failure(404, 'credit_unknown')
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      send(response, error instanceof BadRequest ? failure(400, 'invalid') : failure(500, 'internal')),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      ledger.close()
    },
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function send(response: ServerResponse, { status, body }: Reply): void {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += (chunk as Buffer).length
    if (length > BODY_MAX) throw new BadRequest()
    chunks.push(chunk as Buffer)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown
  } catch {
    throw new BadRequest()
  }
}
