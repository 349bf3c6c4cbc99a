import { randomUUID } from 'node:crypto'
import { CHAT_STREAMS_PER_CUSTOMER, CHAT_STREAMS_PER_NETWORK } from '@tidenet/contract'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../app.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { chatCalls } from './chat.fixture.ts'
import { newVisitorToken } from './customers.ts'

let env: TestEnv
let agent: Person
const others: FastifyInstance[] = []
beforeEach(async () => {
  env = await setup()
  agent = await env.person({ role: 'operator' })
})
const calls = chatCalls(() => env)
const { visitor, send, answer, atDesk, listen, atDeskStream, hangUpAll } = calls
afterEach(async () => {
  hangUpAll()
  for (const other of others.splice(0)) await other.close()
  await env.close()
})

/** A second server with the same database. */
async function otherServer(): Promise<FastifyInstance> {
  const app = await createApp(env.context)
  others.push(app)
  await app.ready()
  return app
}
const until = { timeout: 10_000 }
const texts = (stream: Awaited<ReturnType<typeof listen>>) => stream.messages().map(({ text }) => text)

describe('a customer’s stream', () => {
  it('begins with the last messages, state and presence, then sends everything new with its number', async () => {
    const customer = await env.person()
    await send(customer, 'One')
    const stream = await listen(customer)
    expect(stream.answer.headers.get('content-type')).toContain('text/event-stream')
    await expect.poll(() => stream.last('conversation'), until).toMatchObject({ last_seq: 1, unread: 0 })
    expect(stream.last('agents')).toEqual({ online: false })
    expect(stream.last('account')).toMatchObject({ vip: false, role: 'user' })
    const { id } = await atDesk(agent, customer)
    await answer(agent, id, 'Two')
    await expect.poll(() => stream.last('conversation'), until).toMatchObject({ last_seq: 2, unread: 1 })
    expect(texts(stream)).toEqual(['One', 'Two'])
    const { id: conversation } = stream.last<{ id: string }>('conversation') ?? {}
    const ids = stream.events.filter(({ event }) => event === 'message').map(({ id: each }) => each)
    expect(ids).toEqual([`${conversation}:1`, `${conversation}:2`])
    await env.call('chat.read', { seq: 2 }, customer)
    await expect.poll(() => stream.last('conversation'), until).toMatchObject({ unread: 0 })
  })

  it('resumes after the last message that the client has', async () => {
    const customer = await visitor()
    const before = await listen(customer)
    await expect.poll(() => before.last('agents'), until).toBeDefined()
    expect(before.events.find(({ event }) => event === 'conversation')?.data).toBeNull()
    for (let each = 1; each <= 3; each++) await send(customer, `m${each}`)
    await expect.poll(() => texts(before), until).toEqual(['m1', 'm2', 'm3'])
    before.hangUp()
    for (let each = 4; each <= 6; each++) await send(customer, `m${each}`)
    const [byHeader, byField] = [await listen(customer, { lastEventId: 3 }), await listen(customer, { after: 4 })]
    await expect.poll(() => texts(byHeader), until).toEqual(['m4', 'm5', 'm6'])
    await expect.poll(() => texts(byField), until).toEqual(['m5', 'm6'])
    const beyond = await listen(customer, { after: 999 })
    await expect.poll(() => texts(beyond), until).toEqual(['m1', 'm2', 'm3', 'm4', 'm5', 'm6'])
  })

  it('gets all of a long history, more than a server sends before the client reads', async () => {
    const customer = await env.person()
    await send(customer, 'first')
    await env.db.run(sql`
      insert into chat_messages (conversation_id, seq, id, from_type, text, created_at)
      select id, seq, gen_random_uuid(), 'user', repeat('字', 4000), last_at
      from chat_conversations, generate_series(2, 150) seq where user_id = ${customer.id}`)
    await env.db.run(sql`update chat_conversations set last_seq = 150 where user_id = ${customer.id}`)
    const [all, last] = [await listen(customer, { after: 0 }), await listen(customer)]
    await expect.poll(() => all.messages().length, until).toBe(150)
    expect(all.messages().map(({ seq }) => seq)).toEqual(Array.from({ length: 150 }, (_, each) => each + 1))
    await expect.poll(() => last.messages().length, until).toBe(50)
    await send(customer, 'newest')
    for (const stream of [all, last]) await expect.poll(() => stream.messages().at(-1)?.seq, until).toBe(151)
  })

  it('shows only the new conversation to a client that was offline while the old one was deleted', async () => {
    const customer = await visitor()
    for (const text of ['old one', 'old two']) await send(customer, text)
    const { id: old } = (await env.call('chat.state', customer)).data.conversation ?? {}
    await env.call('chat.remove', customer)
    for (const text of ['new one', 'new two', 'new three']) await send(customer, text)
    expect((await env.call('chat.messages', customer)).data.conversation).not.toBe(old)
    for (const position of [{ lastEventId: 2 }, { after: 2 }]) {
      const stream = await listen(customer, { ...position, conversation: old as string })
      await expect.poll(() => texts(stream), until).toEqual(['new one', 'new two', 'new three'])
      // The client forgets the old messages before it gets new ones.
      const names = stream.events.map(({ event, data }) => (event === 'conversation' && data === null ? 'gone' : event))
      expect(names.indexOf('gone')).toBeGreaterThanOrEqual(0)
      expect(names.indexOf('gone')).toBeLessThan(names.indexOf('message'))
      await expect.poll(() => stream.last<{ id: string }>('conversation')?.id, until).not.toBe(old)
    }
  })

  it('gets all of a conversation that replaced a deleted one at once', async () => {
    const customer = await env.person()
    for (const text of ['old one', 'old two']) await send(customer, text)
    const stream = await listen(customer)
    await expect.poll(() => texts(stream), until).toEqual(['old one', 'old two'])
    await env.db.transaction(async (tx) => {
      await tx.run(sql`delete from chat_conversations where user_id = ${customer.id}`)
      const at = new Date()
      await tx.run(sql`
        with c as (
          insert into chat_conversations (user_id, lang, last_seq, last_at, minute_from, day_from, created_at)
          values (${customer.id}, 'en', 3, ${at}, ${at}, ${at}, ${at}) returning id),
        m as (
          insert into chat_messages (conversation_id, seq, id, from_type, text, created_at)
          select id, seq, gen_random_uuid(), 'user', 'new ' || seq, ${at} from c, generate_series(1, 3) seq returning seq)
        select pg_notify('chat', c.id || ' a' || ${customer.id}::text || ' 1') from c, m limit 1`)
    })
    await expect.poll(() => texts(stream), until).toEqual(['old one', 'old two', 'new 1', 'new 2', 'new 3'])
    const names = stream.events.map(({ event, data }) => (event === 'conversation' && data === null ? 'gone' : event))
    expect(names.lastIndexOf('gone')).toBe(names.length - 5)
  })

  it('gets each message once and in order while many are written on two servers and streams are cut', async () => {
    const other = await otherServer()
    const customer = await env.person()
    await send(customer, 'start')
    const { id } = await atDesk(agent, customer)
    const got: number[] = []
    let writing = true
    const reading = (async () => {
      for (let round = 0; writing || (got.at(-1) ?? 0) < 101; round++) {
        const stream = await listen(customer, { after: got.at(-1) ?? 0, app: round % 2 ? other : env.app })
        await expect.poll(() => stream.messages().length > 6 || !writing, until).toBe(true)
        got.push(...stream.messages().map(({ seq }) => seq))
        stream.hangUp()
        await stream.ended
      }
    })()
    for (let each = 0; each < 20; each++)
      await Promise.all(Array.from({ length: 5 }, (_, more) => answer(agent, id, `${each}.${more}`)))
    writing = false
    await reading
    expect(got).toEqual(Array.from({ length: 101 }, (_, each) => each + 1))
  })

  it('gets what is written on another server', async () => {
    const other = await otherServer()
    const customer = await env.person()
    const [here, there] = [await listen(customer), await listen(customer, { app: other })]
    await send(customer, 'Hello')
    for (const stream of [here, there]) await expect.poll(() => texts(stream), until).toEqual(['Hello'])
  })

  it('gets what was written while the server could not listen to the database', async () => {
    const customer = await env.person()
    const stream = await listen(customer)
    await expect.poll(() => stream.last('agents'), until).toBeDefined()
    await env.db.rows(sql`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`)
    await send(customer, 'Hello')
    await expect.poll(() => texts(stream), until).toEqual(['Hello'])
  })

  it('says within five seconds when plan or VIP status change, however they change', async () => {
    const customer = await env.person()
    const other = await otherServer()
    const streams = [await listen(customer), await listen(customer, { app: other })]
    for (const stream of streams) await expect.poll(() => stream.last('account'), until).toMatchObject({ vip: false })
    await env.call('admin.setVip', { uid: customer.uid, vip: true, reason: 'paid' }, agent)
    for (const stream of streams)
      await expect.poll(() => stream.last('account'), { timeout: 5000 }).toMatchObject({ vip: true })
    await env.db.run(sql`update users set vip = false, storage_quota = 7 where id = ${customer.id}`)
    await expect.poll(() => streams[0]?.last('account'), { timeout: 5000 }).toMatchObject({ vip: false, storage: 7 })
  })

  it('shows that the conversation was adopted or deleted', async () => {
    const [stranger, customer] = [await visitor(), await env.person()]
    await send(stranger, 'Hello')
    const [theirs, own] = [await listen(stranger), await listen(customer)]
    await expect.poll(() => theirs.last('conversation'), until).toMatchObject({ last_seq: 1 })
    await env.call('chat.adopt', stranger, customer)
    await expect.poll(() => texts(own), until).toEqual(['Hello'])
    await expect.poll(() => theirs.events.at(-1), until).toMatchObject({ event: 'conversation', data: null })
    await env.call('chat.remove', {}, customer)
    await expect.poll(() => own.events.at(-1), until).toMatchObject({ event: 'conversation', data: null })
    await send(customer, 'Again')
    await expect.poll(() => texts(own), until).toEqual(['Hello', 'Again'])
  })
})

