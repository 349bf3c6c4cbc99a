import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { reconcileWorkload } from './reconcile.ts'
import { CHANGED_AT_ONCE, STARTED_AT_ONCE } from './repository.ts'
import { deploySample, sampleClusters, sampleTenant, shrinkMachine, type Tenant } from './sample-tenant.fixture.ts'
import { suspend } from './workspaces.ts'

/** Changes of existing workloads, and the resources that they use. */

let env: TestEnv
let sample: ReturnType<typeof sampleClusters>
beforeAll(async () => {
  env = await setup()
  sample = sampleClusters(env)
})
afterAll(() => env.close())

/** Six of them fit beside a small machine. */
const tiny = { cpu: 0.1, memory: 128, storage: 1 }

async function tenant(): Promise<Tenant> {
  const one = await sampleTenant(env)
  await shrinkMachine(env, one)
  return one
}
const deploy = (one: Tenant, more?: Record<string, unknown>) => deploySample(env, one, more)
async function change(one: Tenant, id: string, more: Record<string, unknown>) {
  const answer = await env.call('clusters.change', { id, ...more }, one)
  if (answer.code === 0) await reconcileWorkload(env.context, id)
  return answer
}
const spaceOf = async (one: Tenant) => (await env.call('clusters.workspaces', {}, one)).data.list[0]
const shown = async (one: Tenant, id: string) => (await spaceOf(one))?.workloads.find((each) => each.id === id)
const specOf = (id: string) => sample.workloads.get(id)?.spec

