import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '../../apps/server/src/platform/ago.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { startKubo, type TestKubo } from '../../apps/server/src/storage/third-party/kubo.fixture.ts'
import {
  startPinningService,
  type TestPinningService,
} from '../../apps/server/src/storage/third-party/pinning-service.fixture.ts'
import { startNode, tasksOf } from '../../apps/server/src/storage/third-party/third-party.fixture.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

// What leaves, or stays elsewhere, against the will of its owner; providers that go away; and accounts that keep others waiting.

let env: TestEnv
let kubo: TestKubo
let service: TestPinningService
let node: Awaited<ReturnType<typeof startNode>>
let tasks: ReturnType<typeof tasksOf>
let owner: Person
type Providers = TestEnv['context']['config']['thirdParty']['providers']
let providers: Providers
const configure = (list: Providers) => Object.assign(env.context.config.thirdParty, { providers: list })
beforeAll(async () => {
  kubo = await startKubo()
  service = await startPinningService({ readBlock: async (cid) => kubo.blocks.get(cid) })
  providers = [
    { kind: 'kubo', name: 'kubo', url: kubo.url, token: '' },
    { kind: 'pinning', name: 'service', url: service.url, token: '', gateway: service.url, origins: [] },
  ]
  env = await setup({ thirdParty: { hours: 1, providers } })
  node = await startNode(env)
  tasks = tasksOf(env)
})
afterAll(async () => {
  await node?.close()
  await Promise.all([kubo?.close(), service?.close()])
  await env?.close()
})
beforeEach(async () => {
  configure(providers)
  node.faults.onPart = async () => {}
  Object.assign(kubo.faults, { down: false, onImport: async () => {} })
  Object.assign(service.faults, { status: 0, losesAnswer: false, stuck: false, keeps: false })
  await env.db.run(sql`delete from third_party_replicas`)
  await env.db.run(sql`delete from third_party_contents`)
  await env.db.run(sql`delete from third_party_providers`)
  await env.db.run(sql`delete from third_party_turns`)
  await env.db.run(sql`delete from assets`)
  await env.db.run(sql`update third_party_scan set newest = 0, sweep = 0`)
  owner = await env.person({ vip: true })
})

const file = (size = 300_000, of = owner) => node.file(of, randomBytes(size))
const at = async (cid: string, provider: string, of = owner) =>
  (await tasks.replicasOf(of, cid)).list.find(({ kind }) => kind === provider)
const stored = (cid: string, provider = 'kubo') =>
  tasks.until(async () => (await at(cid, provider))?.state === 'stored')
const withdraw = async () => env.call('thirdParty.choose', { choice: 'off' }, await tasks.fresh(owner))
const pinsOf = (cid: string) => [...service.pins.values()].filter(({ pin }) => pin.cid === cid)
const rowsOf = (cid: string) => env.db.rows(sql`select 1 from third_party_replicas where cid = ${cid}`)

describe('after an owner has withdrawn the agreement, or deleted the file', () => {
  it('nothing is sent any more, even before the replicas are planned again', async () => {
    const cid = await file()
    await tasks.plan()
    await withdraw()
    await tasks.work()
    expect(kubo.blocks.has(cid)).toBe(false)
    await tasks.until(async () => (await rowsOf(cid)).length === 0)
  })

  it('a content that is being sent is not sent to its end', async () => {
    const cid = await file(9_000_000)
    const { blocks } = kubo
    let withdrawn = false
    node.faults.onPart = async (sent) => {
      if (sent < 1_000_000 || withdrawn) return
      withdrawn = true
      await withdraw()
    }
    await tasks.plan()
    await tasks.work()
    expect(withdrawn).toBe(true)
    expect(kubo.pins.has(cid)).toBe(false)
    expect(blocks.has(cid)).toBe(false)
    await tasks.until(async () => (await rowsOf(cid)).length === 0)
  })

  it('every change of the choice is in the audit log, and what changes nothing is not', async () => {
    for (const choice of ['off', 'off', 'encrypted'] as const)
      await env.call('thirdParty.choose', { choice }, await tasks.fresh(owner))
    const entries = await env.db.rows(
      sql`select action, subject, detail from audit_log where actor = ${owner.uid} and action = 'thirdParty.choose' order by id`,
    )
    const entry = { action: 'thirdParty.choose', subject: `user:${owner.uid}` }
    expect(entries).toEqual([
      { ...entry, detail: { from: 'encrypted', to: 'off' } },
      { ...entry, detail: { from: 'off', to: 'encrypted' } },
    ])
  })

  it('a pin is removed whose order was never answered', async () => {
    const cid = await file()
    await stored(cid)
    service.faults.losesAnswer = true
    await tasks.until(async () => pinsOf(cid).length > 0)
    await withdraw()
    await tasks.recheck(owner)
    await tasks.until(async () => (await rowsOf(cid)).length === 0)
    expect(pinsOf(cid)).toEqual([])
  })

  it.each([
    ['only answers “not found” to everything', { status: 404 }],
    ['says that it removed a pin and still lists it', { keeps: true }],
  ])('a service that %s is asked again', async (_, faults) => {
    const cid = await file()
    await stored(cid, 'pinning')
    Object.assign(service.faults, faults)
    await withdraw()
    await tasks.recheck(owner)
    for (let run = 0; run < 10; run++) {
      await tasks.run()
      env.pass(120_000)
    }
    expect(await at(cid, 'pinning')).toMatchObject({ state: 'removing' })
    Object.assign(service.faults, { status: 0, keeps: false })
    await tasks.until(async () => pinsOf(cid).length === 0 && (await rowsOf(cid)).length === 0)
  })
})

