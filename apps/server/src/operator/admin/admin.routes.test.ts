import { randomBytes } from 'node:crypto'
import { rawCid } from '@tidenet/content'
import {
  contract,
  type ErrorKey,
  errors,
  errorText,
  FREE_STORAGE,
  type OperationName,
  type Role,
  VIP_STORAGE,
} from '@tidenet/contract'
import { StartError } from '@tidenet/daemon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cautious, nextCode, ticketOf } from '../../identity/second-factors/sample-person.fixture.ts'
import { place } from '../../network/placement/place.ts'
import { sql } from '../../platform/db/sql.ts'
import { insertMail } from '../../platform/mail/repository.ts'
import { codeEmail } from '../../platform/mail/templates.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { changeOperators } from './operators.ts'

let env: TestEnv
let operator: Person
beforeAll(async () => {
  env = await setup()
  operator = await env.person({ role: 'operator' })
})
afterAll(() => env.close())

const reason = 'asked for by mail'
const err = (key: ErrorKey) => ({ code: -1, err: errors[key].err })
const LOCKED = { code: 401, msg: errorText('accountLocked', 'en') }
/** Credentials are cached for half a second. */
const later = () => env.pass(1000)
const upload = async (owner: Person, size = 20) => {
  const node = await env.node()
  const asset_cid = (await rawCid(randomBytes(20))).toString()
  const receipt = await node.receipt({ sub: owner.uid, cid: asset_cid, size })
  const input = {
    asset_name: 'a.txt',
    asset_cid,
    asset_size: size,
    asset_type: 'file',
    receipt,
    node_id: node.id,
  } as const
  return { ...(await env.call('assets.create', input, owner)), cid: asset_cid }
}
const logged = async (subject: string, as = operator) =>
  (await env.call('admin.audit', { subject }, as)).data.list.map(({ action, result, actor, detail }) => ({
    action,
    result,
    actor,
    detail,
  }))

describe('accounts', () => {
  it('are found by part of the e-mail address or the start of the uid, with any characters', async () => {
    const person = await env.person()
    const found = async (q: string) => (await env.call('admin.users', { q }, operator)).data.list.map(({ uid }) => uid)
    expect(await found(person.email.toUpperCase())).toContain(person.uid)
    expect(await found(person.uid.slice(0, 9))).toEqual([person.uid])
    for (const q of ['%', '_@', "' or true --", 'nobody@']) expect(await found(q)).toEqual([])
  })

  it('are paged, each once, also while others sign up', async () => {
    for (let count = 0; count < 7; count++) await env.person({ role: 'test' })
    const seen: string[] = []
    let after: string | null | undefined
    do {
      const { data } = await env.call('admin.users', { role: 'test', size: 3, ...(after && { after }) }, operator)
      seen.push(...data.list.map(({ uid }) => uid))
      after = data.next
      await env.person({ role: 'test' })
    } while (after)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toHaveLength(7)
  })

  it('have the plan of their role', async () => {
    const { uid } = await env.person({ vip: true, storageQuota: 1 })
    const become = async (role: Role) => (await env.call('admin.setRole', { uid, role, reason }, operator)).data
    expect(await become('test')).toMatchObject({ role: 'test', vip: false, storage: FREE_STORAGE })
    expect(await become('enterprise')).toMatchObject({ role: 'enterprise', vip: true, storage: VIP_STORAGE })
    await env.call('admin.setQuotas', { uid, storage: 10 ** 13, outflow: null, reason }, operator)
    expect((await env.call('admin.user', { uid }, operator)).data).toMatchObject({ storage: 10 ** 13 })
    expect(await become('user')).toMatchObject({ vip: false, storage: FREE_STORAGE })
  })

  it('get the VIP quota at once', async () => {
    const person = await env.person()
    expect((await upload(person, FREE_STORAGE + 1)).code).toBe(-1)
    await env.call('admin.setVip', { uid: person.uid, vip: true, reason }, operator)
    later()
    expect((await upload(person, FREE_STORAGE + 1)).code).toBe(0)
    expect((await env.call('accounts.vipInfo', {}, person)).data.vip).toBe(true)
  })

  it('that are locked cannot sign in and learn why; unlocked ones can', async () => {
    const person = await env.person()
    const key = await env.key(person, 'admin')
    await env.call('admin.lock', { uid: person.uid, reason: 'abuse' }, operator)
    later()
    expect(await env.call('accounts.info', {}, person)).toMatchObject(LOCKED)
    expect(await env.call('accounts.info', {}, { token: key })).toMatchObject(LOCKED)
    const chinese = await env.call('accounts.info', {}, { ...person, lang: 'cn' })
    expect(chinese.msg).toBe(errorText('accountLocked', 'cn'))
    expect((await env.call('admin.user', { uid: person.uid }, operator)).data).toMatchObject({
      lock_reason: 'abuse',
      sessions: 0,
    })
    await env.call('admin.unlock', { uid: person.uid, reason }, operator)
    later()
    // Ended sessions stay ended; the API key is valid again.
    expect((await env.call('accounts.info', {}, person)).code).toBe(401)
    expect((await env.call('accounts.info', {}, { token: key })).code).toBe(0)
  })

  it('lose their sessions when an operator ends them, but not their keys', async () => {
    const person = await env.person()
    const key = await env.key(person, 'admin')
    expect((await env.call('admin.endSessions', { uid: person.uid, reason }, operator)).data).toEqual({ ended: 1 })
    later()
    expect((await env.call('accounts.info', {}, person)).code).toBe(401)
    expect((await env.call('accounts.info', {}, { token: key })).code).toBe(0)
  })

  it.each([
    ['ends their sessions', ['admin.endSessions']],
    ['locks them, also once they are unlocked', ['admin.lock', 'admin.unlock']],
  ] as const)('lose sign-ins that owe the second factor when an operator %s', async (_, changes) => {
    const person = await cautious(env)
    const { ticket, ip } = await ticketOf(env, person)
    for (const change of changes) await env.call(change, { uid: person.uid, reason }, operator)
    later()
    const code = nextCode(env, person.secret)
    expect(await env.call('secondFactors.complete', { ticket, code }, { ip })).toMatchObject(err('signInExpired'))
    const again = await ticketOf(env, person)
    const fresh = { ticket: again.ticket, code: nextCode(env, person.secret) }
    expect(await env.call('secondFactors.complete', fresh, { ip: again.ip })).toMatchObject({ code: 0 })
  })
})

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