describe('an existing workload', () => {
  it('gets new, changed and removed variables, while the others stay', async () => {
    const one = await tenant()
    const { id } = (await deploy(one, { image: 'nginx:1.27', env: { A: 'first', B: 'second', C: 'third' } })).data
    await change(one, id, { env: { B: 'other', D: '' }, unset: ['C'] })
    expect(specOf(id)?.env).toEqual({ A: 'first', B: 'other', D: '' })
    expect(await shown(one, id)).toMatchObject({ state: 'running', env: ['A', 'B', 'D'] })
  })

  it('gets other ports, or none', async () => {
    const one = await tenant()
    const { id } = (await deploy(one, { image: 'nginx:1.27', ports: [80] })).data
    await change(one, id, { ports: [8080, 8443, 8080] })
    expect(specOf(id)?.ports).toEqual([8080, 8443])
    await change(one, id, { ports: [] })
    expect((await shown(one, id))?.ports).toEqual([])
  })

  it('gets another version of its image, or another image, which ends its link to the template', async () => {
    const one = await tenant()
    const { id } = (await deploy(one, { template: 'nginx' })).data
    await change(one, id, { image: 'nginx:1.30' })
    expect(specOf(id)?.image).toBe('docker.io/library/nginx:1.30')
    expect((await shown(one, id))?.template).toBe('nginx')
    await change(one, id, { image: 'httpd:2' })
    expect(await shown(one, id)).toMatchObject({ template: '', image: 'docker.io/library/httpd:2', state: 'running' })
  })

  it('gets changes made while it was stopped at its next start', async () => {
    const one = await tenant()
    const { id } = (await deploy(one)).data
    await env.call('clusters.stop', { id }, one)
    await reconcileWorkload(env.context, id)
    await change(one, id, { env: { A: '1' } })
    expect((await shown(one, id))?.state).toBe('stopped')
    await env.call('clusters.start', { id }, one)
    await reconcileWorkload(env.context, id)
    expect(specOf(id)?.env).toEqual({ A: '1' })
  })

  it('fails if the new image cannot be pulled, and runs with its old image again on request', async () => {
    const one = await tenant()
    const { id } = (await deploy(one, { image: 'nginx:1.27' })).data
    await change(one, id, { image: 'ghcr.io/nobody/missing' })
    expect((await shown(one, id))?.failure).toBe('image')
    expect(specOf(id)?.image).toBe('docker.io/library/nginx:1.27')
    await change(one, id, { image: 'nginx:1.27' })
    expect(await shown(one, id)).toMatchObject({ state: 'running', failure: '' })
  })

  describe('does not get', () => {
    it.each([
      [{ image: '10.0.0.1:5000/a' }, 'registryRefused'],
      [{ image: 'a b' }, 'imageName'],
      [{ env: { 'A B': '1' } }, 'envName'],
      [{ ports: [70_000] }, 'invalidParams'],
      [{ env: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`A${index}`, ''])) }, 'envName'],
    ] as const)('%j', async (more, key) => {
      const one = await tenant()
      expect((await change(one, one.machine, more)).err).toBe(errors[key].err)
    })

    it('more variables than allowed, in two steps', async () => {
      const one = await tenant()
      const many = (letter: string) => Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${letter}${n}`, '']))
      expect((await change(one, one.machine, { env: many('A') })).code).toBe(0)
      expect((await change(one, one.machine, { env: many('B') })).err).toBe(errors.envName.err)
    })

    it('changes from other accounts, or after it is removed or suspended', async () => {
      const [one, stranger] = [await tenant(), await tenant()]
      const { id } = (await deploy(one)).data
      expect((await change(stranger, id, { env: { A: '1' } })).err).toBe(errors.workloadUnknown.err)
      await env.call('clusters.remove', { id }, one)
      expect((await change(one, id, { env: { A: '1' } })).err).toBe(errors.workloadUnknown.err)
      await suspend(env.context, one.space)
      expect((await change(one, one.machine, { env: { A: '1' } })).err).toBe(errors.workspaceNotReady.err)
      expect(specOf(one.machine)?.env).toEqual({})
    })
  })
})

describe('programs whose registry does not answer', () => {
  it('keep neither other accounts waiting nor, when it answers at last, those of their own', async () => {
    const [slow, other] = [await sampleTenant(env), await sampleTenant(env)]
    let resolve = () => {}
    const promise = new Promise<void>((done) => {
      resolve = done
    })
    sample.control.slow = promise
    await shrinkMachine(env, slow)
    const ids: string[] = []
    for (let n = 0; n < STARTED_AT_ONCE + 2; n++) {
      const input = { workspace: slow.space, name: `slow${n}`, image: 'someone/slow/app', ...tiny }
      const answer = await env.call('clusters.deploy', input, slow)
      expect(answer.code).toBe(0)
      ids.push(answer.data.id)
    }
    const pulls = ids.map((id) => reconcileWorkload(env.context, id))
    let putOff = 0
    for (const pull of pulls) void pull.then(() => putOff++)
    await expect.poll(() => putOff).toBe(2)
    await shrinkMachine(env, other)
    expect((await deploySample(env, other)).code).toBe(0)
    // What needs no image is not limited.
    expect((await env.call('clusters.stop', { id: slow.machine }, slow)).code).toBe(0)
    await reconcileWorkload(env.context, slow.machine)
    expect(sample.workloads.get(slow.machine)?.state).toBe('stopped')
    resolve()
    await Promise.all(pulls)
    // They are tried again.
    const { later } = await env.db.one<{ later: number }>(sql`
      select count(*)::int as later from graphile_worker.jobs where task_identifier = 'settleWorkload' and run_at > now()`)
    expect(later).toBe(2)
    for (const id of ids) await reconcileWorkload(env.context, id)
    expect(ids.map((id) => sample.workloads.get(id)?.state)).toEqual(ids.map(() => 'running'))
  })
})

describe('programs of one account', () => {
  const busy = (ids: readonly string[]) =>
    env.db.run(sql`update workloads set leased_until = ${new Date(env.clock.now() + 60_000)} where id = any(${ids})`)
  const start = async (one: Tenant, id: string) => {
    await env.call('clusters.start', { id }, one)
    await reconcileWorkload(env.context, id)
    return (await shown(one, id))?.state
  }

  it('are started a few at a time, also machines and those of our own image', async () => {
    const [one, other] = [await tenant(), await tenant()]
    const ids: string[] = []
    for (let n = 0; n < STARTED_AT_ONCE + 1; n++) ids.push((await deploy(one, tiny)).data.id)
    const [last = '', ...more] = ids
    for (const id of [last, one.machine, other.machine]) {
      await env.call('clusters.stop', { id }, id === other.machine ? other : one)
      await reconcileWorkload(env.context, id)
    }
    await busy(more)
    expect(await start(other, other.machine)).toBe('running')
    expect(await start(one, last)).toBe('starting')
    expect(await start(one, one.machine)).toBe('starting')
    await busy(more.slice(0, -1))
    await env.db.run(sql`update workloads set leased_until = null where id = ${more.at(-1)}`)
    expect(await start(one, last)).toBe('running')
  })

  it('are stopped while others are started, a few at a time', async () => {
    const one = await tenant()
    const ids: string[] = []
    for (let n = 0; n < CHANGED_AT_ONCE; n++) ids.push((await deploy(one, tiny)).data.id)
    const stop = async (id: string) => {
      await env.call('clusters.stop', { id }, one)
      await reconcileWorkload(env.context, id)
      return sample.workloads.get(id)?.state
    }
    await busy(ids)
    expect(await stop(one.machine)).toBe('running')
    await env.db.run(sql`update workloads set leased_until = null where id = ${ids[0]}`)
    expect(await stop(one.machine)).toBe('stopped')
  })
})

describe('a workload whose image cannot be pulled', () => {
  const half = { cpu: 0.8, memory: 2048, storage: 30 }

  it('uses no resources of its workspace, so that another workload can', async () => {
    const one = await tenant()
    const free = (await spaceOf(one))?.free
    const { id } = (await deploy(one, { ...half, image: 'ghcr.io/nobody/missing' })).data
    expect(await shown(one, id)).toMatchObject({ state: 'failed', failure: 'image' })
    expect((await spaceOf(one))?.free).toEqual(free)
    expect((await deploy(one, half)).code).toBe(0)
  })

  it('uses its resources again at the next start, if they are still free', async () => {
    const one = await tenant()
    const { id } = (await deploy(one, { ...half, image: 'ghcr.io/nobody/missing' })).data
    const other = (await deploy(one, half)).data.id
    expect((await env.call('clusters.start', { id }, one)).err).toBe(errors.workspaceFull.err)
    expect((await change(one, id, { image: 'nginx' })).err).toBe(errors.workspaceFull.err)
    await env.call('clusters.remove', { id: other }, one)
    await reconcileWorkload(env.context, other)
    expect((await change(one, id, { image: 'nginx' })).code).toBe(0)
    expect((await shown(one, id))?.state).toBe('running')
    expect((await deploy(one, half)).err).toBe(errors.workspaceFull.err)
  })

  it('does not share its resources with others that start at the same time', async () => {
    const one = await tenant()
    const failed = []
    for (let made = 0; made < 4; made++)
      failed.push((await deploy(one, { ...half, image: 'ghcr.io/nobody/missing' })).data.id)
    const answers = await Promise.all(failed.map((id) => env.call('clusters.change', { id, image: 'nginx' }, one)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  })
})

it('a workload is stopping until its cluster reports that it has stopped', async () => {
  const one = await tenant()
  const { id } = (await deploy(one)).data
  await env.call('clusters.stop', { id }, one)
  expect(await shown(one, id)).toMatchObject({ state: 'stopping', wanted: false })
  sample.control.lingers = true
  await reconcileWorkload(env.context, id)
  sample.control.lingers = false
  expect((await shown(one, id))?.state).toBe('stopping')
  Object.assign(sample.workloads.get(id) ?? {}, { state: 'stopped' })
  expect((await shown(one, id))?.state).toBe('stopped')
})
