import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { CHAT_BEGINNINGS_PER_DAY, contract, errors, type OperationName, type Route } from '@tidenet/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chatCalls } from '../../apps/server/src/operator/chat/chat.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let env: TestEnv
let agent: Person
beforeAll(async () => {
  env = await setup()
  agent = await env.person({ role: 'operator' })
})
const { visitor, send, state, atDesk, answer, listen, atDeskStream, hangUpAll } = chatCalls(() => env)
afterEach(hangUpAll)
afterAll(() => env.close())

const until = { timeout: 10_000 }
const NOTE = 'This customer lies'

/** Every call of a customer, as the person or visitor. */
async function everyCall(customer: { token?: string; visitor?: string }): Promise<string> {
  const as = customer.token ? { token: customer.token } : {}
  const input = customer.visitor ? { visitor: customer.visitor } : {}
  const stream = await listen(customer, { after: 0 })
  await expect.poll(() => stream.last('conversation'), until).toBeDefined()
  const answers = [
    await env.call('chat.state', input, as),
    await env.call('chat.messages', { ...input, after: 0, size: 200 }, as),
    await env.call('chat.send', { ...input, id: randomUUID(), text: 'What did you note?' }, as),
    await env.call('chat.read', { ...input, seq: 100 }, as),
    await env.call('chat.email', { ...input, email: '' }, as),
    await env.call('chat.export', input, as),
  ]
  await expect.poll(() => stream.messages().at(-1)?.text, until).toBe('What did you note?')
  return JSON.stringify([answers, stream.events])
}

describe('a note of an agent', () => {
  it('reaches no call, stream, export, e-mail or number of the customer, also not by adoption', async () => {
    const [stranger, customer] = [await visitor(), await env.person()]
    for (const each of [stranger, customer] as { token?: string; visitor?: string }[]) {
      await send(each, 'Hello')
      const stream = await listen(each)
      await expect.poll(() => stream.last('conversation'), until).toMatchObject({ last_seq: 1 })
      const { id } = await atDesk(agent, each)
      const desk = await atDeskStream(agent)
      await env.call('chatDesk.note', { id, note_id: randomUUID(), text: NOTE }, agent)
      await expect.poll(() => desk.notes(), until).toMatchObject([{ text: NOTE }])
      await answer(agent, id, 'Hello')
      await expect.poll(() => stream.messages().map(({ seq }) => seq), until).toEqual([1, 2])
      expect(await everyCall(each)).not.toContain(NOTE)
      expect(JSON.stringify(stream.events)).not.toContain(NOTE)
      // The customer cannot tell which agent wrote.
      expect(JSON.stringify(stream.events)).not.toContain(agent.uid)
    }
    await env.call('chat.adopt', stranger, customer)
    expect(await everyCall(customer)).not.toContain(NOTE)
    const { id } = await atDesk(agent, customer)
    expect((await env.call('chatDesk.conversation', { id }, agent)).data.notes).toMatchObject([
      { text: NOTE },
      { text: NOTE },
    ])
  })
})

describe('another customer', () => {
  it('reads and changes nothing with foreign tokens, ids or sessions', async () => {
    const [victim, account, attacker] = [await visitor(), await env.person(), await env.person()]
    const id = randomUUID()
    await send(victim, 'Private', { id })
    await send(account, 'Private too')
    // A visitor's token counts for nothing in a session, and ids of messages are only unique per conversation.
    expect((await env.call('chat.messages', victim, attacker)).data.list).toEqual([])
    expect((await env.call('chat.send', { ...victim, id, text: 'Mine' }, attacker)).data.message.text).toBe('Mine')
    await env.call('chat.read', { ...victim, seq: 100 }, attacker)
    await env.call('chat.remove', victim, attacker)
    expect(await state(victim)).toMatchObject({ last_seq: 1 })
    // The hash that the database holds is no token.
    const hash = createHash('sha256').update(Buffer.from(victim.visitor, 'base64url')).digest('base64url')
    for (const guess of [hash, `${hash}AAAAA`, randomBytes(36).toString('base64url'), `a${account.id}`])
      expect(await env.call('chat.messages', { visitor: guess })).toMatchObject({ err: errors.chatVisitor.err })
  })

  it('cannot use the desk', async () => {
    const customer = await env.person({ vip: true })
    await send(customer, 'Hello')
    const { id } = await atDesk(agent, customer)
    const operations = Object.entries(contract.chatDesk) as [string, Route][]
    for (const [name, route] of operations) {
      const answers = [customer, { token: await env.key(agent, 'admin') }, {}].map((as) =>
        env.call(`chatDesk.${name}` as OperationName, { id, message_id: randomUUID(), text: 'x' } as never, as),
      )
      expect(route.auth).toBe('agent')
      for (const { code, err } of await Promise.all(answers))
        expect([name, code === 401 || err === errors.forbidden.err]).toEqual([name, true])
    }
    expect((await env.call('chatDesk.conversation', { id }, agent)).data.messages).toHaveLength(1)
  })

  it('cannot repeat an adoption, or adopt what another account has', async () => {
    const [stranger, owner, attacker] = [await visitor(), await env.person(), await env.person()]
    await send(stranger, 'Hello')
    await env.call('chat.adopt', stranger, owner)
    expect((await env.call('chat.adopt', stranger, attacker)).data).toEqual({ adopted: 0 })
    expect((await env.call('chat.state', stranger, attacker)).data).toMatchObject({ adoptable: 0, conversation: null })
    expect(await state(stranger)).toBeNull()
  })
})

