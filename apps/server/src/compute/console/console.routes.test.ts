import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import { place } from '../../identity/wallets/sample-wallets.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import { finishJobs } from '../../platform/jobs/jobs.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { GB } from '../clusters/sizes.ts'
import { reconcileWorkload } from '../workspaces/reconcile.ts'
import {
  deploySample,
  sampleClusters,
  sampleTenant,
  shrinkMachine,
  small,
  type Tenant,
} from '../workspaces/sample-tenant.fixture.ts'
import { sampleDue } from '../workspaces/watch.ts'
import { remove, suspend } from '../workspaces/workspaces.ts'

let env: TestEnv
let sample: ReturnType<typeof sampleClusters>
beforeAll(async () => {
  env = await setup()
  sample = sampleClusters(env)
})
afterAll(() => env.close())

const tenant = () => sampleTenant(env)
const enter = (account: string, password: string, from = place()) =>
  env.call('clusters.enter', { account, password }, from)
const show = async ({ token }: Tenant) => (await env.call('clusters.workspaces', {}, { token })).data

const shrink = (one: Tenant) => shrinkMachine(env, one)

const deploy = (one: Tenant, more?: Record<string, unknown>) => deploySample(env, one, more)

describe('entering the console', () => {
  it('accepts the account and password that the portal shows', async () => {
    const one = await tenant()
    expect(one.password).toMatch(/^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?=.*[@()[{}\]:]).{12}$/)
    const { account, list } = await show(one)
    expect(account).toBe(one.account)
    expect(list.map(({ id }) => id)).toEqual([one.space])
    const again = await env.call('clusters.account', {}, { token: one.person.token })
    expect(again.data.kub_pwd).toBe(one.password)
  })

  it('accepts a console token once, within a minute', async () => {
    const one = await tenant()
    const { data } = await env.call('clusters.ticket', {}, { token: one.person.token })
    expect(data.url.startsWith('http://portal.test/console/login?account=')).toBe(true)
    expect((await enter(data.account, data.ticket)).code).toBe(0)
    expect((await enter(data.account, data.ticket)).code).toBe(401)
    const late = await env.call('clusters.ticket', {}, { token: one.person.token })
    env.pass(61_000)
    expect((await enter(late.data.account, late.data.ticket)).code).toBe(401)
  })

  it('accepts one of fifty concurrent uses of a console token', async () => {
    const one = await tenant()
    const { data } = await env.call('clusters.ticket', {}, { token: one.person.token })
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(data.account, data.ticket)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  })

  it('ends all sessions and tokens when the password is reset', async () => {
    const one = await tenant()
    const { data } = await env.call('clusters.ticket', {}, { token: one.person.token })
    const reset = await env.call('clusters.resetPassword', {}, { token: one.person.token })
    expect(reset.data.kub_pwd).not.toBe(one.password)
    expect((await env.call('clusters.workspaces', {}, one)).code).toBe(401)
    expect((await enter(one.account, one.password)).code).toBe(401)
    expect((await enter(data.account, data.ticket)).code).toBe(401)
    expect((await enter(one.account, reset.data.kub_pwd)).code).toBe(0)
  })

  it('ends a session on sign-out', async () => {
    const one = await tenant()
    await env.call('clusters.leave', {}, one)
    expect((await env.call('clusters.workspaces', {}, one)).code).toBe(401)
  })

  it('stores the password encrypted', async () => {
    const one = await tenant()
    const { password } = await env.db.one<{ password: Buffer }>(sql`
      select password from console_accounts where user_id = ${one.person.id}`)
    expect(password.includes(one.password)).toBe(false)
  })

  it('returns its address to anyone, by region', async () => {
    expect((await env.call('clusters.kubUrl', { kub_name: 'centralized' })).data.url).toBe('http://portal.test/console')
    expect((await env.call('clusters.kubUrl', { kub_name: 'elsewhere' })).err).toBe(errors.clusterUnknown.err)
  })

  describe('refuses', () => {
    it('accounts without a wallet', async () => {
      const { token } = await env.person()
      for (const name of ['clusters.account', 'clusters.resetPassword', 'clusters.ticket'] as const)
        expect((await env.call(name, {}, { token })).err).toBe(errors.walletRequired.err)
    })

    it('the token or password of another account', async () => {
      const [one, other] = [await tenant(), await tenant()]
      const { data } = await env.call('clusters.ticket', {}, { token: one.person.token })
      expect((await enter(other.account, data.ticket)).code).toBe(401)
      expect((await enter(other.account, one.password)).code).toBe(401)
    })

    it('guessing of passwords', async () => {
      const [one, attacker] = [await tenant(), place()]
      for (let guess = 0; guess < 5; guess++) await enter(one.account, `Guess${guess}@aaaaa`, attacker)
      expect((await enter(one.account, one.password, attacker)).code).toBe(401)
      // Guesses from one network do not lock out other networks.
      expect((await enter(one.account, one.password)).code).toBe(0)
      env.pass(120_000)
      expect((await enter(one.account, one.password, attacker)).code).toBe(0)
    })

    it('a locked account, also in an open session', async () => {
      const one = await tenant()
      await env.db.run(sql`update users set locked_at = ${new Date(env.clock.now())} where id = ${one.person.id}`)
      expect((await env.call('clusters.workspaces', {}, one)).code).toBe(401)
      expect((await enter(one.account, one.password)).code).toBe(401)
    })

    it('portal sessions, as the portal refuses console sessions', async () => {
      const one = await tenant()
      expect((await env.call('clusters.workspaces', {}, { token: one.person.token })).code).toBe(401)
      expect((await env.call('clusters.account', {}, { token: one.token })).code).toBe(401)
    })

    it('a session after twelve hours', async () => {
      const one = await tenant()
      env.pass(13 * 3_600_000)
      expect((await env.call('clusters.workspaces', {}, one)).code).toBe(401)
    })
  })
})

