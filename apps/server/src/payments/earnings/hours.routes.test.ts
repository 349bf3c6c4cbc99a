import { earningsOf } from '@tidenet/receipts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findSilentNodes } from '../../network/nodes/silence.ts'
import { loseOfflineReplicas } from '../../network/placement/watch.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { closeHours } from './close.ts'
import { DAY, GB, HOUR, MINUTE, POINT, sampleEarnings } from './sample-earnings.fixture.ts'

let env: TestEnv
let owner: Person
let vip: Person
const {
  at,
  device,
  setOwner,
  audit,
  hold,
  download,
  toNextHour,
  nextHour,
  toNextDay,
  earnedBy,
  close,
  receipts,
  statement,
  points,
} = sampleEarnings(() => env)
beforeEach(async () => {
  env = await setup({ pace: 'usual' })
  ;[owner, vip] = [await env.person(), await env.person({ vip: true })]
  // Not the last hours of a day: some tests look at the day in which they began.
  toNextDay()
  await close()
})
afterEach(() => env.close())

describe('an hour of a device', () => {
  it('is closed five minutes after its end, with a receipt from which its earnings follow', async () => {
    const node = await device(owner)
    await hold(vip, 720 * GB, node)
    await download(vip, node, 2 * GB)
    toNextHour(4 * MINUTE)
    await close()
    expect(await receipts('node_hour', node)).toEqual([])
    env.pass(2 * MINUTE)
    await close()
    const [receipt] = await receipts('node_hour', node)
    expect(receipt).toMatchObject({
      sub: owner.uid,
      trusted: true,
      passed: 1,
      failed: 0,
      crowd: 1,
      held: 722 * GB,
      signed: 2 * GB,
      paid_share: 1_000_000,
    })
    const { traffic, storage } = earningsOf(receipt as never)
    expect([traffic, storage > 0.9 * POINT, storage < 1.01 * POINT]).toEqual([2 * POINT, true, true])
    expect(await earnedBy(owner)).toEqual({ traffic, storage })
  })

  it('without an owner has a receipt and earns for nobody', async () => {
    const node = await device()
    await download(vip, node, GB)
    await nextHour()
    const [receipt] = await receipts('node_hour', node)
    expect(receipt).toMatchObject({ signed: 0 })
    expect(receipt).not.toHaveProperty('sub')
    expect(await env.db.rows(sql`select 1 from device_days`)).toEqual([])
  })

  it('earns for who owns it when the hour is closed', async () => {
    const next = await env.person()
    const node = await device(owner)
    await download(vip, node, GB)
    await setOwner(node, next)
    await nextHour()
    expect([(await earnedBy(owner)).traffic, (await earnedBy(next)).traffic]).toEqual([0, POINT])
  })

  it('counts the time online, also of a device that went offline before its end', async () => {
    const node = await device(owner)
    await hold(vip, 720 * GB, node)
    env.pass(30 * MINUTE)
    await env.heard()
    env.pass(5 * MINUTE)
    await findSilentNodes(env.context)
    env.pass(5 * MINUTE)
    await loseOfflineReplicas(env.context)
    await nextHour()
    const [receipt] = await receipts('node_hour', node)
    expect(receipt?.held).toBe(720 * GB)
    expect(receipt?.online).toBeGreaterThan(25 * 60)
    expect(receipt?.online).toBeLessThan(31 * 60)
    await nextHour()
    expect(await receipts('node_hour', node)).toHaveLength(1)
  })

  it('counts bytes that accounts pay for: half of all bytes pay half', async () => {
    const [node, free] = [await device(owner), await env.person()]
    await hold(vip, 360 * GB, node)
    await hold(free, 360 * GB, node)
    await nextHour()
    expect(await receipts('node_hour', node)).toMatchObject([{ held: 720 * GB, paid_share: 500_000 }])
  })

  it('earns nothing with a failed audit that counts, and the next one earns again', async () => {
    const node = await device(owner)
    await audit(node, 'failed', at(), false)
    await download(vip, node, GB)
    await nextHour()
    expect((await earnedBy(owner)).traffic).toBe(POINT)
    await audit(node, 'failed')
    await download(vip, node, GB)
    await nextHour()
    expect((await earnedBy(owner)).traffic).toBe(POINT)
    await download(vip, node, GB)
    await nextHour()
    expect((await earnedBy(owner)).traffic).toBe(2 * POINT)
  })

  it('earns nothing if its last passed audit is a day old, or if it is a new edge', async () => {
    const [late, fresh] = [await device(owner), await device(owner, { vetted: false })]
    for (let hour = 0; hour < 24; hour++) await nextHour()
    await download(vip, late, GB)
    await audit(fresh)
    await download(vip, fresh, GB)
    await nextHour()
    expect((await earnedBy(owner)).traffic).toBe(0)
  })
})