describe('the desk’s stream', () => {
  it('sends all conversations, messages and notes, from every server', async () => {
    const other = await otherServer()
    const desk = await atDeskStream(agent, other)
    await expect.poll(() => desk.last('ready'), until).toEqual({ open: 0, waiting: 0, unassigned: 0 })
    const customer = await env.person({ vip: true })
    await send(customer, 'Help')
    await expect
      .poll(() => desk.last('conversation'), until)
      .toMatchObject({ uid: customer.uid, vip: true, last_seq: 1 })
    await expect.poll(() => desk.last('counts'), until).toEqual({ open: 1, waiting: 1, unassigned: 1 })
    const { id } = await atDesk(agent, customer)
    await env.call('chatDesk.note', { id, note_id: randomUUID(), text: 'A VIP' }, agent)
    await answer(agent, id, 'Here')
    await expect.poll(() => desk.messages().length, until).toBe(2)
    expect(desk.messages()).toMatchObject([
      { conversation: id, seq: 1, agent: '' },
      { conversation: id, seq: 2, agent: agent.uid },
    ])
    expect(desk.notes()).toMatchObject([{ conversation: id, text: 'A VIP' }])
    await expect.poll(() => desk.last('counts'), until).toEqual({ open: 1, waiting: 0, unassigned: 0 })
    await env.db.run(sql`update users set vip = false where id = ${customer.id}`)
    await expect.poll(() => desk.last('conversation'), { timeout: 5000 }).toMatchObject({ vip: false })
    await env.call('chat.remove', {}, customer)
    await expect.poll(() => desk.last('removed'), until).toEqual({ id })
  })

  it('continues when more changes at once than a client reads', async () => {
    const customer = await env.person()
    await send(customer, 'Hello')
    const { id } = await atDesk(agent, customer)
    const desk = await atDeskStream(agent)
    await expect.poll(() => desk.last('ready'), until).toBeDefined()
    await env.db.transaction(async (tx) => {
      await tx.run(sql`
        insert into chat_messages (conversation_id, seq, id, from_type, text, created_at)
        select ${id}, seq, gen_random_uuid(), 'user', repeat('字', 4000), ${new Date()} from generate_series(2, 150) seq`)
      await tx.run(sql`update chat_conversations set last_seq = 150 where id = ${id}`)
      await tx.run(sql`select pg_notify('chat', ${`${id} a${customer.id} 2`})`)
    })
    await send(customer, 'Are you there?')
    await expect.poll(() => desk.messages().at(-1)?.text, until).toBe('Are you there?')
    // Whoever did not get everything was told to load it.
    const told = desk.events.filter(({ event }) => event === 'ready').length
    expect(desk.messages().length === 150 || told > 1).toBe(true)
  })

  it('opens although visitors of the same network have all streams that they may have', async () => {
    const newVisitor = () => ({ visitor: newVisitorToken(env.context) })
    const streams = await Promise.all(Array.from({ length: CHAT_STREAMS_PER_NETWORK }, () => listen(newVisitor())))
    expect(streams.every(({ answer }) => answer.status === 200)).toBe(true)
    expect((await listen(await visitor())).answer.status).toBe(429)
    expect((await atDeskStream(agent)).answer.status).toBe(200)
  })

  it('makes the agent online for customers of all servers, until it ends', async () => {
    const other = await otherServer()
    const customer = await visitor()
    const stream = await listen(customer)
    await expect.poll(() => stream.last('agents'), until).toEqual({ online: false })
    const desks = [await atDeskStream(agent, other), await atDeskStream(agent)]
    await expect.poll(() => stream.last('agents'), until).toEqual({ online: true })
    expect((await send(customer, 'Hi')).data.online).toBe(true)
    expect((await env.call('chatDesk.agents', {}, agent)).data.list).toMatchObject([{ uid: agent.uid, online: true }])
    for (const desk of desks) await expect.poll(() => desk.last('agents'), until).toEqual({ online: [agent.uid] })
    desks[0]?.hangUp()
    await desks[0]?.ended
    expect((await send(customer, 'Still?')).data.online).toBe(true)
    desks[1]?.hangUp()
    await expect.poll(() => stream.last('agents'), until).toEqual({ online: false })
  })

  it('ends being online soon after its server was killed', async () => {
    await env.db.run(sql`
      insert into chat_agents (stream, agent, until) values (gen_random_uuid(), ${agent.uid}, ${new Date(env.clock.now() + 45_000)})`)
    const customer = await visitor()
    expect((await env.call('chat.state', customer)).data.online).toBe(true)
    env.pass(46_000)
    expect((await env.call('chat.state', customer)).data.online).toBe(false)
  })
})

