import { randomBytes, randomUUID } from 'node:crypto'
import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import { place } from '../../identity/wallets/sample-wallets.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import { finishJobs } from '../../platform/jobs/jobs.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { clustersOf } from '../clusters/clusters.ts'
import { sampleDriver } from '../clusters/sample-driver.fixture.ts'
import { GB } from '../clusters/sizes.ts'
import { makeRoom, sampleTenant, type Tenant } from '../workspaces/sample-tenant.fixture.ts'
import { settleWorkload } from '../workspaces/settle.ts'
import { sampleDue } from '../workspaces/watch.ts'
import { remove, suspend } from '../workspaces/workspaces.ts'

let world: TestEnv
const sample = sampleDriver({ cpu: 1000, memory: 1000 * GB, storage: 100_000 * GB })
beforeAll(async () => {
  world = await setup()
  world.context.clusters = clustersOf([{ driver: sample.driver, regions: ['distributed', 'centralized'] }])
})
afterAll(() => world.close())

const tenant = () => sampleTenant(world)
const enter = (account: string, password: string, from = place()) =>
  world.call('clusters.enter', { account, password }, from)
const show = async ({ token }: Tenant) => (await world.call('clusters.workspaces', {}, { token })).data
const small = { cpu: 0.5, memory: 512, storage: 5 }

const shrink = (one: Tenant) => makeRoom(world, one)

async function deploy(one: Tenant, more: Record<string, unknown> = {}) {
  const name = `w${randomBytes(4).toString('hex')}`
  const answer = await world.call('clusters.deploy', { workspace: one.space, name, ...small, ...more }, one)
  if (answer.code === 0) await settleWorkload(world.context, answer.data.id)
  return answer
}

describe('the console is entered', () => {
  it('by account and password, as the portal shows them', async () => {
    const one = await tenant()
    expect(one.password).toMatch(/^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?=.*[@()[{}\]:]).{12}$/)
    const { account, list } = await show(one)
    expect(account).toBe(one.account)
    expect(list.map(({ id }) => id)).toEqual([one.space])
    const again = await world.call('clusters.account', {}, { token: one.person.token })
    expect(again.data.kub_pwd).toBe(one.password)
  })

  it('by a ticket, once, within a minute', async () => {
    const one = await tenant()
    const { data } = await world.call('clusters.ticket', {}, { token: one.person.token })
    expect(data.url.startsWith('http://portal.test/console/login?account=')).toBe(true)
    expect((await enter(data.account, data.ticket)).code).toBe(0)
    expect((await enter(data.account, data.ticket)).code).toBe(401)
    const late = await world.call('clusters.ticket', {}, { token: one.person.token })
    world.pass(61_000)
    expect((await enter(late.data.account, late.data.ticket)).code).toBe(401)
  })

  it('of fifty who show a ticket at once, by one', async () => {
    const one = await tenant()
    const { data } = await world.call('clusters.ticket', {}, { token: one.person.token })
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(data.account, data.ticket)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  })

  it('another password ends what the old one opened', async () => {
    const one = await tenant()
    const { data } = await world.call('clusters.ticket', {}, { token: one.person.token })
    const reset = await world.call('clusters.resetPassword', {}, { token: one.person.token })
    expect(reset.data.kub_pwd).not.toBe(one.password)
    expect((await world.call('clusters.workspaces', {}, one)).code).toBe(401)
    expect((await enter(one.account, one.password)).code).toBe(401)
    expect((await enter(data.account, data.ticket)).code).toBe(401)
    expect((await enter(one.account, reset.data.kub_pwd)).code).toBe(0)
  })

  it('and left', async () => {
    const one = await tenant()
    await world.call('clusters.leave', {}, one)
    expect((await world.call('clusters.workspaces', {}, one)).code).toBe(401)
  })

  it('the password lies in the database sealed', async () => {
    const one = await tenant()
    const { password } = await world.db.one<{ password: Buffer }>(sql`
      select password from console_accounts where user_id = ${one.person.id}`)
    expect(password.includes(one.password)).toBe(false)
  })

  it('its address is known to anybody, by region', async () => {
    expect((await world.call('clusters.kubUrl', { kub_name: 'centralized' })).data.url).toBe(
      'http://portal.test/console',
    )
    expect((await world.call('clusters.kubUrl', { kub_name: 'elsewhere' })).err).toBe(errors.clusterUnknown.err)
  })

  describe('not', () => {
    it('without a wallet', async () => {
      const { token } = await world.person()
      for (const name of ['clusters.account', 'clusters.resetPassword', 'clusters.ticket'] as const)
        expect((await world.call(name, {}, { token })).err).toBe(errors.walletRequired.err)
    })

    it('by the ticket or password of another account', async () => {
      const [one, other] = [await tenant(), await tenant()]
      const { data } = await world.call('clusters.ticket', {}, { token: one.person.token })
      expect((await enter(other.account, data.ticket)).code).toBe(401)
      expect((await enter(other.account, one.password)).code).toBe(401)
    })

    it('by guessing', async () => {
      const [one, guesser] = [await tenant(), place()]
      for (let guess = 0; guess < 5; guess++) await enter(one.account, `Guess${guess}@aaaaa`, guesser)
      expect((await enter(one.account, one.password, guesser)).code).toBe(401)
      // Somebody else's guesses keep nobody out.
      expect((await enter(one.account, one.password)).code).toBe(0)
      world.pass(120_000)
      expect((await enter(one.account, one.password, guesser)).code).toBe(0)
    })

    it('by who is locked, nor goes on being', async () => {
      const one = await tenant()
      await world.db.run(sql`update users set locked_at = ${new Date(world.clock.now())} where id = ${one.person.id}`)
      expect((await world.call('clusters.workspaces', {}, one)).code).toBe(401)
      expect((await enter(one.account, one.password)).code).toBe(401)
    })

    it("by a session of the portal, nor the portal by the console's", async () => {
      const one = await tenant()
      expect((await world.call('clusters.workspaces', {}, { token: one.person.token })).code).toBe(401)
      expect((await world.call('clusters.account', {}, { token: one.token })).code).toBe(401)
    })

    it('twelve hours later', async () => {
      const one = await tenant()
      world.pass(13 * 3_600_000)
      expect((await world.call('clusters.workspaces', {}, one)).code).toBe(401)
    })
  })
})

