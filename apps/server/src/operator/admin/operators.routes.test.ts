import { contract, type ErrorKey, errors, FREE_STORAGE, type OperationName } from '@tidenet/contract'
import { StartError } from '@tidenet/daemon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { changeOperators } from './operators.ts'
import { err, reason, sampleOperator } from './sample-operator.fixture.ts'

let env: TestEnv
let operator: Person
beforeAll(async () => {
  env = await setup()
  operator = await env.person({ role: 'operator' })
})
afterAll(() => env.close())
const { later, logged } = sampleOperator(
  () => env,
  () => operator,
)

const CID = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy4'

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
  ['admin.trends', {}],
  ['admin.contents', {}],
  ['admin.nodes', {}],
  ['admin.nodeOut', { node_id: 'x', reason }],
  ['admin.nodeBack', { node_id: 'x', reason }],
  ['admin.nodeNote', { node_id: 'x', note: '' }],
  ['admin.nodeRegion', { node_id: 'x', area_id: null, reason }],
  ['admin.thirdParties', {}],
  ['admin.disputes', {}],
  ['admin.disputeChange', { id: 1 }],
  ['admin.leads', {}],
  ['admin.leadChange', { id: 1 }],
  ['admin.supports', {}],
  ['admin.supportChange', { id: 1 }],
  ['admin.mails', {}],
  ['admin.mailResend', { id: 1 }],
  ['admin.exchanges', {}],
  ['admin.exchangeTotals', {}],
  ['admin.exchangeRetry', { id: 'x' }],
  ['admin.exchangeRefund', { id: 'x', reason }],
  ['admin.exchangeRate', { usd_per_tnt4: 100, credits_per_usd: 1, discount: 0, reason }],
  ['admin.blocks', {}],
  ['admin.block', { cid: CID, category: 'other', reason }],
  ['admin.unblock', { cid: CID, reason }],
  ['admin.published', {}],
  ['admin.reports', {}],
  ['admin.reportChange', { id: 1 }],
  ['admin.objections', {}],
  ['admin.objectionAnswer', { id: 1, answer: reason }],
  ['admin.audit', {}],
  ['admin.auditCsv', {}],
]

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
      ['agent', (await env.person({ role: 'agent' })).token],
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
      ['admin.nodeRegion', { node_id: 'e_nowhere', area_id: null, reason }, 'notFound'],
      ['admin.nodeRegion', { node_id: 'x', area_id: 'Mars', reason }, 'invalidParams'],
      ['admin.nodeRegion', { node_id: 'x', area_id: null, reason: ' ' }, 'reasonMissing'],
      ['admin.nodeNote', { node_id: 'x', note: 'x'.repeat(1001) }, 'textTooLong'],
      ['admin.leadChange', { id: 10 ** 9 }, 'notFound'],
      ['admin.supportChange', { id: 10 ** 9 }, 'notFound'],
      ['admin.disputeChange', { id: 10 ** 9 }, 'notFound'],
      ['admin.reportChange', { id: 10 ** 9 }, 'notFound'],
      ['admin.objectionAnswer', { id: 10 ** 9, answer: reason }, 'notFound'],
      ['admin.mailResend', { id: 10 ** 9 }, 'notFound'],
      ['admin.users', { after: 'WyJ4Il0' }, 'invalidParams'],
      ['admin.audit', { after: 'nonsense' }, 'invalidParams'],
      ['admin.audit', { from: 'yesterday' }, 'invalidParams'],
    ]
    for (const [name, input, key] of refusals)
      expect({ name, ...(await env.call(name, input as never, operator)) }).toMatchObject({ name, ...err(key) })
  })

  it.each([
    ['operator', 'admin.overview'],
    ['agent', 'chatDesk.canned'],
  ] as const)('in production an %s without a second factor', async (role, call) => {
    const strict = await setup({ environment: 'production', smtpUrl: 'smtp://127.0.0.1:9' })
    try {
      const weak = await strict.person({ role })
      expect(await strict.call(call, {}, weak)).toMatchObject(err('operatorSecondFactor'))
      const at = new Date(strict.clock.now())
      await strict.db.run(sql`
        insert into totp (user_id, secret, created_at, confirmed_at) values (${weak.id}, ${Buffer.from('x')}, ${at}, ${at})`)
      expect((await strict.call(call, {}, weak)).code).toBe(0)
    } finally {
      await strict.close()
    }
  })
})
