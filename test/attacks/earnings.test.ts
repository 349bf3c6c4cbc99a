import { planPriceMin, REPLICA_TARGET } from '@tidenet/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findSilentNodes } from '../../apps/server/src/network/nodes/silence.ts'
import {
  GB,
  HOUR,
  MINUTE,
  POINT,
  sampleEarnings,
  type TestNode,
} from '../../apps/server/src/payments/earnings/sample-earnings.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** What owners of devices can earn without the work, alone and with accounts of their own. */

let env: TestEnv
let owner: Person
let vip: Person
const earnings = sampleEarnings(() => env)
const { at, device, setOwner, audit, hold, download, toNextHour, nextHour, close, earnedBy, receipts, points } =
  earnings
beforeEach(async () => {
  env = await setup({ pace: 'usual' })
  ;[owner, vip] = [await env.person(), await env.person({ vip: true })]
  toNextHour(0)
  await close()
})
afterEach(() => env.close())

const earned = async (cause: 'traffic' | 'storage', person = owner) => (await earnedBy(person))[cause]
/** The device calls from another address, or is reached there. */
const move = async ({ id }: TestNode, address: string) => {
  await env.heard()
  await env.db.run(sql`update nodes set address = ${address}, seen_at = ${at()} where id = ${id}`)
}
const devicesAt = (address: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => device(owner, { address })))

describe('many devices at one address', () => {
  it('hold different bytes and earn less than one device', async () => {
    for (const node of await devicesAt('198.51.100.7', 10)) await hold(vip, 72 * GB, node)
    await nextHour()
    const together = await earned('storage')
    expect(together).toBeGreaterThan(0)
    expect(together).toBeLessThan(POINT)
    const alone = await device(await env.person())
    await hold(vip, 720 * GB, alone)
    await nextHour()
    expect((await receipts('node_hour', alone))[0]).toMatchObject({ crowd: 1 })
  })

  it('cannot hide by leaving, or by moving to other addresses, just before the hour ends', async () => {
    const [left, moved] = [await devicesAt('198.51.100.7', 10), await devicesAt('198.51.100.8', 10)]
    env.pass(HOUR - 3 * MINUTE)
    await env.heard()
    for (const [index, node] of moved.entries()) await move(node, `203.0.113.${index}`)
    for (const node of [...moved, left[0] as TestNode])
      await env.db.run(sql`update nodes set seen_at = ${new Date(env.clock.now() + MINUTE)} where id = ${node.id}`)
    for (const node of left.slice(1)) await env.db.run(sql`update nodes set seen_at = ${at()} where id = ${node.id}`)
    env.pass(2 * MINUTE)
    await findSilentNodes(env.context)
    await nextHour()
    for (const node of [...left, ...moved]) expect(await receipts('node_hour', node)).toMatchObject([{ crowd: 10 }])
  })

  it('take nothing from a neighbour while they are new and earn nothing themselves', async () => {
    const address = '198.51.100.7'
    const honest = await device(owner, { address })
    await hold(vip, 720 * GB, honest)
    for (let more = 0; more < 20; more++) await device(await env.person(), { address, vetted: false })
    await nextHour()
    expect(await receipts('node_hour', honest)).toMatchObject([{ crowd: 1 }])
  })

  it('crowd no device at another address, nor one that came after they had left', async () => {
    const crowd = await devicesAt('198.51.100.7', 5)
    const honest = await device(owner, { address: '198.51.100.8' })
    env.pass(10 * MINUTE)
    for (const node of crowd) await move(node, '203.0.113.1')
    const late = await device(owner, { address: '198.51.100.7' })
    await nextHour()
    expect(await receipts('node_hour', honest)).toMatchObject([{ crowd: 1 }])
    expect((await receipts('node_hour', late))[0]?.crowd).toBeLessThanOrEqual(2)
  })
})

describe('storage that nobody pays for', () => {
  it('of free accounts and of anonymous files earns no more than the paid bytes in all their copies', async () => {
    const node = await device(owner)
    const accomplices = await Promise.all(Array.from({ length: 3 }, () => env.person()))
    await hold(vip, 10 * GB)
    for (const person of accomplices) await hold(person, 100_000 * GB, node)
    const stray = await hold(accomplices[0] as Person, 500_000 * GB, node)
    // An anonymous file belongs to no account.
    await env.db.run(sql`delete from assets where cid = ${stray.cid}`)
    for (let hour = 0; hour < 3; hour++) await nextHour()
    const paidGbMonths = (10 * 3) / 720
    expect(await earned('storage')).toBeGreaterThan(0)
    expect(await earned('storage')).toBeLessThanOrEqual(paidGbMonths * REPLICA_TARGET * POINT)
  })

  it('earns nothing if nobody has a plan', async () => {
    const node = await device(owner)
    await hold(await env.person(), 1000 * GB, node)
    await nextHour()
    expect(await earned('storage')).toBe(0)
  })

  it('does not count on new edges, and on devices whose copies do not count', async () => {
    const nodes = [
      await device(owner, { vetted: false }),
      await device(owner),
      await device(owner),
      await device(owner),
    ]
    const [, draining, suspect, out] = nodes as [TestNode, TestNode, TestNode, TestNode]
    for (const node of nodes) await hold(vip, 720 * GB, node)
    await env.db.run(sql`update nodes set draining_since = ${at()} where id = ${draining.id}`)
    await env.db.run(sql`update replicas set suspect = true where node_id = ${suspect.id}`)
    await env.db.run(sql`update nodes set out_since = ${at()} where id = ${out.id}`)
    await nextHour()
    expect(await earned('storage')).toBe(0)
  })
})

