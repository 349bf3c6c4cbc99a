import { randomUUID } from 'node:crypto'
import { CHAT_COUNTED_MAX, CHAT_IDLE_DAYS } from '@tidenet/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { chatCalls } from './chat.fixture.ts'
import { countConversations } from './desk-repository.ts'
import { closeIdle } from './idle.ts'

let env: TestEnv
let agent: Person
beforeAll(async () => {
  env = await setup()
  agent = await env.person({ role: 'operator' })
})
const { visitor, send, state, answer, atDesk, atDeskStream, hangUpAll } = chatCalls(() => env)
afterEach(hangUpAll)
afterAll(() => env.close())

const HOUR = 3_600_000
const recorded = async (subject: string, action: 'chat.open' | 'chat.follow') =>
  (await env.call('admin.audit', { subject, action }, agent)).data.list

describe('the audit log', () => {
  it('says which agent read whose conversation, once per hour and not for every page', async () => {
    const [customer, other] = [await env.person(), await env.person({ role: 'operator' })]
    await send(customer, 'Private')
    const id = (await env.db.one<{ id: number }>(sql`select id from chat_conversations where user_id = ${customer.id}`))
      .id
    for (const page of [{}, { after: 0 }, { before: 2 }])
      await env.call('chatDesk.conversation', { id, ...page }, other)
    await env.call('chatDesk.customer', { id }, other)
    const once = await recorded(`chat:${id}`, 'chat.open')
    expect(once).toMatchObject([{ actor: other.uid, detail: { customer: customer.uid } }])
    env.pass(HOUR + 1000)
    await env.call('chatDesk.conversation', { id, after: 1 }, other)
    expect(await recorded(`chat:${id}`, 'chat.open')).toHaveLength(2)
    await env.call('chatDesk.conversation', { id }, agent)
    expect(await recorded(`chat:${id}`, 'chat.open')).toHaveLength(3)
  })

  it('says which agent opened the desk, which receives all messages', async () => {
    for (let each = 0; each < 3; each++) expect((await atDeskStream(agent)).answer.status).toBe(200)
    expect(await recorded(`user:${agent.uid}`, 'chat.follow')).toMatchObject([{ actor: agent.uid }])
  })
})

describe('unread answers', () => {
  it('are those after the last one that was read, also between other entries and after adoption', async () => {
    const [stranger, customer] = [await visitor(), await env.person()]
    const unread = async (of: { token?: string; visitor?: string }) => (await state(of))?.unread
    await send(stranger, 'One')
    const talk = (await atDesk(agent, stranger)).id
    await answer(agent, talk, 'Two')
    await answer(agent, talk, 'Three')
    await env.call('chatDesk.close', { id: talk }, agent)
    await answer(agent, talk, 'Five')
    expect(await unread(stranger)).toBe(3)
    expect((await env.call('chat.read', { ...stranger, seq: 2 })).data).toEqual({ unread: 2 })
    expect((await env.call('chat.read', { ...stranger, seq: 4 })).data).toEqual({ unread: 1 })
    expect((await env.call('chat.read', { ...stranger, seq: 1 })).data).toEqual({ unread: 1 })
    await send(customer, 'Mine')
    const own = (await atDesk(agent, customer)).id
    await answer(agent, own, 'Yours')
    await env.call('chat.read', { seq: 2 }, customer)
    await env.call('chat.adopt', stranger, customer)
    expect(await unread(customer)).toBe(1)
    await answer(agent, own, 'Last')
    expect(await unread(customer)).toBe(2)
    expect((await env.call('chat.read', { seq: 999 }, customer)).data).toEqual({ unread: 0 })
  })

  it('stay what they are when a visitor’s answers are adopted behind unread ones', async () => {
    const [stranger, customer] = [await visitor(), await env.person()]
    await send(customer, 'Mine')
    const own = (await atDesk(agent, customer)).id
    await answer(agent, own, 'Unread')
    await send(stranger, 'Hello')
    await answer(agent, (await atDesk(agent, stranger)).id, 'Unread, too')
    await env.call('chat.adopt', stranger, customer)
    expect(await state(customer)).toMatchObject({ unread: 2, read_seq: 0 })
    expect((await env.call('chat.read', { seq: 3 }, customer)).data).toEqual({ unread: 1 })
  })
})

describe('a flood of conversations', () => {
  it('is counted up to a limit', async () => {
    await env.db.transaction(async (tx) => {
      await tx.run(sql`
        insert into chat_conversations (visitor_hash, lang, last_seq, waiting_since, last_at, minute_from, day_from, created_at)
        select sha256(('flood ' || n)::bytea), 'en', 1, now(), now(), now(), now(), now()
        from generate_series(1, ${CHAT_COUNTED_MAX + 200}) n`)
      const max = CHAT_COUNTED_MAX
      expect(await countConversations(tx)).toEqual({ open: max, waiting: max, unassigned: max })
      await tx.run(sql`delete from chat_conversations where visitor_hash = any(
        select sha256(('flood ' || n)::bytea) from generate_series(1, ${CHAT_COUNTED_MAX + 200}) n)`)
    })
  })

  it('is closed after days without a message, which the visitor sees and can undo by writing; accounts stay open', async () => {
    const [stranger, recent, customer] = [await visitor(), await visitor(), await env.person()]
    await send(stranger, 'Hello')
    await send(customer, 'Hello')
    env.pass((CHAT_IDLE_DAYS + 1) * 24 * HOUR)
    await send(recent, 'Hello')
    await closeIdle(env.context)
    await closeIdle(env.context)
    expect(await state(stranger)).toMatchObject({ state: 'closed', last_seq: 2, unread: 0, can_rate: false })
    const { list } = (await env.call('chat.messages', stranger)).data
    expect(list.map(({ kind }) => kind)).toEqual(['text', 'closed'])
    expect(await state(recent)).toMatchObject({ state: 'open' })
    const rows = await env.db.rows(
      sql`select 1 from chat_conversations where user_id = ${customer.id} and state = 'open'`,
    )
    expect(rows).toHaveLength(1)
    await send(stranger, 'Still here')
    expect(await state(stranger)).toMatchObject({ state: 'open', last_seq: 3 })
    env.pass(-(CHAT_IDLE_DAYS + 1) * 24 * HOUR)
  })
})

describe('refused are', () => {
  it('ids that are no conversation, which leave no record', async () => {
    const id = 1_000_000
    expect((await env.call('chatDesk.conversation', { id }, agent)).code).toBe(-1)
    expect(await recorded(`chat:${id}`, 'chat.open')).toEqual([])
    expect((await env.call('chatDesk.note', { id, note_id: randomUUID(), text: 'x' }, agent)).code).toBe(-1)
  })
})
