import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleWorkload } from '../clusters/sample-workloads.fixture.ts'
import { GB } from '../clusters/sizes.ts'
import { sampleClusters } from './sample-tenant.fixture.ts'
import { sampleDue } from './watch.ts'

const COUNT = 1000

let env: TestEnv
let sample: ReturnType<typeof sampleClusters>
beforeAll(async () => {
  env = await setup()
  sample = sampleClusters(env)
  const { id } = await env.person()
  const at = new Date(env.context.clock.now())
  const names = Array.from({ length: COUNT }, (_, index) => `many-${index}`)
  await env.db.run(sql`
    insert into workspaces (id, user_id, cluster, cpu, ram, storage, state, created_at, changed_at)
    select name, ${id}, 'distributed', 1, 1, 10, 'ready', ${at}, ${at} from unnest(${names}::text[]) n (name)`)
  await env.db.run(sql`
    insert into workloads (id, workspace_id, name, env, cpu, memory, storage, wanted, done, created_at, changed_at)
    select 'm-' || name, name, 'machine', '', 500, ${GB}::bigint, ${10 * GB}::bigint, 'running', 1, ${at}, ${at}
    from unnest(${names}::text[]) n (name)`)
  for (const name of names) {
    const size = { cpu: 1, memory: GB, storage: 10 * GB }
    await sample.driver.createWorkspace({ id: name, owner: 'u1', size })
    const spec = sampleWorkload({ id: `m-${name}`, size: { cpu: 0.5, memory: GB, storage: 10 * GB } })
    await sample.driver.deploy({ id: name, owner: 'u1', size }, spec)
  }
})
afterAll(() => env.close())

const sampled = async () =>
  (await env.db.one<{ count: number }>(sql`select count(*)::int as count from workload_usage`)).count

it('samples 1,000 workspaces in one run, each again after 30 s', async () => {
  const start = performance.now()
  await sampleDue(env.context)
  expect(await sampled()).toBe(COUNT)
  env.pass(10_000)
  await sampleDue(env.context)
  expect(await sampled()).toBe(COUNT)
  env.pass(25_000)
  await sampleDue(env.context)
  expect(await sampled()).toBe(2 * COUNT)
  // Two samples of each, also on a slow machine.
  expect(performance.now() - start).toBeLessThan(60_000)
})

it('a workload that is removed meanwhile does not keep others from being sampled', async () => {
  const { measure } = sample.driver
  sample.driver.measure = async (ids) => {
    const found = await measure(ids)
    await env.db.run(sql`delete from workloads where id = 'm-many-0'`)
    return found
  }
  env.pass(40_000)
  await sampleDue(env.context)
  sample.driver.measure = measure
  const { count } = await env.db.one<{ count: number }>(
    sql`select count(*)::int as count from workload_usage where at = (select max(at) from workload_usage)`,
  )
  expect(count).toBe(COUNT - 1)
})

it('uses no more cores than were sold, and counts from 0 after a restart', async () => {
  const latest = (id: string) =>
    env.db.one<{ cpu: number }>(sql`select cpu from workload_usage where workload_id = ${id} order by at desc limit 1`)
  const one = sample.workloads.get('m-many-1')
  Object.assign(one ?? {}, { used: 10_000 })
  env.pass(40_000)
  await sampleDue(env.context)
  expect((await latest('m-many-1')).cpu).toBe(0.5)
  Object.assign(one ?? {}, { used: 0 })
  env.pass(40_000)
  await sampleDue(env.context)
  expect((await latest('m-many-1')).cpu).toBeCloseTo(10 / 40)
})