describe('a workload', () => {
  it('runs next to the machine, within the resources of the workspace', async () => {
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

  it('of a template gets its image, ports and generated secrets', async () => {
    const one = await tenant()
    await shrink(one)
    const { data: templates } = await env.call('clusters.templates', {}, one)
    expect(templates.list.length).toBeGreaterThan(3)
    const { data } = await deploy(one, { template: 'postgres', name: 'db' })
    const { spec } = sample.workloads.get(data.id) ?? {}
    expect(spec?.image).toBe('docker.io/library/postgres:17')
    expect(spec?.env.POSTGRES_PASSWORD).toHaveLength(24)
  })

  it('can be stopped, started, resized and removed', async () => {
    const one = await tenant()
    await shrink(one)
    const { id } = (await deploy(one)).data
    const stateOf = async () => (await show(one)).list[0]?.workloads.find((each) => each.id === id)
    await env.call('clusters.stop', { id }, one)
    await reconcileWorkload(env.context, id)
    expect((await stateOf())?.state).toBe('stopped')
    await env.call('clusters.start', { id }, one)
    await reconcileWorkload(env.context, id)
    await env.call('clusters.resize', { id, cpu: 1, memory: 1024, storage: 10 }, one)
    await reconcileWorkload(env.context, id)
    expect(await stateOf()).toMatchObject({ state: 'running', cpu: 1, memory: 1024, storage: 10 })
    await env.call('clusters.remove', { id }, one)
    await reconcileWorkload(env.context, id)
    expect(await stateOf()).toBeUndefined()
    expect(sample.workloads.has(id)).toBe(false)
  })

  it('keeps its last log lines after it is removed', async () => {
    const one = await tenant()
    await shrink(one)
    const { id } = (await deploy(one)).data
    sample.workloads.get(id)?.lines.push({ at: new Date(1e12), text: 'the last words' })
    expect((await env.call('clusters.logs', { id }, one)).data.lines.at(-1)?.text).toBe('the last words')
    await env.call('clusters.remove', { id }, one)
    await reconcileWorkload(env.context, id)
    expect((await env.call('clusters.logs', { id }, one)).data.lines).toEqual([
      { n: 1, at: new Date(1e12).toISOString(), text: 'the last words', gap: false },
    ])
  })

  it('shows its usage over time', async () => {
    const one = await tenant()
    const id = one.machine
    for (let look = 0; look < 3; look++) {
      env.pass(40_000)
      await sampleDue(env.context)
    }
    const { points } = (await env.call('clusters.usage', { id, hours: 1 }, one)).data
    expect(points.length).toBeGreaterThanOrEqual(3)
    expect(points.at(-1)?.cpu).toBeGreaterThan(0)
  })

  it('is stopped with a reason if it exceeds its disk', async () => {
    const one = await tenant()
    sample.control.storageUsed = 60 * GB
    env.pass(40_000)
    await sampleDue(env.context)
    sample.control.storageUsed = 0
    await reconcileWorkload(env.context, one.machine)
    expect(sample.workloads.get(one.machine)?.state).toBe('stopped')
    expect((await show(one)).list[0]?.workloads[0]?.failure).toBe('storage')
  })

  it('is restarted after a signal that its owner did not send, but not after it ended by itself', async () => {
    const one = await tenant()
    await shrink(one)
    const { id } = (await deploy(one, { image: 'nginx' })).data
    for (const [exitCode, state] of [
      [143, 'running'],
      [0, 'stopped'],
    ] as const) {
      Object.assign(sample.workloads.get(id) ?? {}, { state: 'stopped', exitCode })
      env.pass(40_000)
      await sampleDue(env.context)
      await finishJobs(env.context, features)
      expect(sample.workloads.get(id)?.state).toBe(state)
    }
  })

  it('reports that its image cannot be pulled', async () => {
    const one = await tenant()
    await shrink(one)
    const { id } = (await deploy(one, { image: 'ghcr.io/nobody/missing' })).data
    const shown = (await show(one)).list[0]?.workloads.find((each) => each.id === id)
    expect(shown).toMatchObject({ state: 'failed', failure: 'image' })
  })

  it('is listed while its cluster is unavailable', async () => {
    const one = await tenant()
    sample.control.away = true
    const { list } = await show(one)
    sample.control.away = false
    expect(list[0]?.workloads).toHaveLength(1)
  })

  describe('is refused', () => {
    const err = (answer: { err?: number }) => answer.err

    it('if it exceeds the workspace, also for twenty concurrent requests', async () => {
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

    it('if its name is taken, or if there are too many', async () => {
      const one = await tenant()
      await shrink(one)
      expect(err(await deploy(one, { name: 'machine' }))).toBe(errors.workloadNameTaken.err)
      const tiny = { cpu: 0.1, memory: 32, storage: 1 }
      await env.db.run(sql`update workloads set cpu = 100 where id = ${one.machine}`)
      for (let made = 0; made < 15; made++) await deploy(one, tiny)
      expect(err(await deploy(one, tiny))).toBe(errors.tooManyWorkloads.err)
    })

    it('a smaller disk', async () => {
      const one = await tenant()
      const answer = await env.call('clusters.resize', { id: one.machine, ...small }, one)
      expect(err(answer)).toBe(errors.diskShrinks.err)
    })

    it('to strangers, for every operation', async () => {
      const [one, stranger] = [await tenant(), await tenant()]
      const id = one.machine
      const calls = [
        env.call('clusters.start', { id }, stranger),
        env.call('clusters.stop', { id }, stranger),
        env.call('clusters.remove', { id }, stranger),
        env.call('clusters.resize', { id, ...small }, stranger),
        env.call('clusters.logs', { id }, stranger),
        env.call('clusters.usage', { id }, stranger),
        env.call('clusters.copyIn', { id, key: 'tnk_x' }, stranger),
      ]
      for (const call of calls) expect(err(await call)).toBe(errors.workloadUnknown.err)
      expect(err(await deploy(stranger, { workspace: one.space }))).toBe(errors.workspaceNotReady.err)
      expect((await show(stranger)).list.map((space) => space.id)).toEqual([stranger.space])
      expect(sample.workloads.get(id)?.state).toBe('running')
    })

    it('in a suspended or removed workspace', async () => {
      const one = await tenant()
      await suspend(env.context, one.space)
      expect(err(await deploy(one))).toBe(errors.workspaceNotReady.err)
      expect(err(await env.call('clusters.start', { id: one.machine }, one))).toBe(errors.workspaceNotReady.err)
      await remove(env.context, one.space)
      expect((await show(one)).list).toEqual([])
      expect(err(await env.call('clusters.start', { id: one.machine }, one))).toBe(errors.workloadUnknown.err)
    })
  })
})

it('only operators see sold capacity', async () => {
  const operator = await env.person({ role: 'operator' })
  const { data } = await env.call('clusters.state', {}, { token: operator.token })
  if (data) expect(data.list[0]).toMatchObject({ regions: ['distributed', 'centralized'], state: 'ready' })
  const { err } = await env.call('clusters.state', {}, { token: (await env.person()).token })
  expect(err).toBe(errors.forbidden.err)
})
