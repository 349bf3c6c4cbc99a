import { X509Certificate } from 'node:crypto'
import { createClock, createLogger } from '@tidenet/daemon'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CertificateState, type CertificatesOptions, createCertificates } from './certificates.ts'
import { createChallenges } from './challenges.ts'
import { type CertificateStore, createMemoryStore } from './store.ts'
import { startTestCa, type TestCa } from './test-ca.fixture.ts'

const log = createLogger('test', 'silent')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WILDCARD = ['*.apps.example.com']

let clock: ReturnType<typeof createClock>
let ca: TestCa
let store: CertificateStore
let stops: (() => Promise<void>)[]

beforeEach(async () => {
  clock = createClock()
  ca = await startTestCa(clock)
  // As slow as a database, so that steps of several servers mix.
  store = slowly(createMemoryStore())
  stops = []
  const challenges = challengesOf(store)
  ca.validate = async (type, name, token) => {
    const found =
      type === 'dns-01'
        ? (await challenges.texts(`_acme-challenge.${name}`)).length > 0
        : (await challenges.httpAnswer(`/.well-known/acme-challenge/${token}`))?.startsWith(`${token}.`)
    return found === true
  }
})
afterEach(async () => {
  for (const stop of stops) await stop()
  await ca.close()
  expect(ca.violations).toEqual([])
})

const slowly = (fast: CertificateStore): CertificateStore => ({
  async read(key) {
    await new Promise(setImmediate)
    return fast.read(key)
  },
  async replace(key, before, after) {
    await new Promise(setImmediate)
    return fast.replace(key, before, after)
  },
  keys: fast.keys,
})

/** Every answer is read from the store, so that tests need not wait. */
const challengesOf = (of: CertificateStore) => createChallenges(of, clock, { cacheMs: 0 })

function startServer(options: Partial<CertificatesOptions> = {}) {
  const certificates = createCertificates({
    directory: ca.directory,
    store,
    challenges: challengesOf(store),
    zones: ['apps.example.com'],
    clock,
    log,
    ...options,
  })
  stops.push(certificates.stop)
  return certificates
}
const move = (ms: number) => clock.move(clock.now() - Date.now() + ms)
const serialOf = (found: { cert: string } | undefined) => found && new X509Certificate(found.cert).serialNumber

