import { randomUUID } from 'node:crypto'
import { CHAT_BEGINNINGS_PER_DAY, CHAT_PER_MINUTE, errors } from '@tidenet/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { deleteExpired } from '../../platform/tasks/expired.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { chatCalls } from './chat.fixture.ts'
import { expired } from './repository.ts'

let env: TestEnv
let agent: Person
beforeAll(async () => {
  env = await setup()
  agent = await env.person({ role: 'operator' })
})
const { visitor, send, state, atDesk, answer, hangUpAll } = chatCalls(() => env)
afterEach(hangUpAll)
afterAll(() => env.close())

const refused = (key: keyof typeof errors) => ({ code: -1, err: errors[key].err })
const DAY = 86_400_000

describe('a conversation', () => {
  it('carries uid, VIP status and language of the customer to the agent, and the answer back', async () => {
    const customer = await env.person({ vip: true })
    const sent = await send(customer, 'Where are my files?', { lang: 'cn' })
    expect(sent.data).toMatchObject({
      message: { seq: 1, from_type: 'user', text: 'Where are my files?' },
      online: false,
    })
    const talk = await atDesk(agent, customer)
    expect(talk).toMatchObject({ uid: customer.uid, vip: true, lang: 'cn', last_text: 'Where are my files?' })
    await answer(agent, talk.id, 'In the folder “Photos”.')
    const { data } = await env.call('chat.messages', {}, customer)
    expect(data.list.map(({ from_type, text }) => [from_type, text])).toEqual([
      ['user', 'Where are my files?'],
      ['agent', 'In the folder “Photos”.'],
    ])
    expect(await state(customer)).toMatchObject({ unread: 1, last_seq: 2, read_seq: 0 })
    expect((await env.call('chat.read', { seq: 2 }, customer)).data).toEqual({ unread: 0 })
    expect((await env.call('chat.read', { seq: 1 }, customer)).data).toEqual({ unread: 0 })
  })

  it('counts more than 99 unread answers', async () => {
    const customer = await env.person()
    await send(customer, 'Hello')
    const { id } = await atDesk(agent, customer)
    await Promise.all(Array.from({ length: 120 }, (_, each) => answer(agent, id, `Answer ${each}`)))
    expect(await state(customer)).toMatchObject({ unread: 120, last_seq: 121 })
  })

  it('contains a message once, however often and concurrently it is sent', async () => {
    const customer = await visitor()
    const id = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(customer, 'Once', { id })))
    expect(new Set(answers.map(({ data }) => data.message.seq))).toEqual(new Set([1]))
    expect((await env.call('chat.messages', customer)).data.list).toHaveLength(1)
    const talk = await atDesk(agent, customer)
    const own = randomUUID()
    await Promise.all(Array.from({ length: 20 }, () => answer(agent, talk.id, 'Once', own)))
    expect((await env.call('chat.messages', customer)).data.list).toHaveLength(2)
    const { list } = (await env.call('admin.audit', { subject: `chat:${talk.id}`, action: 'chat.answer' }, agent)).data
    expect(list).toHaveLength(1)
  })

  it('has no gaps when many write at once', async () => {
    const customer = await env.person()
    await send(customer, 'first')
    const { id } = await atDesk(agent, customer)
    await Promise.all(
      Array.from({ length: 20 }, (_, each) => (each % 2 ? send(customer, `c${each}`) : answer(agent, id, `a${each}`))),
    )
    const { list } = (await env.call('chat.messages', {}, customer)).data
    expect(list.map(({ seq }) => seq)).toEqual(Array.from({ length: 21 }, (_, each) => each + 1))
  })

  it('is read in pages, from the end or from a message', async () => {
    const customer = await visitor()
    for (let each = 1; each <= 7; each++) await send(customer, String(each))
    const page = async (input: object) => {
      const { list, more } = (await env.call('chat.messages', { ...customer, ...input })).data
      return [list.map(({ text }) => text).join(''), more]
    }
    expect(await page({ size: 3 })).toEqual(['567', true])
    expect(await page({ size: 3, before: 5 })).toEqual(['234', true])
    expect(await page({ size: 3, before: 2 })).toEqual(['1', false])
    expect(await page({ size: 3, after: 2 })).toEqual(['345', true])
    expect(await page({ size: 3, after: 5 })).toEqual(['67', false])
  })

  it('is closed and rated once, and opened again by either side', async () => {
    const customer = await env.person()
    await send(customer, 'Thanks')
    const { id } = await atDesk(agent, customer)
    expect((await env.call('chatDesk.close', { id }, agent)).data).toMatchObject({
      state: 'closed',
      waiting_since: null,
    })
    expect(await state(customer)).toMatchObject({ state: 'closed', can_rate: true, unread: 0 })
    const rating = { id: randomUUID(), rating: 5, comment: 'Fast' }
    const rated = await env.call('chat.rate', rating, customer)
    expect(rated.data.message).toMatchObject({ kind: 'rated', rating: 5, text: 'Fast', seq: 3 })
    expect((await env.call('chat.rate', rating, customer)).data).toEqual(rated.data)
    expect(await env.call('chat.rate', { ...rating, id: randomUUID() }, customer)).toMatchObject(
      refused('chatNotClosed'),
    )
    expect((await env.call('chatDesk.reopen', { id }, agent)).data).toMatchObject({ state: 'open', rating: 5 })
    await env.call('chatDesk.close', { id }, agent)
    await send(customer, 'One more thing')
    expect(await state(customer)).toMatchObject({ state: 'open', can_rate: false })
    const kinds = (await env.call('chat.messages', {}, customer)).data.list.map(({ kind }) => kind)
    expect(kinds).toEqual(['text', 'closed', 'rated', 'reopened', 'closed', 'text'])
  })

  it('can be exported and deleted by the customer, with notes', async () => {
    for (const customer of [await env.person(), await visitor()] as { token?: string; visitor?: string }[]) {
      const as = customer.token ? { token: customer.token } : {}
      const input = customer.visitor ? { visitor: customer.visitor } : {}
      await send(customer, 'One')
      await send(customer, 'Two')
      const { id } = await atDesk(agent, customer)
      await env.call('chatDesk.note', { id, note_id: randomUUID(), text: 'Secret of the desk' }, agent)
      const file = await env.app.inject({
        method: 'POST',
        url: '/api/v1/chat/export',
        payload: input,
        headers: as.token ? { jwtauthorization: `Bearer ${as.token}` } : {},
      })
      expect(file.headers['content-disposition']).toContain('attachment')
      expect(file.json()).toMatchObject({ conversation: { last_seq: 2 }, messages: [{ text: 'One' }, { text: 'Two' }] })
      expect(file.body).not.toContain('Secret')
      expect((await env.call('chat.remove', input, as)).code).toBe(0)
      expect((await env.call('chat.remove', input, as)).code).toBe(0)
      expect(await state(customer)).toBeNull()
      const left = sql`select 1 from chat_messages where conversation_id = ${id} union all select 1 from chat_notes where conversation_id = ${id}`
      expect(await env.db.rows(left)).toEqual([])
    }
  })

  it('is deleted with its account', async () => {
    const customer = await env.person()
    await send(customer, 'Bye')
    const { id } = await atDesk(agent, customer)
    await env.db.run(sql`delete from sessions where user_id = ${customer.id}`)
    await env.db.run(sql`delete from users where id = ${customer.id}`)
    expect(await env.call('chatDesk.conversation', { id }, agent)).toMatchObject(refused('chatUnknown'))
  })

  it('of a visitor is deleted 90 days after the last message; that of an account stays', async () => {
    const [stranger, customer] = [await visitor(), await env.person()]
    await send(stranger, 'Hello')
    await send(customer, 'Hello')
    env.pass(91 * DAY)
    await deleteExpired(env.context, [{ expired }])
    expect(await state(stranger)).toBeNull()
    expect((await env.call('chat.start', {})).code).toBe(0)
    const rows = await env.db.rows(sql`select 1 from chat_conversations where user_id = ${customer.id}`)
    expect(rows).toHaveLength(1)
    env.pass(-91 * DAY)
  })
})