describe('the command line', () => {
  it('grants and revokes the role by e-mail address or uid, recorded as the system', async () => {
    const person = await env.person({ role: 'enterprise', vip: true })
    expect(await changeOperators(env.db, ['add', person.email.toUpperCase()])).toContain(person.uid)
    expect(await changeOperators(env.db, ['list'])).toContain(person.email)
    expect((await env.call('admin.overview', {}, person)).code).toBe(0)
    await changeOperators(env.db, ['remove', person.uid])
    await changeOperators(env.db, ['remove', person.uid])
    later()
    expect(await env.call('admin.overview', {}, person)).toMatchObject(err('forbidden'))
    expect((await logged(`user:${person.uid}`)).map(({ actor }) => actor)).toEqual(['', ''])
  })

  it('refuses unknown accounts and commands', async () => {
    for (const args of [['add', 'nobody@mail.test'], ['add'], ['drop', 'x'], []])
      await expect(changeOperators(env.db, args)).rejects.toThrow(StartError)
  })
})

/** Valid input for every operation of the area. */
const all = (target: Person): [OperationName, object][] => [
  ['admin.overview', {}],
  ['admin.users', {}],
  ['admin.user', { uid: target.uid }],
  ['admin.setRole', { uid: target.uid, role: 'operator', reason }],
  ['admin.setVip', { uid: target.uid, vip: true, reason }],
  ['admin.setQuotas', { uid: target.uid, storage: 1, outflow: 1, reason }],
  ['admin.lock', { uid: target.uid, reason }],
  ['admin.unlock', { uid: target.uid, reason }],
  ['admin.grantPoints', { uid: target.uid, points: 10, reason }],
  ['admin.endSessions', { uid: target.uid, reason }],
  ['admin.nodes', {}],
  ['admin.nodeOut', { node_id: 'x', reason }],
  ['admin.nodeBack', { node_id: 'x', reason }],
  ['admin.nodeNote', { node_id: 'x', note: '' }],
  ['admin.leads', {}],
  ['admin.leadChange', { id: 1 }],
  ['admin.mails', {}],
  ['admin.mailResend', { id: 1 }],
  ['admin.audit', {}],
  ['admin.auditCsv', {}],
]