describe('ordering', () => {
  it('brings a wildcard by DNS and the domain of a customer by HTTP', async () => {
    const server = startServer()
    expect(await server.ensure(WILDCARD)).toMatchObject({ failure: undefined, notAfter: expect.any(Number) })
    expect(await server.ensure(['shop.example.org'])).toMatchObject({ failure: undefined })
    expect(server.find('web-1.apps.example.com')?.names).toEqual(WILDCARD)
    expect(server.find('Shop.Example.org')?.names).toEqual(['shop.example.org'])
    expect(server.find('other.example.org')).toBeUndefined()
    expect(server.find('a.b.apps.example.com')).toBeUndefined()
  })

  it('leaves no answers of challenges behind', async () => {
    const seen: string[] = []
    const texts = challengesOf(store).texts
    ca.onValidation = async (name) => void seen.push(...(await texts(`_acme-challenge.${name}`)))
    await startServer().ensure(WILDCARD)
    expect(seen).toHaveLength(1)
    expect(await texts('_acme-challenge.apps.example.com')).toEqual([])
  })

  it('orders once, however many servers and calls want the same names', async () => {
    const servers = [startServer(), startServer(), startServer()]
    await Promise.all(servers.flatMap((server) => [server.ensure(WILDCARD), server.ensure(WILDCARD)]))
    for (const server of servers) await server.ensure(WILDCARD)
    expect(ca.orders).toHaveLength(1)
    expect(new Set(servers.map((server) => serialOf(server.find('a.apps.example.com')))).size).toBe(1)
  })

  it('uses what is stored after a restart', async () => {
    await startServer().ensure(WILDCARD)
    const next = startServer()
    expect(await next.ensure(WILDCARD)).toMatchObject({ failure: undefined, notAfter: expect.any(Number) })
    expect(ca.orders).toHaveLength(1)
    expect(next.find('a.apps.example.com')).toBeDefined()
  })

  it('continues an order that was interrupted at any step', async () => {
    for (let step = 1; step <= 12; step++) {
      const names = [`shop-${step}.example${step}.org`]
      const before = ca.orders.length
      const dying = startServer({ store: dyingAfter(store, step * 2) })
      await dying.ensure(names).catch(() => {})
      await dying.stop()
      // The lease of the dead server ends.
      move(3 * 60_000)
      expect(await startServer().ensure(names)).toMatchObject({ failure: undefined, notAfter: expect.any(Number) })
      // Only an order that was made but not yet stored is lost.
      expect(ca.orders.length - before, `killed after ${step} steps`).toBeLessThanOrEqual(2)
      expect(ca.issued.filter((each) => each.names[0] === names[0])).toHaveLength(1)
    }
  })

  it('shows its state at any server, also while another one orders', async () => {
    const [one, other] = [startServer(), startServer()]
    expect(await other.state(WILDCARD)).toMatchObject({ notAfter: undefined, isOrdering: false })
    let during: CertificateState | undefined
    ca.onValidation = async () => {
      during = await other.state(WILDCARD)
    }
    const { notAfter } = await one.ensure(WILDCARD)
    expect(during).toMatchObject({ notAfter: undefined, isOrdering: true })
    expect(await other.state(WILDCARD)).toMatchObject({ notAfter, isOrdering: false })
    // To look is not to keep.
    expect(other.find('a.apps.example.com')).toBeUndefined()
    expect(ca.orders).toHaveLength(1)
  })

  it('orders another one if the stored one is damaged', async () => {
    await startServer().ensure(WILDCARD)
    const damaged: CertificateStore = {
      ...store,
      read: async (key) => (await store.read(key))?.replace(/-----BEGIN CERT/, 'damaged'),
      replace: async (key, _, after) => store.replace(key, await store.read(key), after),
    }
    const server = startServer({ store: damaged })
    await server.ensure(WILDCARD)
    expect(ca.issued).toHaveLength(2)
  })

  it('refuses names that no certificate can have, and wildcards outside the zones', async () => {
    const server = startServer()
    for (const names of [
      [],
      ['*.example.org'],
      ['127.0.0.1'],
      ['localhost'],
      ['a..example.org'],
      ['*.*.apps.example.com'],
    ])
      await expect(server.ensure(names)).rejects.toThrow(TypeError)
    expect(ca.requests).toBe(0)
  })
})

/** A store that fails for ever after some changes, as if its process was killed. */
function dyingAfter(real: CertificateStore, changes: number): CertificateStore {
  let left = changes
  return {
    read: async (key) => (left > 0 ? real.read(key) : Promise.reject(new Error('dead'))),
    replace: async (...change) => (left-- > 0 ? real.replace(...change) : Promise.reject(new Error('dead'))),
    keys: real.keys,
  }
}