describe('a workload', () => {
  it('runs beside the machine, within what was bought', async () => {
    const one = await tenant()
    await shrink(one)
    const { data } = await deploy(one, { name: 'web', image: 'nginx:1.29', ports: [80], env: { SECRET: 'value' } })
    const [space] = (await show(one)).list
    const web = space?.workloads.find(({ id }) => id === data.id)
    expect(web).toMatchObject({ name: 'web', state: 'running', image: 'docker.io/library/nginx:1.29', env: ['SECRET'] })
    expect(JSON.stringify(space)).not.toContain('value')
    expect(space?.free).toEqual({ cpu: 0.5, memory: 4096 - 1024 - 512, storage: 35 })
    expect(sample.workloads.get(data.id)?.spec.env).toEqual({ SECRET: 'value' })
  })

  it('of a template has its image, its ports and made-up secrets', async () => {
    const one = await tenant()
    await shrink(one)
    const { data: templates } = await world.call('clusters.templates', {}, one)
    expect(templates.list.length).toBeGreaterThan(3)
    const { data } = await deploy(one, { template: 'postgres', name: 'db' })
    const { spec } = sample.workloads.get(data.id) ?? {}
    expect(spec?.image).toBe('docker.io/library/postgres:17')
    expect(spec?.env.POSTGRES_PASSWORD).toHaveLength(24)
  })

  it('stops, starts, changes its size and is removed', async () => {
    const one = await tenant()
    await shrink(one)
    const { id } = (await deploy(one)).data
    const stateOf = async () => (await show(one)).list[0]?.workloads.find((each) => each.id === id)
    await world.call('clusters.stop', { id }, one)
    await settleWorkload(world.context, id)
    expect((await stateOf())?.state).toBe('stopped')
    await world.call('clusters.start', { id }, one)
    await settleWorkload(world.context, id)
    await world.call('clusters.resize', { id, cpu: 1, memory: 1024, storage: 10 }, one)
    await settleWorkload(world.context, id)
    expect(await stateOf()).toMatchObject({ state: 'running', cpu: 1, memory: 1024, storage: 10 })
    await world.call('clusters.remove', { id }, one)
    await settleWorkload(world.context, id)
    expect(await stateOf()).toBeUndefined()
    expect(sample.workloads.has(id)).toBe(false)
  })

  it('keeps its last lines when it is gone', async () => {
    const one = await tenant()
    await shrink(one)
    const { id } = (await deploy(one)).data
    sample.workloads.get(id)?.lines.push({ at: new Date(1e12), text: 'the last words' })
    expect((await world.call('clusters.logs', { id }, one)).data.lines.at(-1)?.text).toBe('the last words')
    await world.call('clusters.remove', { id }, one)
    await settleWorkload(world.context, id)
    expect((await world.call('clusters.logs', { id }, one)).data.lines).toEqual([
      { at: new Date(1e12).toISOString(), text: 'the last words' },
    ])
  })

  it('shows what it used over time', async () => {
    const one = await tenant()
    const id = one.machine
    for (let look = 0; look < 3; look++) {
      world.pass(40_000)
      await sampleDue(world.context)
    }
    const { points } = (await world.call('clusters.usage', { id, hours: 1 }, one)).data
    expect(points.length).toBeGreaterThanOrEqual(3)
    expect(points.at(-1)?.cpu).toBeGreaterThan(0)
  })

  it('that fills more disk than was bought is stopped, and says so', async () => {
    const one = await tenant()
    sample.control.storageUsed = 60 * GB
    world.pass(40_000)
    await sampleDue(world.context)
    sample.control.storageUsed = 0
    await settleWorkload(world.context, one.machine)
    expect(sample.workloads.get(one.machine)?.state).toBe('stopped')
    expect((await show(one)).list[0]?.workloads[0]?.failure).toBe('storage')
  })

  it('that something else than its owner told to end runs again; one that has ended by itself does not', async () => {
    const one = await tenant()
    await shrink(one)
    const { id } = (await deploy(one, { image: 'nginx' })).data
    for (const [exitCode, state] of [
      [143, 'running'],
      [0, 'stopped'],
    ] as const) {
      Object.assign(sample.workloads.get(id) ?? {}, { state: 'stopped', exitCode })
      world.pass(40_000)
      await sampleDue(world.context)
      await finishJobs(world.context, features)
      expect(sample.workloads.get(id)?.state).toBe(state)
    }
  })

  it('whose image cannot be had says so', async () => {
    const one = await tenant()
    await shrink(one)
    const { id } = (await deploy(one, { image: 'ghcr.io/nobody/missing' })).data
    const shown = (await show(one)).list[0]?.workloads.find((each) => each.id === id)
    expect(shown).toMatchObject({ state: 'failed', failure: 'image' })
  })

  it('goes on while its cluster is away, and is shown without it', async () => {
    const one = await tenant()
    sample.control.away = true
    const { list } = await show(one)
    sample.control.away = false
    expect(list[0]?.workloads).toHaveLength(1)
  })

  describe('is refused', () => {
    const err = (answer: { err?: number }) => answer.err

    it('beyond what was bought, also to twenty who come at once', async () => {
      const one = await tenant()
      expect(err(await deploy(one, { cpu: 1 }))).toBe(errors.workspaceFull.err)
      await shrink(one)
      const half = { cpu: 0.1, memory: 1024, storage: 1 }
      const answers = await Promise.all(Array.from({ length: 20 }, () => deploy(one, half)))
      expect(answers.filter(({ code }) => code === 0)).toHaveLength(3)
    })

    it.each([
      [{ name: 'Not a name!' }, 'workloadName'],
      [{ image: 'localhost/tidenet-snapshot-x:w' }, 'registryRefused'],
      [{ image: '10.0.0.1:5000/a' }, 'registryRefused'],
      [{ image: 'nginx:' }, 'imageName'],
      [{ image: 'a b' }, 'imageName'],
      [{ image: 'nginx', template: 'redis' }, 'templateAndImage'],
      [{ env: { 'A B': '1' } }, 'envName'],
      [{ ports: [70_000] }, 'invalidParams'],
      [{ cpu: -1 }, 'invalidParams'],
      [{ command: ['a\0b'] }, 'invalidParams'],
    ] as const)('with %j', async (more, key) => {
      const one = await tenant()
      await shrink(one)
      expect(err(await deploy(one, more))).toBe(errors[key].err)
    })

    it('by a name that is taken, and one too many', async () => {
      const one = await tenant()
      await shrink(one)
      expect(err(await deploy(one, { name: 'machine' }))).toBe(errors.workloadNameTaken.err)
      const tiny = { cpu: 0.1, memory: 32, storage: 1 }
      await world.db.run(sql`update workloads set cpu = 100 where id = ${one.machine}`)
      for (let made = 0; made < 15; made++) await deploy(one, tiny)
      expect(err(await deploy(one, tiny))).toBe(errors.tooManyWorkloads.err)
    })

    it('a disk that would be smaller', async () => {
      const one = await tenant()
      const answer = await world.call('clusters.resize', { id: one.machine, ...small }, one)
      expect(err(answer)).toBe(errors.diskShrinks.err)
    })

    it('to strangers, in every way', async () => {
      const [one, stranger] = [await tenant(), await tenant()]
      const id = one.machine
      const calls = [
        world.call('clusters.start', { id }, stranger),
        world.call('clusters.stop', { id }, stranger),
        world.call('clusters.remove', { id }, stranger),
        world.call('clusters.resize', { id, ...small }, stranger),
        world.call('clusters.logs', { id }, stranger),
        world.call('clusters.usage', { id }, stranger),
        world.call('clusters.copyIn', { id, key: 'tnk_x' }, stranger),
      ]
      for (const call of calls) expect(err(await call)).toBe(errors.workloadUnknown.err)
      expect(err(await deploy(stranger, { workspace: one.space }))).toBe(errors.workspaceNotReady.err)
      expect((await show(stranger)).list.map((space) => space.id)).toEqual([stranger.space])
      expect(sample.workloads.get(id)?.state).toBe('running')
    })

    it('in a workspace that has ended', async () => {
      const one = await tenant()
      await suspend(world.context, one.space)
      expect(err(await deploy(one))).toBe(errors.workspaceNotReady.err)
      expect(err(await world.call('clusters.start', { id: one.machine }, one))).toBe(errors.workspaceNotReady.err)
      await remove(world.context, one.space)
      expect((await show(one)).list).toEqual([])
      expect(err(await world.call('clusters.start', { id: one.machine }, one))).toBe(errors.workloadUnknown.err)
    })
  })
})

