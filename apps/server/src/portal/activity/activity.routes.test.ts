import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { owner, PASSWORD } from '../../identity/second-factors/sample-person.fixture.ts'
import { reason } from '../../operator/admin/sample-operator.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import { sampleFile } from '../../storage/assets/sample-files.fixture.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const list = async (person: Person, more: object = {}) => (await env.call('activity.list', more, person)).data
const actions = async (person: Person, more: object = {}) => (await list(person, more)).list.map(({ action }) => action)

/** A person who signed in, made a key and used it. */
async function busyPerson() {
  const person = await owner(env)
  await env.call('accounts.login', { username: person.email, password: 'wrong-Net1' }, { ip: '203.0.113.7' })
  env.pass(1000)
  await env.call('accounts.login', { username: person.email, password: PASSWORD }, { ip: '203.0.113.7' })
  env.pass(1000)
  await env.call('apiKeys.create', { key_name: 'backup' }, person)
  return person
}

describe('the activity of an account', () => {
  it('has sign-ins and changes, the newest first, with coarse addresses', async () => {
    const person = await busyPerson()
    const { list: entries, next } = await list(person)
    expect(next).toBeNull()
    expect(entries.map(({ action, done }) => [action, done])).toEqual([
      ['key.create', true],
      ['signIn', true],
      ['signInFailed', false],
    ])
    expect(entries[0]).toMatchObject({
      kind: 'keys',
      subject: 'key:backup',
      by: 'session',
      device: { kind: 'unknown' },
    })
    expect(JSON.stringify(entries)).not.toContain('203.0.113.7')
    expect(entries[1]?.place).toEqual({ kind: 'public', network: '203.0.113.x' })
  })

  it('has what was deleted and restored, once per call, and by which key', async () => {
    const person = await env.person()
    const files = [await sampleFile(env.db, person.id), await sampleFile(env.db, person.id)]
    const folder = (await env.call('folders.create', { name: 'old', parent: 0 }, person)).data.group.ID
    const { key } = (await env.call('apiKeys.create', { key_name: 'cleaner' }, person)).data
    const asset_ids = files.map(({ id }) => id)
    const { trash_ids } = (await env.call('trash.put', { asset_ids, folders: [folder] }, person)).data
    env.pass(1000)
    await env.call('trash.restore', { ids: trash_ids }, person)
    env.pass(1000)
    await env.call('assets.remove', { asset_cid: files[0]?.cid ?? '' }, { token: key })
    // Nothing is recorded if there was nothing.
    await env.call('trash.empty', {}, person)
    const { list: entries } = await list(person, { kind: 'files' })
    expect(entries.map(({ action, items, by, key: name }) => ({ action, items, by, name }))).toEqual([
      { action: 'file.delete', items: 1, by: 'key', name: 'cleaner' },
      { action: 'file.restore', items: 3, by: 'session', name: '' },
      { action: 'file.trash', items: 3, by: 'session', name: '' },
    ])
  })

  it('names what was published and unpublished', async () => {
    const person = await env.person()
    const { cid } = await sampleFile(env.db, person.id, { name: 'coast.txt' })
    const { ID: folder_id } = (await env.call('folders.create', { name: 'site', parent: 0 }, person)).data.group
    await sampleFile(env.db, person.id, { folder: folder_id })
    await env.call('publications.create', { cid }, person)
    await env.call('publications.createFolder', { folder_id }, person)
    env.pass(1000)
    await env.call('publications.remove', { cid }, person)
    env.pass(1000)
    await env.call('publications.removeFolder', { folder_id }, person)
    const { list: entries } = await list(person, { kind: 'shares' })
    expect(entries.map(({ action, about }) => [action, about])).toEqual([
      ['publication.remove', 'site'],
      ['publication.remove', 'coast.txt'],
      ['publication.create', 'site'],
      ['publication.create', 'coast.txt'],
    ])
  })

  it('names the key that was used', async () => {
    const person = await env.person()
    const { key } = (await env.call('apiKeys.create', { key_name: 'writer' }, person)).data
    await env.call('accountExport.get', {}, { token: key })
    expect((await list(person)).list[0]).toMatchObject({ action: 'account.export', by: 'key', key: 'writer' })
  })

  it('tells what operators did, without who and why', async () => {
    const [person, operator] = [await env.person(), await env.person({ role: 'operator' })]
    await env.call('admin.setVip', { uid: person.uid, vip: true, reason }, { ...operator, ip: '10.4.4.4' })
    const { list: entries } = await list(person)
    expect(entries[0]).toMatchObject({ action: 'account.vip', by: 'operator', kind: 'account', device: null })
    const text = JSON.stringify(entries)
    for (const hidden of [operator.uid, reason, '10.4.4']) expect(text).not.toContain(hidden)
  })

  it('is filtered by kind and time, and paged without gaps or repeats, also for entries of one moment', async () => {
    const person = await busyPerson()
    const at = new Date(env.clock.now())
    await env.db.run(sql`
      insert into audit_log (at, actor_user_id, actor, via, action, subject, result)
      select ${at}, ${person.id}, ${person.uid}, 'session', 'share.create', 'share:' || n, 'done' from generate_series(1, 7) n`)
    await env.db.run(sql`
      insert into sign_ins (user_id, at, way, second, ip, agent, ok)
      select ${person.id}, ${at}, 'code', '', '', '', true from generate_series(1, 7) n`)
    expect(await actions(person, { kind: 'keys' })).toEqual(['key.create'])
    expect(await actions(person, { kind: 'signIns' })).toHaveLength(9)
    expect(await actions(person, { to: new Date(at.getTime() - 1).toISOString() })).not.toContain('share.create')
    const all = (await list(person, { size: 100 })).list.map(({ id }) => id)
    const paged: string[] = []
    let after: string | undefined
    do {
      const page = await list(person, { size: 3, ...(after && { after }) })
      paged.push(...page.list.map(({ id }) => id))
      after = page.next ?? undefined
    } while (after)
    expect(paged).toEqual(all)
    expect(new Set(all).size).toBe(17)
  })

  it('is saved as CSV without formulas', async () => {
    const person = await env.person()
    await env.call('apiKeys.create', { key_name: '=1+1' }, person)
    await env.call('apiKeys.create', { key_name: '@SUM(1)' }, person)
    const answer = await env.call('activity.csv', {}, person)
    expect(answer.headers['content-type']).toContain('text/csv')
    const lines = String(answer.data).trim().split('\r\n')
    expect(lines).toHaveLength(3)
    for (const line of lines) expect(line).not.toMatch(/(^|,)"?\s*[=+@-]/)
  })

  it('is shown to nobody else: not to another account, an operator, or an API key', async () => {
    const [person, other] = [await busyPerson(), await env.person()]
    expect((await list(other)).list).toEqual([])
    const { next } = await list(person, { size: 1 })
    expect((await list(other, { after: next ?? '' })).list).toEqual([])
    const key = await env.key(person, 'admin')
    for (const operation of ['activity.list', 'activity.csv'] as const)
      expect(await env.call(operation, {}, { token: key })).toMatchObject({ err: errors.forbidden.err })
    expect(await env.call('activity.list', { after: '1.9.1' } as never, person)).toMatchObject({ code: -1 })
  })
})
