import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reviewStanding } from '../../apps/server/src/network/audits/standing.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** What auditors that lie can do to all nodes at once. */

const HOUR = 3600_000

let env: TestEnv
beforeEach(async () => {
  env = await setup({ pace: 'usual' })
})
afterEach(() => env.close())

const add = async (count: number, more: Parameters<TestEnv['node']>[0]) => {
  for (let index = 0; index < count; index++) await env.node(more)
}
/** Auditors say that every node fails every audit. */
const blameAll = () =>
  env.db.run(sql`update nodes set audit_good = 0, audit_bad = 20, audit_score_at = ${new Date(env.clock.now())}`)
const draining = async () =>
  await env.db.one<{ invited: number; vetted: number; fresh: number }>(sql`
      select count(*) filter (where kind <> 'edge') as invited, count(*) filter (where kind = 'edge' and vetted_at is not null) as vetted,
        count(*) filter (where kind = 'edge' and vetted_at is null) as fresh
      from nodes where draining_since is not null`)

/** Auditors say that the last audits of every node failed. */
const failAll = () => env.db.run(sql`update nodes set audits = '{0,0}', status = 'abnormal', audited_periods = 9`)
const vetted = async () =>
  (await env.db.one<{ vetted: number }>(sql`select count(*) as vetted from nodes where vetted_at is not null`)).vetted

describe('auditors that blame all nodes', () => {
  it('make at most a fifth of the invited nodes, and of the vetted edges, drain within an hour', async () => {
    await add(10, {})
    await add(10, { kind: 'edge', vetted: true })
    await add(3, { kind: 'edge' })
    for (const trusted of [2, 4]) {
      await blameAll()
      for (let run = 0; run < 3; run++) await reviewStanding(env.context)
      expect(await draining()).toEqual({ invited: trusted, vetted: trusted, fresh: 3 })
      env.pass(HOUR + 1000)
    }
  })

  it('make at most a fifth of the vetted edges lose their vetting within an hour', async () => {
    await add(20, { kind: 'edge', vetted: true })
    await failAll()
    for (const left of [16, 13, 11]) {
      for (let run = 0; run < 3; run++) await reviewStanding(env.context)
      expect(await vetted()).toBe(left)
      env.pass(HOUR + 1000)
    }
  })

  it('do not protect a vetted edge by making many new ones fail', async () => {
    await add(1, { kind: 'edge', vetted: true })
    await add(20, { kind: 'edge' })
    await env.db.run(sql`update nodes set audits_passed = 1`)
    await failAll()
    await reviewStanding(env.context)
    expect(await vetted()).toBe(0)
  })

  it('do not protect the single bad one of a few nodes', async () => {
    await add(2, {})
    await blameAll()
    await reviewStanding(env.context)
    expect(await draining()).toMatchObject({ invited: 1 })
  })
})
