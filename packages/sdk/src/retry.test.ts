import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type RetryPolicy, retryAfter } from './retry.ts'
import { createStorage, type StorageOptions } from './storage.ts'
import { close } from './test-node.fixture.ts'

/** How the portal handles one request. */
type Act = (response: ServerResponse, request: IncomingMessage) => void

const opened: Server[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map(close))
})

const answers =
  (data: unknown): Act =>
  (response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ code: 0, data }))
const well = answers({ list: [], area_maps: [] })
const status =
  (code: number, headers: Record<string, string> = {}): Act =>
  (response) =>
    response.writeHead(code, headers).end('<html>')
const breaks: Act = (response) => response.destroy()
const half: Act = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"code":0,', () => response.destroy())
}
const nothing: Act = () => {}
const halfAndNothing: Act = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"code":0,')
}

/** A portal that handles requests with these acts in order and repeats the last one. Its clock advances when a caller waits. */
async function portal(...acts: Act[]) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    request.resume()
    const act = acts[Math.min(asked.length, acts.length - 1)] as Act
    asked.push(new URL(request.url ?? '', 'http://portal').pathname.split('/').at(-1) ?? '')
    act(response, request)
    if (act === nothing || act === halfAndNothing) setImmediate(() => void late())
  })
  opened.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let clock = 0
  const waits: number[] = []
  let pending: { at: number; late: () => void }[] = []
  /** Advances the clock to the next deadline. */
  const late = () => {
    const [next] = pending
    if (!next) return
    clock = Math.max(clock, next.at)
    next.late()
  }
  const policy: Partial<RetryPolicy> = {
    now: () => clock,
    async pause(ms, signal) {
      signal.throwIfAborted()
      waits.push(ms)
      clock += ms
    },
    deadline(ms, call) {
      const one = { at: clock + ms, late: call }
      pending.push(one)
      return () => {
        pending = pending.filter((other) => other !== one)
      }
    },
    random: () => 1,
  }
  const url = `http://127.0.0.1:${port}`
  const storage = (options: StorageOptions = {}) =>
    createStorage({ url, token: 'session', lang: 'en', ...options }, { retry: policy })
  return { storage, asked, waits, server, url, now: () => clock }
}

describe('a portal that is unavailable for a while', () => {
  it.each<[string, Act]>([
    ['breaks the connection', breaks],
    ['breaks its answer off', half],
    ['says nothing', nothing],
    ['begins an answer and says nothing more', halfAndNothing],
    ['is not there behind its proxy', status(502)],
    ['is not available', status(503)],
    ['is not in time behind its proxy', status(504)],
  ])('because it %s gets a retry', async (_, away) => {
    const { storage, asked } = await portal(away, away, well)
    expect((await storage({ timeout: 1000 }).listRegions()).code).toBe(0)
    expect(asked.length).toBe(3)
  })

  it('is retried for ten seconds, with growing waits', async () => {
    const { storage, asked, waits, now } = await portal(status(503))
    expect((await storage().listRegions()).code).toBe(503)
    expect(now()).toBeLessThanOrEqual(10_000)
    expect(now()).toBeGreaterThan(7000)
    expect(waits).toEqual([...waits].sort((a, b) => a - b))
    expect(asked.length).toBe(waits.length + 1)
  })

  it('is retried after Retry-After, unless that is too late', async () => {
    const soon = await portal(status(503, { 'retry-after': '4' }), well)
    expect((await soon.storage().listRegions()).code).toBe(0)
    expect(soon.waits).toEqual([4000])
    const tomorrow = await portal(status(503, { 'retry-after': '86400' }), well)
    expect((await tomorrow.storage().listRegions()).code).toBe(503)
    expect(tomorrow.asked.length).toBe(1)
    expect([
      retryAfter('3'),
      retryAfter(new Date(5000).toUTCString(), 2000),
      retryAfter('soon'),
      retryAfter(null),
    ]).toEqual([3000, 3000, undefined, undefined])
  })

  it('is retried as long as retryFor says, and each attempt may take the timeout', async () => {
    const never = await portal(status(503), well)
    expect((await never.storage({ retryFor: 0 }).listRegions()).code).toBe(503)
    expect(never.asked.length).toBe(1)
    const silent = await portal(nothing)
    expect((await silent.storage({ timeout: 700, retryFor: 0 }).listRegions()).code).toBe(10029)
    expect(silent.now()).toBe(700)
    const usual = await portal(nothing)
    expect((await usual.storage({ retryFor: 0 }).listRegions()).code).toBe(10029)
    expect(usual.now()).toBe(30_000)
  })

  it('is retried without limit if requested', async () => {
    const { url } = await portal(well)
    for (const timeout of [Number.POSITIVE_INFINITY, 2 ** 31])
      expect((await createStorage({ url, token: 'session', timeout, retryFor: 0 }).listRegions()).code).toBe(0)
  })

  it('is not retried after the caller has cancelled', async () => {
    const stop = new AbortController()
    const { storage, asked } = await portal((response) => {
      stop.abort()
      response.destroy()
    })
    const result = await storage().api.call('uploads.areas', {}, { signal: stop.signal })
    expect([result.code, asked.length]).toEqual([10028, 1])
    const before = await storage().api.call('uploads.areas', {}, { signal: stop.signal })
    expect([before.code, asked.length]).toEqual([10028, 1])
  })
})

describe('a call', () => {
  const CID = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'
  const file = { asset_name: 'a', asset_type: 'file' as const, asset_cid: CID, asset_size: 1, receipt: 'r' }

  it('that is repeatable is sent again: the bytes are stored and the file is listed', async () => {
    const { storage, asked } = await portal(breaks, answers([]))
    expect((await storage().api.call('assets.create', file)).code).toBe(0)
    expect(asked).toEqual(['create_asset', 'create_asset'])
    const report = await portal(status(502), answers({ trace_id: 't' }))
    const result = await report.storage().api.call('traces.report', { trace_id: 't', state: 1 } as never)
    expect([result.code, report.asked.length]).toEqual([0, 2])
  })

  it.each<[string, Act]>([
    ['breaks the connection', breaks],
    ['says nothing', nothing],
    ['is not available', status(503)],
  ])('that creates or deletes something is sent once if the portal %s', async (_, away) => {
    for (const work of [
      (s: ReturnType<typeof createStorage>) => s.createFolder({ name: 'a' }),
      (s: ReturnType<typeof createStorage>) => s.deleteAsset({ assetCid: CID }),
      (s: ReturnType<typeof createStorage>) => s.api.call('apiKeys.create', { key_name: 'k' }),
    ]) {
      const { storage, asked } = await portal(away, well)
      expect((await work(storage({ timeout: 1000 }))).code).not.toBe(0)
      expect(asked.length).toBe(1)
    }
  })

  it('that creates something is sent again if it cannot have arrived', async () => {
    const { url, server } = await portal(answers({ group: { ID: 1 } }))
    const port = Number(new URL(url).port)
    await close(server)
    let waits = 0
    const storage = createStorage(
      { url, token: 'session' },
      {
        retry: {
          async pause() {
            waits += 1
            if (waits === 2) await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
          },
        },
      },
    )
    expect((await storage.createFolder({ name: 'a' })).code).toBe(0)
    expect(waits).toBe(2)
  })

  it('that the portal refuses is not retried', async () => {
    for (const act of [status(401), status(404), status(500), answers('no'), status(429)]) {
      const { storage, asked } = await portal(act)
      await storage().listRegions()
      expect(asked.length).toBe(1)
    }
  })
})
