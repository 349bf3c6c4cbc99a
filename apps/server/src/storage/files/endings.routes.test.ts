import { FREE_STORAGE_DAYS } from '@tidenet/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSampleTeam } from '../../identity/teams/sample-team.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import { type As, type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'
import { announceEndings } from './endings.ts'
import { expireAssets } from './expired.ts'

let env: TestEnv
let owner: Person
beforeAll(async () => {
  env = await setup()
})
beforeEach(async () => {
  // Files of earlier tests do not end.
  await env.db.run(sql`delete from assets`)
  owner = await env.person()
})
afterAll(() => env.close())

const DAY = 24 * 3_600_000
const pass = (days: number) => {
  env.pass(days * DAY)
}
const inDays = (days: number) => new Date(env.clock.now() + days * DAY)
/** One run of both tasks, as the scheduler does it every few minutes. */
const run = async () => {
  await announceEndings(env.context)
  await expireAssets(env.context)
}
/** E-mails about files that end, oldest first. */
const told = ({ email }: Person) =>
  env.db.rows<{ subject: string; text: string }>(sql`
    select subject, body_text as text from mails where recipient = ${email} and body_text like '%/endingFiles%' order by id`)
const listed = async (as: As, days?: number) => (await env.call('assets.ending', { ...(days && { days }) }, as)).data
const exists = async (id: number) => (await env.db.maybe(sql`select 1 from assets where id = ${id}`)) !== undefined

describe('a file that ends', () => {
  it('is announced a month, a week and a day before, and deleted then', async () => {
    const { id } = await sampleFile(env.db, owner.id, { name: 'plans.pdf', expires: inDays(60) })
    const mails: number[] = []
    for (let day = 0; day < 62; day++) {
      await run()
      await run()
      mails.push((await told(owner)).length)
      pass(1)
    }
    // On the first day of each stage, and never twice.
    expect([29, 30, 31, 52, 53, 54, 58, 59, 60].map((day) => mails[day])).toEqual([0, 1, 1, 1, 2, 2, 2, 3, 3])
    expect((await told(owner))[0]?.text).toContain('plans.pdf')
    expect(await exists(id)).toBe(false)
  })

  it('is announced with all others of the account in one e-mail, which names some and counts all', async () => {
    for (let n = 0; n < 25; n++) await sampleFile(env.db, owner.id, { name: `n${n}.txt`, expires: inDays(29 + n / 5) })
    await run()
    const [mail, ...others] = await told(owner)
    expect(others).toEqual([])
    expect(mail?.subject).toContain('25')
    expect(mail?.text).toContain('n0.txt')
    expect(mail?.text).not.toContain('n20.txt')
  })

  it('is never deleted before it was announced for a week, also if no server ran', async () => {
    const { id } = await sampleFile(env.db, owner.id, { expires: inDays(40) })
    pass(45)
    await expireAssets(env.context)
    expect(await exists(id)).toBe(true)
    await run()
    expect(await told(owner)).toHaveLength(1)
    for (let hour = 0; hour < 7 * 24 - 1; hour += 12) {
      await run()
      expect(await exists(id)).toBe(true)
      pass(0.5)
    }
    pass(1)
    await run()
    expect(await exists(id)).toBe(false)
  })

  it('is announced once by several servers', async () => {
    await sampleFile(env.db, owner.id, { expires: inDays(20) })
    await Promise.all([announceEndings(env.context), announceEndings(env.context), announceEndings(env.context)])
    expect(await told(owner)).toHaveLength(1)
  })

  it('of a team is announced to its owners, and extended by its editors', async () => {
    const { team, name, owner: leader, editor, viewer } = await createSampleTeam(env)
    const { id } = await env.db.one<{ id: number }>(sql`select id from users where uid = ${team}`)
    await sampleFile(env.db, id, { expires: inDays(20) })
    await run()
    expect((await told(leader))[0]?.text).toContain(name)
    expect([...(await told(editor)), ...(await told(viewer))]).toEqual([])
    expect((await listed({ ...viewer, team })).total).toBe(1)
    expect((await env.call('assets.extend', {}, { ...viewer, team })).code).not.toBe(0)
    expect((await env.call('assets.extend', {}, { ...editor, team })).data.extended).toBe(1)
  })
})

describe('extending', () => {
  it('keeps all files that end soon as long as new ones, and announces them again only then', async () => {
    for (const days of [3, 20]) await sampleFile(env.db, owner.id, { expires: inDays(days) })
    const later = await sampleFile(env.db, owner.id, { expires: inDays(50) })
    await run()
    expect((await listed(owner)).list).toHaveLength(2)
    const { data } = await env.call('assets.extend', {}, owner)
    expect(data).toMatchObject({ extended: 2 })
    expect(new Date(data.expires_at).getTime()).toBeGreaterThan(inDays(FREE_STORAGE_DAYS).getTime() - DAY)
    expect((await listed(owner)).total).toBe(0)
    expect((await listed(owner, 60)).list.map(({ asset_id }) => asset_id)).toEqual([later.id])
    pass(10)
    await run()
    expect(await told(owner)).toHaveLength(1)
  })

  it('keeps only the named files if some are named', async () => {
    const [first, second] = [
      await sampleFile(env.db, owner.id, { name: 'a', expires: inDays(3) }),
      await sampleFile(env.db, owner.id, { name: 'b', expires: inDays(4) }),
    ]
    expect((await env.call('assets.extend', { asset_ids: [second.id] }, owner)).data).toMatchObject({ extended: 1 })
    expect((await listed(owner)).list).toMatchObject([{ asset_id: first.id, name: 'a', cid: first.cid }])
  })

  it('is done for accounts with a paid plan, without telling them, as long as the plan is active', async () => {
    const vip = await env.person({ vip: true })
    const { id } = await sampleFile(env.db, vip.id, { expires: inDays(20) })
    await run()
    expect(await told(vip)).toEqual([])
    expect((await listed(vip)).total).toBe(0)
    pass(FREE_STORAGE_DAYS - 20)
    await env.db.run(sql`update users set vip = false where id = ${vip.id}`)
    await run()
    expect(await told(vip)).toHaveLength(1)
    expect(await exists(id)).toBe(true)
  })
})

describe('rejections', () => {
  it('extends nothing of others, and nothing that does not end soon', async () => {
    const other = await env.person()
    const { id } = await sampleFile(env.db, other.id, { expires: inDays(3) })
    const later = await sampleFile(env.db, owner.id, { expires: inDays(60) })
    for (const ids of [[id], [later.id], [1e9]])
      expect(await env.call('assets.extend', { asset_ids: ids }, owner)).toMatchObject({ code: -1 })
    expect((await env.call('assets.extend', {}, owner)).data.extended).toBe(0)
    expect((await listed(other)).total).toBe(1)
    expect((await listed(owner)).total).toBe(0)
  })

  it('refuses accounts that store more than their plan includes', async () => {
    await sampleFile(env.db, owner.id, { expires: inDays(3), size: 20 })
    await env.db.run(sql`update users set storage_quota = 10 where id = ${owner.id}`)
    expect((await env.call('assets.extend', {}, owner)).code).toBe(-1)
  })

  it('refuses visitors, and API keys that may not create or that are limited to folders', async () => {
    await sampleFile(env.db, owner.id, { expires: inDays(3) })
    for (const token of [undefined, await env.key(owner, ['readFile'])])
      expect((await env.call('assets.extend', {}, { token })).code).not.toBe(0)
    expect((await listed({ token: await env.key(owner, ['readFile']) })).total).toBe(1)
  })
})
