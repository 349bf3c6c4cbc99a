import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { clustersOf } from '../clusters/clusters.ts'
import { sampleDriver } from '../clusters/sample-driver.fixture.ts'
import { GB } from '../clusters/sizes.ts'
import { hasCapacity } from './capacity.ts'
import { sealEnv } from './env.ts'
import { findWorkload, findWorkspace, insertWorkload } from './repository.ts'
import { sampleTenant } from './sample-tenant.fixture.ts'
import { removeOrphans, sampleDue } from './watch.ts'
import { create, offered, remove, reserve, resize, restore, suspend, type WorkspaceOrder } from './workspaces.ts'

let env: TestEnv
let sample: ReturnType<typeof sampleDriver>
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())
beforeEach(async () => {
  sample = sampleDriver()
  env.context.clusters = clustersOf([{ driver: sample.driver, regions: ['distributed'] }])
  await env.db.pool.query(`update workspaces set state = 'removed'`)
})

async function order(more: Partial<WorkspaceOrder> = {}): Promise<WorkspaceOrder> {
  const person = await env.person()
  return { workspaceId: randomUUID(), userId: person.id, cluster: 'distributed', cpu: 2, ram: 4, storage: 50, ...more }
}
const machine = ({ workspaceId }: WorkspaceOrder) => sample.workloads.get(`m-${workspaceId}`)

describe('a workspace', () => {
  it('is created with a machine that leaves resources for a second workload', async () => {
    const wanted = await order()
    await create(env.context, wanted)
    expect(machine(wanted)).toMatchObject({ state: 'running', size: { cpu: 1.5, memory: 3 * GB, storage: 37 * GB } })
  })

  it('is created once, even if requested several times', async () => {
    const wanted = await order()
    await Promise.all([create(env.context, wanted), create(env.context, wanted)])
    await create(env.context, wanted)
    expect(sample.workloads.size).toBe(1)
  })

  it('is created when the cluster is available again', async () => {
    const wanted = await order()
    sample.control.away = true
    await expect(create(env.context, wanted)).rejects.toMatchObject({ failure: 'absent' })
    sample.control.away = false
    await create(env.context, wanted)
    expect(machine(wanted)?.state).toBe('running')
  })

  it('grows with its order, and so does its machine', async () => {
    const wanted = await order()
    await create(env.context, wanted)
    await resize(env.context, { ...wanted, cpu: 3, ram: 8, storage: 60 })
    await resize(env.context, { ...wanted, cpu: 3, ram: 8, storage: 60 })
    expect(machine(wanted)?.size).toEqual({ cpu: 2.5, memory: 7 * GB, storage: 47 * GB })
    expect(sample.spaces.get(wanted.workspaceId)?.size.cpu).toBe(3)
  })

  it('stops when the order expires, and is restored when it is renewed', async () => {
    const wanted = await order()
    await create(env.context, wanted)
    await suspend(env.context, wanted.workspaceId)
    await suspend(env.context, wanted.workspaceId)
    expect(machine(wanted)?.state).toBe('stopped')
    await restore(env.context, { ...wanted, cpu: 4 })
    expect(machine(wanted)).toMatchObject({ state: 'running', size: { cpu: 3.5 } })
  })

  it('is kept for its owner, who sees since when, until when, and what of it', async () => {
    const owner = await sampleTenant(env)
    const seen = async () => (await env.call('clusters.workspaces', {}, owner)).data.list[0]
    sample.control.storageUsed = 3000
    await sampleDue(env.context)
    expect(await seen()).toMatchObject({ state: 'ready', kept: null })
    const keeping = { until: new Date(env.clock.now() + 3_600_000), order: 'o-1' }
    await suspend(env.context, owner.space, keeping)
    const kept = (await seen())?.kept
    const disks = [{ id: owner.machine, bytes: 3000 }]
    expect(kept).toEqual({ since: expect.any(String), until: keeping.until.toISOString(), order: 'o-1', disks })
    env.pass(60_000)
    await suspend(env.context, owner.space, keeping)
    expect((await seen())?.kept).toEqual(kept)
    const again = { workspaceId: owner.space, userId: owner.person.id, cpu: 2, ram: 4, storage: 50 }
    await restore(env.context, { ...again, cluster: 'distributed' })
    expect(await seen()).toMatchObject({ state: 'ready', kept: null })
    await suspend(env.context, owner.space, { ...keeping, order: 'o-2' })
    expect((await seen())?.kept).toMatchObject({ order: 'o-2' })
    expect(Date.parse((await seen())?.kept?.since ?? '')).toBeGreaterThan(Date.parse(kept?.since ?? ''))
  })

  it('can be restored smaller, which scales its workloads down', async () => {
    const wanted = await order()
    await create(env.context, wanted)
    await suspend(env.context, wanted.workspaceId)
    await restore(env.context, { ...wanted, cpu: 1, ram: 1 })
    expect(machine(wanted)).toMatchObject({ state: 'running', size: { cpu: 1, memory: GB, storage: 37 * GB } })
  })

  it('cannot be restored with a disk smaller than the used one', async () => {
    const wanted = await order()
    await create(env.context, wanted)
    await suspend(env.context, wanted.workspaceId)
    await expect(restore(env.context, { ...wanted, storage: 20 })).rejects.toMatchObject({ failure: 'full' })
    expect(machine(wanted)?.state).toBe('stopped')
    await restore(env.context, wanted)
    expect(machine(wanted)).toMatchObject({ state: 'running', size: { cpu: 1.5, storage: 37 * GB } })
  })

  it('can be resized and restored although a workload of its owner does not start', async () => {
    const wanted = await order()
    await create(env.context, wanted)
    const broken = `w-${wanted.workspaceId}`
    const program = { name: 'broken', template: '', image: null, command: ['missing'], ports: [] }
    const size = { cpu: 100, memory: GB / 8, storage: GB }
    const row = { ...program, ...size, id: broken, workspace_id: wanted.workspaceId }
    await insertWorkload(env.db, { ...row, env: sealEnv(env.context.keys, broken, {}) }, new Date(env.clock.now()))
    await resize(env.context, { ...wanted, cpu: 3 })
    expect(machine(wanted)?.size.cpu).toBe(2.5)
    await suspend(env.context, wanted.workspaceId)
    await restore(env.context, wanted)
    expect(machine(wanted)?.state).toBe('running')
    expect(await findWorkload(env.db, broken)).toMatchObject({ wanted: 'running', failure: 'failed' })
  })

  it('is not ready for its owner until all workloads are restored', async () => {
    const wanted = await order()
    await create(env.context, wanted)
    await suspend(env.context, wanted.workspaceId)
    sample.control.fails = true
    await expect(restore(env.context, wanted)).rejects.toMatchObject({ failure: 'failed' })
    expect((await findWorkspace(env.db, wanted.workspaceId))?.state).toBe('making')
    sample.control.fails = false
    await restore(env.context, wanted)
    expect((await findWorkspace(env.db, wanted.workspaceId))?.state).toBe('ready')
  })

  it('is removed completely', async () => {
    const wanted = await order()
    await create(env.context, wanted)
    await remove(env.context, wanted.workspaceId)
    await remove(env.context, wanted.workspaceId)
    expect(sample.spaces.size + sample.workloads.size).toBe(0)
    await expect(restore(env.context, wanted)).rejects.toMatchObject({ failure: 'unknown' })
    await expect(resize(env.context, wanted)).rejects.toMatchObject({ failure: 'unknown' })
  })

  it('is removed later if its removal was interrupted', async () => {
    const wanted = await order()
    await create(env.context, wanted)
    await env.db.pool.query(`update workspaces set state = 'removed' where id = $1`, [wanted.workspaceId])
    await removeOrphans(env.context)
    expect(sample.spaces.size).toBe(0)
  })

  it('of another installation on the same cluster is not removed', async () => {
    await sample.driver.createWorkspace({ id: 'theirs', owner: 'x', size: { cpu: 1, memory: 1, storage: 1 } })
    await removeOrphans(env.context)
    expect(sample.spaces.has('theirs')).toBe(true)
  })
})

