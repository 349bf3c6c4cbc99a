import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { place } from '../../network/placement/place.ts'
import { sql } from '../../platform/db/sql.ts'
import { insertMail } from '../../platform/mail/repository.ts'
import { codeEmail } from '../../platform/mail/templates.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { err, reason, sampleOperator } from './sample-operator.fixture.ts'

let env: TestEnv
let operator: Person
beforeAll(async () => {
  env = await setup()
  operator = await env.person({ role: 'operator' })
})
afterAll(() => env.close())
const { upload } = sampleOperator(
  () => env,
  () => operator,
)

describe('nodes', () => {
  it('out of service get no upload, no copy and no download, and their contents are copied to others', async () => {
    const owner = await env.person()
    const { cid } = await upload(owner)
    const { node_id } = await env.db.one<{ node_id: string }>(
      sql`select node_id from replicas where cid = ${cid} and state = 'stored'`,
    )
    const spare = await env.node()
    await env.call('admin.nodeOut', { node_id, reason: 'disk is dying' }, operator)
    const { data } = await env.call('uploads.info', { size: 10 }, owner)
    expect(data.List.map((target) => target.NodeID)).not.toContain(node_id)
    await place(env.context)
    const copies = await env.db.rows<{ node_id: string; state: string }>(
      sql`select node_id, state from replicas where cid = ${cid}`,
    )
    expect(copies).toContainEqual({ node_id, state: 'stored' })
    expect(copies).toContainEqual({ node_id: spare.id, state: 'wanted' })
    const [listed] = (await env.call('admin.nodes', { out: true }, operator)).data.list
    expect(listed).toMatchObject({ node_id, out_since: expect.any(String), replicas: 1 })
    await env.call('admin.nodeBack', { node_id, reason }, operator)
    expect((await env.call('admin.nodes', { out: true }, operator)).data.list).toEqual([])
  })

  it('have a note, and are found by name, area and address', async () => {
    const { id } = await env.node({ area: 'Asia-Japan-Tokyo-Tokyo', url: 'http://tokyo.test:9' })
    await env.call('admin.nodeNote', { node_id: id, note: 'rack 7' }, operator)
    for (const q of [id.slice(0, 12), 'tokyo', 'tokyo.test']) {
      const { list } = (await env.call('admin.nodes', { q }, operator)).data
      expect(list).toEqual([expect.objectContaining({ node_id: id, note: 'rack 7' })])
    }
  })
})

describe('requests', () => {
  it('are open until an operator handles them, who is named', async () => {
    const lead = { kind: 'contact', name: 'Ada', email: 'ada@mail.test', text: 'Hello' } as const
    await env.call('leads.create', lead)
    const open = async () => (await env.call('admin.leads', { handled: false, q: 'ada@' }, operator)).data.list
    const [one] = await open()
    expect(one).toMatchObject({ ...lead, handled_at: null, note: '' })
    const id = one?.id as number
    await env.call('admin.leadChange', { id, handled: true, note: 'called back' }, operator)
    expect(await open()).toEqual([])
    const { data } = await env.call('admin.leadChange', { id, handled: false }, operator)
    expect(data).toMatchObject({ handled_at: null, handled_by: '', note: 'called back' })
  })
})

describe('mails', () => {
  const post = async (to: string) =>
    (await insertMail(env.db, to, codeEmail('en', 'login', '123456'), new Date(env.clock.now()))).id

  it('show recipient and state, never the text', async () => {
    const id = await post('log@mail.test')
    const { list } = (await env.call('admin.mails', { q: 'log@mail', state: 'waiting' }, operator)).data
    expect(list).toEqual([expect.objectContaining({ id, recipient: 'log@mail.test', state: 'waiting' })])
    expect(JSON.stringify(list)).not.toContain('123456')
  })

  it('can be sent again while their text is stored', async () => {
    const id = await post('again@mail.test')
    await env.db.run(
      sql`update mails set sent_at = ${new Date(env.clock.now())}, error = 'no such host' where id = ${id}`,
    )
    expect((await env.call('admin.mailResend', { id }, operator)).data).toMatchObject({ state: 'waiting', error: '' })
    const { jobs } = await env.db.one<{ jobs: number }>(
      sql`select count(*) as jobs from graphile_worker._private_jobs where (payload->>'mail')::int = ${id}`,
    )
    expect(jobs).toBe(1)
    await env.db.run(sql`update mails set body_text = '', body_html = '' where id = ${id}`)
    expect(await env.call('admin.mailResend', { id }, operator)).toMatchObject(err('mailTextGone'))
  })
})

describe('the overview', () => {
  it('counts everything, including pending and failed items', async () => {
    const { data } = await env.call('admin.overview', {}, operator)
    const { total } = await env.db.one<{ total: number }>(sql`select count(*) as total from users`)
    expect(data.users.total).toBe(total)
    expect(data.nodes.online).toBeGreaterThan(0)
    expect(data.jobs.find(({ name }) => name === 'sendMail')?.waiting).toBeGreaterThan(0)
    expect(data.database.bytes).toBeGreaterThan(0)
  })
})
