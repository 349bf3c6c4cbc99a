import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSampleTeam } from '../../identity/teams/sample-team.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { alertOfUsage } from './alerts.ts'

let env: TestEnv
let owner: Person
beforeAll(async () => {
  env = await setup()
  // The middle of a month.
  env.pass(Date.parse('2027-03-15T12:30:00Z') - env.clock.now())
})
beforeEach(async () => {
  owner = await env.person({ storageQuota: 100, downloadQuota: 100 })
})
afterAll(() => env.close())

const DAY = 24 * 3_600_000
const check = () => alertOfUsage(env.context)
const hourNow = () => new Date(Math.floor(env.clock.now() / 3_600_000) * 3_600_000)

/** What an account stores from now on. */
async function store({ id }: { id: number }, bytes: number) {
  await env.db.run(sql`update users set used_bytes = ${bytes} where id = ${id}`)
  await env.db.run(sql`
    insert into usage_hours (user_id, hour, stored) values (${id}, ${hourNow()}, ${bytes})
    on conflict (user_id, hour) do update set stored = excluded.stored`)
}
const send = ({ id }: Person, bytes: number) =>
  env.db.run(sql`
    insert into usage_hours as h (user_id, hour, sent) values (${id}, ${hourNow()}, ${bytes})
    on conflict (user_id, hour) do update set sent = h.sent + excluded.sent`)
const subjects = async ({ email }: Person) =>
  (
    await env.db.rows<{ subject: string }>(sql`
      select subject from mails where recipient = ${email} and subject like '%\\%%' order by id`)
  ).map(({ subject }) => Number(/\d+/.exec(subject)?.[0]))

describe('an owner is told', () => {
  it('once when 80 % and once when 100 % of the storage is used', async () => {
    const told: number[][] = []
    for (const bytes of [79, 80, 85, 99, 100, 250, 100]) {
      await store(owner, bytes)
      for (let hour = 0; hour < 3; hour++) {
        await check()
        env.pass(3_600_000)
      }
      told.push(await subjects(owner))
    }
    expect(told).toEqual([[], [80], [80], [80], [80, 100], [80, 100], [80, 100]])
  })

  it('again after clearly less was used, or after a larger plan, but not for ups and downs around a level', async () => {
    for (const bytes of [80, 78, 80, 78, 81]) {
      await store(owner, bytes)
      await check()
    }
    expect(await subjects(owner)).toEqual([80])
    await store(owner, 50)
    await check()
    await store(owner, 80)
    await check()
    expect(await subjects(owner)).toEqual([80, 80])
    await env.db.run(sql`update users set storage_quota = 1000 where id = ${owner.id}`)
    env.pass(DAY)
    await check()
    await store(owner, 801)
    await check()
    expect(await subjects(owner)).toEqual([80, 80, 80])
  })

  it('of download traffic, in each month anew', async () => {
    await send(owner, 80)
    await check()
    await send(owner, 20)
    await check()
    await check()
    expect(await subjects(owner)).toEqual([80, 100])
    env.pass(31 * DAY)
    await send(owner, 10)
    await check()
    expect(await subjects(owner)).toEqual([80, 100])
    await send(owner, 75)
    await check()
    expect(await subjects(owner)).toEqual([80, 100, 80])
  })

  it('once by several servers at the same time', async () => {
    await store(owner, 90)
    await Promise.all([check(), check(), check()])
    expect(await subjects(owner)).toEqual([80])
  })

  it('of the quota of a team that they own, by its name; other members are not', async () => {
    const { team, name, owner: leader, editor } = await createSampleTeam(env)
    const { id } = await env.db.one<{ id: number }>(sql`select id from users where uid = ${team}`)
    await env.db.run(sql`update users set storage_quota = 100 where id = ${id}`)
    await store({ id }, 100)
    await check()
    expect(await subjects(leader)).toEqual([100])
    expect(await subjects(editor)).toEqual([])
    const { body_text: text } = await env.db.one<{ body_text: string }>(sql`
      select body_text from mails where recipient = ${leader.email} order by id desc limit 1`)
    expect(text).toContain(name)
    const { attention } = (await env.call('dashboard.overview', {}, leader)).data
    expect(attention).toMatchObject([{ kind: 'storage', count: 100, quota: 100, name, id: team }])
    expect((await env.call('dashboard.overview', {}, editor)).data.attention).toEqual([])
  })
})

describe('nobody is told', () => {
  it('who turned off notices about usage; the dashboard follows the choice for the portal', async () => {
    const seen = async () => (await env.call('dashboard.overview', {}, owner)).data.attention.length
    await store(owner, 100)
    expect(await seen()).toBe(1)
    await env.call('notifications.set', { kind: 'usage', email: false, portal: false }, owner)
    await check()
    expect(await subjects(owner)).toEqual([])
    expect(await seen()).toBe(0)
  })

  it('about the usage of others', async () => {
    const other = await env.person({ storageQuota: 100 })
    await store(owner, 100)
    await store(other, 10)
    await check()
    expect(await subjects(other)).toEqual([])
  })
})