describe('capacity', () => {
  const gpuNode = (gpus: number) => ({ gpus, cpu: 16, memory: 64 * GB, taken: {} })
  const big = { cluster: 'distributed', cpu: 8, ram: 8, storage: 100 } as const

  it('is released by removal; suspension releases everything except disks', async () => {
    const [first, second] = [await order({ cpu: 8 }), await order()]
    await create(env.context, first)
    expect(await hasCapacity(env.context, big)).toBe(false)
    await suspend(env.context, first.workspaceId)
    expect(await hasCapacity(env.context, big)).toBe(true)
    expect(await hasCapacity(env.context, { ...big, storage: 460 })).toBe(false)
    await create(env.context, second)
    await expect(restore(env.context, first)).rejects.toMatchObject({ failure: 'full' })
    await remove(env.context, second.workspaceId)
    await restore(env.context, first)
  })

  it('is not sold twice by concurrent orders', async () => {
    const orders = await Promise.all(Array.from({ length: 12 }, () => order()))
    const results = await Promise.allSettled(orders.map((each) => create(env.context, each)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    expect(sample.workloads.size).toBe(4)
  })

  it('has GPUs for its machine, as many as the cluster sells and not twice', async () => {
    const { driver } = sample
    const probe: typeof driver.probe = async (again) => ({ ...(await driver.probe(again)), gpus: { all: 3, most: 3 } })
    const gpuNodes = async () => [gpuNode(3)]
    env.context.clusters = clustersOf([{ driver: { ...driver, probe, gpuNodes }, regions: ['distributed'] }])
    expect((await offered(env.context))[0]?.gpus).toBe(3)
    const [first, second] = [await order({ gpus: 2 }), await order({ gpus: 2 })]
    await create(env.context, first)
    expect(machine(first)?.spec.gpus).toBe(2)
    await expect(create(env.context, second)).rejects.toMatchObject({ failure: 'full' })
    expect(await hasCapacity(env.context, { ...second, gpus: 1 })).toBe(true)
    await resize(env.context, { ...first, gpus: 3 })
    expect(machine(first)?.spec.gpus).toBe(3)
    await suspend(env.context, first.workspaceId)
    await create(env.context, second)
    await expect(restore(env.context, { ...first, gpus: 3 })).rejects.toMatchObject({ failure: 'full' })
    const none = await order()
    await create(env.context, none)
    expect(machine(none)?.spec).not.toHaveProperty('gpus')
  })

  it('has GPUs of one node for an order, never those of several together', async () => {
    const nodes = [gpuNode(2), gpuNode(2)]
    const driver = { ...sample.driver, gpuNodes: async () => nodes }
    env.context.clusters = clustersOf([{ driver, regions: ['distributed'] }])
    await expect(create(env.context, await order({ gpus: 4 }))).rejects.toMatchObject({ failure: 'full' })
    const [first, second, third] = [await order({ gpus: 1 }), await order({ gpus: 2 }), await order({ gpus: 2 })]
    await create(env.context, first)
    await create(env.context, second)
    expect(await hasCapacity(env.context, { ...third, gpus: 1 })).toBe(true)
    await expect(create(env.context, third)).rejects.toMatchObject({ failure: 'full' })
  })

  it('of nodes that keep other programs away is for orders with GPUs', async () => {
    const driver = {
      ...sample.driver,
      capacity: async () => ({ ...(await sample.driver.capacity()), apart: { cpu: 8, memory: 16 * GB } }),
      gpuNodes: async () => [gpuNode(4)],
    }
    env.context.clusters = clustersOf([{ driver, regions: ['distributed'] }])
    const with8 = await order({ cpu: 8, gpus: 1 })
    await create(env.context, with8)
    expect(await hasCapacity(env.context, { ...big, cpu: 9 })).toBe(false)
    expect(await hasCapacity(env.context, big)).toBe(true)
    await create(env.context, await order({ cpu: 8 }))
    expect(await hasCapacity(env.context, { ...big, cpu: 1, gpus: 1 })).toBe(false)
  })

  it('is sold to many orders at once, to the first ones, as far as it goes', async () => {
    const orders = await Promise.all(Array.from({ length: 6 }, () => order()))
    await Promise.all([reserve(env.context, orders), reserve(env.context, orders)])
    expect(sample.workloads.size).toBe(0)
    const results = await Promise.allSettled(orders.map((each) => create(env.context, each)))
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, true, false, false])
    expect(machine(orders[0] as WorkspaceOrder)).toMatchObject({ state: 'running', size: { cpu: 1.5, memory: 3 * GB } })
  })
})

