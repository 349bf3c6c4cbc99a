import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { reconcileWorkload } from './reconcile.ts'
import {
  deploySample,
  sampleClusters,
  sampleTenant,
  shrinkMachine,
  small,
  type Tenant,
} from './sample-tenant.fixture.ts'
import { suspend } from './workspaces.ts'

/** Versions of the settings of workloads, and the way back to an earlier one. */

let env: TestEnv
let sample: ReturnType<typeof sampleClusters>
beforeAll(async () => {
  env = await setup()
  sample = sampleClusters(env)
})
afterAll(() => env.close())

async function program(more: Record<string, unknown> = {}): Promise<{ one: Tenant; id: string }> {
  const one = await sampleTenant(env)
  await shrinkMachine(env, one)
  return { one, id: (await deploySample(env, one, { image: 'nginx:1.27', ...more })).data.id }
}
async function act(
  name: 'change' | 'resize' | 'rollback',
  one: Tenant,
  input: { id: string } & Record<string, unknown>,
) {
  const answer = await env.call(`clusters.${name}`, input, one)
  if (answer.code === 0) await reconcileWorkload(env.context, input.id)
  return answer
}
const history = async (one: Tenant, id: string) => (await env.call('clusters.history', { id }, one)).data.list
const specOf = (id: string) => sample.workloads.get(id)?.spec
const shown = async (one: Tenant, id: string) =>
  (await env.call('clusters.workspaces', {}, one)).data.list[0]?.workloads.find((each) => each.id === id)

describe('the settings of a workload', () => {
  it('have a version for each change, which tells what differs from the one before', async () => {
    const { one, id } = await program({ env: { A: 'first' } })
    await act('change', one, { id, env: { A: 'second' } })
    await act('change', one, { id, image: 'nginx:1.30', ports: [8080] })
    await act('resize', one, { id, ...small, memory: 256 })
    const list = await history(one, id)
    expect(list.map(({ revision, changed }) => [revision, changed])).toEqual([
      [4, ['size']],
      [3, ['image', 'ports']],
      [2, ['env']],
      [1, []],
    ])
    expect(list[0]).toMatchObject({ image: 'docker.io/library/nginx:1.30', env: ['A'], ports: [8080], memory: 256 })
    expect(JSON.stringify(list)).not.toContain('second')
  })

  it('have a first version in the machine of every workspace', async () => {
    const one = await sampleTenant(env)
    expect(await history(one, one.machine)).toMatchObject([{ revision: 1, image: '', restored: null }])
  })

  it('return to an earlier version with its secrets, and from there forward again', async () => {
    const { one, id } = await program({ env: { A: 'first', GONE: 'secret' }, ports: [80] })
    await act('change', one, { id, image: 'httpd:2', env: { A: 'second' }, unset: ['GONE'], ports: [] })
    await act('resize', one, { id, ...small, memory: 256 })
    expect((await act('rollback', one, { id, revision: 1 })).code).toBe(0)
    expect(specOf(id)).toMatchObject({
      image: 'docker.io/library/nginx:1.27',
      env: { A: 'first', GONE: 'secret' },
      ports: [80],
    })
    expect(await shown(one, id)).toMatchObject({ state: 'running', memory: 512 })
    expect((await history(one, id))[0]).toMatchObject({ revision: 4, restored: 1 })
    await act('rollback', one, { id, revision: 3 })
    expect(specOf(id)).toMatchObject({ image: 'docker.io/library/httpd:2', env: { A: 'second' }, ports: [] })
  })

  it('keep the disk at its size, because disks cannot shrink', async () => {
    const { one, id } = await program()
    await act('resize', one, { id, ...small, storage: 8 })
    await act('rollback', one, { id, revision: 1 })
    expect(await shown(one, id)).toMatchObject({ storage: 8 })
  })

  it('return to a working version after a change to an image that does not exist', async () => {
    const { one, id } = await program()
    await act('change', one, { id, image: 'ghcr.io/nobody/missing' })
    expect((await shown(one, id))?.failure).toBe('image')
    await act('rollback', one, { id, revision: 1 })
    expect(await shown(one, id)).toMatchObject({ state: 'running', failure: '', image: 'docker.io/library/nginx:1.27' })
  })

  it('of a stopped workload return without starting it', async () => {
    const { one, id } = await program()
    await act('change', one, { id, env: { A: '1' } })
    await env.call('clusters.stop', { id }, one)
    await reconcileWorkload(env.context, id)
    await act('rollback', one, { id, revision: 1 })
    expect((await shown(one, id))?.state).toBe('stopped')
    await env.call('clusters.start', { id }, one)
    await reconcileWorkload(env.context, id)
    expect(specOf(id)?.env).toEqual({})
  })

  it('keep their newest 20 versions', async () => {
    const { one, id } = await program()
    for (let change = 0; change < 22; change++) await env.call('clusters.change', { id, env: { A: `${change}` } }, one)
    const list = await history(one, id)
    expect(list).toHaveLength(20)
    expect(list.at(-1)).toMatchObject({ revision: 4, changed: [] })
    expect((await act('rollback', one, { id, revision: 3 })).err).toBe(errors.revisionUnknown.err)
  })
})

describe('an earlier version is refused', () => {
  it('if its resources are not free any more', async () => {
    const { one, id } = await program()
    await act('resize', one, { id, ...small, memory: 64 })
    await deploySample(env, one, { cpu: 0.1, memory: 2900, storage: 1 })
    expect((await act('rollback', one, { id, revision: 1 })).err).toBe(errors.workspaceFull.err)
  })

  it('if its registry is not allowed any more', async () => {
    const { one, id } = await program({ image: 'ghcr.io/owner/name:1' })
    await act('change', one, { id, image: 'nginx:1.27' })
    const { config } = env.context
    env.context.config = { ...config, clusters: { ...config.clusters, registries: ['docker.io'] } }
    try {
      expect((await act('rollback', one, { id, revision: 1 })).err).toBe(errors.registryRefused.err)
    } finally {
      env.context.config = config
    }
  })

  it('to other accounts, which cannot read the versions either, and after removal or suspension', async () => {
    const [{ one, id }, stranger] = [await program(), await sampleTenant(env)]
    await act('change', one, { id, env: { A: '1' } })
    expect((await env.call('clusters.history', { id }, stranger)).err).toBe(errors.workloadUnknown.err)
    expect((await act('rollback', stranger, { id, revision: 1 })).err).toBe(errors.workloadUnknown.err)
    await suspend(env.context, one.space)
    expect((await act('rollback', one, { id, revision: 1 })).err).toBe(errors.workspaceNotReady.err)
    await env.call('clusters.remove', { id }, one)
    expect((await act('rollback', one, { id, revision: 1 })).err).toBeGreaterThan(0)
    expect((await env.call('clusters.history', { id }, one)).err).toBe(errors.workloadUnknown.err)
  })
})