describe('closing', () => {
  it('is done once by several servers at the same time, and again, for any number of devices', async () => {
    await env.db.run(sql`
      insert into nodes (id, public_key, kind, name, area_id, url, ip, latitude, longitude, version, cpu_cores, memory, capacity, free,
        status, reachable, seen_at, created_at, vetted_at, owner_id)
      select 'e_' || i, 'key' || i, 'edge', '', '', '', '', 0, 0, '', 1, 1, 1, 1, 'online', true, ${at()}, ${at()}, ${at()}, ${owner.id}
      from generate_series(1, 1200) i`)
    const node = await device(owner)
    await download(vip, node, GB)
    toNextHour(6 * MINUTE)
    await Promise.all(Array.from({ length: 4 }, close))
    await close()
    const { hours, nodes } = await env.db.one<{ hours: number; nodes: number }>(
      sql`select count(*) as hours, count(distinct node_id) as nodes from node_hours`,
    )
    expect([hours, nodes]).toEqual([1201, 1201])
    expect(await receipts('node_hour', node)).toHaveLength(1)
    expect((await earnedBy(owner)).traffic).toBe(POINT)
  })

  it('goes on where a crash interrupted it, and repeats nothing', async () => {
    const node = await device(owner)
    await download(vip, node, GB)
    toNextHour(6 * MINUTE)
    // The transaction of the last batch fails: nothing of it stays.
    await env.db.run(sql`alter table device_days add constraint crash check (traffic = 0)`)
    await expect(close()).rejects.toThrow()
    expect(await receipts('node_hour', node)).toEqual([])
    await env.db.run(sql`alter table device_days drop constraint crash`)
    await close()
    await close()
    expect(await receipts('node_hour', node)).toHaveLength(1)
    expect((await earnedBy(owner)).traffic).toBe(POINT)
  })

  it('closes all hours in which it was not done, each once', async () => {
    const node = await device(owner)
    await download(vip, node, GB)
    toNextHour()
    await download(vip, node, GB)
    env.pass(4 * HOUR + 6 * MINUTE)
    await close()
    const closed = await receipts('node_hour', node)
    expect(closed.map(({ signed }) => signed)).toEqual([GB, GB, 0, 0, 0])
    expect(new Set(closed.map(({ hour }) => hour)).size).toBe(5)
    expect((await earnedBy(owner)).traffic).toBe(2 * POINT)
  })

  it('pays no time in which no server ran, neither to devices that return nor to those that stay away', async () => {
    const [back, away] = [await device(owner), await device(owner)]
    for (const node of [back, away]) await hold(vip, 720 * GB, node)
    env.pass(20 * MINUTE)
    await env.heard()
    // Five hours later, the server runs again, and closes hours before it looks for silent nodes.
    env.pass(5 * HOUR)
    await env.db.run(sql`update nodes set seen_at = ${at()} where id = ${back.id}`)
    await closeHours(env.context)
    await findSilentNodes(env.context)
    toNextHour(6 * MINUTE)
    await env.db.run(sql`update nodes set seen_at = ${at()} where id = ${back.id}`)
    await closeHours(env.context)
    for (const node of [back, away]) {
      const [first, ...later] = await receipts('node_hour', node)
      expect([first?.online, later]).toEqual([expect.any(Number), []])
      expect(first?.online).toBeGreaterThanOrEqual(20 * 60)
      expect(first?.online).toBeLessThan(21 * 60)
    }
  })

  it('counts the time of a device between heartbeats that came in time, and none across a gap', async () => {
    const node = await device(owner)
    const beat = async (afterMs: number) => {
      env.pass(afterMs)
      await env.db.run(sql`update nodes set seen_at = ${at()} where id = ${node.id}`)
    }
    for (let time = 0; time < 10; time++) await beat(MINUTE)
    await beat(30 * MINUTE)
    for (let time = 0; time < 5; time++) await beat(MINUTE)
    await beat(HOUR)
    await closeHours(env.context)
    const [hour] = await receipts('node_hour', node)
    expect(hour?.online).toBeGreaterThan(15 * 60 - 5)
    expect(hour?.online).toBeLessThan(15 * 60 + 5)
  })

  it('waits while the clocks of server and database differ, whichever is ahead, and goes on afterwards', async () => {
    const node = await device(owner)
    await download(vip, node, GB)
    // The server believes that the hour is over.
    toNextHour(6 * MINUTE)
    await env.heard()
    const context = (aheadMs: number) => ({
      ...env.context,
      databaseTime: () => Promise.resolve(env.clock.now() + aheadMs),
    })
    for (const ahead of [-HOUR, -2 * MINUTE, 2 * MINUTE, DAY]) await closeHours(context(ahead))
    expect(await receipts('node_hour', node)).toEqual([])
    await closeHours(context(20_000))
    expect(await receipts('node_hour', node)).toHaveLength(1)
  })

  it('of a day issues a receipt per device and owner, whose hours and sums are those of the node hours', async () => {
    toNextDay()
    await close()
    const node = await device(owner)
    await download(vip, node, GB)
    await nextHour()
    await download(vip, node, GB)
    toNextDay(6 * MINUTE)
    await close()
    await close()
    const [day, ...more] = await receipts('earnings', node)
    expect(more).toEqual([])
    expect(day).toMatchObject({ sub: owner.uid, traffic: 2 * POINT })
    const hours = (await receipts('node_hour', node)).filter(({ hour }) => day?.hours.some((one) => one.hour === hour))
    expect(day?.hours.map(({ receipt }) => receipt)).toEqual(hours.map(({ id }) => id))
    expect(hours).toHaveLength(24)
    expect((await statement(owner, node, day?.day)).receipt).toBe(day?.id)
  })
})

