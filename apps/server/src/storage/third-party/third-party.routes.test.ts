import { randomBytes } from 'node:crypto'
import { THIRD_PARTY_COPIES, THIRD_PARTY_DAYS } from '@tidenet/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '../../platform/ago.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { readThirdPartyConfig } from './config.ts'
import { startKubo, type TestKubo } from './kubo.fixture.ts'
import { placesFor } from './plan.ts'
import { providersOf } from './providers.ts'
import { startNode, tasksOf } from './third-party.fixture.ts'

let env: TestEnv
let kubo: TestKubo
let node: Awaited<ReturnType<typeof startNode>>
let tasks: ReturnType<typeof tasksOf>
let owner: Person
beforeAll(async () => {
  kubo = await startKubo()
  env = await setup({
    thirdParty: {
      hours: 48,
      providers: [
        { kind: 'kubo', name: 'kubo', url: kubo.url, token: '' },
        { kind: 'simulation', name: 'simulation' },
      ],
    },
  })
  node = await startNode(env)
  tasks = tasksOf(env)
})
afterAll(async () => {
  await node?.close()
  await kubo?.close()
  await env?.close()
})
beforeEach(async () => {
  node.faults.damaged = false
  Object.assign(kubo.faults, { down: false, wrongBlocks: false, noBlocks: false })
  await env.db.run(sql`delete from third_party_replicas`)
  await env.db.run(sql`delete from third_party_contents`)
  await env.db.run(sql`delete from third_party_providers`)
  await env.db.run(sql`delete from assets`)
  await env.db.run(sql`update third_party_scan set newest = 0, sweep = 0`)
  owner = await env.person({ vip: true })
})

const file = (more: Parameters<typeof node.file>[2] = {}, size = 600_000) => node.file(owner, randomBytes(size), more)
const list = (cid: string, person = owner) => tasks.replicasOf(person, cid)
const real = async (cid: string) => (await list(cid)).list.find(({ simulated }) => !simulated)
const stored = (cid: string) => tasks.until(async () => (await real(cid))?.state === 'stored')
const choose = async (choice: 'off' | 'encrypted' | 'all', person = owner) => {
  await env.call('thirdParty.choose', { choice }, await tasks.fresh(person))
  await tasks.recheck(person)
}
const overviewOf = async (cid: string, person = owner) => {
  const { data } = await env.call('assets.list', { group_id: 0 }, await tasks.fresh(person))
  return data.list.find(({ AssetRecord }) => AssetRecord.CID === cid)
}
const noReplicas = { total: 0, stored: 0, in_progress: 0, simulated: 0, list: [] }

describe('third-party replicas of an account with a VIP plan', () => {
  it('are sent to the provider, read back, and listed with provider, deal, dates and check', async () => {
    const cid = await file()
    await stored(cid)
    expect(kubo.pins.has(cid)).toBe(true)
    const replica = await real(cid)
    expect(replica).toMatchObject({ provider: 'kubo', kind: 'kubo', simulated: false, payload_cid: cid, late: null })
    expect(replica?.checked_at).not.toBeNull()
    const days = (Date.parse(replica?.end_time ?? '') - Date.parse(replica?.start_time ?? '')) / DAY
    expect(days).toBeGreaterThanOrEqual(THIRD_PARTY_DAYS.min)
    expect(days).toBeLessThanOrEqual(THIRD_PARTY_DAYS.max)
  })

  it('are filled up with simulated ones, which say so and take about 48 hours', async () => {
    const cid = await file()
    await stored(cid)
    const first = await list(cid)
    expect(first).toMatchObject({ total: THIRD_PARTY_COPIES.vip, wanted: THIRD_PARTY_COPIES.vip, simulated: 0 })
    for (const replica of first.list.filter(({ kind }) => kind === 'simulation'))
      expect(replica).toMatchObject({ simulated: true, checked_at: null, expected_at: expect.any(String) })
    const began = env.clock.now()
    const count = THIRD_PARTY_COPIES.vip
    await tasks.until(async () => (await list(cid)).stored === count, 3_600_000)
    const hours = (env.clock.now() - began) / 3_600_000
    expect(hours).toBeGreaterThan(30)
    expect(hours).toBeLessThan(80)
    expect(await list(cid)).toMatchObject({ stored: count, simulated: count - 1, in_progress: 0 })
    for (const { end_time, start_time, simulated, deal_id } of (await list(cid)).list) {
      const days = Math.round((Date.parse(end_time ?? '') - Date.parse(start_time ?? '')) / DAY)
      expect(days).toBeGreaterThanOrEqual(THIRD_PARTY_DAYS.min - 1)
      expect(days).toBeLessThanOrEqual(THIRD_PARTY_DAYS.max)
      if (simulated) expect(deal_id).not.toBe('')
    }
  })

  it('are counted in lists of files and in details, with the simulated ones named', async () => {
    const cid = await file()
    await stored(cid)
    const AssetOverview = await overviewOf(cid)
    expect(AssetOverview).toMatchObject({ FilcoinCount: 1, third_party: { stored: 1, simulated: 0 } })
    expect((await env.call('assets.detail', { cid }, await tasks.fresh(owner))).data).toMatchObject({
      fileCoin_count: 1,
    })
  })

  it('are ten for an enterprise account', async () => {
    owner = await env.person({ vip: true, role: 'enterprise' })
    const cid = await file()
    await tasks.run()
    expect(await list(cid)).toMatchObject({ total: THIRD_PARTY_COPIES.enterprise })
  })

  it('are removed at the provider when the file is deleted for good', async () => {
    const cid = await file()
    await stored(cid)
    await env.call('assets.remove', { asset_cid: cid, trash: false }, await tasks.fresh(owner))
    await tasks.until(async () => !kubo.pins.has(cid))
    await tasks.run()
    const left = await env.db.rows(sql`select 1 from third_party_replicas where cid = ${cid}`)
    expect(left).toEqual([])
  })

  it('stay while the file is in the trash', async () => {
    const cid = await file()
    await stored(cid)
    await env.call('trash.put', { assets: [cid] }, await tasks.fresh(owner))
    env.pass(7 * 3_600_000)
    await tasks.run()
    expect(kubo.pins.has(cid)).toBe(true)
  })
})