describe('renewal', () => {
  it('renews after two thirds of the life, and serves the old certificate until then', async () => {
    const server = startServer()
    await server.ensure(WILDCARD)
    const first = serialOf(server.find('a.apps.example.com'))
    move(59 * DAY_MS)
    await server.ensure(WILDCARD)
    expect(serialOf(server.find('a.apps.example.com'))).toBe(first)
    move(2 * DAY_MS)
    ca.onValidation = async () => expect(serialOf(server.find('a.apps.example.com'))).toBe(first)
    await server.ensure(WILDCARD)
    expect(serialOf(server.find('a.apps.example.com'))).not.toBe(first)
    expect(ca.issued).toHaveLength(2)
  })

  it('renews when the CA suggests it, as a replacement that costs no quota', async () => {
    const start = clock.now() + 10 * DAY_MS
    ca.suggests = { start, end: start + DAY_MS }
    const server = startServer()
    await server.ensure(WILDCARD)
    expect((await server.ensure(WILDCARD)).renewAt).toBeGreaterThanOrEqual(Math.floor(start / 1000) * 1000)
    move(9 * DAY_MS)
    await server.ensure(WILDCARD)
    expect(ca.issued).toHaveLength(1)
    move(2 * DAY_MS)
    await server.ensure(WILDCARD)
    expect(ca.issued).toMatchObject([{ replaces: undefined }, { replaces: expect.any(String) }])
  })

  it('renews early when the CA asks for it, for example because it must revoke', async () => {
    ca.suggests = { start: clock.now() + 60 * DAY_MS, end: clock.now() + 62 * DAY_MS }
    const server = startServer()
    await server.ensure(WILDCARD)
    await server.ensure(WILDCARD)
    ca.suggests = { start: clock.now() - DAY_MS, end: clock.now() - HOUR_MS }
    move(7 * HOUR_MS)
    await server.ensure(WILDCARD)
    expect(ca.issued).toHaveLength(2)
  })

  it('revokes a stolen certificate, and orders one with another key', async () => {
    const server = startServer()
    await server.ensure(WILDCARD)
    const before = server.find('a.apps.example.com')
    await server.revoke(WILDCARD)
    expect(ca.revoked.size).toBe(1)
    expect(server.find('a.apps.example.com')?.key).not.toBe(before?.key)
  })

  it('keeps nothing of what is forgotten', async () => {
    const server = startServer()
    await server.ensure(WILDCARD)
    await server.forget(WILDCARD)
    expect(server.find('a.apps.example.com')).toBeUndefined()
    await startServer().ensure(WILDCARD)
    expect(ca.issued).toHaveLength(2)
  })
})

describe('what nobody wants any more', () => {
  it('is deleted, also if no server kept it when it was given up', async () => {
    const before = startServer()
    for (const names of [WILDCARD, ['old.example.org'], ['shop.example.net']]) await before.ensure(names)
    ca.failing.add('wrong.example.com')
    await before.ensure(['wrong.example.com'])
    await before.stop()
    const after = startServer()
    await after.prune(async () => [['shop.example.net']])
    const keys = await Promise.all(['certificate/', 'order/', 'failure/'].map((prefix) => store.keys(prefix)))
    expect(keys.flat().map((key) => key.replace(/-\w+$/, ''))).toEqual([
      'certificate/_.apps.example.com',
      'certificate/shop.example.net',
    ])
    for (const names of [WILDCARD, ['shop.example.net']]) await after.ensure(names)
    expect(ca.issued).toHaveLength(3)
  })

  it('is not what became wanted meanwhile', async () => {
    const server = startServer()
    await server.prune(async () => {
      await server.ensure(['new.example.org'])
      return []
    })
    expect(server.find('new.example.org')).toBeDefined()
    await startServer().ensure(['new.example.org'])
    expect(ca.issued).toHaveLength(1)
  })
})