describe('points', () => {
  it('are those granted and the whole ones earned, and always add up', async () => {
    const operator = await env.person({ role: 'operator' })
    const node = await device(owner)
    await download(vip, node, 1.5 * GB)
    const grant = { uid: owner.uid, points: 10, reason: 'a test' }
    await env.call('admin.grantPoints', grant, operator)
    expect((await points(owner)).accumulated).toBe(10)
    await nextHour()
    expect((await points(owner)).accumulated).toBe(11)
    await download(vip, node, 0.5 * GB)
    await nextHour()
    expect(await points(owner)).toMatchObject({ accumulated: 12, not_withdrawn: 12, withdrawing: 0, credited: 0 })
  })

  it('stay when the device is unlinked or deleted', async () => {
    const node = await device(owner)
    await download(vip, node, 3 * GB)
    await nextHour()
    await setOwner(node, null)
    await env.db.run(sql`delete from nodes where id = ${node.id}`)
    expect((await points(owner)).accumulated).toBe(3)
    const day = at().toISOString().slice(0, 10)
    expect((await statement(owner, node, day)).traffic).toBe(3 * POINT)
  })
})

it('inputs are kept for 90 days, and what they earned for ever', async () => {
  const node = await device(owner)
  await download(vip, node, GB)
  await nextHour()
  const { expired } = await import('./repository.ts')
  for (const statement of expired(new Date(env.clock.now() + 91 * DAY))) await env.db.run(statement)
  expect(await env.db.rows(sql`select 1 from node_hours`)).toEqual([])
  expect((await points(owner)).accumulated).toBe(1)
})