describe('what a visitor wrote', () => {
  it('is added to an account only when its owner asks for it', async () => {
    const [stranger, customer] = [await visitor(), await env.person()]
    await send(stranger, 'As a visitor')
    await answer(agent, (await atDesk(agent, stranger)).id, 'Please sign up')
    await send(customer, 'As a customer')
    const before = (await env.call('chat.state', stranger, customer)).data
    expect(before).toMatchObject({ adoptable: 2, conversation: { last_seq: 1 } })
    expect((await env.call('chat.adopt', stranger, customer)).data).toEqual({ adopted: 2 })
    expect((await env.call('chat.adopt', stranger, customer)).data).toEqual({ adopted: 0 })
    const { list } = (await env.call('chat.messages', {}, customer)).data
    expect(list.map(({ text }) => text)).toEqual(['As a customer', 'As a visitor', 'Please sign up'])
    expect(await state(customer)).toMatchObject({ unread: 1, last_seq: 3 })
    expect(await state(stranger)).toBeNull()
    expect(await atDesk(agent, customer)).toMatchObject({ uid: customer.uid })
  })

  it('begins the conversation of an account without one', async () => {
    const [stranger, customer] = [await visitor(), await env.person()]
    await send(stranger, 'Hello')
    expect((await env.call('chat.adopt', stranger, customer)).data).toEqual({ adopted: 1 })
    expect(await state(customer)).toMatchObject({ last_seq: 1, state: 'open' })
  })

  it('goes to one of two accounts that adopt it at once', async () => {
    const [stranger, one, other] = [await visitor(), await env.person(), await env.person()]
    await send(stranger, 'Mine')
    const answers = await Promise.all([one, other].map((each) => env.call('chat.adopt', stranger, each)))
    expect(answers.map(({ data }) => data.adopted).sort()).toEqual([0, 1])
  })
})

