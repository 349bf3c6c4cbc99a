import { randomUUID } from 'node:crypto'
import { ORDER, TRACE } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { sampleFile } from '../../storage/assets/sample-files.fixture.ts'
import { openTrace } from '../../storage/traces/service.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
  // The middle of a day, so that earlier hours are in it.
  env.pass(Date.parse('2027-03-15T12:30:00Z') - env.clock.now())
})
afterAll(() => env.close())

const HOUR = 3_600_000
const DAY = 24 * HOUR

const read = async ({ token }: Person) => (await env.call('dashboard.overview', {}, { token })).data
const attentionOf = async (person: Person) => (await read(person)).attention
const at = (ms = 0) => new Date(env.clock.now() + ms)

async function transfer(person: Person, more: { name?: string; state?: number; at?: Date; preview?: boolean } = {}) {
  const { name = 'a.txt', state = TRACE.failed, at: when = at(), preview = false } = more
  const id = await openTrace(env.db, {
    userId: person.id,
    account: person.uid,
    kind: 'upload',
    cid: '',
    name,
    preview,
    offered: [],
    at: when,
  })
  await env.db.run(sql`update traces set state = ${state}, total_size = 7 where id = ${id}`)
  return id
}

async function order(
  person: Person,
  more: {
    status: number
    money?: string
    workspace?: string
    payUntil?: Date
    keptUntil?: Date
    ends?: Date
    renews?: boolean
  },
) {
  const id = randomUUID()
  const { status, money = 'none', workspace = 'none', payUntil = null, keptUntil = null, ends = at(DAY * 9) } = more
  await env.db.run(sql`
    insert into orders (id, user_id, payer, lang, cluster, cpu, ram, storage, duration, bought, price, rate_price, rate_hours, status, workspace_id,
      workspace, money, created_at, updated_at, pay_until, kept_until, started_at, expired_at, auto_renew)
    values (${id}, ${person.id}, 'tide1', 'en', 'distributed', 1, 1, 1, 1, 1, 70, 70, 1, ${status}, ${id}, ${workspace}, ${money}, ${at()}, ${at()},
      ${payUntil}, ${keptUntil}, ${at()}, ${ends}, ${more.renews ?? false})`)
  return id
}

describe('a new account', () => {
  it('needs no attention and has done no step', async () => {
    expect(await read(await env.person())).toEqual({
      attention: [],
      events: [],
      steps: { upload: false, share: false, claim: false },
    })
  })

  it('completes a step by doing it', async () => {
    const person = await env.person()
    const { cid } = await sampleFile(env.db, person.id)
    expect((await read(person)).steps).toEqual({ upload: true, share: false, claim: false })
    await env.call('shortLinks.create', { cid }, person)
    expect((await read(person)).steps.share).toBe(true)
    await env.db.run(sql`
      insert into claims (user_id, wallet, day, amount, network, state, due_at, created_at)
      values (${person.id}, 'tide1', '2027-03-15', 400, '', 'done', ${at()}, ${at()})`)
    const { steps, events } = await read(person)
    expect(steps).toEqual({ upload: true, share: true, claim: true })
    expect(events).toMatchObject([{ kind: 'claimed', amount: 400 }])
  })
})

