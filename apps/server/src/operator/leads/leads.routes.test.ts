import type { contract, Input } from '@tidenet/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'
import { sql } from '../../platform/db/sql.ts'
import { deleteExpired } from '../../platform/tasks/expired.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { LEADS_PER_ADDRESS_DAY, LEADS_PER_NETWORK_DAY } from './service.ts'

let env: TestEnv
beforeEach(async () => {
  env = await setup({ operatorMail: 'desk@portal.test' })
})
afterEach(() => env.close())

type Lead = Input<typeof contract.leads.create>
const DAY = 24 * 3600 * 1000
let visitors = 0

/** Sends a request from a new IP address. */
const write = (lead: Partial<Lead> = {}, as: { ip?: string; lang?: 'cn' | 'en' } = {}) => {
  visitors += 1
  return env.call(
    'leads.create',
    { kind: 'pcdn', name: 'Ada', email: 'ada@mail.test', text: 'Ten nodes, please.', ...lead },
    { ip: `10.1.${Math.floor(visitors / 250)}.${(visitors % 250) + 1}`, ...as },
  )
}
const mails = () =>
  env.db.rows<{ recipient: string; subject: string; body_text: string; body_html: string }>(
    sql`select recipient, subject, body_text, body_html from mails order by id`,
  )
const stored = () => env.db.rows<Record<string, unknown>>(sql`select * from leads order by id`)

describe('a contact request', () => {
  it('is stored, sent to the operators, and confirmed', async () => {
    expect(await write({ organisation: 'Engines' })).toMatchObject({ code: 0 })
    expect(await stored()).toMatchObject([
      {
        kind: 'pcdn',
        name: 'Ada',
        email: 'ada@mail.test',
        organisation: 'Engines',
        text: 'Ten nodes, please.',
        lang: 'en',
      },
    ])
    const [desk, thanks] = await mails()
    expect(desk?.recipient).toBe('desk@portal.test')
    for (const part of ['Ada', 'ada@mail.test', 'Engines', 'Ten nodes, please.'])
      expect(desk?.body_text).toContain(part)
    expect(thanks?.recipient).toBe('ada@mail.test')
  })

  it.each(['aiproxy', 'aidata', 'pcdn', 'containers', 'exchange', 'feedback', 'support', 'contact'] as const)(
    'may write about %s',
    async (kind) => expect((await write({ kind })).code).toBe(0),
  )

  it('is confirmed in the requested language, or else in that of the page', async () => {
    await write({ lang: 'zh' })
    await write({}, { lang: 'cn' })
    await write({ lang: 'en' }, { lang: 'cn' })
    const subjects = (await mails())
      .filter(({ recipient }) => recipient === 'ada@mail.test')
      .map(({ subject }) => subject)
    expect(subjects.map((subject) => /[\u4e00-\u9fff]/.test(subject))).toEqual([true, true, false])
  })

  it('cannot inject markup into an e-mail, or text into the confirmation', async () => {
    await write({ name: '<b>Ada</b>', text: '<script>alert(1)</script> & more' })
    const [desk, thanks] = await mails()
    expect(desk?.body_html).not.toContain('<script>')
    expect(desk?.body_html).not.toContain('<b>Ada')
    for (const body of [thanks?.body_text, thanks?.body_html, thanks?.subject]) {
      expect(body).not.toContain('Ada')
      expect(body).not.toContain('more')
    }
  })

  it('is stored without e-mail to the operators if they have no address', async () => {
    const quiet = await setup()
    const answer = await quiet.call('leads.create', {
      kind: 'support',
      name: 'Ada',
      email: 'ada@mail.test',
      text: 'Hello',
    })
    expect(answer.code).toBe(0)
    expect(await quiet.db.rows(sql`select recipient from mails`)).toEqual([{ recipient: 'ada@mail.test' }])
    await quiet.close()
  })

  it('loses its client network after a day, but not its sender', async () => {
    await write()
    env.pass(DAY + 1000)
    await deleteExpired(env.context, features)
    expect(await stored()).toMatchObject([{ name: 'Ada', network: null }])
  })
})

describe('refused are', () => {
  it.each([
    ['no name', { name: '  ' }],
    ['a name of two lines', { name: 'Ada\nBcc: all' }],
    ['a long name', { name: 'a'.repeat(101) }],
    ['no address', { email: '' }],
    ['no real address', { email: 'ada' }],
    ['two addresses', { email: 'a@mail.test,b@mail.test' }],
    ['no text', { text: ' ' }],
    ['a long text', { text: 'a'.repeat(4001) }],
    ['a subject that nobody knows', { kind: 'spam' as never }],
  ])('%s, and why is said', async (_, lead) => {
    const answer = await write(lead)
    expect(answer).toMatchObject({ code: -1, err: 1001 })
    expect(answer.msg).toMatch(/\w/)
    expect(await stored()).toEqual([])
  })

  it('too many confirmations to one address', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => write()))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(LEADS_PER_ADDRESS_DAY)
    expect(answers.filter(({ err }) => err === 1020)).toHaveLength(50 - LEADS_PER_ADDRESS_DAY)
    env.pass(DAY + 1000)
    expect((await write()).code).toBe(0)
  })

  it('too many requests of one client network per day, and of one address per minute', async () => {
    const ip = (last: number) => `2001:db8:1:1::${last + 1}`
    // Over a day, because the limit per minute is lower.
    await env.db.run(sql`
      insert into leads (kind, name, email, organisation, text, lang, network, created_at)
      select 'pcdn', 'Ada', 'p' || i || '@mail.test', '', '', 'en', ${clientNetworkOf(ip(0))}, ${new Date(env.clock.now())}
      from generate_series(1, ${LEADS_PER_NETWORK_DAY - 3}::int) i`)
    const codes = []
    for (let each = 0; each < 5; each++)
      codes.push((await write({ email: `q${each}@mail.test` }, { ip: ip(each) })).code)
    expect(codes).toEqual([0, 0, 0, -1, -1])
    const statuses = []
    for (let each = 0; each < 7; each++) statuses.push((await write({ name: '' }, { ip: '10.9.9.9' })).status)
    expect(statuses).toContain(429)
  })
})
