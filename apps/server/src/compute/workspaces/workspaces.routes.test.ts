import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { clustersOf } from '../clusters/clusters.ts'
import { sampleDriver } from '../clusters/sample-driver.fixture.ts'
import { GB } from '../clusters/sizes.ts'
import { sealEnv } from './env.ts'
import { findWorkload, findWorkspace, insertWorkload } from './repository.ts'
import { removeOrphans } from './watch.ts'
import { create, hasRoom, offered, remove, resize, restore, suspend, type WorkspaceOrder } from './workspaces.ts'

let world: TestEnv
let sample: ReturnType<typeof sampleDriver>
beforeAll(async () => {
  world = await setup()
})
afterAll(() => world.close())
beforeEach(async () => {
  sample = sampleDriver()
  world.context.clusters = clustersOf([{ driver: sample.driver, regions: ['distributed'] }])
  await world.db.pool.query(`update workspaces set state = 'removed'`)
})

async function order(more: Partial<WorkspaceOrder> = {}): Promise<WorkspaceOrder> {
  const person = await world.person()
  return { workspaceId: randomUUID(), userId: person.id, cluster: 'distributed', cpu: 2, ram: 4, storage: 50, ...more }
}
const machine = ({ workspaceId }: WorkspaceOrder) => sample.workloads.get(`m-${workspaceId}`)

describe('a workspace', () => {
  it('is made with a machine that leaves room for another one', async () => {
    const wanted = await order()
    await create(world.context, wanted)
    expect(machine(wanted)).toMatchObject({ state: 'running', size: { cpu: 1.5, memory: 3 * GB, storage: 37 * GB } })
  })

  it('is made once, however often it is asked for', async () => {
    const wanted = await order()
    await Promise.all([create(world.context, wanted), create(world.context, wanted)])
    await create(world.context, wanted)
    expect(sample.workloads.size).toBe(1)
  })

  it('is made after the cluster was away', async () => {
    const wanted = await order()
    sample.control.away = true
    await expect(create(world.context, wanted)).rejects.toMatchObject({ failure: 'absent' })
    sample.control.away = false
    await create(world.context, wanted)
    expect(machine(wanted)?.state).toBe('running')
  })

  it('grows with its order, and so does its machine', async () => {
    const wanted = await order()
    await create(world.context, wanted)
    await resize(world.context, { ...wanted, cpu: 3, ram: 8, storage: 60 })
    await resize(world.context, { ...wanted, cpu: 3, ram: 8, storage: 60 })
    expect(machine(wanted)?.size).toEqual({ cpu: 2.5, memory: 7 * GB, storage: 47 * GB })
    expect(sample.spaces.get(wanted.workspaceId)?.size.cpu).toBe(3)
  })

  it('stops at its end, and runs again when it is bought again', async () => {
    const wanted = await order()
    await create(world.context, wanted)
    await suspend(world.context, wanted.workspaceId)
    await suspend(world.context, wanted.workspaceId)
    expect(machine(wanted)?.state).toBe('stopped')
    await restore(world.context, { ...wanted, cpu: 4 })
    expect(machine(wanted)).toMatchObject({ state: 'running', size: { cpu: 3.5 } })
  })

  it('is bought again smaller, and what runs in it gets less', async () => {
    const wanted = await order()
    await create(world.context, wanted)
    await suspend(world.context, wanted.workspaceId)
    await restore(world.context, { ...wanted, cpu: 1, ram: 1 })
    expect(machine(wanted)).toMatchObject({ state: 'running', size: { cpu: 1, memory: GB, storage: 37 * GB } })
  })

  it('is not bought again with a smaller disk than is in use', async () => {
    const wanted = await order()
    await create(world.context, wanted)
    await suspend(world.context, wanted.workspaceId)
    await expect(restore(world.context, { ...wanted, storage: 20 })).rejects.toMatchObject({ failure: 'full' })
    expect(machine(wanted)?.state).toBe('stopped')
    await restore(world.context, wanted)
    expect(machine(wanted)).toMatchObject({ state: 'running', size: { cpu: 1.5, storage: 37 * GB } })
  })

  it('grows and is bought again whatever program its owner has put there that does not start', async () => {
    const wanted = await order()
    await create(world.context, wanted)
    const broken = `w-${wanted.workspaceId}`
    const program = { name: 'broken', template: '', image: null, command: ['missing'], ports: [] }
    const size = { cpu: 100, memory: GB / 8, storage: GB }
    const row = { ...program, ...size, id: broken, workspace_id: wanted.workspaceId }
    await insertWorkload(world.db, { ...row, env: sealEnv(world.context.keys, broken, {}) }, new Date())
    await resize(world.context, { ...wanted, cpu: 3 })
    expect(machine(wanted)?.size.cpu).toBe(2.5)
    await suspend(world.context, wanted.workspaceId)
    await restore(world.context, wanted)
    expect(machine(wanted)?.state).toBe('running')
    expect(await findWorkload(world.db, broken)).toMatchObject({ wanted: 'running', failure: 'failed' })
  })

  it('is not there for its owner before all of it could be taken up again', async () => {
    const wanted = await order()
    await create(world.context, wanted)
    await suspend(world.context, wanted.workspaceId)
    sample.control.fails = true
    await expect(restore(world.context, wanted)).rejects.toMatchObject({ failure: 'failed' })
    expect((await findWorkspace(world.db, wanted.workspaceId))?.state).toBe('making')
    sample.control.fails = false
    await restore(world.context, wanted)
    expect((await findWorkspace(world.db, wanted.workspaceId))?.state).toBe('ready')
  })

  it('is gone when it is removed', async () => {
    const wanted = await order()
    await create(world.context, wanted)
    await remove(world.context, wanted.workspaceId)
    await remove(world.context, wanted.workspaceId)
    expect(sample.spaces.size + sample.workloads.size).toBe(0)
    await expect(restore(world.context, wanted)).rejects.toMatchObject({ failure: 'unknown' })
    await expect(resize(world.context, wanted)).rejects.toMatchObject({ failure: 'unknown' })
  })

  it('whose removal nobody lived to finish is removed later', async () => {
    const wanted = await order()
    await create(world.context, wanted)
    await world.db.pool.query(`update workspaces set state = 'removed' where id = $1`, [wanted.workspaceId])
    await removeOrphans(world.context)
    expect(sample.spaces.size).toBe(0)
  })

  it('of somebody else on the same cluster is left alone', async () => {
    await sample.driver.createWorkspace({ id: 'theirs', owner: 'x', size: { cpu: 1, memory: 1, storage: 1 } })
    await removeOrphans(world.context)
    expect(sample.spaces.has('theirs')).toBe(true)
  })
})