describe('own downloads', () => {
  it('with a second account earn less than the plan costs', async () => {
    const rich = await env.person({ vip: true, downloadQuota: 5 * GB })
    const node = await device(owner)
    for (let time = 0; time < 5; time++) await download(rich, node, GB)
    await nextHour()
    expect(await earned('traffic')).toBe(5 * POINT)
    expect(5).toBeLessThan(planPriceMin({ storage: 0, downloadTraffic: 5 * GB }))
  })

  it('of free accounts, visitors and without an account earn nothing', async () => {
    const node = await device(owner)
    await download(await env.person(), node, GB)
    await nextHour()
    expect(await earned('traffic')).toBe(0)
  })
})

describe('hours', () => {
  it('are those of the server: a report with another time does not move traffic into an hour that is over or to come', async () => {
    const node = await device(owner)
    for (const hours of [-100, -1, 1, 100]) await download(vip, node, GB, env.clock.now() + hours * HOUR)
    await nextHour()
    const [first] = await receipts('node_hour', node)
    await nextHour()
    const [, second] = await receipts('node_hour', node)
    expect([first?.signed, second?.signed]).toEqual([4 * GB, 0])
  })

  it('have every failed audit in exactly one of them, in whichever it ends', async () => {
    const node = await device(owner)
    await download(vip, node, GB)
    toNextHour(MINUTE)
    await download(vip, node, GB)
    // The node answered slowly, so that the audit ended after the hour, and after the report.
    await audit(node, 'failed')
    env.pass(5 * MINUTE)
    await close()
    await nextHour()
    const closed = await receipts('node_hour', node)
    expect(closed.map(({ failed, signed }) => [failed, signed])).toEqual([
      [0, GB],
      [1, GB],
    ])
    expect(await earned('traffic')).toBe(POINT)
  })

  it('earn no more for many changes of the owner than without', async () => {
    const accounts = [owner, await env.person(), await env.person()]
    const node = await device(owner)
    await download(vip, node, 3 * GB)
    for (const person of accounts) await setOwner(node, person)
    toNextHour(6 * MINUTE)
    await Promise.all([
      close(),
      setOwner(node, accounts[0] as Person),
      close(),
      setOwner(node, accounts[1] as Person),
      close(),
    ])
    await close()
    const sums = await Promise.all(accounts.map((person) => earned('traffic', person)))
    expect(sums.reduce((sum, one) => sum + one, 0)).toBe(3 * POINT)
  })

  it('that are closed by several servers while devices report and owners redeem pay each byte once', async () => {
    const node = await device(owner)
    for (let time = 0; time < 4; time++) await download(vip, node, 5 * GB)
    toNextHour(6 * MINUTE)
    const late = download(vip, node, GB)
    await Promise.all([close(), late, close(), points(owner), close(), download(vip, node, GB), points(owner)])
    const { accumulated, not_withdrawn, withdrawing, credited } = await points(owner)
    expect(not_withdrawn + withdrawing + credited).toBe(accumulated)
    expect(accumulated).toBe(20)
    await nextHour()
    expect((await points(owner)).accumulated).toBe(22)
    const { signed } = await env.db.one<{ signed: number }>(sql`select sum(signed)::bigint as signed from node_hours`)
    expect(signed).toBe(22 * GB)
  })
})

describe('points', () => {
  it('that are running cannot be redeemed, and earned ones only once', async () => {
    const node = await device(owner)
    await download(vip, node, 100 * GB)
    expect((await points(owner)).not_withdrawn).toBe(0)
    await nextHour()
    expect((await points(owner)).not_withdrawn).toBe(100)
    await env.db.run(sql`
      insert into redemptions (user_id, wallet, points, amount, state, due_at, created_at)
      values (${owner.id}, 'tide1x', 40, 40, 'reserved', ${at()}, ${at()})`)
    await nextHour()
    expect(await points(owner)).toMatchObject({ accumulated: 100, not_withdrawn: 60, withdrawing: 40 })
  })

  it('of a day are not paid again if its inputs are counted anew', async () => {
    const node = await device(owner)
    await download(vip, node, GB)
    await nextHour()
    await env.db.run(sql`update node_traffic set signed = signed * 100`)
    await close()
    await nextHour()
    expect(await earned('traffic')).toBe(POINT)
  })
})
