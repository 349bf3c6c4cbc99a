import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import type { sampleDriver } from '../clusters/sample-driver.fixture.ts'
import { recordDown, recordUp, takeOutages } from './outages.ts'
import { sampleClusters, sampleTenant, type Tenant } from './sample-tenant.fixture.ts'
import { sampleDue } from './watch.ts'
import { suspend } from './workspaces.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

let env: TestEnv
let sample: ReturnType<typeof sampleDriver>
let tenant: Tenant
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env?.close())
beforeEach(async () => {
  await env.db.run(sql`update workspaces set state = 'removed'`)
  await env.db.run(sql`delete from workspace_outages`)
  sample = sampleClusters(env)
  tenant = await sampleTenant(env)
})

/** Probes every half minute. */
async function probeFor(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 30 * SECOND) {
    env.pass(30 * SECOND)
    await sampleDue(env.context)
  }
}
const take = (limit = 100) => env.db.transaction((tx) => takeOutages(env.context, tx, limit))
const at = () => new Date(env.clock.now())
const minutesOf = ({ from_at, to_at }: { from_at: Date; to_at: Date }) =>
  Math.round((10 * (to_at.getTime() - from_at.getTime())) / MINUTE) / 10

describe('an outage', () => {
  it('lasts from the first failed probe to the first successful one, and is taken once', async () => {
    await probeFor(MINUTE)
    sample.control.away = true
    await probeFor(10 * MINUTE)
    expect(await take()).toEqual([])
    sample.control.away = false
    await probeFor(30 * SECOND)
    const [outage, ...others] = await take()
    expect(outage).toMatchObject({ workspace_id: tenant.space, cause: 'cluster', probes: 20 })
    expect(outage && minutesOf(outage)).toBe(10)
    expect(others).toEqual([])
    expect(await take()).toEqual([])
  })

  it('is also measured if the cluster lost a program', async () => {
    sample.workloads.delete(tenant.machine)
    await probeFor(2 * MINUTE)
    await env.pass(4 * MINUTE)
    expect(await take()).toMatchObject([{ workspace_id: tenant.space, cause: 'lost' }])
  })

  it('ends with the last failed probe if nothing was measured for a while', async () => {
    sample.control.away = true
    await probeFor(2 * MINUTE)
    env.pass(60 * MINUTE)
    sample.control.away = false
    await probeFor(30 * SECOND)
    expect((await take()).map(minutesOf)).toEqual([1.5])
  })

  it('ends when the workspace is stopped at the end of its order', async () => {
    sample.control.away = true
    await probeFor(2 * MINUTE)
    sample.control.away = false
    await suspend(env.context, tenant.space)
    await probeFor(5 * MINUTE)
    expect((await take()).map(minutesOf)).toEqual([1.5])
  })

  it('is one, and never overlaps another, if two servers probe at once or one continues for another', async () => {
    const began = env.clock.now()
    for (let round = 0; round < 20; round++) {
      env.pass(15 * SECOND)
      const late = new Date(env.clock.now() - 5 * SECOND)
      await Promise.all([
        recordDown(env.context, [tenant.space], 'cluster', at()),
        recordDown(env.context, [tenant.space], 'lost', late),
        recordDown(env.context, [tenant.space], 'cluster', at()),
      ])
      // One of them sees the workspace for a moment.
      if (round === 9) await recordUp(env.context, [tenant.space], late)
    }
    await Promise.all([1, 2].map(() => recordUp(env.context, [tenant.space], at())))
    const taken = (await Promise.all([take(1), take(1), take(1)])).flat()
    expect(taken).toHaveLength(2)
    taken.sort((a, b) => a.from_at.getTime() - b.from_at.getTime())
    expect(taken[1]?.from_at.getTime()).toBeGreaterThanOrEqual(taken[0]?.to_at.getTime() ?? Infinity)
    expect(taken.map(minutesOf).reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(
      (env.clock.now() - began) / MINUTE,
    )
  })
})

describe('what does not count', () => {
  it.each([
    ['a program that its tenant stopped', 'stopped', 137],
    ['a machine that its tenant broke', 'failed', 127],
  ] as const)('%s', async (_, state, exitCode) => {
    Object.assign(sample.workloads.get(tenant.machine) ?? {}, { state, exitCode })
    await probeFor(5 * MINUTE)
    env.pass(5 * MINUTE)
    expect(await take()).toEqual([])
  })

  it('a program that its tenant removes, or changes', async () => {
    await env.db.run(sql`update workloads set version = version + 1 where id = ${tenant.machine}`)
    sample.workloads.delete(tenant.machine)
    await probeFor(5 * MINUTE)
    await env.db.run(sql`update workloads set wanted = 'removed', done = version where id = ${tenant.machine}`)
    await probeFor(5 * MINUTE)
    expect(await take()).toEqual([])
  })

  it('less than a minute, or a single failed probe', async () => {
    sample.control.away = true
    await probeFor(30 * SECOND)
    sample.control.away = false
    await probeFor(MINUTE)
    sample.control.away = true
    await probeFor(30 * SECOND)
    env.pass(2 * MINUTE)
    sample.control.away = false
    await sampleDue(env.context)
    expect(await take()).toEqual([])
  })

  it('a cluster that answers but cannot measure', async () => {
    sample.driver.measure = async () => {
      throw new Error('not now')
    }
    await probeFor(5 * MINUTE)
    env.pass(5 * MINUTE)
    expect(await take()).toEqual([])
  })
})
