import { createHash, sign } from 'node:crypto'
import { type ClaimsOf, recompute } from '@tidenet/receipts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleRegistration } from '../../network/control/sample-registration.fixture.ts'
import { nodeToken } from '../../network/nodes/node-session.ts'
import { sql } from '../../platform/db/sql.ts'
import { appendQueued } from '../../platform/transparency-log/append.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { DAY, GB, MINUTE, POINT, sampleEarnings } from './sample-earnings.fixture.ts'

let env: TestEnv
let owner: Person
let vip: Person
const earnings = sampleEarnings(() => env)
const { at, device, setOwner, download, nextHour, toNextDay, close, receipts, statement, summary, as } = earnings
beforeEach(async () => {
  env = await setup()
  ;[owner, vip] = [await env.person(), await env.person({ vip: true })]
  toNextDay()
  await close()
})
afterEach(() => env.close())

const today = () => at().toISOString().slice(0, 10)
const figures = async () => (await env.call('earnings.public', {})).data
/** So many owners, each with a device that earns a point for traffic. */
async function earnWith(owners: number) {
  for (let one = 0; one < owners; one++) await download(vip, await device(await env.person()), 1.2 * GB)
}
const total = ({ traffic, storage }: { traffic: number; storage: number }) => traffic + storage

describe('a device that serves a gigabyte', () => {
  it('shows it within the hour, with its cause and the receipt of the download', async () => {
    const node = await device(owner)
    await download(vip, node, GB)
    const running = await statement(owner, node)
    expect(running).toMatchObject({ sub: owner.uid, traffic: 0, running: { traffic: POINT } })
    expect(running.hours).toMatchObject([{ receipt: null, hindrance: null, traffic: POINT, inputs: { signed: GB } }])
    expect((await summary(owner)).list).toMatchObject([{ node_id: node.id, today: { traffic: POINT } }])
    env.pass(11_000)
    await earnings.downloadReceipts()
    const { data } = await env.call('earnings.downloads', { node_id: node.id, day: today() }, await as(owner))
    const [receipt] = await receipts('download', node)
    expect(data).toMatchObject({ total: 1, list: [{ receipt: receipt?.id, signed: GB }] })
  })

  it('is told what it earned for its owner, not what it earned for an earlier one', async () => {
    const node = await device(owner)
    await download(vip, node, GB)
    const earned = async () =>
      (await env.call('nodeControl.earnings', {}, { token: await nodeToken(env.context, node.id) })).data
    expect(await earned()).toEqual({ owned: true, today: POINT, month: POINT, total: POINT })
    await nextHour()
    expect((await earned()).total).toBeGreaterThanOrEqual(POINT)
    await setOwner(node, await env.person())
    // What it holds in the running hour.
    expect((await earned()).total).toBeLessThan(POINT / 1000)
    await setOwner(node, null)
    expect(await earned()).toEqual({ owned: false, today: 0, month: 0, total: 0 })
  })

  it('shows the same amount when the hour is closed, and only then it is redeemable', async () => {
    const node = await device(owner)
    await download(vip, node, GB)
    const before = await summary(owner)
    expect([before.running.traffic, before.points.accumulated]).toEqual([POINT, 0])
    const [hour] = (await statement(owner, node)).hours
    await nextHour()
    const after = await statement(owner, node)
    const [receipt] = await receipts('node_hour', node)
    expect(after.hours[0]).toMatchObject({
      ...hour,
      receipt: receipt?.id,
      storage: expect.anything(),
      inputs: expect.anything(),
    })
    expect(after.traffic).toBe(POINT)
    expect((await summary(owner)).points.accumulated).toBe(1)
  })

  it('says why an hour earns nothing', async () => {
    const [fresh, failing] = [await device(owner, { vetted: false }), await device(owner)]
    await earnings.audit(failing, 'failed')
    for (const node of [fresh, failing]) await download(vip, node, GB)
    const hindrances = await Promise.all(
      [fresh, failing].map(async (node) => (await statement(owner, node)).hours[0]?.hindrance),
    )
    expect(hindrances).toEqual(['standing', 'failed'])
    expect((await summary(owner)).total).toEqual({ traffic: 0, storage: 0 })
  })
})

