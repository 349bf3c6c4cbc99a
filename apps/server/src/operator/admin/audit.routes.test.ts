import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { reason, sampleOperator } from './sample-operator.fixture.ts'

let env: TestEnv
let operator: Person
beforeAll(async () => {
  env = await setup()
  operator = await env.person({ role: 'operator' })
})
afterAll(() => env.close())
const { logged } = sampleOperator(
  () => env,
  () => operator,
)

describe('the audit log', () => {
  it('records who changed what, when, from where and why, before and after', async () => {
    const { uid } = await env.person()
    await env.call('admin.setVip', { uid, vip: true, reason }, { ...operator, ip: '10.7.7.7' })
    const [row] = (await env.call('admin.audit', { subject: `user:${uid}` }, operator)).data.list
    expect(row).toMatchObject({
      actor: operator.uid,
      via: 'session',
      ip: '10.7.7.7',
      action: 'account.vip',
      result: 'done',
      detail: { reason, before: { vip: false }, after: { vip: true } },
    })
  })

  it('records changes of all accounts: API keys with their credential, passwords with the code', async () => {
    const person = await env.person()
    await env.call('apiKeys.create', { key_name: 'one' }, person)
    await env.call('apiKeys.remove', { key_name: 'one' }, person)
    const { list } = (await env.call('admin.audit', { actor: person.uid }, operator)).data
    expect(list.map(({ action, via, subject }) => [action, via, subject])).toEqual([
      ['key.remove', 'session', 'key:one'],
      ['key.create', 'session', 'key:one'],
    ])
    expect(JSON.stringify(list)).not.toContain('tnk_'.padEnd(20, 'x'))
  })

  it('is filtered by action, actor, result and time, and paged', async () => {
    const busy = await env.person({ role: 'operator' })
    const { uid } = await env.person()
    for (let count = 0; count < 5; count++) await env.call('admin.setVip', { uid, vip: count % 2 === 0, reason }, busy)
    const half = new Date(env.clock.now()).toISOString()
    env.pass(60_000)
    await env.call('admin.setVip', { uid: busy.uid, vip: true, reason }, busy)
    const ask = async (more: object) => (await env.call('admin.audit', { actor: busy.uid, ...more }, operator)).data
    expect((await ask({ result: 'refused' })).list).toHaveLength(1)
    expect((await ask({ from: half })).list).toHaveLength(1)
    expect((await ask({ to: half })).list).toHaveLength(5)
    expect((await ask({ action: 'account.role' })).list).toEqual([])
    const first = await ask({ size: 4 })
    const second = await ask({ size: 4, after: first.next })
    expect([...first.list, ...second.list].map(({ id }) => id)).toEqual((await ask({})).list.map(({ id }) => id))
    expect(second.next).toBeNull()
  })

  it('cannot be changed', async () => {
    await expect(env.db.run(sql`update audit_log set actor = 'nobody'`)).rejects.toThrow()
    await expect(env.db.run(sql`delete from audit_log`)).rejects.toThrow()
    await expect(env.db.run(sql`truncate audit_log`)).rejects.toThrow()
  })

  it('is exported completely as CSV without formulas', async () => {
    const evil = '=HYPERLINK("http://evil.test","x")'
    const person = await env.person()
    await env.call('apiKeys.create', { key_name: '=1+1' }, person)
    const { id } = await env.node()
    await env.call('admin.nodeNote', { node_id: id, note: evil }, operator)
    await env.db.run(sql`
      insert into audit_log (at, actor, via, action, subject, result)
      select ${new Date(env.clock.now())}, '@SUM(1)', 'system', 'key.create', 'key:' || n, 'done' from generate_series(1, 1234) n`)
    const answer = await env.call('admin.auditCsv', {}, operator)
    expect(answer.headers['content-type']).toContain('text/csv')
    expect(answer.headers['cache-control']).toBe('no-store')
    const lines = String(answer.data).split('\r\n')
    const { rows } = await env.db.one<{ rows: number }>(sql`select count(*) as rows from audit_log`)
    expect(lines).toHaveLength(rows + 2)
    expect(lines.filter((line) => line.includes('"\'@SUM(1)"'))).toHaveLength(1234)
    for (const line of lines) expect(line).not.toMatch(/(^|,)"?\s*[=+@-]/)
    expect(await logged('audit')).toMatchObject([{ action: 'audit.export' }])
  })
})