describe('what may be copied to third parties', () => {
  it('are encrypted files only, until the account agrees to all', async () => {
    const cid = await file({ encrypted: false })
    await tasks.run()
    expect(await list(cid)).toMatchObject({ ...noReplicas, excluded: 'noAgreement' })
    expect(kubo.blocks.has(cid)).toBe(false)
    await choose('all')
    await stored(cid)
    expect((await env.call('thirdParty.choice', {}, await tasks.fresh(owner))).data).toEqual({
      choice: 'all',
      copies: THIRD_PARTY_COPIES.vip,
      providers: 'real',
    })
  })

  it('ends when the account no longer agrees: replicas are removed, those not sent at once', async () => {
    const cid = await file()
    await stored(cid)
    await choose('off')
    await tasks.run()
    expect(kubo.pins.has(cid)).toBe(false)
    expect(await list(cid)).toMatchObject({ ...noReplicas, excluded: 'noAgreement' })
  })

  it('does not include files that are limited to areas, because providers do not say where they store', async () => {
    const cid = await file({ areas: ['Germany'] })
    await tasks.run()
    expect(await list(cid)).toMatchObject({ ...noReplicas, excluded: 'areas' })
    expect(kubo.blocks.has(cid)).toBe(false)
  })

  it('does not include contents that the account has not proved to possess, and shows nothing of replicas of others', async () => {
    const cid = await file()
    await stored(cid)
    const other = await env.person({ vip: true })
    const at = new Date(env.clock.now())
    await env.db.run(sql`
      insert into assets (user_id, folder_id, cid, kind, name, size, encrypted, areas, restricted_to, created_at, expires_at)
      select ${other.id}, 0, cid, kind, name, size, true, '{}', ${['e_1']}, ${at}, expires_at from assets where cid = ${cid}`)
    expect(await list(cid, other)).toMatchObject({ ...noReplicas, excluded: 'unconfirmed' })
  })

  it('does not include files of free plans', async () => {
    owner = await env.person()
    const cid = await file()
    await choose('all')
    await tasks.run()
    expect(await list(cid)).toMatchObject({ ...noReplicas, excluded: 'plan' })
    expect(kubo.blocks.has(cid)).toBe(false)
  })

  it('is noticed when the plan changes, without any call', async () => {
    owner = await env.person()
    const cid = await file()
    await tasks.run()
    await env.db.run(sql`update users set vip = true where id = ${owner.id}`)
    await stored(cid)
  })

  it('shows an account that did not agree nothing about replicas that others agreed to', async () => {
    const cid = await file()
    await stored(cid)
    const other = await env.person({ vip: true })
    const at = new Date(env.clock.now())
    await env.db.run(sql`
      insert into assets (user_id, folder_id, cid, kind, name, size, encrypted, areas, created_at, expires_at)
      select ${other.id}, 0, cid, kind, name, size, false, '{}', ${at}, expires_at from assets where cid = ${cid}`)
    expect(await list(cid, other)).toMatchObject({ ...noReplicas, excluded: 'noAgreement' })
    const AssetOverview = await overviewOf(cid, other)
    expect(AssetOverview).toMatchObject({ FilcoinCount: 0 })
  })
})