describe('failures', () => {
  it('are stored with the reason, and tried again later each time', async () => {
    const server = startServer()
    ca.failing.add('shop.example.org')
    const first = await server.ensure(['shop.example.org'])
    expect(first).toMatchObject({ notAfter: undefined, failure: { code: 'unauthorized', tries: 1 } })
    const { requests } = ca
    for (let call = 0; call < 20; call++) await server.ensure(['shop.example.org'])
    expect(ca.requests).toBe(requests)
    // Another server knows it, too.
    expect((await startServer().ensure(['shop.example.org'])).failure).toEqual(first.failure)
    move(HOUR_MS)
    const second = await server.ensure(['shop.example.org'])
    expect(second.failure).toMatchObject({ tries: 2 })
    const delayOf = ({ failure }: typeof first) => (failure?.nextAt ?? 0) - (failure?.at ?? 0)
    expect(delayOf(second)).toBeGreaterThan(delayOf(first))
    ca.failing.clear()
    expect(await server.ensure(['shop.example.org'], { retry: true })).toMatchObject({ failure: undefined })
  })

  it('spend no quota on domains that do not point here', async () => {
    const mayOrder = async () => ({ isHere: false, code: 'not-pointing-here', detail: 'elsewhere' }) as const
    const server = startServer({ mayOrder })
    expect((await server.ensure(['shop.example.org'])).failure).toMatchObject({ code: 'not-pointing-here' })
    expect(ca.requests).toBe(0)
    expect(await server.ensure(WILDCARD)).toMatchObject({ failure: undefined })
  })

  it('of the CA are survived: the old certificate serves, and the order is made later', async () => {
    const server = startServer()
    await server.ensure(WILDCARD)
    move(61 * DAY_MS)
    ca.isDown = true
    expect(await server.ensure(WILDCARD)).toMatchObject({ failure: { tries: 1 }, notAfter: expect.any(Number) })
    expect(server.find('a.apps.example.com')).toBeDefined()
    // A day of outage leads to few requests, and costs no quota.
    const { requests } = ca
    for (let minute = 0; minute < 24 * 60; minute += 5) {
      move(5 * 60_000)
      await server.ensure(WILDCARD)
    }
    expect(ca.requests - requests).toBeLessThan(20)
    ca.isDown = false
    expect(await server.ensure(WILDCARD, { retry: true })).toMatchObject({ failure: undefined })
  })

  it('waits as long as the CA says', async () => {
    const server = startServer()
    ca.refuses = { status: 429, type: 'rateLimited', retryAfter: '7200' }
    const { failure } = await server.ensure(WILDCARD)
    expect(failure).toMatchObject({ code: 'rateLimited' })
    expect((failure?.nextAt ?? 0) - clock.now()).toBeGreaterThan(7_100_000)
  })
})

describe('quotas of a public CA', () => {
  /** Four at a time, as many as a server orders. */
  const ensureAll = async (server: ReturnType<typeof startServer>, sets: string[][]) => {
    const lanes = [0, 1, 2, 3].map(async (lane) => {
      const states = []
      for (const names of sets.filter((_, index) => index % 4 === lane))
        states.push(await server.ensure(names, { retry: true }))
      return states
    })
    return (await Promise.all(lanes)).flat()
  }

  it('makes certificates beyond 50 a week of one domain wait, and brings them a week later', {
    tags: ['long'],
  }, async () => {
    const servers = [startServer(), startServer()] as const
    const sets = Array.from({ length: 60 }, (_, index) => [`shop-${index}.example.org`])
    await Promise.all(servers.map((server) => ensureAll(server, sets)))
    expect(ca.issued).toHaveLength(50)
    const waiting = (await ensureAll(servers[0], sets)).filter(({ failure }) => failure)
    expect(waiting.map(({ failure }) => failure)).toMatchObject(
      Array.from({ length: 10 }, () => ({ code: 'quota', detail: 'perDomain', tries: 0 })),
    )
    move(3 * DAY_MS)
    await ensureAll(servers[0], sets)
    expect(ca.issued).toHaveLength(50)
    move(4 * DAY_MS + HOUR_MS)
    await ensureAll(servers[1], sets)
    expect(ca.issued).toHaveLength(60)
  })

  it('fails a name at most five times an hour, however often its owner presses the button', async () => {
    const server = startServer()
    ca.failing.add('shop.example.org')
    for (let press = 0; press < 30; press++) {
      await server.ensure(['shop.example.org'], { retry: true })
      move(60_000)
    }
    expect(ca.orders).toHaveLength(5)
    expect((await server.ensure(['shop.example.org'])).failure).toMatchObject({ code: 'quota', detail: 'failures' })
  })

  it('makes the same certificate at most five times a week, even if it is forgotten each time', async () => {
    const server = startServer()
    for (let time = 0; time < 8; time++) {
      await server.ensure(WILDCARD)
      await server.forget(WILDCARD)
      move(HOUR_MS)
    }
    expect(ca.issued).toHaveLength(5)
  })

  it('makes at most 300 orders in three hours', { tags: ['long'], timeout: 300_000 }, async () => {
    const server = startServer()
    const sets = Array.from({ length: 310 }, (_, index) => [`www.example-${index}.org`])
    await ensureAll(server, sets)
    expect(ca.issued).toHaveLength(300)
    move(3 * HOUR_MS + 10 * 60_000)
    await ensureAll(server, sets)
    expect(ca.issued).toHaveLength(310)
  })
})
