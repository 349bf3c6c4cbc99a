import { type EarningHour, earningsMaxOf, planPriceMin } from '@tidenet/contract'
import { earningsOf } from '@tidenet/receipts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  DAY,
  GB,
  HOUR,
  MINUTE,
  POINT,
  sampleEarnings,
  type TestNode,
} from '../../apps/server/src/payments/earnings/sample-earnings.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** What a node gains by choosing when it reports, its owner by unlinking it, and an account by the dates of its plan. */

let env: TestEnv
let owner: Person
let vip: Person
const earnings = sampleEarnings(() => env)
const { at, device, setOwner, audit, openDownload, download, toNextHour, toNextDay, close, receipts, statement } =
  earnings
const { nextHour, earnedBy } = earnings
beforeEach(async () => {
  env = await setup({ pace: 'usual' })
  ;[owner, vip] = [await env.person(), await env.person({ vip: true })]
  toNextDay()
  await close()
})
afterEach(() => env.close())

const earned = async (person = owner): Promise<number> => (await earnedBy(person)).traffic
const vet = (node: TestNode) => env.db.run(sql`update nodes set vetted_at = ${at()} where id = ${node.id}`)
const unvet = (node: TestNode) => env.db.run(sql`update nodes set vetted_at = null where id = ${node.id}`)
/** What the owner sees of the hours with signed traffic, newest first. */
const seen = async (node: TestNode, person = owner): Promise<Pick<EarningHour, 'unearned' | 'traffic'>[]> =>
  (await statement(person, node)).hours
    .filter(({ unearned, inputs }) => unearned.length > 0 || inputs.signed > 0)
    .map(({ unearned, traffic }) => ({ unearned, traffic }))
    .reverse()
const unpaid = (kind: EarningHour['unearned'][number]['kind'], bytes = GB) => [
  { traffic: 0, unearned: [{ kind, bytes }] },
]

describe('a node that waits with its report', () => {
  it('earns as without waiting, if it could earn when the download was opened', async () => {
    const node = await device(owner)
    const report = await openDownload(vip, node, GB)
    await nextHour()
    await report()
    expect(await seen(node)).toEqual([{ traffic: POINT, unearned: [] }])
    await nextHour()
    expect(await earned()).toBe(POINT)
  })

  it('until it is vetted, or vetted again, earns nothing, and its owner sees why', async () => {
    const [fresh, again] = [await device(owner, { vetted: false }), await device(owner)]
    const reports = [await openDownload(vip, fresh, GB), await openDownload(vip, again, GB)]
    await unvet(again)
    env.pass(MINUTE)
    for (const node of [fresh, again]) await vet(node)
    await nextHour()
    for (const report of reports) await report()
    for (const node of [fresh, again]) expect(await seen(node)).toEqual(unpaid('unvetted'))
    await nextHour()
    expect(await earned()).toBe(0)
    // What is opened from now on earns.
    await download(vip, fresh, GB)
    expect((await seen(fresh))[0]).toEqual({ traffic: POINT, unearned: [] })
  })

  it('until it has an owner, or another one, earns nothing', async () => {
    const [unowned, sold] = [await device(), await device(await env.person())]
    const reports = [await openDownload(vip, unowned, GB), await openDownload(vip, sold, GB)]
    env.pass(MINUTE)
    for (const node of [unowned, sold]) await setOwner(node, owner)
    await nextHour()
    for (const report of reports) await report()
    for (const node of [unowned, sold]) expect(await seen(node)).toEqual(unpaid('unowned'))
    await nextHour()
    expect(await earned()).toBe(0)
  })

  it('for an hour without failed audits earns nothing, whether the audit failed before or after the download began', async () => {
    const [before, after] = [await device(owner), await device(owner)]
    await audit(before, 'failed')
    const reports = [await openDownload(vip, before, GB), await openDownload(vip, after, GB)]
    env.pass(MINUTE)
    await audit(after, 'failed')
    await nextHour()
    for (const report of reports) await report()
    for (const node of [before, after]) expect(await seen(node)).toEqual(unpaid('failed'))
    await nextHour()
    expect(await earned()).toBe(0)
  })

  it('and reports just before an audit fails in that hour earns nothing: the hour of the report counts too', async () => {
    const node = await device(owner)
    await download(vip, node, GB)
    await audit(node, 'failed')
    await nextHour()
    expect(await earned()).toBe(0)
    expect((await statement(owner, node)).hours[0]).toMatchObject({ hindrance: 'failed', inputs: { signed: GB } })
  })

  it('until it has passed an audit again earns nothing, but an audit that passes in the running hour counts', async () => {
    const node = await device(owner)
    env.pass(25 * HOUR)
    await close()
    const late = await openDownload(vip, node, GB)
    await nextHour()
    await audit(node)
    await late()
    expect(await seen(node)).toEqual(unpaid('unaudited'))
    env.pass(25 * HOUR)
    await download(vip, node, GB)
    await audit(node)
    expect((await seen(node))[0]).toEqual({ traffic: POINT, unearned: [] })
  })

  it('changes nothing of hours that are closed: their amounts follow from their receipts', async () => {
    const node = await device(owner)
    await download(vip, node, GB)
    const late = await openDownload(vip, node, 2 * GB)
    await nextHour()
    await audit(node, 'failed', new Date(at().getTime() - HOUR))
    await late()
    await nextHour()
    const hours = await receipts('node_hour', node)
    expect(hours.map(({ signed, failed }) => [signed, failed])).toEqual([
      [GB, 0],
      [0, 0],
    ])
    expect(hours.map((hour) => earningsOf(hour as never).traffic)).toEqual([POINT, 0])
    expect(await earned()).toBe(POINT)
  })
})