describe('sums', () => {
  it('of periods, days, devices and statements agree', { tags: ['long'] }, async () => {
    const [one, two] = [await device(owner), await device(owner)]
    for (const days of [9, 1, 1]) {
      await download(vip, one, GB)
      await download(vip, two, 2 * GB)
      await nextHour()
      env.pass(days * DAY)
      for (const node of [one, two]) await earnings.audit(node)
      await close()
    }
    await download(vip, one, GB)
    const sums = await summary(owner)
    expect(sums.list.map(({ node_id }) => node_id)).toEqual([two.id, one.id])
    expect(sums.list[1]).toMatchObject({ total: { traffic: 4 * POINT }, week: { traffic: 3 * POINT } })
    for (const period of ['today', 'yesterday', 'week', 'month', 'total', 'running'] as const)
      expect(total(sums[period])).toBe(sums.list.reduce((sum, device) => sum + total(device[period]), 0))

    const { list } = (await env.call('earnings.days', { days: 30 }, await as(owner))).data
    expect(list).toHaveLength(30)
    expect(list.at(-1)?.day).toBe(today())
    const byDay = (count: number) => list.slice(-count).reduce((sum, day) => sum + total(day), 0)
    expect([byDay(1), byDay(7), byDay(30)]).toEqual([total(sums.today), total(sums.week), total(sums.month)])
    const { running, ...closed } = await statement(owner, one)
    expect(total(closed) + total(running)).toBe(total(sums.list[1]?.today ?? { traffic: 0, storage: 0 }))
    const days = (await env.call('earnings.days', { node_id: one.id, days: 1 }, await as(owner))).data.list
    expect(days).toMatchObject([{ traffic: sums.list[1]?.today.traffic }])
  })

  it('of one day can be computed again from its receipts, and agree', async () => {
    const node = await device(owner)
    await download(vip, node, 1.23 * GB)
    await nextHour()
    await download(vip, node, GB)
    toNextDay(6 * MINUTE)
    await close()
    const day = new Date(env.clock.now() - DAY).toISOString().slice(0, 10)
    const stated = await statement(owner, node, day)
    const hours = stated.hours.map(({ hour, version, receipt, traffic, storage }) => ({
      ...{ hour, version, traffic, storage },
      receipt: receipt as number,
    }))
    const log = { iss: 'tidenet-log-00000000', index: 0, iat: 0 }
    const issued = (await receipts('node_hour', node)).map((one) => ({ ...log, ...one })) as ClaimsOf<'node_hour'>[]
    const { agrees, difference } = recompute({ ...stated, node: stated.node_id, hours }, issued)
    expect({ agrees, difference }).toEqual({ agrees: true, difference: { traffic: 0, storage: 0 } })
    const [receipt] = await receipts('earnings', node)
    expect(recompute(receipt as never, issued).agrees).toBe(true)
  })

  it('of a former owner stay, and the next owner does not see them', async () => {
    const next = await env.person()
    const node = await device(owner)
    await download(vip, node, GB)
    await nextHour()
    await setOwner(node, next)
    expect((await summary(owner)).list).toMatchObject([{ node_id: node.id, owned: false, total: { traffic: POINT } }])
    expect((await statement(owner, node)).hours).toHaveLength(1)
    expect((await statement(next, node)).traffic).toBe(0)
    expect((await summary(next)).total.traffic).toBe(0)
  })

  it('are public as a rounded median of ten owners or more, and never as that of fewer', async () => {
    expect(await figures()).toMatchObject({ from: null, devices: 0, owners: 0, median: null })
    await earnWith(9)
    const tenth = await device(await env.person())
    toNextDay(6 * MINUTE)
    await close()
    expect(await figures()).toMatchObject({ devices: 10, earning: 9, counted: 9, owners: 9, median: null })
    await earnings.audit(tenth)
    await download(vip, tenth, 5 * GB)
    toNextDay(6 * MINUTE)
    await close()
    const ten = await figures()
    expect(ten).toMatchObject({
      devices: 10,
      earning: 10,
      owners: 10,
      to: new Date(env.clock.now() - DAY).toISOString().slice(0, 10),
    })
    expect(ten.median).toBe(POINT)
  })

  it('count owners once, and only devices that earned something and were online half of the time', async () => {
    await earnWith(10)
    const late = await device(await env.person())
    // Many devices that do nothing, or of one owner.
    for (let more = 0; more < 12; more++) await device(await env.person(), { vetted: false })
    for (let more = 0; more < 12; more++) await download(vip, await device(owner), 0.1 * GB)
    await download(vip, late, 50 * GB)
    toNextDay(6 * MINUTE)
    await close()
    await env.db.run(sql`update device_days set online = 3600 where node_id = ${late.id}`)
    const day = await figures()
    expect(day).toMatchObject({ devices: 35, counted: 22, owners: 11, median: POINT })
  })
})