describe('what needs attention', () => {
  it('is a quota that is used by four fifths, with reservations', async () => {
    const person = await env.person({ storageQuota: 100, downloadQuota: 100 })
    await sampleFile(env.db, person.id, { size: 79 })
    await env.db.run(sql`insert into usage_hours (user_id, hour, sent) values (${person.id}, ${at(-HOUR)}, 79)`)
    expect(await attentionOf(person)).toEqual([])
    await env.db.run(sql`update users set reserved_bytes = 1 where id = ${person.id}`)
    await env.db.run(sql`update usage_hours set sent = 80 where user_id = ${person.id}`)
    expect(await attentionOf(person)).toMatchObject([
      { kind: 'storage', count: 80, quota: 100, at: null },
      { kind: 'traffic', count: 80, quota: 100, at: '2027-04-01T00:00:00.000Z' },
    ])
  })

  it('is a transfer that failed in the last days, until the same one succeeds', async () => {
    const person = await env.person()
    await transfer(person, { at: at(-4 * DAY) })
    await transfer(person, { name: 'preview', preview: true })
    expect(await attentionOf(person)).toEqual([])
    const first = await transfer(person)
    expect(await attentionOf(person)).toMatchObject([{ kind: 'transfers', count: 1, id: first, name: 'a.txt' }])
    await transfer(person, { name: 'b.txt' })
    await transfer(person, { name: 'a.txt', state: TRACE.ok, at: at(1000) })
    expect(await attentionOf(person)).toMatchObject([{ kind: 'transfers', count: 1, name: 'b.txt' }])
  })

  it('is a file that ends within a month', async () => {
    const person = await env.person()
    await sampleFile(env.db, person.id, { expires: at(31 * DAY) })
    expect(await attentionOf(person)).toEqual([])
    const soon = at(13 * DAY)
    await sampleFile(env.db, person.id, { name: 'soon.txt', expires: soon })
    expect(await attentionOf(person)).toMatchObject([
      { kind: 'filesEnd', count: 1, name: 'soon.txt', at: soon.toISOString() },
    ])
  })

  it('is a device that is offline', async () => {
    const person = await env.person()
    const { id } = await env.node({ kind: 'edge', vetted: true, owner: person })
    await env.db.run(sql`update nodes set name = 'harbour' where id = ${id}`)
    expect(await attentionOf(person)).toEqual([])
    await env.db.run(sql`update nodes set status = 'offline' where id = ${id}`)
    expect(await attentionOf(person)).toMatchObject([{ kind: 'devices', count: 1, name: 'harbour' }])
  })

  it('is an order that is unpaid, ends without renewal, or is about to be deleted; the most urgent first', async () => {
    const person = await env.person()
    await order(person, { status: ORDER.running, money: 'held', workspace: 'active' })
    await order(person, { status: ORDER.running, money: 'held', workspace: 'active', ends: at(HOUR), renews: true })
    await order(person, { status: ORDER.expired, money: 'settled', workspace: 'removed' })
    await order(person, { status: ORDER.created, payUntil: at(-HOUR) })
    expect(await attentionOf(person)).toEqual([])
    const unpaid = await order(person, { status: ORDER.created, payUntil: at(HOUR) })
    const ending = await order(person, { status: ORDER.running, money: 'held', workspace: 'active', ends: at(HOUR) })
    const kept = await order(person, { status: ORDER.expired, workspace: 'suspended', keptUntil: at(HOUR) })
    expect(await attentionOf(person)).toMatchObject([
      { kind: 'ordersDelete', count: 1, id: kept },
      { kind: 'ordersEnd', count: 1, id: ending },
      { kind: 'ordersUnpaid', count: 1, id: unpaid },
    ])
    expect((await read(person)).events.map(({ kind }) => kind)).toEqual(['ordered', 'ordered', 'ordered'])
  })

  it('is a webhook that was switched off for failing, not one that its owner switched off', async () => {
    const person = await env.person()
    const insert = (name: string, enabled: boolean, disabledBy: string, failing: Date | null) =>
      env.db.run(sql`
        insert into webhooks (user_id, name, url, host, events, secret, lang, slow, created_at, enabled, disabled_by, failing_since)
        values (${person.id}, ${name}, 'https://hooks.example.org', 'hooks.example.org', '{}', '', 'en', false, ${at()}, ${enabled}, ${disabledBy}, ${failing})`)
    await insert('mine', false, 'owner', null)
    await insert('short', true, '', at(-1000))
    expect(await attentionOf(person)).toEqual([])
    await insert('off', false, 'failing', null)
    await insert('failing', true, '', at(-2 * HOUR))
    expect(await attentionOf(person)).toMatchObject([{ kind: 'webhooks', count: 2, name: 'off' }])
  })

  it('is an answer of the support that is not read', async () => {
    const person = await env.person()
    await env.call('chat.send', { id: randomUUID(), text: 'a question' }, person)
    expect(await attentionOf(person)).toEqual([])
    await env.db.run(sql`update chat_conversations set answers = 2, answers_read = 0 where user_id = ${person.id}`)
    expect(await attentionOf(person)).toMatchObject([{ kind: 'answers', count: 2 }])
  })
})

describe('what happened', () => {
  it('is the latest transfers, downloads and earnings of a day, newest first', async () => {
    const person = await env.person()
    await env.db.run(sql`
      insert into usage_hours (user_id, hour, sent, downloads) values (${person.id}, ${at(-2 * DAY)}, 10, 3), (${person.id}, ${at(-9 * DAY)}, 10, 3)`)
    await env.db.run(sql`
      insert into device_days (user_id, day, node_id, traffic, storage) values (${person.id}, '2027-03-14', 'n', 2, 3)`)
    await transfer(person, { state: TRACE.open })
    const done = await transfer(person, { state: TRACE.ok })
    const failed = await transfer(person, { at: at(1000) })
    expect((await read(person)).events).toMatchObject([
      { kind: 'uploaded', id: failed, failed: true },
      { kind: 'uploaded', id: done, failed: false, amount: 7 },
      { kind: 'earned', amount: 5, at: expect.stringContaining('2027-03-14') },
      { kind: 'traffic', count: 3, amount: 10, at: expect.stringContaining('2027-03-13') },
    ])
  })
})

describe('rejections', () => {
  it('shows nothing of another account', async () => {
    const [owner, stranger] = [await env.person({ storageQuota: 1 }), await env.person()]
    await sampleFile(env.db, owner.id, { name: 'secret', expires: at(HOUR) })
    await transfer(owner, { name: 'secret' })
    await order(owner, { status: ORDER.created, payUntil: at(HOUR) })
    expect((await read(owner)).attention.length).toBeGreaterThan(3)
    expect(await read(stranger)).toEqual({
      attention: [],
      events: [],
      steps: { upload: false, share: false, claim: false },
    })
  })

  it('answers nobody without a session, and no API key', async () => {
    const person = await env.person()
    expect((await env.call('dashboard.overview', {}, {})).code).toBe(401)
    expect((await env.call('dashboard.overview', {}, { token: await env.key(person, 'admin') })).code).toBe(-1)
  })
})