describe('an own device', () => {
  it('earns nothing if it is unlinked for the download, and linked again before or after the report', async () => {
    const nodes = { before: await device(vip), after: await device(vip), later: await device(vip) }
    for (const [again, node] of Object.entries(nodes)) {
      await setOwner(node, null)
      const report = await openDownload(vip, node, GB)
      if (again === 'before') await setOwner(node, vip)
      await report()
      if (again === 'after') await setOwner(node, vip)
      await nextHour()
      if (again === 'later') await setOwner(node, vip)
    }
    expect(await earned(vip)).toBe(0)
  })

  it('earns nothing by downloads of who owns it now, or did up to a week before, whoever owns it meanwhile', async () => {
    const accomplice = await env.person()
    const node = await device(vip)
    await setOwner(node, accomplice)
    for (const days of [0, 6]) {
      env.pass(days * DAY)
      await audit(node)
      await download(vip, node, GB)
      expect((await seen(node, accomplice))[0]).toEqual(unpaid('own')[0])
    }
    const opened = await openDownload(vip, node, GB)
    await setOwner(node, vip)
    await opened()
    expect((await seen(node, vip))[0]?.traffic).toBe(0)
    await setOwner(node, accomplice)
    env.pass(8 * DAY)
    await audit(node)
    await download(vip, node, GB)
    expect((await seen(node, accomplice))[0]).toEqual({ traffic: POINT, unearned: [] })
  })
})

describe('a colluding account whose plan begins on any day', () => {
  it.each(['2027-01-31T23:30', '2027-02-28T23:59', '2027-04-15T12:00', '2028-02-29T00:00', '2027-12-31T23:00'])(
    'earns in each month of its plan, which costs more, at most its quota: from %s on',
    async (begin) => {
      const quotas = { storage: 0, downloadTraffic: 2 * GB }
      const operator = await env.person({ role: 'operator' })
      const account = await env.person({ downloadQuota: quotas.downloadTraffic })
      env.pass(Date.parse(`${begin}Z`) - env.clock.now())
      const setVip = async (vip: boolean) =>
        env.call('admin.setVip', { uid: account.uid, vip, reason: 'a test' }, await earnings.as(operator))
      expect((await setVip(true)).code).toBe(0)
      const node = await device(owner)
      /** It signs as much as it can now. */
      const collude = async () => {
        await audit(node)
        // Refused once the quota is used up.
        const opened = [1, 2, 3].map(() => openDownload(account, node, GB).catch(() => undefined))
        for (const report of await Promise.all(opened)) await report?.()
        toNextHour()
      }
      const signed = async () =>
        (
          await env.db.one<{ bytes: number }>(
            sql`select coalesce(sum(signed), 0)::bigint as bytes from node_traffic where node_id = ${node.id} and account_kind = 'vip'`,
          )
        ).bytes
      await collude()
      // Over the end of the calendar month, and after the plan ended and was granted again in its first month.
      for (const days of [1, 26]) {
        env.pass(days * DAY - 2 * HOUR)
        await setVip(false)
        await collude()
        await setVip(true)
        await collude()
      }
      expect(await signed()).toBe(quotas.downloadTraffic)
      expect(earningsMaxOf(quotas)).toBeLessThan(planPriceMin(quotas))
      // The second month has its own quota, and its own price.
      env.pass(5 * DAY)
      await collude()
      expect(await signed()).toBe(2 * quotas.downloadTraffic)
    },
  )
})