describe('room', () => {
  const big = { cluster: 'distributed', cpu: 8, ram: 8, storage: 100 } as const

  it('is given back by what was removed; disks stay while something is kept', async () => {
    const [first, second] = [await order({ cpu: 8 }), await order()]
    await create(world.context, first)
    expect(await hasRoom(world.context, big)).toBe(false)
    await suspend(world.context, first.workspaceId)
    expect(await hasRoom(world.context, big)).toBe(true)
    expect(await hasRoom(world.context, { ...big, storage: 460 })).toBe(false)
    await create(world.context, second)
    await expect(restore(world.context, first)).rejects.toMatchObject({ failure: 'full' })
    await remove(world.context, second.workspaceId)
    await restore(world.context, first)
  })

  it('is not sold twice to many who come at once', async () => {
    const orders = await Promise.all(Array.from({ length: 12 }, () => order()))
    const results = await Promise.allSettled(orders.map((each) => create(world.context, each)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    expect(sample.workloads.size).toBe(4)
  })
})

describe('is offered', () => {
  it('what is ready, and for the rest it is said why', async () => {
    const [distributed, centralized] = await offered(world.context)
    expect(distributed).toEqual({ name: 'distributed', ready: true })
    expect(centralized).toMatchObject({ name: 'centralized', ready: false })
    expect(centralized?.reason?.en).not.toBe(centralized?.reason?.cn)
  })

  it('nothing of a cluster that is away', async () => {
    sample.control.away = true
    expect((await offered(world.context))[0]?.ready).toBe(false)
    expect(await hasRoom(world.context, { cluster: 'distributed', cpu: 1, ram: 1, storage: 40 })).toBe(false)
  })

  it('and nothing is made on one that is not there', async () => {
    await expect(create(world.context, await order({ cluster: 'centralized' }))).rejects.toMatchObject({
      failure: 'absent',
    })
  })
})
