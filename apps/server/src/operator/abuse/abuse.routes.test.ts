import type { contract, Input } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import { sql } from '../../platform/db/sql.ts'
import { finishJobs } from '../../platform/jobs/jobs.ts'
import { inbox } from '../../platform/mail/inbox.fixture.ts'
import { deleteExpired } from '../../platform/tasks/expired.ts'
import { sampleFile } from '../../storage/assets/sample-files.fixture.ts'
import { type As, type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { err, reason } from '../admin/sample-operator.fixture.ts'
import { mailOperators, REPORTS_PER_ADDRESS_DAY, REPORTS_PER_CASE, REPORTS_PER_NETWORK_DAY } from './reports.ts'

type Report = Input<typeof contract.abuse.report>

let env: TestEnv
let operator: Person
beforeAll(async () => {
  env = await setup({ operatorMail: 'desk@portal.test' })
  operator = await env.person({ role: 'operator' })
})
afterAll(() => env.close())

const DAY = 24 * 3600 * 1000
let visitors = 0
/** Reports from a new address. */
const report = (target: string, more: Partial<Report> = {}, as: As = {}) => {
  visitors += 1
  const ip = `10.${Math.floor(visitors / 60_000) + 1}.${Math.floor(visitors / 240) % 250}.${(visitors % 240) + 1}`
  return env.call('abuse.report', { target, category: 'malware', text: 'It is a virus.', ...more }, { ip, ...as })
}
const cases = async (input: Input<typeof contract.admin.reports> = {}) =>
  (await env.call('admin.reports', input, operator)).data.list
const caseOf = async (cid: string) => (await cases({ q: cid }))[0]
const block = (cid: string) => env.call('admin.block', { cid, category: 'malware', reason }, operator)
const unblock = (cid: string) => env.call('admin.unblock', { cid, reason }, operator)
const finish = () => finishJobs(env.context, features)
const subjects = async (email: string) => (await inbox(env, email)).length
const blockedOf = async (person: Person) => (await env.call('abuse.blockedFiles', {}, person)).data
const file = async (owner: Person, more: { text?: string; name?: string } = {}) =>
  (await sampleFile(env.db, owner.id, more)).cid

describe('a report', () => {
  it('reaches the operators with reason and words, from visitors without an account', async () => {
    const cid = await file(await env.person())
    expect(await report(`http://portal.test/distributionstatus?cid=${cid}`, { email: 'a@mail.test' })).toMatchObject({
      code: 0,
    })
    expect(await caseOf(cid)).toMatchObject({
      cid,
      known: true,
      blocked: false,
      closed_at: null,
      decision: '',
      count: 1,
      reports: [{ category: 'malware', text: 'It is a virus.', email: 'a@mail.test' }],
    })
  })

  it('of a short link names the file behind it, and joins reports of the same bytes by other links', async () => {
    const owner = await env.person()
    const cid = await file(owner)
    const { data: link } = await env.call('shortLinks.create', { cid, short_pass: 'abc123' }, owner)
    await report(link.url)
    await report(cid)
    await report(cid.replace('bafkrei', 'bafybei'))
    const found = await cases({ q: cid })
    expect(found).toMatchObject([{ cid, count: 3 }])
  })

  it('of a link without a content is a case of its own; nothing is fetched', async () => {
    await report('https://elsewhere.test/page#part')
    expect(await cases({ q: 'elsewhere.test' })).toMatchObject([{ cid: '', known: false, count: 1 }])
  })

  it('after a decision opens a new case that knows of the earlier one', async () => {
    const cid = await file(await env.person())
    await report(cid)
    await env.call('admin.reportChange', { id: (await caseOf(cid))?.id ?? 0, closed: true }, operator)
    await report(cid)
    expect(await cases({ q: cid })).toMatchObject([
      { closed_at: null, kept_before: 1, count: 1 },
      { decision: 'kept', closed_by: operator.uid },
    ])
  })

  it('is about what it names, not who sent it: its address is deleted a month after the decision', async () => {
    const cid = await file(await env.person())
    await report(cid, { email: 'gone@mail.test' })
    await env.call('admin.reportChange', { id: (await caseOf(cid))?.id ?? 0, closed: true }, operator)
    await env.db.run(sql`
      update abuse_cases set closed_at = closed_at - interval '31 days' where cid = ${cid};
      `)
    await deleteExpired(env.context, features)
    expect((await caseOf(cid))?.reports).toMatchObject([{ email: '' }])
  })
})

describe('a decision', () => {
  it('to block ends the case, and tells reporters with an address, each once', async () => {
    const cid = await file(await env.person())
    await report(cid, { email: 'first@mail.test' })
    await report(cid, { email: 'first@mail.test' })
    await report(cid, { email: 'second@mail.test' })
    await report(cid)
    await block(cid)
    expect(await caseOf(cid)).toMatchObject({ decision: 'blocked', blocked: true, closed_by: operator.uid })
    expect([await subjects('first@mail.test'), await subjects('second@mail.test')]).toEqual([1, 1])
  })

  it('to keep a content tells them, too, once; the content stays', async () => {
    const cid = await file(await env.person())
    await report(cid, { email: 'kept@mail.test' })
    const id = (await caseOf(cid))?.id ?? 0
    for (let round = 0; round < 2; round++) await env.call('admin.reportChange', { id, closed: true }, operator)
    expect(await subjects('kept@mail.test')).toBe(1)
    expect(await caseOf(cid)).toMatchObject({ decision: 'kept', blocked: false })
  })

  it('keeps the note for operators, and is in the audit log', async () => {
    const cid = await file(await env.person())
    await report(cid, { email: 'note@mail.test' })
    const id = (await caseOf(cid))?.id ?? 0
    await env.call('admin.reportChange', { id, note: 'asked the police' }, operator)
    await env.call('admin.reportChange', { id, closed: true }, operator)
    expect(await caseOf(cid)).toMatchObject({ note: 'asked the police' })
    expect((await inbox(env, 'note@mail.test'))[0]?.text).not.toContain('police')
    const { list } = (await env.call('admin.audit', { subject: `report:${id}` }, operator)).data
    expect(list.map(({ action }) => action)).toEqual(['report.change', 'report.change'])
  })
})

describe('the owner of a blocked content', () => {
  it('is told once, without who reported it, and sees it until the block is lifted', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const cid = await file(owner, { text: 'shared bytes', name: 'mine.bin' })
    await file(other, { text: 'shared bytes', name: 'theirs.bin' })
    await report(cid, { email: 'reporter@mail.test', text: 'I am the reporter' })
    await block(cid)
    await block(cid)
    await finish()
    await finish()
    expect([await subjects(owner.email), await subjects(other.email)]).toEqual([1, 1])
    expect((await inbox(env, owner.email))[0]?.text).not.toContain('reporter')
    expect((await blockedOf(owner)).list).toMatchObject([{ cid, name: 'mine.bin', category: 'malware', objection: '' }])
    await unblock(cid)
    await finish()
    expect([await subjects(owner.email), (await blockedOf(owner)).total]).toEqual([2, 0])
  })

  it('is told nothing of a block that was lifted before anyone was told', async () => {
    const owner = await env.person()
    const cid = await file(owner)
    await block(cid)
    await unblock(cid)
    await finish()
    expect([await subjects(owner.email), (await blockedOf(owner)).total]).toEqual([0, 0])
  })

  it('can turn these e-mails off, and still sees the list', async () => {
    const owner = await env.person()
    await env.call('notifications.set', { kind: 'blocks', email: false }, owner)
    await block(await file(owner))
    await finish()
    expect([await subjects(owner.email), (await blockedOf(owner)).total]).toEqual([0, 1])
  })

  it('objects, changes the objection until it is answered, and gets the answer', async () => {
    const owner = await env.person()
    const cid = await file(owner)
    await block(cid)
    await finish()
    for (const text of ['not mine', 'I wrote it myself'])
      expect((await env.call('abuse.object', { cid, text }, owner)).code).toBe(0)
    const open = async () => (await env.call('admin.objections', { answered: false }, operator)).data.list
    const [objection] = await open()
    expect(objection).toMatchObject({ cid, uid: owner.uid, text: 'I wrote it myself', blocked: true })
    const answer = 'It contains a virus.'
    expect((await env.call('admin.objectionAnswer', { id: objection?.id ?? 0, answer }, operator)).code).toBe(0)
    expect(await open()).toEqual([])
    expect((await blockedOf(owner)).list).toMatchObject([{ answer }])
    expect((await inbox(env, owner.email)).some(({ text }) => text.includes(answer))).toBe(true)
    expect(await env.call('abuse.object', { cid, text: 'again' }, owner)).toMatchObject(err('objectionAnswered'))
  })

  it('whose objection succeeds has nothing blocked any more, and nothing waits', async () => {
    const owner = await env.person()
    const cid = await file(owner)
    await block(cid)
    await finish()
    await env.call('abuse.object', { cid, text: 'mine' }, owner)
    await unblock(cid)
    await finish()
    expect((await env.call('admin.objections', { answered: false }, operator)).data.list).toEqual([])
    expect(await env.call('abuse.object', { cid, text: 'mine' }, owner)).toMatchObject(err('notFound'))
  })
})

