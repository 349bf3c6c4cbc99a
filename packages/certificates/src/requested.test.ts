import { createClock, createLogger } from '@tidenet/daemon'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createChallenges } from './challenges.ts'
import { PUBLIC_CA_QUOTAS } from './quotas.ts'
import { type Renewal, renewAtOf } from './renewal.ts'
import { createRequestedCertificates, type OrderedCertificate, type RequestedOrder } from './requested.ts'
import { isForKey, isRequestFor } from './requests.ts'
import { type CertificateStore, createMemoryStore } from './store.ts'
import { startTestCa, type TestCa } from './test-ca.fixture.ts'
import { createRequest } from './test-certificates.fixture.ts'

const ZONE = 'nodes.example.net'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const log = createLogger('test', 'silent')

let clock: ReturnType<typeof createClock>
let ca: TestCa
let second: TestCa
let store: CertificateStore

beforeEach(async () => {
  clock = createClock()
  ca = await startTestCa(clock, { days: 45 })
  second = await startTestCa(clock, { days: 45 })
  store = createMemoryStore()
  for (const each of [ca, second])
    each.validate = async (_, name) =>
      (await createChallenges(store, clock, { cacheMs: 0 }).texts(`_acme-challenge.${name}`)).length > 0
})
afterEach(async () => {
  for (const each of [ca, second]) {
    await each.close()
    expect(each.violations).toEqual([])
  }
})

/** All names of the zone share the quotas, so there is no share of one customer. */
const quotas = { ...PUBLIC_CA_QUOTAS, share: PUBLIC_CA_QUOTAS.orders }
const start = (directories = [ca.directory]) =>
  createRequestedCertificates({
    authorities: directories.map((directory) => ({ directory })),
    store,
    challenges: createChallenges(store, clock, { cacheMs: 0 }),
    zones: [ZONE],
    quotas,
    clock,
    log,
  })
const move = (ms: number) => clock.move(clock.now() - Date.now() + ms)
const nameOf = (index: number) => `*.d${index}.${ZONE}`

/** A device that keeps its key. */
async function device(index = 0) {
  const name = nameOf(index)
  const request = await createRequest(name)
  const own = {
    name,
    ...request,
    certificate: undefined as OrderedCertificate | undefined,
    renewal: undefined as Renewal | undefined,
    async order(from: ReturnType<typeof start>) {
      const wanted: RequestedOrder = {
        name,
        csr: own.csr,
        ...(own.certificate && { replaces: { ...own.certificate, renewal: own.renewal } }),
      }
      return from.order(wanted, async (issued) => {
        own.certificate = issued
      })
    },
  }
  return own
}