describe('streams end', () => {
  it('when the session ends, the account is locked, or the agent is no agent any more', async () => {
    const customer = await env.person()
    const [locked, fired, left] = [
      await env.person(),
      await env.person({ role: 'operator' }),
      await env.person({ role: 'agent' }),
    ]
    const streams = [await listen(customer), await listen(locked), await atDeskStream(fired), await atDeskStream(left)]
    for (const { answer } of streams) expect(answer.status).toBe(200)
    await env.call('sessions.revoke', { all: true }, customer)
    await env.call('admin.lock', { uid: locked.uid, reason: 'fraud' }, agent)
    await env.call('admin.setRole', { uid: fired.uid, role: 'user', reason: 'left' }, agent)
    await env.call('admin.setRole', { uid: left.uid, role: 'user', reason: 'left' }, agent)
    await Promise.all(streams.map(({ ended }) => ended))
  })

  it('when the session expires', async () => {
    const customer = await env.person()
    const stream = await listen(customer)
    await expect.poll(() => stream.last('account'), until).toBeDefined()
    env.pass(400 * 86_400_000)
    await stream.ended
  })

  it('when the server stops, which they do not delay', async () => {
    const other = await otherServer()
    const streams = [await listen(await visitor(), { app: other }), await atDeskStream(agent, other)]
    await other.close()
    await Promise.all(streams.map(({ ended }) => ended))
    expect((await env.call('chatDesk.agents', {}, agent)).data.list).toMatchObject([{ uid: agent.uid, online: false }])
  })
})

describe('refused are', () => {
  it('too many streams of one customer, until one ends', async () => {
    const customer = await visitor()
    const streams = await Promise.all(Array.from({ length: CHAT_STREAMS_PER_CUSTOMER }, () => listen(customer)))
    const refused = await listen(customer)
    expect(refused.answer.status).toBe(429)
    expect(refused.answer.headers.get('retry-after')).not.toBeNull()
    expect((await listen(await visitor())).answer.status).toBe(200)
    streams[0]?.hangUp()
    await expect.poll(async () => (await listen(customer)).answer.status, until).toBe(200)
  })

  it('customers at the desk, and everybody without a session there', async () => {
    const customer = await env.person()
    for (const token of [customer.token, '', await env.key(agent, 'admin')])
      expect((await atDeskStream({ token })).answer.headers.get('content-type')).toContain('json')
  })
})
