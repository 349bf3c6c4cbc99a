import { TEMPLATES } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { fullImage } from '../clusters/images.ts'
import { reconcileWorkload } from './reconcile.ts'
import { deploySample, sampleClusters, sampleTenant, shrinkMachine, type Tenant } from './sample-tenant.fixture.ts'
import { templates } from './templates.ts'

let env: TestEnv
let sample: ReturnType<typeof sampleClusters>
let owner: Tenant
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const specOf = (id: string) => sample.workloads.get(id)?.spec
const shown = async (id: string) =>
  (await env.call('clusters.workspaces', {}, owner)).data.list[0]?.workloads.find((one) => one.id === id)

describe('the templates', () => {
  it('are at least twelve, from registries that are open, with sizes that fit the smallest machine of a shop', async () => {
    sample = sampleClusters(env)
    owner = await sampleTenant(env)
    const { list } = (await env.call('clusters.templates', {}, owner)).data
    expect(list.map(({ name }) => name)).toEqual([...TEMPLATES])
    expect(list.length).toBeGreaterThanOrEqual(12)
    for (const { image } of list)
      if (image) expect(fullImage(image, env.context.config.clusters.registries)).toBe(image)
    for (const { cpu, memory } of list) expect([cpu <= 1, memory <= 2048]).toEqual([true, true])
  })

  it('say of each whether the tests run it', async () => {
    const { list } = (await env.call('clusters.templates', {}, owner)).data
    const with_ = (state: string) => list.filter(({ tested }) => tested === state).map(({ image }) => image)
    // Without an image of a registry, its own image is what runs.
    expect(with_('image').every((image) => image === '')).toBe(true)
    expect(with_('settings').length).toBeGreaterThanOrEqual(3)
    expect(with_('none').length).toBeGreaterThan(0)
  })

  it.each(templates.filter(({ health }) => health))('check a port that they have: $name', ({ health, ports }) => {
    expect(ports).toContain(health?.port)
  })
})

describe('a program of a template', () => {
  it('has a secret of its own, its folders on the disk, and its health check', async () => {
    sample = sampleClusters(env)
    owner = await sampleTenant(env)
    await shrinkMachine(env, owner)
    const [one, two] = [
      (await deploySample(env, owner, { template: 'grafana', storage: 1 })).data,
      (await deploySample(env, owner, { template: 'grafana', storage: 1 })).data,
    ]
    const secret = one.generated[0]?.value ?? ''
    expect(one.generated.map(({ name }) => name)).toEqual(['GF_SECURITY_ADMIN_PASSWORD'])
    expect(secret.length).toBeGreaterThanOrEqual(24)
    expect(two.generated[0]?.value).not.toBe(secret)
    expect(specOf(one.id)?.env).toMatchObject({
      GF_SECURITY_ADMIN_USER: 'admin',
      GF_SECURITY_ADMIN_PASSWORD: secret,
    })
    expect(specOf(one.id)?.options).toEqual({ paths: ['/var/lib/grafana'] })
    expect(await shown(one.id)).toMatchObject({ paths: ['/var/lib/grafana'], health: { path: '/api/health' } })
  })

  it('shows its secret at no other time', async () => {
    const id = [...sample.workloads.values()].find(({ spec }) => spec.image?.includes('grafana'))?.workload ?? ''
    const secret = specOf(id)?.env.GF_SECURITY_ADMIN_PASSWORD ?? 'none'
    for (const answer of [
      await env.call('clusters.workspaces', {}, owner),
      await env.call('clusters.history', { id }, owner),
    ])
      expect(JSON.stringify(answer)).not.toContain(secret)
  })

  it('keeps its folders when its image changes, and after a rollback', async () => {
    const id = [...sample.workloads.values()].find(({ spec }) => spec.image?.includes('grafana'))?.workload ?? ''
    await env.call('clusters.change', { id, image: 'grafana/grafana-oss:12.1.0' }, owner)
    await reconcileWorkload(env.context, id)
    expect(specOf(id)).toMatchObject({ options: { paths: ['/var/lib/grafana'] } })
    await env.call('clusters.rollback', { id, revision: 1 }, owner)
    await reconcileWorkload(env.context, id)
    expect(specOf(id)).toMatchObject({
      image: 'docker.io/grafana/grafana-oss:12.0.0',
      options: { paths: ['/var/lib/grafana'] },
    })
  })

  it('has the values, ports and checks of its owner instead, if given', async () => {
    sample = sampleClusters(env)
    owner = await sampleTenant(env)
    await shrinkMachine(env, owner)
    const more = { template: 'redis', env: { REDIS_PASSWORD: 'my own' }, health: null, storage: 1 }
    const { id, generated } = (await deploySample(env, owner, more)).data
    expect(generated).toEqual([])
    expect(specOf(id)?.env).toEqual({ REDIS_PASSWORD: 'my own' })
    expect((await shown(id))?.health).toBe(null)
    // The usual check would try a port that the program is not said to have.
    const other = (await deploySample(env, owner, { template: 'nginx', ports: [8080], storage: 1 })).data
    expect(await shown(other.id)).toMatchObject({ health: null, ports: [{ port: 8080 }] })
  })

  it('is refused together with an image, and if there is no such template', async () => {
    expect(await deploySample(env, owner, { template: 'nginx', image: 'nginx' })).toMatchObject({ code: -1 })
    expect(await deploySample(env, owner, { template: 'nothing' })).toMatchObject({ code: -1, err: 1001 })
  })
})