describe('a flood', () => {
  it('of a hundred adoptions at once moves every message once', async () => {
    const [stranger, owner] = [await visitor(), await env.person()]
    for (let each = 0; each < 5; each++) await send(stranger, `${each}`)
    await send(owner, 'own')
    const adopted = await Promise.all(
      Array.from({ length: 100 }, (_, each) => env.call('chat.adopt', stranger, { ...owner, ip: `10.4.0.${each}` })),
    )
    expect(adopted.filter(({ data }) => (data?.adopted ?? 0) > 0)).toHaveLength(1)
    const { list } = (await env.call('chat.messages', {}, owner)).data
    expect(list.map(({ text }) => text)).toEqual(['own', '0', '1', '2', '3', '4'])
    expect(list.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('of a hundred first messages at once begins one conversation', async () => {
    const customer = await env.person()
    const sent = await Promise.all(
      Array.from({ length: 100 }, (_, each) => send(customer, `${each}`, { ip: `10.7.0.${each}` })),
    )
    const accepted = sent.filter(({ code }) => code === 0)
    expect(new Set(accepted.map(({ data }) => data.message.seq)).size).toBe(accepted.length)
    expect(await env.db.rows(sql`select 1 from chat_conversations where user_id = ${customer.id}`)).toHaveLength(1)
  })

  it('of new visitors from one network is limited, and tokens alone cost nothing', async () => {
    const before = await env.db.one(sql`select count(*) from chat_conversations`)
    const tokens = await Promise.all(
      Array.from({ length: CHAT_BEGINNINGS_PER_DAY + 20 }, async (_, each) => {
        const { data } = await env.call('chat.start', {}, { ip: `10.6.${each}.1` })
        return data
      }),
    )
    expect(await env.db.one(sql`select count(*) from chat_conversations`)).toEqual(before)
    const sent = await Promise.all(tokens.map((token) => send(token, 'Spam', { ip: '10.6.255.1' })))
    expect(sent.filter(({ code }) => code === 0)).toHaveLength(CHAT_BEGINNINGS_PER_DAY)
    expect(sent.filter(({ err }) => err === 1020)).toHaveLength(20)
    expect((await send(await visitor(), 'Hello', { ip: '10.5.0.1' })).code).toBe(0)
  })

  it('of new visitors from one IPv6 site is limited, whichever of its networks they use', async () => {
    const sent = []
    for (let each = 0; each <= CHAT_BEGINNINGS_PER_DAY; each++) {
      const { data } = await env.call('chat.start', {}, { ip: `10.8.${each}.1` })
      sent.push(await send(data, 'Spam', { ip: `2001:db8:7:${each.toString(16)}::1` }))
    }
    expect(sent.map(({ code }) => code)).toEqual([...Array(CHAT_BEGINNINGS_PER_DAY).fill(0), -1])
  })

  it('of large bodies is refused before it is read', async () => {
    const customer = await env.person()
    const sent = await env.app.inject({
      method: 'POST',
      url: contract.chat.send.path,
      payload: { id: randomUUID(), text: 'x'.repeat(2_000_000) },
      headers: { jwtauthorization: `Bearer ${customer.token}` },
    })
    expect(sent.statusCode).toBe(413)
    expect(await state(customer)).toBeNull()
  })
})

describe('a text', () => {
  it('with control and direction characters loses them, and markup stays text', async () => {
    const customer = await env.person()
    await send(customer, '<img src=x onerror=alert(1)>\u202ereversed\u0007\r\n\r\n\r\n\r\nend')
    const { messages } = (await env.call('chatDesk.conversation', { id: (await atDesk(agent, customer)).id }, agent))
      .data
    expect(messages[0]?.text).toBe('<img src=x onerror=alert(1)>reversed\n\nend')
  })
})
