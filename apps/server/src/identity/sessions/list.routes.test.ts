import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { openSession } from './tokens.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const MINUTE = 60_000
const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
const another = async (person: Person, ip = '203.0.113.7', agent = BROWSER) =>
  (await openSession(env.context, env.db, person, { ip, agent })).token
const list = async (token: string) => (await env.call('sessions.list', {}, { token })).data.sessions
const alive = async (token: string) => (await env.call('accounts.vipInfo', {}, { token })).code === 0

describe('the list of sessions', () => {
  it('shows device, shortened network and times, and marks the current one', async () => {
    const person = await env.person()
    const token = await another(person)
    const sessions = await list(token)
    expect(sessions).toHaveLength(2)
    expect(sessions.filter(({ current }) => current)).toMatchObject([
      {
        device: { kind: 'computer', program: 'Chrome', system: 'Windows' },
        place: { kind: 'public', network: '203.0.113.x' },
      },
    ])
    expect(JSON.stringify(sessions)).not.toContain('203.0.113.7')
  })

  it('shows the last use to a minute', async () => {
    const person = await env.person()
    const seen = async () => Date.parse((await list(person.token))[0]!.seen_at)
    const first = await seen()
    env.pass(MINUTE / 2)
    expect(await seen()).toBe(first)
    env.pass(MINUTE)
    expect(await seen()).toBeGreaterThan(first)
  })

  it('does not show ended sessions', async () => {
    const person = await env.person()
    const token = await another(person)
    await env.call('accounts.logout', {}, { token: person.token })
    env.pass(1000)
    expect(await list(token)).toHaveLength(1)
    env.pass(2 * 24 * 3600 * 1000)
    expect(await list(await another(person))).toHaveLength(1)
  })
})

describe('revoking', () => {
  it('ends one session, within a second', async () => {
    const person = await env.person()
    const [mine, lost] = [await another(person), await another(person, '198.51.100.2', 'curl/8.5.0')]
    const id = (await list(mine)).find(({ device }) => device.program === 'curl')?.id
    expect(await alive(lost)).toBe(true)
    expect((await env.call('sessions.revoke', { id }, { token: mine })).data).toEqual({ ended: 1 })
    env.pass(1000)
    expect([await alive(lost), await alive(mine), await alive(person.token)]).toEqual([false, true, true])
  })

  it('ends all others, or all', async () => {
    const person = await env.person()
    const [first, second] = [await another(person), await another(person)]
    expect((await env.call('sessions.revoke', { others: true }, { token: first })).data).toEqual({ ended: 2 })
    env.pass(1000)
    expect([await alive(first), await alive(second), await alive(person.token)]).toEqual([true, false, false])
    await env.call('sessions.revoke', { all: true }, { token: first })
    env.pass(1000)
    expect(await alive(first)).toBe(false)
  })

  it('is recorded in the audit log: one session, the others, all, and the own one', async () => {
    const person = await env.person()
    const [first, second] = [await another(person), await another(person)]
    const id = (await list(second)).find(({ current }) => current)?.id
    const last = (await list(first)).find(({ current }) => current)?.id
    await env.call('sessions.revoke', { id }, { token: first })
    await env.call('sessions.revoke', { others: true }, { token: first })
    await env.call('accounts.logout', {}, { token: first })
    await env.call('sessions.revoke', { all: true }, { token: await another(person) })
    const rows = await env.db.rows(
      sql`select action, subject, detail, via, result from audit_log where actor = ${person.uid} order by id`,
    )
    const by = { via: 'session', result: 'done' }
    expect(rows).toEqual([
      { action: 'session.end', subject: `session:${id}`, detail: { ended: 1 }, ...by },
      { action: 'session.endAll', subject: `user:${person.uid}`, detail: { ended: 1 }, ...by },
      { action: 'session.end', subject: `session:${last}`, detail: { ended: 1 }, ...by },
      { action: 'session.endAll', subject: `user:${person.uid}`, detail: { ended: 1 }, ...by },
    ])
  })

  it('is not recorded if no session ended', async () => {
    const person = await env.person()
    await env.call('sessions.revoke', { id: crypto.randomUUID() }, person)
    await env.call('accounts.logout', {}, { token: 'nobody' })
    expect(await env.db.rows(sql`select action from audit_log where actor = ${person.uid}`)).toEqual([])
  })
})

describe('revoking is refused', () => {
  it('for a session of another account, an ended one, or none', async () => {
    const [person, stranger] = [await env.person(), await env.person()]
    const [{ id = '' } = {}] = await list(person.token)
    const unknown = { err: errors.sessionUnknown.err }
    expect(await env.call('sessions.revoke', { id }, stranger)).toMatchObject(unknown)
    expect(await env.call('sessions.revoke', {}, stranger)).toMatchObject(unknown)
    expect(await alive(person.token)).toBe(true)
    await env.call('accounts.logout', {}, person)
    expect(await env.call('sessions.revoke', { id }, { token: await another(person) })).toMatchObject(unknown)
    expect(await env.call('sessions.revoke', { id: "x' or 1=1" }, stranger)).toMatchObject({ code: -1 })
  })

  it('for visitors, and with an API key', async () => {
    const key = await env.key(await env.person(), 'admin')
    for (const operation of ['sessions.list', 'sessions.signIns', 'sessions.revoke'] as const) {
      expect((await env.call(operation, {})).code).toBe(401)
      expect(await env.call(operation, {}, { token: key })).toMatchObject({ err: errors.forbidden.err })
    }
  })
})
