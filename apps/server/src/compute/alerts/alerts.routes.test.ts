import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleClusters, sampleTenant, type Tenant } from '../workspaces/sample-tenant.fixture.ts'
import { alertOfPrograms } from './alerts.ts'
import { addAlert } from './repository.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
  sampleClusters(env)
})
afterAll(() => env.close())

const MINUTE = 60_000
/** Between two samples. */
const INTERVAL = 30_000
const check = () => alertOfPrograms(env.context)

/** Samples of the last minutes, as parts of what the machine has. */
async function use(tenant: Tenant, used: { storage?: number; memory?: number }, minutes = 0.5) {
  for (let time = 0; time < minutes * MINUTE; time += INTERVAL) {
    await env.db.run(sql`
      insert into workload_usage (workload_id, at, cpu, memory, storage, received, sent, cpu_seconds)
      select id, ${new Date(env.clock.now())}, 0, (${used.memory ?? 0}::float8 * memory)::bigint,
        (${used.storage ?? 0}::float8 * storage)::bigint, 0, 0, 0 from workloads where id = ${tenant.machine}`)
    env.pass(INTERVAL)
  }
}
const change = ({ machine }: Tenant, what: { streak?: number; health?: string; failure?: string }) =>
  env.db.run(sql`
    update workloads set restart_streak = ${what.streak ?? 0}, health_state = ${what.health ?? 'unknown'},
      failure = ${what.failure ?? ''} where id = ${machine}`)
const mails = async ({ person }: Tenant): Promise<number> =>
  (
    await env.db.one<{ n: number }>(sql`
    select count(*)::int as n from mails where recipient = ${person.email} and body_text like '%/console/workloads/%'`)
  ).n
const problems = async (tenant: Tenant): Promise<string[]> =>
  (await env.call('clusters.workspaces', {}, tenant)).data.list[0]?.workloads[0]?.problems ?? []

describe('the owner of a program is told', () => {
  it('once that its disk is nearly full, and again after it was not for a day', async () => {
    const tenant = await sampleTenant(env)
    await use(tenant, { storage: 0.89 })
    await check()
    expect(await problems(tenant)).toEqual([])
    for (let time = 0; time < 5; time++) {
      await use(tenant, { storage: 0.91 })
      await check()
    }
    expect(await problems(tenant)).toEqual(['disk'])
    expect(await mails(tenant)).toBe(1)
    // Ups and downs are no news.
    for (const storage of [0.2, 0.91, 0.2]) {
      env.pass(60 * MINUTE)
      await use(tenant, { storage })
      await check()
    }
    expect(await mails(tenant)).toBe(1)
    expect(await problems(tenant)).toEqual([])
    env.pass(25 * 60 * MINUTE)
    await use(tenant, { storage: 0.91 })
    await check()
    expect(await mails(tenant)).toBe(2)
  })

  it('that memory has been nearly full for five minutes, and not of a moment', async () => {
    const tenant = await sampleTenant(env)
    await use(tenant, { memory: 0.96 }, 4)
    await use(tenant, { memory: 0.5 })
    await check()
    expect(await mails(tenant)).toBe(0)
    await use(tenant, { memory: 0.96 }, 5)
    await check()
    expect(await problems(tenant)).toEqual(['memory'])
    expect(await mails(tenant)).toBe(1)
  })

  it('that it keeps restarting, fails its checks, or was stopped', async () => {
    const tenant = await sampleTenant(env)
    await change(tenant, { streak: 2 })
    await check()
    expect(await mails(tenant)).toBe(0)
    await change(tenant, { streak: 3, health: 'unhealthy', failure: 'storage' })
    await check()
    expect(await problems(tenant)).toEqual(['restarts', 'stopped', 'unhealthy'])
    expect(await mails(tenant)).toBe(3)
  })

  it('once, when several servers look at the same time', async () => {
    const tenant = await sampleTenant(env)
    await change(tenant, { streak: 5 })
    await Promise.all([check(), check(), check()])
    expect(await mails(tenant)).toBe(1)
    // Whoever looked before the first one told it.
    const problem = { id: tenant.machine, kind: 'restarts' as const }
    expect(await env.db.transaction((tx) => addAlert(tx, problem, new Date(env.clock.now())))).toBe(false)
  })

  it('only on the page, if these e-mails are off', async () => {
    const tenant = await sampleTenant(env)
    await env.call('notifications.set', { kind: 'programs', email: false }, { token: tenant.person.token })
    await change(tenant, { streak: 3 })
    await check()
    expect(await mails(tenant)).toBe(0)
    expect(await problems(tenant)).toEqual(['restarts'])
  })

  it('but nobody of a program that is stopped, of an ended order, or of somebody else', async () => {
    const [stopped, ended, other] = [await sampleTenant(env), await sampleTenant(env), await sampleTenant(env)]
    for (const tenant of [stopped, ended]) await change(tenant, { streak: 9, health: 'unhealthy' })
    await env.db.run(sql`update workloads set wanted = 'stopped' where id = ${stopped.machine}`)
    await env.db.run(sql`update workspaces set state = 'suspended' where id = ${ended.space}`)
    await check()
    for (const tenant of [stopped, ended, other]) expect(await mails(tenant)).toBe(0)
  })
})
