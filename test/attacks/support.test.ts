import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { features } from '../../apps/server/src/features.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { deleteExpired } from '../../apps/server/src/platform/tasks/expired.ts'
import { openTrace } from '../../apps/server/src/storage/traces/service.ts'
import {
  harmlessText,
  SUPPORTS_PER_ACCOUNT_DAY,
  SUPPORTS_PER_NETWORK_DAY,
} from '../../apps/server/src/storage/traces/support.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

const DAY = 24 * 3_600_000
const opened: TestEnv[] = []
let env: TestEnv
beforeEach(async () => {
  env = await setup({ operatorMail: 'desk@portal.test' })
  opened.push(env)
})
afterAll(async () => {
  for (const each of opened) await each.close()
})

const trace = (person?: Person, name = 'a.txt') =>
  openTrace(env.db, {
    userId: person?.id,
    account: person?.uid ?? `temp:${randomUUID()}`,
    kind: 'download',
    cid: 'bafkreitest',
    name,
    at: new Date(env.clock.now()),
  })
const send = (trace_id: string, as: object = {}, text = 'It was slow.') =>
  env.call('supports.create', { trace_id, text }, as)
const stored = () =>
  env.db.rows<{ trace_id: string; text: string }>(sql`select trace_id, text from trace_supports order by id`)
const mails = () =>
  env.db.rows<{ recipient: string; body_text: string; body_html: string; subject: string }>(
    sql`select recipient, body_text, body_html, subject from mails order by id`,
  )
const operators = async () => env.person({ role: 'operator' })
const exists = async (id: string) => (await env.db.maybe(sql`select 1 from traces where id = ${id}`)) !== undefined

describe('a transfer sent to support', () => {
  it('is stored once with its trace, listed for operators, and mailed to them', async () => {
    const [owner, operator] = [await env.person(), await operators()]
    const id = await trace(owner)
    await env.call('traces.report', { trace_id: id, state: 2, transfer_type: 'download', log: 'no node' }, owner)
    expect((await env.call('traces.get', { trace_id: id }, owner)).data.support).toBeNull()
    for (let round = 0; round < 3; round++) expect(await send(id, owner)).toMatchObject({ code: 0 })
    expect(await stored()).toEqual([{ trace_id: id, text: 'It was slow.' }])
    expect((await mails()).filter(({ recipient }) => recipient === 'desk@portal.test')).toHaveLength(1)
    expect((await env.call('traces.get', { trace_id: id }, owner)).data.support).toMatchObject({ closed_at: null })
    const { list } = (await env.call('admin.supports', { closed: false }, operator)).data
    expect(list).toMatchObject([
      { uid: owner.uid, text: 'It was slow.', closed_at: null, trace: { trace_id: id, state: 2, log: 'no node' } },
    ])
    expect((await env.call('admin.supports', { q: 'nothing like it' }, operator)).data.list).toEqual([])
  })

  it('is closed by operators, who are recorded, and can be sent again after that', async () => {
    const [owner, operator] = [await env.person(), await operators()]
    const id = await trace(owner)
    await send(id, owner)
    const [{ id: support } = { id: 0 }] = (await env.call('admin.supports', {}, operator)).data.list
    const closed = await env.call('admin.supportChange', { id: support, closed: true, note: 'disk' }, operator)
    expect(closed.data).toMatchObject({ closed_by: operator.uid, note: 'disk', closed_at: expect.any(String) })
    expect((await env.call('admin.supports', { closed: false }, operator)).data.list).toEqual([])
    const { list } = (await env.call('admin.audit', {}, operator)).data
    expect(list[0]).toMatchObject({ action: 'support.change', subject: `support:${support}` })
    await send(id, owner, 'again')
    expect(await stored()).toEqual([{ trace_id: id, text: 'again' }])
    expect((await env.call('traces.get', { trace_id: id }, owner)).data.support).toMatchObject({ closed_at: null })
  })

  it('is kept until it is closed, however old it is', async () => {
    const owner = await env.person()
    const [sent, other] = [await trace(owner), await trace(owner)]
    await send(sent, owner)
    env.pass(91 * DAY)
    await deleteExpired(env.context, features)
    expect([await exists(sent), await exists(other)]).toEqual([true, false])
    await env.db.run(sql`update trace_supports set closed_at = ${new Date(env.clock.now())}`)
    await deleteExpired(env.context, features)
    expect(await exists(sent)).toBe(false)
    expect(await stored()).toEqual([])
  })

  it('may be an anonymous one, by anyone who knows its id; the network is forgotten after a day', async () => {
    const id = await trace()
    expect(await send(id)).toMatchObject({ code: 0 })
    env.pass(DAY + 1000)
    await deleteExpired(env.context, features)
    expect(await env.db.rows(sql`select network, user_id from trace_supports`)).toEqual([
      { network: null, user_id: null },
    ])
  })
})

