import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { DAY, GB, HOUR, sampleEarnings } from './sample-earnings.fixture.ts'
import { mondayOf, sendWeeklySummaries } from './weekly.ts'
import { formatPoints, weeklyEmail } from './weekly-email.ts'

let env: TestEnv
let owner: Person
let vip: Person
const earnings = sampleEarnings(() => env)
const { at, device, download, toNextDay, toNextHour, close, as } = earnings
const MINUTE = 60_000

/** Moves the clock to a Monday, before the last hour of Sunday is closed. The hours between are left out, because closing them takes long. */
async function toMondayNight(): Promise<void> {
  do toNextDay(1000)
  while (at().getUTCDay() !== 1)
  const closed = new Date((Math.floor(env.clock.now() / HOUR) - 2) * HOUR)
  await env.db.run(sql`insert into earning_hours (hour, paid_share, closed_at) values (${closed}, 0, ${at()})`)
}
/** Moves the clock to a Monday, when all hours of the week before are closed. */
async function toNextMonday(): Promise<void> {
  await toMondayNight()
  env.pass(6 * MINUTE)
  await close()
}
const send = () => sendWeeklySummaries(env.context)
const mails = ({ email }: Person) =>
  env.db.rows<{ subject: string; text: string }>(
    sql`select subject, body_text as text from mails where recipient = ${email} order by id`,
  )

beforeAll(async () => {
  env = await setup()
  vip = await env.person({ vip: true })
  toNextDay()
  await close()
  await toNextMonday()
  await send()
})
beforeEach(async () => {
  owner = await env.person()
})
afterAll(() => env.close())

/** The device serves some bytes, and the hour is closed. */
async function earn(node: Awaited<ReturnType<typeof device>>, bytes: number) {
  await download(vip, node, bytes)
  toNextHour(6 * MINUTE)
  await close()
}

describe('the weekly summary', () => {
  it('says what each device earned from Monday to Sunday, and agrees with the page', async () => {
    const [one, two] = [await device(owner), await device(owner)]
    await earn(one, 1.5 * GB)
    await earn(two, 2 * GB)
    await toNextMonday()
    await send()
    const days = (await env.call('earnings.days', { days: 8 }, await as(owner))).data.list.slice(0, 7)
    const total = days.reduce((sum, { traffic, storage }) => sum + traffic + storage, 0)
    const [mail, ...others] = await mails(owner)
    expect(others).toEqual([])
    expect(mail?.subject).toContain(formatPoints(total))
    expect(mail?.text).toContain('1.5')
    expect(mail?.text).toContain('/devices')
  })

  it('comes once a week, also if two servers send it at the same time and one of them crashed before', async () => {
    await earn(await device(owner), GB)
    const others = await Promise.all(Array.from({ length: 5 }, () => env.person()))
    for (const person of others) await earn(await device(person), GB)
    await toNextMonday()
    const fail = (): string => {
      throw new Error('crashed')
    }
    const crashed = { ...env.context, portalUrl: fail }
    await expect(sendWeeklySummaries(crashed)).rejects.toThrow('crashed')
    await Promise.all([send(), send(), send()])
    await send()
    env.pass(DAY)
    await send()
    for (const person of [owner, ...others]) expect(await mails(person)).toHaveLength(1)
  })

  it('comes when the last hour of the week is closed, and not before', async () => {
    await earn(await device(owner), GB)
    await toMondayNight()
    await close()
    await send()
    expect(await mails(owner)).toEqual([])
    env.pass(6 * MINUTE)
    await close()
    await send()
    expect(await mails(owner)).toHaveLength(1)
  })

  it('comes without earnings if a device has a problem, and names it', async () => {
    const node = await device(owner)
    await env.db.run(sql`update nodes set status = 'offline', name = 'harbour' where id = ${node.id}`)
    await toNextMonday()
    await send()
    expect((await mails(owner)).map(({ text }) => text.includes('harbour'))).toEqual([true])
  })

  it('leaves out weeks in which no server ran', async () => {
    await earn(await device(owner), GB)
    env.pass(21 * DAY)
    await toNextMonday()
    await send()
    expect(await mails(owner)).toEqual([])
  })

  it('is in both languages, and lists a few of many devices', () => {
    const earned = Array.from({ length: 30 }, (_, index) => ({ name: `n${index}`, traffic: 1, storage: 0 }))
    for (const lang of ['en', 'cn'] as const) {
      const { text } = weeklyEmail(lang, { week: '2026-01-05', earned, problems: [] }, 'https://portal.test/devices')
      expect(text).toContain('2026-01-11')
      expect(text.split('\n').length).toBeLessThan(30)
    }
  })

  it('is not sent to accounts without earnings and problems, without devices, locked, or that turned it off', async () => {
    const [idle, locked, off] = [await env.person(), await env.person(), await env.person()]
    await env.db.run(sql`update nodes set reachable = true, status = 'online' where id = ${(await device(idle)).id}`)
    for (const person of [locked, off]) await earn(await device(person), GB)
    await env.db.run(sql`update users set locked_at = now() where id = ${locked.id}`)
    expect((await env.call('earnings.mail', { weekly: false }, await as(off))).data).toEqual({ weekly: false })
    await toNextMonday()
    await send()
    for (const person of [idle, locked, off, vip]) expect(await mails(person)).toEqual([])
  })
})

describe('the setting', () => {
  const weekly = async (person: Person) => (await earnings.summary(person)).weekly

  it('is on at first, belongs to the account, and can be set twice', async () => {
    const other = await env.person()
    expect([await weekly(owner), await weekly(other)]).toEqual([true, true])
    for (const next of [false, false, true, true, false]) {
      await env.call('earnings.mail', { weekly: next }, await as(owner))
      expect([await weekly(owner), await weekly(other)]).toEqual([next, true])
    }
  })

  it('is refused to visitors', async () => {
    expect((await env.call('earnings.mail', { weekly: false })).code).toBe(401)
  })
})

it('weeks begin on Monday (UTC)', () => {
  for (const [time, monday] of [
    ['2026-01-05T00:00:00Z', '2026-01-05'],
    ['2026-01-11T23:59:59Z', '2026-01-05'],
    ['2026-01-12T00:00:00Z', '2026-01-12'],
  ] as const)
    expect(mondayOf(new Date(time))).toBe(monday)
})
