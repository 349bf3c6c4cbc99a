import { NOTICE_KINDS, type OptionalNotice } from '@tidenet/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { EmailText } from '../../platform/mail/templates.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { createSampleTeam } from '../teams/sample-team.fixture.ts'
import { notify } from './notify.ts'

let env: TestEnv
let person: Person
beforeAll(async () => {
  env = await setup()
})
beforeEach(async () => {
  person = await env.person()
})
afterAll(() => env.close())

const written = (lang: string): EmailText => ({ subject: `about usage, ${lang}`, text: 'text\n', html: '</html>' })
const tell = (userId: number, kind: (typeof NOTICE_KINDS)[number] = 'usage') =>
  env.db.transaction((tx) => notify(env.context, tx, userId, kind, written))
const mails = ({ email }: Pick<Person, 'email'>) =>
  env.db.rows<{ subject: string; body_text: string; unsubscribe: string }>(
    sql`select subject, body_text, unsubscribe from mails where recipient = ${email} order by id`,
  )
const choicesOf = async (of: Person) => (await env.call('notifications.list', {}, of)).data.list
const set = (of: Person, kind: OptionalNotice, change: { email?: boolean; portal?: boolean }) =>
  env.call('notifications.set', { kind, ...change }, of)
const tokenIn = async (of: Person) =>
  new URL((await mails(of)).at(-1)?.unsubscribe ?? '').searchParams.get('token') ?? ''
const oneClick = (token: string) =>
  env.app.inject({
    method: 'POST',
    url: '/unsubscribe',
    query: { token },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  })

describe('the notices of an account', () => {
  it('are all on at first; security stays on', async () => {
    const list = await choicesOf(person)
    expect(list.map(({ kind }) => kind)).toEqual(NOTICE_KINDS)
    expect(list.every(({ email, portal }) => email && portal !== false)).toBe(true)
    expect(list.filter(({ fixed }) => fixed).map(({ kind }) => kind)).toEqual(['security'])
  })

  it('are switched by kind and channel, each on its own', async () => {
    const other = await env.person()
    expect((await set(person, 'usage', { email: false })).data).toMatchObject({ email: false, portal: true })
    expect((await set(person, 'usage', { portal: false })).data).toMatchObject({ email: false, portal: false })
    expect((await set(person, 'usage', { email: true })).data).toMatchObject({ email: true, portal: false })
    expect((await choicesOf(person)).filter(({ kind }) => kind !== 'usage').every(({ email }) => email)).toBe(true)
    expect((await choicesOf(other)).every(({ email }) => email)).toBe(true)
  })

  it('come by e-mail unless that is off, in the language in which the account was last used', async () => {
    expect(await tell(person.id)).toBe(true)
    await env.db.run(sql`insert into account_languages (user_id, lang) values (${person.id}, 'cn')`)
    await tell(person.id)
    await set(person, 'usage', { email: false })
    expect(await tell(person.id)).toBe(false)
    expect((await mails(person)).map(({ subject }) => subject)).toEqual(['about usage, en', 'about usage, cn'])
  })

  it('go to the owners of a team, by the choices of each', async () => {
    const { team, owner, editor } = await createSampleTeam(env)
    const { id } = await env.db.one<{ id: number }>(sql`select id from users where uid = ${team}`)
    const told = async (of: Person) => (await mails(of)).some(({ subject }) => subject.startsWith('about usage'))
    await tell(id)
    expect([await told(owner), await told(editor)]).toEqual([true, false])
    await set(owner, 'usage', { email: false })
    expect(await tell(id)).toBe(false)
  })
})

describe('an e-mail that can be turned off', () => {
  it('has an address that a mail program posts to, signed out', async () => {
    await tell(person.id)
    const [mail] = await mails(person)
    expect(mail?.body_text).toContain(mail?.unsubscribe)
    expect((await oneClick(await tokenIn(person))).statusCode).toBe(200)
    expect(await tell(person.id)).toBe(false)
    expect((await choicesOf(person)).filter(({ email }) => !email).map(({ kind }) => kind)).toEqual(['usage'])
  })

  it('leads to a page that asks, turns off and turns on again', async () => {
    await tell(person.id)
    const token = await tokenIn(person)
    const call = async (input: { email?: boolean }) =>
      (await env.call('notifications.subscription', { token, ...input })).data
    expect(await call({})).toEqual({ kind: 'usage', email: true })
    expect(await call({ email: false })).toEqual({ kind: 'usage', email: false })
    expect(await call({})).toEqual({ kind: 'usage', email: false })
    expect(await call({ email: true })).toEqual({ kind: 'usage', email: true })
  })
})

describe('rejections', () => {
  it('gives e-mails about security no such address, and does not let them be switched off', async () => {
    await tell(person.id, 'security')
    expect(await mails(person)).toMatchObject([{ unsubscribe: '' }])
    expect(await set(person, 'security' as never, { email: false })).toMatchObject({ code: -1 })
    expect(await tell(person.id, 'security')).toBe(true)
  })

  it('refuses tokens that were changed, for another kind or another account', async () => {
    const other = await env.person()
    await tell(person.id)
    const token = await tokenIn(person)
    const forged = [
      '',
      'usage',
      token.replace('usage', 'orders'),
      token.replace('usage', 'security'),
      token.replace(person.uid, other.uid),
      `${token.slice(0, -2)}AA`,
      token.repeat(9),
    ]
    for (const each of forged) {
      expect(await env.call('notifications.subscription', { token: each, email: false })).toMatchObject({ code: -1 })
      expect((await oneClick(each)).statusCode).toBe(400)
    }
    expect((await choicesOf(person)).every(({ email }) => email)).toBe(true)
    expect((await choicesOf(other)).every(({ email }) => email)).toBe(true)
  })

  it('refuses the settings to visitors and API keys', async () => {
    const key = await env.key(person, 'admin')
    for (const as of [{}, { token: key }]) {
      expect((await env.call('notifications.list', {}, as)).code).not.toBe(0)
      expect((await env.call('notifications.set', { kind: 'usage', email: false }, as)).code).not.toBe(0)
    }
  })

  it('sends nothing to locked accounts, except about security and orders', async () => {
    await env.db.run(sql`update users set locked_at = now() where id = ${person.id}`)
    for (const kind of ['usage', 'devices'] as const) expect(await tell(person.id, kind)).toBe(false)
    for (const kind of ['security', 'orders'] as const) expect(await tell(person.id, kind)).toBe(true)
  })
})