/** Eight at a time, as a server does. */
async function orderAll(devices: readonly Awaited<ReturnType<typeof device>>[], from: ReturnType<typeof start>) {
  const next = devices.values()
  const states: Awaited<ReturnType<(typeof devices)[number]['order']>>[] = []
  const lane = async () => {
    for (const each of next) states.push(await each.order(from))
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  return states
}
const devicesUntil = (count: number) => Promise.all(Array.from({ length: count }, (_, index) => device(index)))

describe('a requested certificate', () => {
  it('is for the key and the name of the request; the key is with whoever made it', async () => {
    const own = await device()
    expect(await own.order(start())).toEqual({ state: 'issued' })
    expect(own.certificate).toMatchObject({ names: [own.name], directory: ca.directory })
    expect(isForKey(own.certificate?.cert ?? '', own.spki)).toBe(true)
    const values = await Promise.all((await store.keys('order/')).map((key) => store.read(key)))
    expect(values).toEqual([])
    expect(await isRequestFor(own.csr, own.name)).toBe(true)
    expect(await isRequestFor(own.csr, nameOf(1))).toBe(false)
  })

  it('is ordered once, however many servers have the request', async () => {
    const own = await device()
    const servers = [start(), start(), start()]
    const states = await Promise.all(servers.map((server) => own.order(server)))
    expect(states.map(({ state }) => state).sort()).toEqual(['busy', 'busy', 'issued'])
    expect(ca.orders).toHaveLength(1)
  })

  it('is fetched again if it could not be kept', async () => {
    const own = await device()
    const wanted = { name: own.name, csr: own.csr }
    const full = start().order(wanted, () => Promise.reject(new Error('the disk is full')))
    await expect(full).rejects.toThrow('full')
    expect(await own.order(start())).toEqual({ state: 'issued' })
    expect(ca.orders).toHaveLength(1)
  })

  it('is never that of an earlier request with another key', async () => {
    const [before, own] = [await device(), await device()]
    ca.isDown = true
    await before.order(start())
    ca.isDown = false
    const dying = start()
    ca.onValidation = async () => dying.stop()
    expect(await before.order(dying)).toMatchObject({ state: 'failed' })
    move(HOUR_MS)
    expect(await before.order(dying)).toEqual({ state: 'busy' })
    ca.onValidation = async () => {}
    move(3 * 60_000)
    expect(await own.order(start())).toEqual({ state: 'issued' })
    expect(isForKey(own.certificate?.cert ?? '', own.spki)).toBe(true)
    expect(isForKey(own.certificate?.cert ?? '', before.spki)).toBe(false)
  })
})

describe('a second CA', () => {
  const start2 = () => start([ca.directory, second.directory])

  it('issues while the first is away, and not before', async () => {
    const [one, other] = [await device(1), await device(2)]
    expect(await one.order(start2())).toEqual({ state: 'issued' })
    expect(second.requests).toBe(0)
    ca.isDown = true
    expect(await other.order(start2())).toEqual({ state: 'issued' })
    expect(other.certificate?.directory).toBe(second.directory)
  })

  it('issues beyond the quota of the first', async () => {
    const both = start2()
    await orderAll(await devicesUntil(55), both)
    expect([ca.issued.length, second.issued.length]).toEqual([50, 5])
  })

  it('is not asked for a renewal that has time, but for one that does not', async () => {
    const own = await device()
    await own.order(start2())
    move(30 * DAY_MS)
    ca.isDown = true
    expect(await own.order(start2())).toMatchObject({ state: 'failed', failure: { code: expect.any(String) } })
    expect(second.requests).toBe(0)
    move(9 * DAY_MS)
    expect(await own.order(start2())).toEqual({ state: 'issued' })
    expect(own.certificate?.directory).toBe(second.directory)
  })

  it('does not try what the first found wrong with the name or the request', async () => {
    ca.failing.add(nameOf(0).slice(2))
    const own = await device()
    expect(await own.order(start2())).toMatchObject({
      state: 'failed',
      failure: { code: 'unauthorized', tries: 1 },
      isForAll: false,
    })
    expect(second.requests).toBe(0)
  })
})

describe('the quotas of a public CA', () => {
  it('let 50 devices in a week in; the others wait for all, and are told until when', async () => {
    const server = start()
    const devices = await devicesUntil(60)
    const outcomes = await orderAll(devices, server)
    expect(ca.issued).toHaveLength(50)
    const waiting = outcomes.filter(({ state }) => state === 'failed')
    expect(waiting).toHaveLength(10)
    for (const each of waiting)
      expect(each).toMatchObject({ isForAll: true, failure: { code: 'quota', detail: 'perDomain' } })
    move(7 * DAY_MS + HOUR_MS)
    await orderAll(
      devices.filter(({ certificate }) => !certificate),
      server,
    )
    expect(ca.issued).toHaveLength(60)
  })

  it('do not count renewals in the time that the CA suggested, however many there are at once', async () => {
    const server = start()
    const devices = await devicesUntil(80)
    for (let week = 0; week < 2; week++) {
      await orderAll(
        devices.filter(({ certificate }) => !certificate),
        server,
      )
      move(7 * DAY_MS + HOUR_MS)
    }
    expect(ca.issued).toHaveLength(80)
    ca.suggests = { start: clock.now(), end: clock.now() + 2 * DAY_MS }
    for (const each of devices) {
      const { certificate } = each
      if (certificate) each.renewal = await server.suggest(certificate, undefined)
    }
    move(2 * DAY_MS - HOUR_MS)
    await orderAll(devices, server)
    expect(ca.issued.filter(({ isExempt }) => isExempt)).toHaveLength(80)
  })

  it('count renewals before and after that time, which wait like first orders', async () => {
    const server = start()
    const devices = await devicesUntil(30)
    await orderAll(devices, server)
    ca.suggests = { start: clock.now() + HOUR_MS, end: clock.now() + 2 * HOUR_MS }
    for (const each of devices) if (each.certificate) each.renewal = await server.suggest(each.certificate, undefined)
    move(3 * HOUR_MS)
    const outcomes = await orderAll(devices, server)
    expect(outcomes.filter(({ state }) => state === 'issued')).toHaveLength(20)
    expect(ca.issued.filter(({ isExempt }) => isExempt)).toEqual([])
  })

  it('hold when a device asks for new keys again and again', async () => {
    const server = start()
    let issued = 0
    for (let turn = 0; turn < 12; turn++) if ((await (await device(0)).order(server)).state === 'issued') issued++
    expect(issued).toBe(PUBLIC_CA_QUOTAS.duplicates.most)
    const other = await device(1)
    expect(await other.order(server)).toEqual({ state: 'issued' })
  })
})

it('is renewed after two thirds of its life, or when the CA says', () => {
  const [notBefore, notAfter] = [0, 45 * DAY_MS]
  expect(renewAtOf({ notBefore, notAfter }, undefined)).toBe(30 * DAY_MS)
  expect(renewAtOf({ notBefore, notAfter }, { checkAt: 0, at: 20 * DAY_MS })).toBe(20 * DAY_MS)
  expect(renewAtOf({ notBefore, notAfter }, { checkAt: 0, at: 90 * DAY_MS })).toBeLessThan(notAfter)
})