describe('a provider that is taken out of the settings', () => {
  it('keeps what must be removed on the list, and is asked as soon as it is back', async () => {
    const cid = await file()
    await stored(cid)
    await withdraw()
    await tasks.recheck(owner)
    configure([])
    await tasks.run()
    env.pass(60_000)
    await tasks.run()
    const operator = await env.person({ role: 'operator' })
    const { list, failures } = (await env.call('admin.thirdParties', {}, operator)).data
    expect(list.find(({ name }) => name === 'kubo')).toMatchObject({ configured: false, removing: 1 })
    expect(failures).toContainEqual(expect.objectContaining({ cid, provider: 'kubo', reason: 'unconfigured' }))
    expect(kubo.pins.has(cid)).toBe(true)
    configure(providers)
    await tasks.work()
    expect(kubo.pins.has(cid)).toBe(false)
  })

  it('is not replaced by another kind of provider of the same name', async () => {
    const cid = await file()
    await stored(cid)
    configure([{ kind: 'simulation', name: 'kubo' }])
    await tasks.until(async () => (await at(cid, 'kubo'))?.late?.reason === 'unconfigured', DAY)
  })
})

describe('a provider that does not answer for a week', () => {
  it('no longer counts, and is not sent again what it still has', async () => {
    const cid = await file()
    await stored(cid)
    const { imports } = kubo.calls
    kubo.faults.down = true
    await tasks.until(async () => (await at(cid, 'kubo'))?.state === 'failed', DAY)
    expect((await at(cid, 'kubo'))?.late).toMatchObject({ reason: 'unreachable' })
    kubo.faults.down = false
    await stored(cid)
    expect(kubo.calls.imports).toBe(imports)
  })
})

describe('an account with very many or very large files', () => {
  it('is served in turn with others: a file that comes later does not wait for all of them', async () => {
    const flood = await Promise.all(Array.from({ length: 60 }, () => file(500)))
    await tasks.plan()
    env.pass(1000)
    const other = await env.person({ vip: true })
    const cid = await file(500, other)
    await tasks.until(async () => kubo.pins.has(cid))
    const order = [...kubo.pins].filter((pin) => pin === cid || flood.includes(pin))
    expect(order.indexOf(cid)).toBeLessThan(10)
  })

  it('does not keep small files waiting while a large one is sent', async () => {
    const large = await file()
    await tasks.plan()
    await env.db.run(sql`update third_party_replicas set size = 100000000000 where cid = ${large}`)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    kubo.faults.onImport = (cid) => (cid === large ? released : Promise.resolve())
    const working = tasks.work()
    const small = await file(500)
    await tasks.plan()
    await expect.poll(() => kubo.pins.has(small), { timeout: 20_000 }).toBe(true)
    expect(kubo.pins.has(large)).toBe(false)
    release()
    await working
    expect(kubo.pins.has(large)).toBe(true)
  })

  it('that changes its choice again and again has its files planned for the last change only', async () => {
    const cid = await file()
    await stored(cid)
    await withdraw()
    const changed = async () =>
      (
        await env.db.one<{ at: Date }>(
          sql`select changed_at as at from third_party_choices where user_id = ${owner.id}`,
        )
      ).at.toISOString()
    const first = await changed()
    env.pass(1000)
    await env.call('thirdParty.choose', { choice: 'all' }, await tasks.fresh(owner))
    const due = () =>
      env.db.rows(sql`select 1 from third_party_contents where check_at <= ${new Date(env.clock.now())}`)
    await tasks.recheck(owner, first)
    expect(await due()).toEqual([])
    await tasks.recheck(owner, await changed())
    expect(await due()).toHaveLength(1)
  })
})

describe('refused', () => {
  it('choices that do not exist, choices by API keys, and lists for anything but a CID', async () => {
    const cid = await file()
    const person = await tasks.fresh(owner)
    expect((await env.call('thirdParty.choose', { choice: 'everything' as 'all' }, person)).code).not.toBe(0)
    const token = await env.key(owner, ['readFile'])
    expect((await env.call('thirdParty.choose', { choice: 'all' }, { token })).code).not.toBe(0)
    expect((await env.call('thirdParty.choose', { choice: 'all' })).code).toBe(401)
    expect((await env.call('thirdParty.list', { cid: 'b'.repeat(100_000) }, person)).code).not.toBe(0)
    expect((await env.call('thirdParty.list', { cid, ticket: 'x'.repeat(100_000) }, person)).code).not.toBe(0)
    expect((await env.call('admin.thirdParties', {}, person)).code).not.toBe(0)
  })
})
