import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { downloadTrafficLeft, recordStored } from './service.ts'

const GiB = 1024 ** 3
const HOUR = 3600 * 1000
const DAY = 24 * HOUR

let env: TestEnv
beforeAll(async () => {
  env = await setup()
  // The middle of a month, so that yesterday is in it.
  env.pass(Date.parse('2027-03-15T12:30:00Z') - env.clock.now())
})
afterAll(() => env.close())

const note = (
  person: Person,
  ago: number,
  figures: { sent?: number; received?: number; downloads?: number; peak?: number; stored?: number },
) =>
  env.db.run(sql`
    insert into usage_hours (user_id, hour, sent, received, downloads, peak, stored)
    values (${person.id}, date_trunc('hour', ${new Date(env.clock.now() - ago)}::timestamptz, 'UTC'), ${figures.sent ?? 0},
      ${figures.received ?? 0}, ${figures.downloads ?? 0}, ${figures.peak ?? 0}, ${figures.stored ?? null})`)

describe('the quota of an account', () => {
  it('is that of the plan, with nothing used at first', async () => {
    const person = await env.person()
    expect((await env.call('usage.storageSize', {}, person)).data).toEqual({
      PeakBandwidth: 0,
      TotalTraffic: GiB,
      UsedTraffic: 0,
      TrafficSince: '2027-03-01T00:00:00.000Z',
      TrafficUntil: '2027-04-01T00:00:00.000Z',
      TotalSize: 104_857_600,
      UsedSize: 0,
      ReservedSize: 0,
      TrashSize: 0,
      VersionSize: 0,
      AssetCount: 0,
      FolderCount: 0,
    })
    const vip = await env.person({ vip: true })
    expect((await env.call('usage.storageSize', {}, vip)).data).toMatchObject({
      TotalTraffic: 1000 * GiB,
      TotalSize: 5 * GiB,
    })
  })

  it('is its own if set, including zero', async () => {
    const person = await env.person({ vip: true, storageQuota: 7, downloadQuota: 0 })
    expect((await env.call('usage.storageSize', {}, person)).data).toMatchObject({ TotalTraffic: 0, TotalSize: 7 })
  })

  it('counts download traffic per calendar month on the free plan', async () => {
    const person = await env.person({ downloadQuota: 100 })
    await note(person, 3 * DAY, { sent: 30, peak: 5 })
    await note(person, 30 * DAY, { sent: 1000, peak: 500 })
    expect((await env.call('usage.storageSize', {}, person)).data).toMatchObject({
      UsedTraffic: 30,
      PeakBandwidth: 5,
    })
    expect(await downloadTrafficLeft(env.db, env.clock, person.id)).toBe(70)
    await note(person, DAY, { sent: 80 })
    expect(await downloadTrafficLeft(env.db, env.clock, person.id)).toBe(-10)
  })

  it('counts download traffic per month of a VIP plan, from the hour in which it began', async () => {
    const person = await env.person({ downloadQuota: 100 })
    await note(person, HOUR, { sent: 30 })
    const { token } = await env.person({ role: 'operator' })
    await env.call('admin.setVip', { uid: person.uid, vip: true, reason: 'a test' }, { token })
    await note(person, 0, { sent: 20 })
    expect((await env.call('usage.storageSize', {}, person)).data).toMatchObject({
      UsedTraffic: 20,
      TrafficSince: '2027-03-15T12:00:00.000Z',
      TrafficUntil: '2027-04-15T12:00:00.000Z',
    })
    expect(await downloadTrafficLeft(env.db, env.clock, person.id)).toBe(80)
  })

  it('is visible to API keys of the account', async () => {
    const key = await env.key(await env.person({ storageQuota: 7 }), ['readFile'])
    expect((await env.call('usage.storageSize', {}, { token: key })).data.TotalSize).toBe(7)
  })
})

describe('usage over time', () => {
  it('returns 24 hourly points, oldest first, that add up to the total', async () => {
    const person = await env.person()
    await note(person, 0, { sent: 1, downloads: 1, peak: 9 })
    await note(person, 23 * HOUR, { sent: 2, received: 5, downloads: 2 })
    await note(person, 25 * HOUR, { sent: 4, stored: 11 })
    const { series_data } = (await env.call('usage.hourly', {}, person)).data
    expect(series_data).toHaveLength(24)
    expect(series_data[0]).toEqual({
      date: '13:00',
      DownloadCount: 2,
      PeakBandwidth: 0,
      TotalBandwidth: 2,
      UploadBandwidth: 5,
      StorageSize: 11,
    })
    expect(series_data[23]).toMatchObject({ date: '12:00', TotalBandwidth: 1, PeakBandwidth: 9 })
    expect(series_data.reduce((sum, point) => sum + point.TotalBandwidth, 0)).toBe(3)
  })

  it('sums hours per day, with the storage size', async () => {
    const person = await env.person()
    await note(person, 0, { sent: 1, peak: 3, stored: 50 })
    await note(person, HOUR, { sent: 2, peak: 7, stored: 60 })
    await note(person, 2 * DAY, { sent: 4, stored: 20 })
    const { series_data } = (await env.call('usage.daily', { days: 3 }, person)).data
    expect(
      series_data.map((point) => [point.date, point.TotalBandwidth, point.PeakBandwidth, point.StorageSize]),
    ).toEqual([
      ['03-13', 4, 0, 20],
      ['03-14', 0, 0, 20],
      ['03-15', 3, 7, 50],
    ])
  })

  it.each([1, 7, 30, 60, 90])('returns %i days', async (days) => {
    const { series_data } = (await env.call('usage.daily', { days }, await env.person())).data
    expect(series_data).toHaveLength(days)
  })

  it('records the storage size in the hour it changes', async () => {
    const person = await env.person()
    await env.db.run(sql`update users set used_bytes = 5 where id = ${person.id}`)
    await recordStored(env.db, person.id, new Date(env.clock.now()))
    await env.db.run(sql`update users set used_bytes = 9 where id = ${person.id}`)
    await recordStored(env.db, person.id, new Date(env.clock.now()))
    const { series_data } = (await env.call('usage.hourly', {}, person)).data
    expect(series_data.at(-1)?.StorageSize).toBe(9)
    await env.db.run(sql`update users set used_bytes = 0 where id = ${person.id}`)
  })

  it('returns the data of the caller, whichever account is named', async () => {
    const [person, other] = [await env.person(), await env.person()]
    await note(other, 0, { sent: 77 })
    const { data } = await env.call('usage.daily', { user_id: other.uid, days: 1 }, person)
    expect(data.series_data[0]?.TotalBandwidth).toBe(0)
  })

  it.each([
    { from: '2027-03-15', to: '2027-03-01' },
    { from: '2026-01-01', to: '2027-01-01' },
    { from: 'yesterday' },
    { from: "2027-03-01'; --" },
    { from: '2027-99-99' },
    { days: 91 },
    { days: 0 },
  ])('refuses %j', async (range) => {
    expect((await env.call('usage.daily', range, await env.person())).err).toBe(1001)
  })

  it('refuses visitors', async () => {
    for (const operation of ['usage.storageSize', 'usage.hourly', 'usage.daily'] as const)
      expect((await env.call(operation, {})).code).toBe(401)
  })
})