describe('refused are', () => {
  it('traces of other accounts and unknown ones, alike', async () => {
    const [owner, stranger] = [await env.person(), await env.person()]
    const id = await trace(owner)
    const answers = [await send(id, stranger), await send(id), await send(`t${'a'.repeat(26)}`, stranger)]
    for (const answer of answers) expect(answer).toMatchObject({ code: -1, err: 1000, msg: answers[0]?.msg })
    expect((await send("' or true --", stranger)).err).toBe(1000)
    expect(await stored()).toEqual([])
  })

  it('floods of one account, from any number of networks', async () => {
    const owner = await env.person()
    const ids = []
    for (let each = 0; each < 20; each++) ids.push(await trace(owner))
    const answers = await Promise.all(ids.map((id, each) => send(id, { ...owner, ip: `10.7.${each}.1` })))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(SUPPORTS_PER_ACCOUNT_DAY)
    expect(answers.filter(({ err }) => err === 1020)).toHaveLength(20 - SUPPORTS_PER_ACCOUNT_DAY)
    expect(await stored()).toHaveLength(SUPPORTS_PER_ACCOUNT_DAY)
  })

  it('floods of one network, from any number of accounts and visitors', async () => {
    const answers = []
    for (let each = 0; each < SUPPORTS_PER_NETWORK_DAY + 4; each++) {
      const person = each % 2 === 0 ? await env.person() : undefined
      answers.push(await send(await trace(person), { ...person, ip: '10.8.8.8' }))
    }
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(SUPPORTS_PER_NETWORK_DAY)
    env.pass(DAY + 1000)
    expect(await send(await trace(), { ip: '10.8.8.8' })).toMatchObject({ code: 0 })
  })

  it('huge texts, and texts with NUL', async () => {
    const owner = await env.person()
    for (const text of ['a'.repeat(2001), 'nul\u0000'])
      expect(await send(await trace(owner), owner, text)).toMatchObject({ code: -1, err: 1001 })
    expect(await stored()).toEqual([])
  })

  it('everyone but operators, for the list and its changes', async () => {
    const owner = await env.person()
    await send(await trace(owner), owner)
    for (const as of [owner, {}]) {
      expect((await env.call('admin.supports', {}, as)).code).not.toBe(0)
      expect((await env.call('admin.supportChange', { id: 1, closed: true }, as)).code).not.toBe(0)
    }
  })
})

describe('what operators read', () => {
  const hostile = 'first\u0007\u001b[2J\nsecond\u202etxt.exe\u2066\u200b <script>alert(1)</script>\r\n\n\n\n=cmd()'
  const harmless = 'first[2J\nsecondtxt.exe <script>alert(1)</script>\n\n=cmd()'

  it('has no control characters and none that turn the direction of the text', async () => {
    const [owner, operator] = [await env.person(), await operators()]
    const id = await trace(owner, 'invoice\u202efdp.exe')
    const node = await env.node()
    const details = [{ node_id: node.id, state: 2, error: `bad\u001b[31m\u202e` }]
    await env.call('traces.report', { trace_id: id, state: 2, transfer_type: 'download', log: hostile, details }, owner)
    expect(await send(id, owner, hostile)).toMatchObject({ code: 0 })
    expect(await stored()).toEqual([{ trace_id: id, text: harmless }])
    const [support] = (await env.call('admin.supports', {}, operator)).data.list
    expect(support).toMatchObject({
      text: harmless,
      trace: { name: 'invoicefdp.exe', log: harmless, details: [{ error: 'bad[31m' }] },
    })
  })

  it('cannot inject markup or headers into the e-mail', async () => {
    const owner = await env.person()
    const id = await trace(owner, 'a\nBcc: all@mail.test <b>x</b>')
    await send(id, owner, hostile)
    const [mail] = (await mails()).filter(({ recipient }) => recipient === 'desk@portal.test')
    expect(mail?.subject).not.toMatch(/Bcc|x/)
    expect(mail?.body_html).not.toMatch(/<script>|<b>x/)
    expect(mail?.body_text).toContain('secondtxt.exe')
  })

  it('keeps line breaks, tabs, Chinese and emoji', () => {
    expect(harmlessText('  下载\t很慢 🐌\nline\u0085 ')).toBe('下载\t很慢 🐌\nline')
    expect(harmlessText('a\ud800b')).toBe('a\ufffdb')
  })
})