describe('a dispute', () => {
  it('is sent with both results, listed by operators, and closed with an answer that the owner sees', async () => {
    const operator = await env.person({ role: 'operator' })
    const node = await device(owner)
    await download(vip, node, GB)
    await nextHour()
    const { hours } = await statement(owner, node)
    const computed = hours
      .filter(({ receipt }) => receipt !== null)
      .map(({ hour, traffic }) => ({ hour, traffic: traffic + 5, storage: 0 }))
    const input = { node_id: node.id, day: today(), hours: computed, text: 'more' }
    const first = (await env.call('earnings.dispute', input, await as(owner))).data
    expect(first).toMatchObject({ stated: { traffic: POINT }, computed: { traffic: POINT + 5 }, closed_at: null })
    expect((await env.call('earnings.dispute', { ...input, text: 'again' }, await as(owner))).data.id).toBe(first.id)

    const boss = await as(operator)
    const listed = (await env.call('admin.disputes', { closed: false }, boss)).data.list
    expect(listed).toMatchObject([{ id: first.id, uid: owner.uid, text: 'more', hours: computed }])
    await env.call('admin.disputeChange', { id: first.id, closed: true, note: 'paid' }, boss)
    const { list } = (await env.call('earnings.disputes', {}, await as(owner))).data
    expect(list).toMatchObject([{ id: first.id, note: 'paid', closed_at: expect.any(String) }])
    const { list: log } = (await env.call('admin.audit', { action: 'dispute.change' }, boss)).data
    expect(log).toMatchObject([{ actor: operator.uid, subject: `dispute:${first.id}` }])
    const second = (await env.call('earnings.dispute', input, await as(owner))).data
    expect(second.id).not.toBe(first.id)
  })

  it('has only hours of its day, each once, whatever else was sent', async () => {
    const node = await device(owner)
    await nextHour()
    const begins = Date.parse(today()) / 1000
    const [first, last] = [begins, begins + 23 * 3600]
    const hours = [0, begins - 1, first, first, first + 1, last, begins + 24 * 3600, Number.MAX_SAFE_INTEGER]
    const sent = hours.map((hour) => ({ hour, traffic: 1, storage: 0 }))
    const input = { node_id: node.id, day: today(), hours: sent }
    const { id, computed } = (await env.call('earnings.dispute', input, await as(owner))).data
    expect(computed.traffic).toBe(2)
    const { list } = (await env.call('admin.disputes', {}, await as(await env.person({ role: 'operator' })))).data
    expect(list.find((one) => one.id === id)?.hours.map(({ hour }) => hour)).toEqual([first, last])
  })

  it('is opened once by several requests', async () => {
    const node = await device(owner)
    await nextHour()
    const input = { node_id: node.id, day: today(), hours: [] }
    const token = await as(owner)
    const answers = await Promise.all(Array.from({ length: 5 }, () => env.call('earnings.dispute', input, token)))
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
  })

  it('is refused for a device of another account, a day without earnings, and after many on one day', async () => {
    const node = await device(owner)
    await nextHour()
    const input = { node_id: node.id, day: today(), hours: [] }
    expect(await env.call('earnings.dispute', input, await as(vip))).toMatchObject({ code: -1, err: 1000 })
    const other = { ...input, day: '2001-01-01' }
    expect(await env.call('earnings.dispute', other, await as(owner))).toMatchObject({ code: -1, err: 1000 })
    // PostgreSQL has no such year.
    const none = { ...input, day: '0000-01-01' }
    expect(await env.call('earnings.dispute', none, await as(owner))).toMatchObject({ code: -1, err: 1001 })
    await env.db.run(sql`
      insert into earning_disputes (user_id, node_id, day, stated_traffic, stated_storage, computed_traffic, computed_storage, hours, text, lang, created_at)
      select ${owner.id}, 'e_' || i, ${today()}::date, 0, 0, 0, 0, '[]', '', 'en', ${at()} from generate_series(1, 20) i`)
    expect(await env.call('earnings.dispute', input, await as(owner))).toMatchObject({ code: -1, err: 1020 })
  })
})

describe('names of devices', () => {
  it('are chosen by the owner, and the node cannot change them until it is unlinked', async () => {
    const { code } = (await env.call('devices.code', {}, await as(owner))).data
    const node = sampleRegistration(env, { name: 'its own', owner_code: code })
    const { node_id } = (await env.call('nodeControl.register', node.input)).data
    const named = async () => (await env.call('devices.list', {}, await as(owner))).data.list[0]?.name
    expect((await env.call('devices.rename', { node_id, name: ' attic ' }, await as(owner))).data.name).toBe('attic')
    env.pass(1000)
    await env.call('nodeControl.register', sampleRegistration(env, { name: 'another' }, node.keys).input)
    expect(await named()).toBe('attic')
    await env.call('devices.rename', { node_id, name: '' }, await as(owner))
    env.pass(1000)
    await env.call('nodeControl.register', sampleRegistration(env, { name: 'another' }, node.keys).input)
    expect(await named()).toBe('another')
  })

  it('are refused from others, and with control characters', async () => {
    const node = await device(owner)
    const rename = async (name: string, person = owner) =>
      env.call('devices.rename', { node_id: node.id, name }, await as(person))
    expect(await rename('mine', vip)).toMatchObject({ code: -1, err: 1000 })
    for (const name of ['a\nb', 'a\u202eb', 'x'.repeat(61)]) expect(await rename(name)).toMatchObject({ err: 1001 })
  })
})

