import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import { sql } from '../../platform/db/sql.ts'
import { finishJobs } from '../../platform/jobs/jobs.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { clustersOf } from '../clusters/clusters.ts'
import { reconcileWorkload } from './reconcile.ts'
import { deploySample, sampleClusters, sampleTenant, shrinkMachine, type Tenant } from './sample-tenant.fixture.ts'

/** Logins at private registries. */

let env: TestEnv
let sample: ReturnType<typeof sampleClusters>
beforeAll(async () => {
  env = await setup()
  sample = sampleClusters(env)
})
afterAll(() => env.close())

const IMAGE = 'ghcr.io/private/tool:1'
const LOGIN = { host: 'ghcr.io', username: 'somebody', password: 'right' }
async function tenant(): Promise<Tenant> {
  const one = await sampleTenant(env)
  await shrinkMachine(env, one)
  return one
}
const set = (one: Tenant, more: Partial<typeof LOGIN> = {}) =>
  env.call('clusters.setRegistry', { ...LOGIN, ...more }, one)
const shown = async (one: Tenant, id: string) =>
  (await env.call('clusters.workspaces', {}, one)).data.list[0]?.workloads.find((each) => each.id === id)

describe('a login at a registry', () => {
  it('pulls private images of this registry, until it is removed', async () => {
    const one = await tenant()
    await set(one)
    const { id } = (await deploySample(env, one, { image: IMAGE })).data
    expect(await shown(one, id)).toMatchObject({ state: 'running', image: IMAGE })
    await env.call('clusters.removeRegistry', { host: 'ghcr.io' }, one)
    await env.call('clusters.change', { id, image: 'ghcr.io/private/tool:2' }, one)
    await reconcileWorkload(env.context, id)
    expect(await shown(one, id)).toMatchObject({ state: 'failed', failure: 'registry' })
  })

  it('that is wrong is said so, and can be replaced', async () => {
    const one = await tenant()
    await set(one, { password: 'wrong' })
    const { id } = (await deploySample(env, one, { image: IMAGE })).data
    expect(await shown(one, id)).toMatchObject({ state: 'failed', failure: 'registry' })
    await set(one)
    await env.call('clusters.start', { id }, one)
    await reconcileWorkload(env.context, id)
    expect((await shown(one, id))?.state).toBe('running')
  })

  it('is used for the pull only: programs, hashes, answers and the database do not have it', async () => {
    const one = await tenant()
    await set(one, { password: 'right' })
    const { id } = (await deploySample(env, one, { image: IMAGE })).data
    const before = sample.workloads.get(id)?.specHash
    await set(one, { username: 'another' })
    await env.call('clusters.start', { id }, one)
    await reconcileWorkload(env.context, id)
    expect(sample.workloads.get(id)?.specHash).toBe(before)
    expect(sample.workloads.get(id)?.spec.env).toEqual({})
    const { data } = await env.call('clusters.registries', {}, one)
    expect(data.list).toMatchObject([{ host: 'ghcr.io', username: 'another' }])
    expect(JSON.stringify(data)).not.toContain('right')
    const { sealed } = await env.db.one<{ sealed: Buffer }>(
      sql`select sealed from registry_logins where user_id = ${one.person.id}`,
    )
    expect(sealed.includes('right') || sealed.includes('another')).toBe(false)
  })

  it('reaches programs that run on clusters that pull again by themselves when it changes or is removed', async () => {
    const [one, stranger] = [await tenant(), await tenant()]
    const logins = new Map<string, unknown>()
    const { driver } = sample
    const { clusters } = env.context
    const deploy: typeof driver.deploy = async (space, spec) => {
      logins.set(spec.id, spec.login)
      await driver.deploy(space, spec)
    }
    env.context.clusters = clustersOf([{ driver: { ...driver, deploy, keepsLogins: true }, regions: ['distributed'] }])
    await set(one)
    await set(stranger)
    const { id } = (await deploySample(env, one, { image: IMAGE })).data
    await deploySample(env, one, { image: 'quay.io/a/tool:1' })
    await deploySample(env, stranger, { image: IMAGE })
    await finishJobs(env.context, features)
    logins.clear()
    await set(one, { password: 'newer' })
    await finishJobs(env.context, features)
    expect([...logins]).toEqual([[id, { username: LOGIN.username, password: 'newer' }]])
    await env.call('clusters.removeRegistry', { host: LOGIN.host }, one)
    await finishJobs(env.context, features)
    expect([...logins]).toEqual([[id, undefined]])
    logins.clear()
    await env.call('clusters.stop', { id }, one)
    await set(one)
    await finishJobs(env.context, features)
    expect([...logins]).toEqual([])
    env.context.clusters = clusters
  })

  it('is not used for another registry, or by another account', async () => {
    const [one, stranger] = [await tenant(), await tenant()]
    await set(one)
    for (const [by, image] of [
      [one, 'quay.io/private/tool:1'],
      [stranger, IMAGE],
    ] as const) {
      const { id } = (await deploySample(env, by, { image })).data
      expect((await shown(by, id))?.failure).toBe('registry')
    }
    expect((await env.call('clusters.registries', {}, stranger)).data.list).toEqual([])
    // A copied row does not open.
    await env.db.run(sql`
      insert into registry_logins select ${stranger.person.id}, host, sealed, changed_at from registry_logins where user_id = ${one.person.id}`)
    const { id } = (await deploySample(env, stranger, { image: 'nginx' })).data
    expect((await shown(stranger, id))?.state).toBe('running')
    expect((await env.call('clusters.registries', {}, stranger)).code).not.toBe(0)
    await env.db.run(sql`delete from registry_logins where user_id = ${stranger.person.id}`)
  })

  it('is refused for registries that are not allowed, and without a password', async () => {
    const one = await tenant()
    expect((await set(one, { host: '10.0.0.1:5000' })).err).toBe(errors.registryRefused.err)
    expect((await set(one, { password: '' })).err).toBe(errors.invalidParams.err)
    expect((await env.call('clusters.registries', {}, one)).data.list).toEqual([])
  })
})
