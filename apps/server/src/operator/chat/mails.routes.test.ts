import { randomUUID } from 'node:crypto'
import { CHAT_MAIL_AFTER, CHAT_MAILS_PER_ADDRESS_DAY, errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { inbox } from '../../platform/mail/inbox.fixture.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { chatCalls } from './chat.fixture.ts'
import { mailAnswers } from './mails.ts'

let env: TestEnv
let agent: Person
beforeAll(async () => {
  env = await setup()
  agent = await env.person({ role: 'operator' })
})
const { visitor, send, atDesk, answer } = chatCalls(() => env)
afterAll(() => env.close())

const later = async () => {
  env.pass(CHAT_MAIL_AFTER + 1000)
  await mailAnswers(env.context)
}
const refused = (key: keyof typeof errors) => ({ code: -1, err: errors[key].err })

describe('an answer that nobody reads', () => {
  it('is mailed to the address that a visitor left, in the visitor’s language, and waits in the chat', async () => {
    const customer = await visitor()
    const sent = await send(customer, 'My secret question', { lang: 'cn' })
    expect(sent.data).toMatchObject({ online: false, email: '' })
    await env.call('chat.email', { ...customer, email: 'visitor@mail.test' })
    const { id } = await atDesk(agent, customer)
    await answer(agent, id, 'First <b>answer</b>')
    await answer(agent, id, 'Second answer')
    await mailAnswers(env.context)
    expect(await inbox(env, 'visitor@mail.test')).toEqual([])
    await later()
    const [mail, ...more] = await inbox(env, 'visitor@mail.test')
    expect(more).toEqual([])
    expect(mail?.subject).toMatch(/[\u4e00-\u9fff]/)
    expect(mail?.text).toContain('First <b>answer</b>\n\nSecond answer')
    expect(mail?.text).not.toContain('secret question')
    const html = await env.db.rows<{ body_html: string }>(sql`select body_html from mails`)
    expect(JSON.stringify(html)).not.toContain('<b>answer')
    expect(JSON.stringify(html)).not.toContain('secret question')
    await later()
    expect(await inbox(env, 'visitor@mail.test')).toHaveLength(1)
    expect((await env.call('chat.state', customer)).data.conversation).toMatchObject({ unread: 2 })
    await answer(agent, id, 'Third answer')
    await later()
    expect((await inbox(env, 'visitor@mail.test')).map(({ text }) => text.includes('First'))).toEqual([false, true])
  })

  it('is mailed to the address of the account without asking, unless the customer declines', async () => {
    const [asked, declined] = [await env.person(), await env.person()]
    for (const customer of [asked, declined]) {
      expect((await send(customer, 'Hello')).data.email).toBe(customer.email)
      if (customer === declined) await env.call('chat.email', { email: '' }, customer)
      await answer(agent, (await atDesk(agent, customer)).id, 'Hello')
    }
    await later()
    expect(await inbox(env, asked.email)).toHaveLength(1)
    expect(await inbox(env, declined.email)).toEqual([])
  })

  it('is mailed to the new address of an account, never to the previous one', async () => {
    const customer = await env.person()
    await send(customer, 'Hello')
    const { id } = await atDesk(agent, customer)
    const previous = customer.email
    await env.db.run(sql`update users set email = 'new@mail.test' where id = ${customer.id}`)
    await answer(agent, id, 'Only for the owner of the account')
    await later()
    expect(await inbox(env, previous)).toEqual([])
    expect(await inbox(env, 'new@mail.test')).toHaveLength(1)
    expect((await send(customer, 'Thanks')).data.email).toBe('new@mail.test')
    expect((await env.call('chat.state', {}, customer)).data.conversation?.email).toBe('new@mail.test')
  })

  it('is mailed once by several servers', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => env.person()))
    for (const customer of people) {
      await send(customer, 'Hello')
      await answer(agent, (await atDesk(agent, customer)).id, 'Hello')
    }
    env.pass(CHAT_MAIL_AFTER + 1000)
    await Promise.all(Array.from({ length: 4 }, () => mailAnswers(env.context)))
    await mailAnswers(env.context)
    for (const { email } of people) expect(await inbox(env, email)).toHaveLength(1)
  })

  it('is mailed if the address is left after it', async () => {
    const customer = await visitor()
    await send(customer, 'Hello')
    await answer(agent, (await atDesk(agent, customer)).id, 'Hello')
    await env.call('chat.email', { ...customer, email: 'late@mail.test' })
    await later()
    expect(await inbox(env, 'late@mail.test')).toHaveLength(1)
  })
})

describe('no e-mail is sent', () => {
  it('about an answer that was read in the chat', async () => {
    const customer = await env.person()
    await send(customer, 'Hello')
    await answer(agent, (await atDesk(agent, customer)).id, 'Hello')
    await env.call('chat.read', { seq: 2 }, customer)
    await later()
    expect(await inbox(env, customer.email)).toEqual([])
  })

  it('about notes, or after the conversation was deleted', async () => {
    const [noted, deleted] = [await env.person(), await env.person()]
    await send(noted, 'Hello')
    const { id } = await atDesk(agent, noted)
    await env.call('chatDesk.note', { id, note_id: randomUUID(), text: 'A note' }, agent)
    await send(deleted, 'Hello')
    await answer(agent, (await atDesk(agent, deleted)).id, 'Hello')
    await env.call('chat.remove', {}, deleted)
    await later()
    for (const { email } of [noted, deleted]) expect(await inbox(env, email)).toEqual([])
  })

  it('to the address of an adopted visitor, if the account has declined mails', async () => {
    const [stranger, customer] = [await visitor(), await env.person()]
    await send(stranger, 'Hello')
    await env.call('chat.email', { ...stranger, email: 'somebody@mail.test' }, {})
    await send(customer, 'Hello')
    await env.call('chat.email', { email: '' }, customer)
    await env.call('chat.adopt', stranger, customer)
    await answer(agent, (await atDesk(agent, customer)).id, 'Hello')
    await later()
    expect(await inbox(env, 'somebody@mail.test')).toEqual([])
  })

  it('to an address that many visitors name, after a few; the answers wait in the chat', async () => {
    const customers = []
    for (let each = 0; each < CHAT_MAILS_PER_ADDRESS_DAY + 3; each++) {
      const customer = await visitor()
      customers.push(customer)
      await send(customer, 'Hello', { ip: `10.8.0.${each}` })
      await env.call('chat.email', { ...customer, email: 'victim@mail.test' }, { ip: `10.8.0.${each}` })
      await answer(agent, (await atDesk(agent, customer)).id, 'Hello')
    }
    await later()
    expect(await inbox(env, 'victim@mail.test')).toHaveLength(CHAT_MAILS_PER_ADDRESS_DAY)
    for (const customer of customers)
      expect((await env.call('chat.state', customer)).data.conversation).toMatchObject({ unread: 1 })
  })

  it('to another address than that of the account, or to what is none', async () => {
    const customer = await env.person()
    await send(customer, 'Hello')
    expect(await env.call('chat.email', { email: 'other@mail.test' }, customer)).toMatchObject(refused('chatEmail'))
    const stranger = await visitor()
    expect(await env.call('chat.email', { ...stranger, email: 'a@mail.test' })).toMatchObject(refused('chatUnknown'))
    for (const email of ['x', 'a@mail.test,b@mail.test', 'a@mail.test\nBcc: b@mail.test'])
      expect((await env.call('chat.email', { ...stranger, email })).code).toBe(-1)
  })
})