describe('a folder of the storage is copied', () => {
  const folderOf = async (one: Tenant) => {
    const { data } = await world.call(
      'folders.create',
      { name: `f${randomUUID()}`, parent: 0 },
      { token: one.person.token },
    )
    return data.group.ID
  }
  const keyTo = async (one: Tenant, group_id?: number) =>
    (await world.call('apiKeys.create', { key_name: randomUUID(), group_id }, { token: one.person.token })).data.key

  it('by a key that is limited to it', async () => {
    const one = await tenant()
    const key = await keyTo(one, await folderOf(one))
    const { data } = await world.call('clusters.copyIn', { id: one.machine, key, target: 'in' }, one)
    expect(data).toEqual({ files: 0, bytes: 0 })
    expect(sample.workloads.get(one.machine)?.files.toString()).toContain('data/in/')
  })

  it('and such a key opens nothing else', async () => {
    const one = await tenant()
    const token = await keyTo(one, await folderOf(one))
    expect((await world.call('folders.list', { parent: 0 }, { token })).code).toBe(401)
    expect((await world.call('usage.storageSize', {}, { token })).code).toBe(401)
  })

  describe('not', () => {
    const copy = async (one: Tenant, key: string, more: Record<string, unknown> = {}) =>
      (await world.call('clusters.copyIn', { id: one.machine, key, ...more }, one)).err

    it('by a key to everything, a key of somebody else, or none', async () => {
      const [one, other] = [await tenant(), await tenant()]
      expect(await copy(one, await keyTo(one))).toBe(errors.folderKey.err)
      expect(await copy(one, await keyTo(other, await folderOf(other)))).toBe(errors.folderKey.err)
      expect(await copy(one, 'tnk_nothing')).toBe(errors.folderKey.err)
    })

    it('another folder than that of the key, nor one that was deleted', async () => {
      const one = await tenant()
      const [mine, second] = [await folderOf(one), await folderOf(one)]
      const key = await keyTo(one, mine)
      expect(await copy(one, key, { group_id: second })).toBe(errors.folderUnknown.err)
      await world.db.run(sql`delete from folders where id = ${mine}`)
      expect(await copy(one, key)).toBe(errors.folderUnknown.err)
    })

    it('to where it could overwrite the machine, nor to one that does not run', async () => {
      const one = await tenant()
      const key = await keyTo(one, await folderOf(one))
      expect(await copy(one, key, { target: '../../etc' })).toBe(errors.copyTarget.err)
      const id = one.machine
      await world.call('clusters.stop', { id }, one)
      await settleWorkload(world.context, id)
      expect(await copy(one, key)).toBe(errors.workloadStopped.err)
    })

    it('by a key to a folder of somebody else, which cannot be made', async () => {
      const [one, other] = [await tenant(), await tenant()]
      const answer = await world.call(
        'apiKeys.create',
        { key_name: 'theirs', group_id: await folderOf(other) },
        { token: one.person.token },
      )
      expect(answer.err).toBe(errors.folderUnknown.err)
    })
  })
})

it('operators see what is sold, and nobody else', async () => {
  const operator = await world.person({ role: 'operator' })
  const { data } = await world.call('clusters.state', {}, { token: operator.token })
  if (data) expect(data.list[0]).toMatchObject({ regions: ['distributed', 'centralized'], state: 'ready' })
  const { err } = await world.call('clusters.state', {}, { token: (await world.person()).token })
  expect(err).toBe(errors.forbidden.err)
})