describe('the desk', () => {
  it('lists who waits longest first, and finds conversations by text and account', async () => {
    const people = [await env.person(), await env.person()]
    for (const [each, person] of people.entries()) await send(person, `needle ${each}`)
    const found = async (q: string, list: 'waiting' | 'open' | 'all' = 'waiting') =>
      (await env.call('chatDesk.list', { list, q }, agent)).data.list.map(({ uid }) => uid)
    expect(await found('needle')).toEqual(people.map(({ uid }) => uid))
    expect(await found('NEEDLE', 'open')).toEqual(people.map(({ uid }) => uid).reverse())
    expect(await found(people[0]?.uid as string)).toEqual([people[0]?.uid])
    expect(await found(people[1]?.email as string)).toEqual([people[1]?.uid])
    expect(await found('100%')).toEqual([])
    const pages = []
    for (let after: string | null = ''; after !== null; ) {
      const { list, next }: { list: { id: number }[]; next: string | null } = (
        await env.call('chatDesk.list', { list: 'all', size: 3, after }, agent)
      ).data
      pages.push(...list.map(({ id }) => id))
      after = next
    }
    expect(new Set(pages).size).toBe(pages.length)
    expect(pages.length).toBe((await env.call('chatDesk.list', { list: 'all', size: 200 }, agent)).data.list.length)
  })

  it('gives a conversation to one of several agents who take it at once', async () => {
    const customer = await visitor()
    await send(customer, 'Who helps me?')
    const { id } = await atDesk(agent, customer)
    const agents = await Promise.all(Array.from({ length: 5 }, () => env.person({ role: 'agent' })))
    const taken = await Promise.all(agents.map((each) => env.call('chatDesk.take', { id }, each)))
    expect(taken.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(taken.filter(({ err }) => err === errors.chatTaken.err)).toHaveLength(4)
    const winner = agents[taken.findIndex(({ code }) => code === 0)] as Person
    expect((await env.call('chatDesk.list', { list: 'mine' }, winner)).data.list.map((row) => row.id)).toEqual([id])
    const other = agents.find((each) => each !== winner) as Person
    expect((await env.call('chatDesk.assign', { id, uid: other.uid }, winner)).data.assigned).toBe(other.uid)
    expect((await env.call('chatDesk.agents', {}, winner)).data.list).toContainEqual({
      uid: other.uid,
      email: other.email,
      online: false,
      assigned: 1,
    })
    const handed = await env.call('chatDesk.assign', { id, uid: agent.uid }, other)
    expect(handed.data.assigned).toBe(agent.uid)
    expect((await env.call('chatDesk.assign', { id, uid: '' }, agent)).data.assigned).toBe('')
    const { list } = (await env.call('admin.audit', { subject: `chat:${id}`, action: 'chat.assign' }, agent)).data
    expect(list.map(({ result }) => result).sort()).toEqual([...Array(4).fill('done'), ...Array(4).fill('refused')])
  })

  it('shows plan, orders, transfers and errors of the customer', async () => {
    const customer = await env.person({ vip: true })
    await env.call('traces.report', { trace_id: '', state: 2, transfer_type: 'upload', log: 'x\u202ey' }, customer)
    await send(customer, 'It fails')
    const { id } = await atDesk(agent, customer)
    const { data } = await env.call('chatDesk.customer', { id }, agent)
    expect(data).toMatchObject({
      account: { uid: customer.uid, email: customer.email, vip: true, role: 'user' },
      orders: [],
      traces: [{ state: 2, log: 'xy' }],
      errors: [{ state: 2 }],
    })
    const stranger = await visitor()
    await send(stranger, 'Hello')
    const of = (await atDesk(agent, stranger)).id
    expect((await env.call('chatDesk.customer', { id: of }, agent)).data).toMatchObject({ account: null, traces: [] })
  })

  it('has canned answers in both languages', async () => {
    const texts = { name: 'Hello', text_en: 'How can I help?', text_cn: '请问有什么可以帮您？' }
    const { id } = (await env.call('chatDesk.saveCanned', texts, agent)).data
    expect(await env.call('chatDesk.saveCanned', texts, agent)).toMatchObject(refused('chatCanned'))
    const other = (await env.call('chatDesk.saveCanned', { ...texts, name: 'Bye' }, agent)).data
    expect(await env.call('chatDesk.saveCanned', { ...texts, id: other.id }, agent)).toMatchObject(
      refused('chatCanned'),
    )
    await env.call('chatDesk.saveCanned', { ...texts, id, name: 'Welcome' }, agent)
    const names = async () => (await env.call('chatDesk.canned', {}, agent)).data.list.map(({ name }) => name)
    expect(await names()).toEqual(['Bye', 'Welcome'])
    await env.call('chatDesk.removeCanned', { id: other.id }, agent)
    expect(await names()).toEqual(['Welcome'])
  })
})

describe('refused are', () => {
  it('visitors without a token that a server made', async () => {
    const { visitor: good } = await visitor()
    for (const bad of [undefined, '', 'x', good.slice(1), `${good.slice(0, -2)}AA`, 'A'.repeat(48), 'A'.repeat(200)])
      expect(await env.call('chat.send', { id: randomUUID(), text: 'Hi', visitor: bad })).toMatchObject(
        refused('chatVisitor'),
      )
  })

  it('API keys, because programs must not read what their owner writes to support', async () => {
    const customer = await env.person()
    await send(customer, 'Private')
    const token = await env.key(customer, 'admin')
    for (const operation of ['chat.state', 'chat.messages', 'chat.remove', 'chat.export'] as const)
      expect(await env.call(operation, {}, { token })).toMatchObject(refused('chatVisitor'))
    expect((await env.call('chat.messages', await visitor(), { token })).data.list).toEqual([])
    expect(await env.call('chat.adopt', await visitor(), { token })).toMatchObject(refused('forbidden'))
  })

  it('empty and long texts, and ids that are none', async () => {
    const customer = await visitor()
    for (const text of ['', ' \n ', '\u200b', 'x'.repeat(4001)])
      expect(await send(customer, text)).toMatchObject({ code: -1, err: 1001 })
    expect(await send(customer, 'Hi', { id: '1' })).toMatchObject({ code: -1, err: 1001 })
    expect(await state(customer)).toBeNull()
  })

  it('a message under the id of an agent, and an answer under that of the customer', async () => {
    const customer = await visitor()
    const [own, theirs] = [randomUUID(), randomUUID()]
    await send(customer, 'Hi', { id: own })
    const { id } = await atDesk(agent, customer)
    await answer(agent, id, 'Hello', theirs)
    expect(await send(customer, 'Hi', { id: theirs })).toMatchObject({ code: -1, err: 1001 })
    expect(await answer(agent, id, 'Hello', own)).toMatchObject({ code: -1, err: 1001 })
  })

  it('numbers that no message can have', async () => {
    const customer = await env.person()
    await send(customer, 'Hello')
    const seq = 2 ** 31
    expect(await env.call('chat.read', { seq }, customer)).toMatchObject(refused('invalidParams'))
    expect(await env.call('chat.messages', { after: seq }, customer)).toMatchObject(refused('invalidParams'))
  })

  it('a customer who deletes the conversation again and again to write more', async () => {
    const customer = await env.person()
    const sent = []
    for (let each = 0; each <= CHAT_BEGINNINGS_PER_DAY; each++) {
      const ip = `10.9.${each}.1`
      sent.push(await send(customer, 'Hello', { ip }))
      await env.call('chat.remove', {}, { ...customer, ip })
    }
    expect(sent.map(({ code }) => code)).toEqual([...Array(CHAT_BEGINNINGS_PER_DAY).fill(0), -1])
  })

  it('more messages than a person writes', async () => {
    const customer = await env.person()
    const answers = await Promise.all(
      Array.from({ length: CHAT_PER_MINUTE + 10 }, (_, each) => send(customer, `${each}`)),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(CHAT_PER_MINUTE)
    expect(answers.filter(({ err }) => err === 1020)).toHaveLength(10)
    env.pass(61_000)
    expect((await send(customer, 'later')).code).toBe(0)
  })
})