describe('refused is', () => {
  it('every operation, to everyone but operators', async () => {
    const target = await env.person()
    expect(all(target).map(([name]) => name.slice(6))).toEqual(Object.keys(contract.admin))
    const before = await env.db.one(sql`select * from users where id = ${target.id}`)
    const others: [string, string | undefined][] = [
      ['visitor', undefined],
      ['user', (await env.person()).token],
      ['VIP', (await env.person({ vip: true })).token],
      ['test user', (await env.person({ role: 'test' })).token],
      ['enterprise', (await env.person({ role: 'enterprise', vip: true })).token],
      ['admin key of a user', await env.key(await env.person(), 'admin')],
      ['admin key of an operator', await env.key(operator, 'admin')],
      ['the account itself', target.token],
    ]
    for (const [who, token] of others)
      for (const [name, input] of all(target)) {
        const { code, err: number, data } = await env.call(name, input as never, { token })
        expect({ who, name, code, number, data }).toEqual({
          who,
          name,
          ...(token === undefined ? { code: 401, number: undefined } : { code: -1, number: errors.forbidden.err }),
          data: undefined,
        })
      }
    expect(await env.db.one(sql`select * from users where id = ${target.id}`)).toEqual(before)
  })

  it('a former operator, within a second', async () => {
    const former = await env.person({ role: 'operator' })
    expect((await env.call('admin.users', {}, former)).code).toBe(0)
    await env.call('admin.setRole', { uid: former.uid, role: 'user', reason }, operator)
    later()
    expect(await env.call('admin.users', {}, former)).toMatchObject(err('forbidden'))
  })

  it('an operator who changes their own account, which is recorded', async () => {
    const self = await env.person({ role: 'operator' })
    const { uid } = self
    for (const [name, input] of [
      ['admin.setRole', { uid, role: 'user', reason }],
      ['admin.setVip', { uid, vip: true, reason }],
      ['admin.setQuotas', { uid, storage: 10 ** 14, outflow: null, reason }],
      ['admin.lock', { uid, reason }],
      ['admin.endSessions', { uid, reason }],
    ] as const)
      expect(await env.call(name, input as never, self)).toMatchObject(err('ownAccount'))
    expect(await logged(`user:${uid}`)).toHaveLength(5)
    expect(new Set((await logged(`user:${uid}`)).map(({ result }) => result))).toEqual(new Set(['refused']))
  })

  it('one of two operators who revoke each other’s role or lock each other, so that one remains', async () => {
    const alone = await setup()
    try {
      for (const [name, more] of [
        ['admin.setRole', { role: 'user' }],
        ['admin.lock', {}],
      ] as const)
        for (let round = 0; round < 8; round++) {
          await alone.db.run(sql`update users set role = 'user', locked_at = null`)
          const crew = await Promise.all([0, 1, 2].map(() => alone.person({ role: 'operator' })))
          const ask = (from: Person, to: Person) => alone.call(name, { uid: to.uid, reason, ...more } as never, from)
          await Promise.all(crew.flatMap((from) => crew.filter((to) => to !== from).map((to) => ask(from, to))))
          const left = await alone.db.rows(sql`select 1 from users where role = 'operator' and locked_at is null`)
          expect(left).toHaveLength(1)
        }
    } finally {
      await alone.close()
    }
  })

  it('a sign-in during the lock: of fifty concurrent ones none has a session afterwards', async () => {
    const person = await env.person()
    const { openSession } = await import('../../identity/sessions/tokens.ts')
    const open = () => openSession(env.context, env.db, person, { ip: '127.0.0.1', agent: 'test' })
    const [, ...opened] = await Promise.allSettled([
      env.call('admin.lock', { uid: person.uid, reason }, operator),
      ...Array.from({ length: 50 }, open),
    ])
    later()
    for (const one of opened)
      if (one.status === 'fulfilled')
        expect((await env.call('accounts.info', {}, { token: one.value.token })).code).toBe(401)
    expect((await env.call('admin.user', { uid: person.uid }, operator)).data.sessions).toBe(0)
  })

  it('a change without reason, of an unknown account, or out of range', async () => {
    const { uid } = await env.person({ role: 'test' })
    const company = await env.person({ role: 'enterprise', vip: true })
    const refusals: [OperationName, object, ErrorKey][] = [
      ['admin.lock', { uid, reason: '  ' }, 'reasonMissing'],
      ['admin.lock', { uid: 'unobody', reason }, 'userNotFound'],
      ['admin.user', { uid: 'unobody' }, 'userNotFound'],
      ['admin.setVip', { uid, vip: true, reason }, 'planOfRole'],
      ['admin.setVip', { uid: company.uid, vip: false, reason }, 'planOfRole'],
      ['admin.setQuotas', { uid, storage: FREE_STORAGE + 1, outflow: null, reason }, 'testQuota'],
      ['admin.setQuotas', { uid, storage: -1, outflow: null, reason }, 'invalidParams'],
      ['admin.setRole', { uid, role: 'god', reason }, 'invalidParams'],
      ['admin.nodeOut', { node_id: 'e_nowhere', reason }, 'notFound'],
      ['admin.nodeNote', { node_id: 'e_nowhere', note: '' }, 'notFound'],
      ['admin.nodeNote', { node_id: 'x', note: 'x'.repeat(1001) }, 'textTooLong'],
      ['admin.leadChange', { id: 10 ** 9 }, 'notFound'],
      ['admin.mailResend', { id: 10 ** 9 }, 'notFound'],
      ['admin.users', { after: 'WyJ4Il0' }, 'invalidParams'],
      ['admin.audit', { after: 'nonsense' }, 'invalidParams'],
      ['admin.audit', { from: 'yesterday' }, 'invalidParams'],
    ]
    for (const [name, input, key] of refusals)
      expect({ name, ...(await env.call(name, input as never, operator)) }).toMatchObject({ name, ...err(key) })
  })

  it('in production an operator without a second factor', async () => {
    const strict = await setup({ environment: 'production', smtpUrl: 'smtp://127.0.0.1:9' })
    try {
      const weak = await strict.person({ role: 'operator' })
      expect(await strict.call('admin.overview', {}, weak)).toMatchObject(err('operatorSecondFactor'))
      const at = new Date(strict.clock.now())
      await strict.db.run(sql`
        insert into totp (user_id, secret, created_at, confirmed_at) values (${weak.id}, ${Buffer.from('x')}, ${at}, ${at})`)
      expect((await strict.call('admin.overview', {}, weak)).code).toBe(0)
    } finally {
      await strict.close()
    }
  })
})