describe('older clients', () => {
  it('see devices and points of the own account, and nodes without owners', async () => {
    const node = await device(owner)
    await download(vip, node, 1.5 * GB)
    await nextHour()
    const { profile } = (await env.call('earnings.deviceCount', { user_id: owner.uid }, await as(owner))).data
    expect(profile).toMatchObject({ total_num: 1, online_num: 1 })
    expect(profile.cumulative_profit).toBeGreaterThanOrEqual(1.5)
    const { list } = (await env.call('devices.info', { device_id: node.id })).data
    expect(list).toMatchObject([{ device_id: node.id, device_status_code: 1, node_type: 1 }])
    expect(JSON.stringify(list)).not.toContain(owner.uid)
    expect(await env.call('earnings.deviceCount', { user_id: vip.uid }, await as(owner))).toMatchObject({ err: 1028 })
  })

  it('link a node with its signature of an owner code', async () => {
    const { code } = (await env.call('devices.code', {}, await as(owner))).data
    const node = sampleRegistration(env)
    const { node_id } = (await env.call('nodeControl.register', node.input)).data
    const digest = createHash('sha256').update(code).digest()
    const signatureOf = (bytes: Buffer) => sign(null, bytes, node.keys.privateKey).toString('hex')
    const signature = signatureOf(digest)
    const bind = (more: object) => env.call('devices.binding', { hash: code, signature, node_id, ...more })
    expect(await bind({ node_id: 'e_nothing' })).toMatchObject({ err: 1007 })
    expect(await bind({ signature: 'ab'.repeat(64) })).toMatchObject({ err: 1021 })
    const wrong = `own_${'A'.repeat(22)}`
    const wrongSigned = signatureOf(createHash('sha256').update(wrong).digest())
    expect(await bind({ hash: wrong, signature: wrongSigned })).toMatchObject({ err: 1026 })
    expect(await bind({ remark: 'cellar' })).toMatchObject({ code: 0, data: null })
    expect((await env.call('devices.list', {}, await as(owner))).data.list).toMatchObject([{ node_id, name: 'cellar' }])
    expect(await bind({})).toMatchObject({ err: 1025 })
  })
})

describe('a later owner of a device', () => {
  it('sees receipts of downloads since it was linked, and none from before, also by their ids', async () => {
    const next = await env.person()
    const node = await device(owner)
    const link = (to: Person) =>
      env.db.run(sql`update nodes set owner_id = ${to.id}, linked_at = ${at()} where id = ${node.id}`)
    const listed = async (person: Person) =>
      (await env.call('earnings.downloads', { node_id: node.id, day: today() }, await as(person))).data
    const read = async (person: Person, id: number) =>
      (await env.call('receipts.get', { id }, await as(person))).code === 0
    await download(vip, node, GB)
    // The receipt of this download is issued after the device has changed hands.
    await link(next)
    env.pass(11_000)
    await earnings.downloadReceipts()
    await download(vip, node, 2 * GB)
    env.pass(11_000)
    await earnings.downloadReceipts()
    const [before, after] = await receipts('download', node)
    await appendQueued(env.context)
    expect(await listed(next)).toMatchObject({ total: 1, list: [{ receipt: after?.id, signed: 2 * GB }] })
    expect(await read(next, after?.id as number)).toBe(true)
    expect(await read(next, before?.id as number)).toBe(false)
    await link(owner)
    expect(await listed(owner)).toEqual({ total: 0, list: [] })
  })
})

describe('refused', () => {
  it('are statements and receipts of devices of others, visitors, and API keys', async () => {
    const node = await device(owner)
    await download(vip, node, GB)
    await nextHour()
    const input = { node_id: node.id, day: today() }
    for (const name of ['earnings.statement', 'earnings.downloads'] as const) {
      expect(await env.call(name, input, await as(vip))).toMatchObject({ code: -1, err: 1000 })
      expect(await env.call(name, input)).toMatchObject({ code: 401 })
    }
    for (const permissions of ['admin', ['readDevices']] as const)
      for (const name of ['earnings.statement', 'earnings.downloads'] as const)
        expect((await env.call(name, input, { token: await env.key(owner, permissions as never) })).code).not.toBe(0)
    const key = { token: await env.key(owner, ['readFile', 'readFolder']) }
    expect((await env.call('earnings.summary', {}, key)).code).not.toBe(0)
    expect(
      (await env.call('earnings.days', { node_id: node.id }, await as(vip))).data.list.every((day) => total(day) === 0),
    ).toBe(true)
  })
})