describe('a provider that fails or lies', () => {
  it('leaves replicas late, with the reason and the time by when it is tried', async () => {
    kubo.faults.down = true
    const cid = await file()
    await tasks.until(async () => (await real(cid))?.late !== null)
    const late = (await real(cid))?.late
    expect(late).toMatchObject({ reason: 'unreachable' })
    expect(Date.parse(late?.by ?? '')).toBeGreaterThan(env.clock.now())
    kubo.faults.down = false
    await stored(cid)
    expect((await real(cid))?.late).toBeNull()
  })

  it('is not believed that it stores a content whose blocks it does not give back', async () => {
    kubo.faults.noBlocks = true
    const cid = await file()
    await tasks.until(async () => (await real(cid))?.late?.reason === 'unverified')
    expect((await list(cid)).stored).toBe(0)
    kubo.faults.noBlocks = false
    await stored(cid)
  })

  it('is not believed that it stores a content whose blocks are wrong', async () => {
    kubo.faults.wrongBlocks = true
    const cid = await file()
    await tasks.until(async () => (await real(cid))?.late?.reason === 'unverified')
    expect((await list(cid)).stored).toBe(0)
  })

  it('is sent the content again after it lost it', async () => {
    const cid = await file()
    await stored(cid)
    kubo.pins.delete(cid)
    kubo.blocks.clear()
    await tasks.until(async () => kubo.pins.has(cid), 3 * 3_600_000)
    await stored(cid)
  })

  it('gets nothing from a node that sends wrong bytes', async () => {
    node.faults.damaged = true
    const cid = await file()
    await tasks.until(async () => (await real(cid))?.late?.reason === 'source')
    expect(kubo.blocks.has(cid)).toBe(false)
    node.faults.damaged = false
    await stored(cid)
  })
})

describe('the end of validity', () => {
  const expiresIn = (cid: string, days: number) =>
    env.db.run(sql`
      update third_party_replicas set expires_at = ${new Date(env.clock.now() + days * DAY)}, next_at = ${new Date(env.clock.now())}
      where cid = ${cid}`)

  it('is extended while the plan includes the replica', async () => {
    const cid = await file()
    await stored(cid)
    await expiresIn(cid, 20)
    await tasks.until(async () => ((await real(cid))?.renewals ?? 0) > 0)
    const left = Date.parse((await real(cid))?.end_time ?? '') - env.clock.now()
    expect(left).toBeGreaterThan(THIRD_PARTY_DAYS.min * DAY)
  })

  it('is announced once, seven days before, when the plan no longer includes it; then it is removed', async () => {
    const cid = await file({ name: 'letters.txt' })
    await stored(cid)
    await env.db.run(sql`update users set vip = false where id = ${owner.id}`)
    await expiresIn(cid, 8)
    const mails = () =>
      env.db.rows<{ body: string }>(sql`select body_text as body from mails where recipient = ${owner.email}`)
    await tasks.run()
    expect(await mails()).toEqual([])
    env.pass(1.5 * DAY)
    await tasks.run()
    await tasks.run()
    expect(await mails()).toHaveLength(1)
    expect((await mails())[0]?.body).toContain('letters.txt')
    expect(kubo.pins.has(cid)).toBe(true)
    env.pass(7 * DAY)
    await tasks.until(async () => !kubo.pins.has(cid))
  })
})

describe('a file that no node has', () => {
  it('is fetched back from the provider when somebody downloads it, and can be downloaded again', async () => {
    const cid = await file()
    await stored(cid)
    const bytes = node.files.get(cid)?.bytes
    await node.lose(cid)
    const refused = await env.call('downloads.own', { asset_cid: cid }, await tasks.fresh(owner))
    expect(refused).toMatchObject({ code: -1, err: 10025 })
    await tasks.until(async () => node.files.has(cid))
    expect(node.files.get(cid)?.bytes.equals(bytes as Buffer)).toBe(true)
    const { data } = await env.call('downloads.own', { asset_cid: cid }, await tasks.fresh(owner))
    expect(data.node_ids).toEqual([node.id])
    const proof = await env.db.rows(sql`select 1 from receipts where cid = ${cid} and not spent`)
    expect(proof).toEqual([])
  })

  it('is not stored from wrong blocks', async () => {
    const cid = await file()
    await stored(cid)
    await node.lose(cid)
    kubo.faults.wrongBlocks = true
    await env.call('downloads.own', { asset_cid: cid }, await tasks.fresh(owner))
    for (let run = 0; run < 3; run++) {
      await tasks.run()
      env.pass(60_000)
    }
    expect(node.files.has(cid)).toBe(false)
    kubo.faults.wrongBlocks = false
    await tasks.until(async () => node.files.has(cid))
  })

  it('stays unavailable if only a simulation has it', async () => {
    const cid = await file()
    await tasks.until(async () => (await list(cid)).simulated > 0, 3_600_000)
    await env.db.run(sql`delete from third_party_replicas where cid = ${cid} and adapter <> 'simulation'`)
    await node.lose(cid)
    const answer = await env.call('downloads.own', { asset_cid: cid }, await tasks.fresh(owner))
    expect(answer.msg).not.toBe('')
    expect(
      await env.db.rows(sql`select 1 from third_party_contents where cid = ${cid} and restore_at is not null`),
    ).toEqual([])
  })
})