describe('operators get', () => {
  it('one e-mail an hour, however many contents are reported', async () => {
    await mailOperators(env.context)
    env.pass(3_600_001)
    const before = await subjects('desk@portal.test')
    for (let n = 0; n < 5; n++) {
      await report(`https://many.test/${n}`)
      await mailOperators(env.context)
    }
    expect(await subjects('desk@portal.test')).toBe(before + 1)
    env.pass(3_600_001)
    await mailOperators(env.context)
    await mailOperators(env.context)
    expect(await subjects('desk@portal.test')).toBe(before + 2)
  })

  it('one case of a content that many report, with a limited number of reports', async () => {
    const cid = await file(await env.person())
    for (let n = 0; n < REPORTS_PER_CASE + 5; n++) await report(cid)
    const found = await cases({ q: cid })
    expect(found).toHaveLength(1)
    expect(found[0]?.count).toBe(REPORTS_PER_CASE)
  })
})

describe('refused are', () => {
  it('a second report of one network about the same content: it counts once', async () => {
    const cid = await file(await env.person())
    const ip = '10.250.0.1'
    for (const text of ['once', 'twice']) expect((await report(cid, { text }, { ip })).code).toBe(0)
    expect(await caseOf(cid)).toMatchObject({ count: 1, reports: [{ text: 'once' }] })
  })

  it('reports that tell something: the answer is the same for any target', async () => {
    const owner = await env.person()
    const cid = await file(owner)
    const { data: link } = await env.call('shortLinks.create', { cid }, owner)
    await block(await file(owner, { text: 'blocked already' }))
    const targets = [
      cid,
      link.url,
      'http://portal.test/s/123456789ABCDEFG',
      'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
      'https://elsewhere.test/x',
    ]
    const answers = []
    for (const target of targets) answers.push(JSON.stringify((await report(target)).data))
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).not.toContain(owner.uid)
  })

  it('what is no link and no CID, without words, or with a broken address', async () => {
    expect(await report('hello')).toMatchObject(err('reportTarget'))
    expect(await report('javascript:alert(1)')).toMatchObject(err('reportTarget'))
    expect(await report('https://a.test/x', { text: ' ' })).toMatchObject(err('textMissing'))
    expect(await report('https://a.test/x', { text: 'x'.repeat(4001) })).toMatchObject(err('textTooLong'))
    expect(await report('https://a.test/x', { email: 'nobody' })).toMatchObject(err('emailInvalid'))
    expect(await report('https://a.test/x', { category: 'taste' as never })).toMatchObject(err('invalidParams'))
  })

  it('texts that change how the operators read them', async () => {
    await report('https://b.test/\u202Etxt', { text: 'a\u202Eb' })
    const [found] = await cases({ q: 'b.test' })
    expect(found?.reports[0]?.text).toBe('ab')
    expect(found?.target).not.toContain('\u202e')
  })

  it('objections to blocks of others, to contents that are not blocked, and by API keys', async () => {
    const [owner, stranger] = [await env.person(), await env.person()]
    const [cid, free] = [await file(owner), await file(owner)]
    await block(cid)
    await finish()
    const object = (as: As, of: string) => env.call('abuse.object', { cid: of, text: 'mine' }, as)
    expect(await object(stranger, cid)).toMatchObject(err('notFound'))
    expect(await object(owner, free)).toMatchObject(err('notFound'))
    expect((await object({ token: await env.key(owner, 'admin') }, cid)).code).not.toBe(0)
    expect((await blockedOf(stranger)).total).toBe(0)
    expect((await env.call('admin.objections', { answered: false }, operator)).data.list).toEqual([])
  })

  it('the same bytes under the name of another codec', async () => {
    const owner = await env.person()
    const cid = await file(owner)
    await block(cid.replace('bafkrei', 'bafybei'))
    expect(await env.call('downloads.own', { asset_cid: cid }, owner)).toMatchObject(err('contentBlocked'))
  })

  // Sessions end in that time.
  it('more reports of one network, or with one address, than a day allows, also at once; the next day they are not', async () => {
    const next = { ip: '2001:db8:1:2:ffff::1' }
    await report('https://network.test/first', {}, next)
    await env.db.run(sql`
      insert into abuse_reports (case_id, category, text, target, email, lang, network, created_at)
      select case_id, category, text, target, '', lang, network, created_at
      from abuse_reports, generate_series(2, ${REPORTS_PER_NETWORK_DAY}::int) where target = 'https://network.test/first'`)
    for (const ip of ['2001:db8:1:2:ffff::1', '2001:db8:1:2::7'])
      expect(await report('https://network.test/more', {}, { ip })).toMatchObject(err('tooManyRequests'))
    const email = 'victim@mail.test'
    const sent = await Promise.all(
      Array.from({ length: REPORTS_PER_ADDRESS_DAY + 3 }, (_, n) => report(`https://address.test/${n}`, { email })),
    )
    expect(sent.filter(({ code }) => code === 0)).toHaveLength(REPORTS_PER_ADDRESS_DAY)
    env.pass(DAY + 1000)
    expect((await report('https://network.test/more', {}, next)).code).toBe(0)
    expect((await report('https://address.test/more', { email })).code).toBe(0)
  })
})
