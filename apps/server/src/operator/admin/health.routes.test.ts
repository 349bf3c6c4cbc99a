import { randomUUID } from 'node:crypto'
import type { AdminProblemKind } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { err } from './sample-operator.fixture.ts'
import { recordHour } from './trends.ts'
import { expired } from './trends-repository.ts'

let env: TestEnv
let operator: Person
beforeAll(async () => {
  env = await setup()
  operator = await env.person({ role: 'operator' })
})
afterAll(() => env.close())

const HOUR = 3_600_000
const DAY = 24 * HOUR
const at = (ms = 0) => new Date(env.clock.now() + ms)

const problems = async () => (await env.call('admin.overview', {}, operator)).data.problems
const find = async (kind: AdminProblemKind) => (await problems()).find((problem) => problem.kind === kind)

let contents = 0
async function content(stored: number, wanted: number) {
  contents += 1
  const cid = `c${String(contents).padStart(3, '0')}`
  await env.db.run(sql`
    insert into contents (cid, hash, kind, size, blocks, created_at, stored, wanted) values (${cid}, '', 'file', 10, 1, ${at()}, ${stored}, ${wanted})`)
  return cid
}

describe('the problems', () => {
  it('are none in a network where everything works', async () => {
    await env.node()
    expect(await problems()).toEqual([])
  })

  it('are nodes that are offline or abnormal, and a network that is nearly full', async () => {
    const [a, b, c] = [await env.node(), await env.node(), await env.node()]
    await env.db.run(sql`update nodes set status = 'offline' where id = ${a.id}`)
    await env.db.run(sql`update nodes set status = 'abnormal' where id = ${b.id}`)
    expect((await problems()).map(({ kind, count }) => [kind, count])).toEqual([
      ['nodesAbnormal', 1],
      ['nodesOffline', 1],
    ])
    await env.db.run(sql`update nodes set capacity = 100, used = 84`)
    expect(await find('storageFull')).toBeUndefined()
    await env.db.run(sql`update nodes set used = 85`)
    expect(await find('storageFull')).toMatchObject({ count: 85 })
    await env.db.run(sql`update nodes set status = 'online', used = 0 where id in (${a.id}, ${b.id}, ${c.id})`)
  })

  it('are e-mails that cannot be sent, and jobs that were given up', async () => {
    await env.db.run(sql`
      insert into mails (recipient, subject, body_text, body_html, created_at, error, sent_at)
      values ('a@example.org', 's', '', '', ${at()}, 'no answer', null), ('b@example.org', 's', '', '', ${at()}, 'no such person', ${at()})`)
    expect(await find('mailsFailing')).toMatchObject({ count: 1 })
    expect(await find('mailsRefused')).toMatchObject({ count: 1 })
    await env.db.run(sql`delete from mails`)
    const { id } = await env.db.one<{ id: number }>(sql`
      select id from graphile_worker.add_job('sendMail', '{"mail": 1}'::json, max_attempts := 1)`)
    expect(await find('jobsDead')).toBeUndefined()
    await env.db.run(sql`update graphile_worker._private_jobs set attempts = 1 where id = ${id}`)
    expect(await find('jobsDead')).toMatchObject({ count: 1, about: 'sendMail' })
    await env.db.run(sql`delete from graphile_worker._private_jobs`)
  })

  it('are payouts that wait for more than ten minutes', async () => {
    const person = await env.person()
    const claim = (created: Date, state: string) =>
      env.db.run(sql`
        insert into claims (user_id, wallet, day, amount, network, state, due_at, created_at)
        values (${person.id}, 'tide1', ${created.toISOString().slice(0, 10)}, 400, '', ${state}, ${created}, ${created})`)
    await claim(at(-2 * DAY), 'done')
    await claim(at(), 'reserved')
    expect(await find('payoutsLate')).toBeUndefined()
    const since = at(-DAY)
    await claim(since, 'reserved')
    expect(await find('payoutsLate')).toMatchObject({ count: 1, since: since.toISOString() })
    await env.db.run(sql`delete from claims`)
  })

  it('are people who wait for an answer, last', async () => {
    const person = await env.person()
    await env.call('chat.send', { id: randomUUID(), text: 'a question' }, person)
    await env.db.run(sql`
      insert into earning_disputes (user_id, node_id, day, stated_traffic, stated_storage, computed_traffic, computed_storage, hours, text, lang, created_at)
      values (${person.id}, 'n', '2027-01-01', 0, 0, 0, 0, '[]', '', 'en', ${at(-HOUR)})`)
    await content(1, 2)
    expect((await problems()).map(({ kind }) => kind)).toEqual(['contentsShort', 'chatsWaiting', 'disputes'])
    await env.db.run(sql`update earning_disputes set closed_at = ${at()}`)
    expect(await find('disputes')).toBeUndefined()
    await env.db.run(sql`delete from contents`)
  })
})

describe('contents with missing copies', () => {
  const list = async (input: object = {}) => (await env.call('admin.contents', input, operator)).data

  it('are listed in pages, with those that have none', async () => {
    await content(2, 2)
    const [a, b, c] = [await content(0, 2), await content(1, 2), await content(1, 3)]
    const first = await list({ size: 2 })
    expect(first.list.map(({ cid }) => cid)).toEqual([a, b])
    const second = await list({ size: 2, after: first.next })
    expect(second).toMatchObject({ list: [{ cid: c, stored: 1, wanted: 3, size: 10, kind: 'file' }], next: null })
    expect((await list({ state: 'nowhere' })).list.map(({ cid }) => cid)).toEqual([a])
    const { contents } = (await env.call('admin.overview', {}, operator)).data
    expect(contents).toMatchObject({ short: 3, nowhere: 1 })
  })

  it('refuses an invalid page and state', async () => {
    for (const input of [{ after: 'x' }, { state: 'all' }, { size: 1000 }])
      expect((await env.call('admin.contents', input as never, operator)).code).toBe(-1)
  })
})

describe('the trends', () => {
  const hours = async () => (await env.call('admin.trends', {}, operator)).data.list

  it('are one row an hour, whichever server records it, for a week', async () => {
    await Promise.all([recordHour(env.context), recordHour(env.context)])
    const [row, ...others] = await hours()
    expect(others).toEqual([])
    const { users, nodes, contents } = (await env.call('admin.overview', {}, operator)).data
    expect(row).toMatchObject({
      users: users.total,
      nodes: nodes.total,
      nodes_online: nodes.online,
      contents: contents.total,
      short: contents.short,
      bytes: contents.bytes,
    })
    await env.person()
    env.pass(HOUR)
    await recordHour(env.context)
    expect((await hours()).map((hour) => hour.users)).toEqual([users.total, users.total + 1])
    env.pass(7 * DAY + HOUR)
    await operatorSignsInAgain()
    expect((await hours()).length).toBeLessThan(2)
  })

  it('are deleted after 90 days', async () => {
    for (const statement of expired(at(91 * DAY))) await env.db.run(statement)
    expect(await env.db.rows(sql`select 1 from operator_hours`)).toEqual([])
  })
})

/** Sessions end before a week is over. */
async function operatorSignsInAgain() {
  operator = await env.person({ role: 'operator' })
}

it('answers operators only', async () => {
  const person = await env.person()
  for (const operation of ['admin.trends', 'admin.contents'] as const) {
    expect(await env.call(operation, {}, person)).toMatchObject(err('forbidden'))
    expect((await env.call(operation, {}, {})).code).toBe(401)
  }
})