describe('two servers', () => {
  it('send every replica once', async () => {
    const cids = await Promise.all(Array.from({ length: 6 }, () => file({}, 1000)))
    const before = kubo.calls.imports
    await Promise.all([tasks.run(), tasks.run(), tasks.run()])
    for (const cid of cids) await stored(cid)
    expect(kubo.calls.imports - before).toBe(cids.length)
  })
})

describe('settings', () => {
  const read = (list: string, environment: 'development' | 'production' = 'production') =>
    readThirdPartyConfig({ TIDENET_THIRD_PARTY: list }, environment)

  it('have no provider in production and a fast simulation in development', () => {
    expect(read('').providers).toEqual([])
    const { providers, hours } = read('', 'development')
    expect(providers).toEqual([{ kind: 'simulation', name: 'simulation' }])
    expect(hours).toBeLessThan(1)
  })

  it.each([
    'x',
    '{}',
    '[{"kind":"ftp","name":"a"}]',
    '[{"kind":"kubo","name":"a"}]',
    '[{"kind":"kubo","name":"a","url":"file:///etc/passwd"}]',
    '[{"kind":"kubo","name":"a b","url":"http://127.0.0.1:5001"}]',
    '[{"kind":"pinning","name":"a","url":"https://api.example.org"}]',
    '[{"kind":"simulation"},{"kind":"simulation"}]',
  ])('refuse %s', (list) => {
    expect(() => read(list)).toThrow()
  })

  it('spread contents over providers, and never ask for more replicas than the plan has', () => {
    const providers = providersOf({
      clock: env.clock,
      config: {
        ...env.context.config,
        thirdParty: {
          hours: 1,
          providers: Array.from({ length: 8 }, (_, index) => ({
            kind: 'kubo' as const,
            name: `k${index}`,
            url: 'http://127.0.0.1:1',
            token: '',
          })),
        },
      },
    })
    const used = new Set<string>()
    for (let each = 0; each < 100; each++) {
      const places = placesFor(randomBytes(8).toString('hex'), providers, 5)
      expect(new Set(places.map(({ provider }) => provider.name)).size).toBe(5)
      for (const { provider } of places) used.add(provider.name)
    }
    expect(used.size).toBe(8)
  })
})

describe('who is refused', () => {
  it('gets an empty list: strangers, visitors, and for unknown files', async () => {
    const cid = await file()
    await stored(cid)
    const stranger = await env.person({ vip: true })
    for (const as of [await tasks.fresh(stranger), {}]) {
      expect((await env.call('thirdParty.list', { cid, user_id: owner.uid }, as)).data).toMatchObject(noReplicas)
      expect((await env.call('thirdParty.list', { cid }, as)).data).toMatchObject(noReplicas)
    }
  })

  it('cannot change the choice with an API key, without a session, or to something else', async () => {
    const key = await env.key(owner, 'admin')
    expect((await env.call('thirdParty.choose', { choice: 'all' }, { token: key })).code).not.toBe(0)
    expect((await env.call('thirdParty.choose', { choice: 'all' }, {})).code).toBe(401)
    expect(
      (await env.call('thirdParty.choose', { choice: 'everything' as 'all' }, await tasks.fresh(owner))).code,
    ).toBe(-1)
    expect((await env.call('thirdParty.choice', {}, await tasks.fresh(owner))).data.choice).toBe('encrypted')
  })

  it('cannot see providers without being an operator', async () => {
    expect((await env.call('admin.thirdParties', {}, await tasks.fresh(owner))).code).not.toBe(0)
    const operator = await env.person({ role: 'operator' })
    const { data } = await env.call('admin.thirdParties', {}, await tasks.fresh(operator))
    expect(data.list.map(({ name, simulated }) => [name, simulated])).toEqual([
      ['kubo', false],
      ['simulation', true],
    ])
  })
})