describe('a cluster that hangs', () => {
  it('delays no orders of other clusters, and sells nothing', async () => {
    const hanging = { ...sampleDriver().driver, capacity: () => new Promise<never>(() => {}) }
    env.context.clusters = clustersOf([
      { driver: hanging, regions: ['distributed'] },
      { driver: sample.driver, regions: ['centralized'] },
    ])
    const [slow, fast] = [await order(), await order({ cluster: 'centralized' })]
    await expect(reserve(env.context, [slow, fast])).rejects.toMatchObject({ failure: 'absent' })
    expect(await findWorkspace(env.db, fast.workspaceId)).toMatchObject({ state: 'making' })
    expect(await findWorkspace(env.db, slow.workspaceId)).toBeUndefined()
    await create(env.context, fast)
    await expect(create(env.context, slow)).rejects.toMatchObject({ failure: 'absent' })
    expect(await hasCapacity(env.context, slow)).toBe(false)
  })
})

describe('offers', () => {
  it('contain ready clusters, and the reason for the others', async () => {
    const [distributed, centralized] = await offered(env.context)
    expect(distributed).toMatchObject({ name: 'distributed', ready: true })
    expect(centralized).toMatchObject({ name: 'centralized', ready: false })
    expect(centralized?.reason?.en).not.toBe(centralized?.reason?.cn)
  })

  it('do not contain an unavailable cluster', async () => {
    sample.control.away = true
    expect((await offered(env.context))[0]?.ready).toBe(false)
    expect(await hasCapacity(env.context, { cluster: 'distributed', cpu: 1, ram: 1, storage: 40 })).toBe(false)
  })

  it('are required: a workspace on a missing cluster is refused', async () => {
    await expect(create(env.context, await order({ cluster: 'centralized' }))).rejects.toMatchObject({
      failure: 'absent',
    })
  })
})
