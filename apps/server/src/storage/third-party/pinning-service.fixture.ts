import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Status = 'queued' | 'pinning' | 'pinned' | 'failed'
interface Pin {
  requestid: string
  status: Status
  created: string
  pin: { cid: string; name?: string; origins?: string[]; meta?: Record<string, string> }
  delegates: string[]
  info?: Record<string, string>
}

export type TestPinningService = Awaited<ReturnType<typeof startPinningService>>

/**
 * For tests: a service with the IPFS Pinning Service API 1.0, and its gateway.
 * @param readBlock what its gateway serves
 */
export async function startPinningService({
  token = '',
  readBlock,
  pin: onPin = async () => {},
  unpin = async () => {},
}: {
  token?: string
  readBlock: (cid: string) => Promise<Uint8Array | undefined>
  /** Fetches and pins; a failure fails the pin. */
  pin?: (cid: string, origins: readonly string[]) => Promise<void>
  unpin?: (cid: string) => Promise<void>
}) {
  const pins = new Map<string, Pin>()
  const faults = {
    /** Answers this status to every call. */
    status: 0,
    /** Says that everything is pinned at once, and stores nothing. */
    lies: false,
    wrongBlocks: false,
    /** Answers with the pin of another content. */
    otherCid: false,
    /** Loses the answer to the next POST. */
    losesAnswer: false,
    ignoresFilter: false,
    /** Answers with this text. */
    text: '',
    stuck: false,
    /** Says that pins are removed, and keeps them. */
    keeps: false,
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://service')
    const answer = (status: number, body?: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body instanceof Uint8Array ? body : body === undefined ? '' : JSON.stringify(body))
    }
    const refuse = (status: number, reason: string) => answer(status, { error: { reason, details: reason } })
    const shown = (pin: Pin) =>
      faults.otherCid
        ? { ...pin, pin: { ...pin.pin, cid: 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku' } }
        : pin
    const serve = async () => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const [, ipfs, cid = ''] = url.pathname.split('/')
      if (ipfs === 'ipfs') {
        const bytes = faults.lies ? undefined : await readBlock(cid)
        if (!bytes) return refuse(404, 'NOT_FOUND')
        return answer(200, faults.wrongBlocks ? Buffer.from(bytes).fill(1) : Buffer.from(bytes))
      }
      if (faults.text !== '') return response.end(faults.text)
      if (faults.status !== 0) return refuse(faults.status, 'FAULT')
      if (token !== '' && request.headers.authorization !== `Bearer ${token}`) return refuse(401, 'UNAUTHORIZED')
      const id = /^\/pins\/([^/]+)$/.exec(url.pathname)?.[1]
      if (id !== undefined) {
        const pin = pins.get(decodeURIComponent(id))
        if (!pin) return refuse(404, 'NOT_FOUND')
        if (request.method === 'GET') return answer(200, shown(pin))
        if (request.method !== 'DELETE') return refuse(400, 'BAD_REQUEST')
        if (faults.keeps) return answer(202)
        pins.delete(pin.requestid)
        await unpin(pin.pin.cid)
        return answer(202)
      }
      if (url.pathname !== '/pins') return refuse(404, 'NOT_FOUND')
      if (request.method === 'GET') {
        const statuses = (url.searchParams.get('status') ?? 'pinned').split(',')
        const meta = Object.entries(JSON.parse(url.searchParams.get('meta') ?? '{}') as Record<string, string>)
        const results = [...pins.values()].filter(
          ({ status, pin }) =>
            faults.ignoresFilter ||
            (statuses.includes(status) &&
              pin.cid === url.searchParams.get('cid') &&
              meta.every(([key, value]) => pin.meta?.[key] === value)),
        )
        return answer(200, { count: results.length, results })
      }
      const pin = JSON.parse(Buffer.concat(parts).toString()) as Pin['pin']
      const made: Pin = {
        requestid: randomUUID(),
        status: faults.lies ? 'pinned' : 'queued',
        created: new Date().toISOString(),
        pin,
        delegates: [],
      }
      pins.set(made.requestid, made)
      if (!faults.lies && !faults.stuck)
        onPin(pin.cid, pin.origins ?? []).then(
          () => (made.status = 'pinned'),
          (error: Error) => {
            made.status = 'failed'
            made.info = { status_details: error.message }
          },
        )
      if (faults.losesAnswer) {
        faults.losesAnswer = false
        return request.socket.destroy()
      }
      return answer(202, shown(made))
    }
    serve().catch((error: Error) => refuse(500, error.message))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pins,
    faults,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
