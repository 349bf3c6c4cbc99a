import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { openSession } from './tokens.ts'

let world: TestEnv
beforeAll(async () => {
  world = await setup()
})
afterAll(() => world.close())

const MINUTE = 60_000
const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
const another = async (person: Person, ip = '203.0.113.7', agent = BROWSER) =>
  (await openSession(world.context, world.db, person, { ip, agent })).token
const list = async (token: string) => (await world.call('sessions.list', {}, { token })).data.sessions
const alive = async (token: string) => (await world.call('accounts.vipInfo', {}, { token })).code === 0

describe('the list of sessions', () => {
  it('shows each with device, shortened place and times, and which of them asks', async () => {
    const person = await world.person()
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

  it('says when each was last seen, to a minute', async () => {
    const person = await world.person()
    const seen = async () => Date.parse((await list(person.token))[0]!.seen_at)
    const first = await seen()
    world.pass(MINUTE / 2)
    expect(await seen()).toBe(first)
    world.pass(MINUTE)
    expect(await seen()).toBeGreaterThan(first)
  })

  it('does not show what has ended', async () => {
    const person = await world.person()
    const token = await another(person)
    await world.call('accounts.logout', {}, { token: person.token })
    world.pass(1000)
    expect(await list(token)).toHaveLength(1)
    world.pass(2 * 24 * 3600 * 1000)
    expect(await list(await another(person))).toHaveLength(1)
  })
})

describe('revoking', () => {
  it('ends one session, within a second', async () => {
    const person = await world.person()
    const [mine, lost] = [await another(person), await another(person, '198.51.100.2', 'curl/8.5.0')]
    const id = (await list(mine)).find(({ device }) => device.program === 'curl')?.id
    expect(await alive(lost)).toBe(true)
    expect((await world.call('sessions.revoke', { id }, { token: mine })).data).toEqual({ ended: 1 })
    world.pass(1000)
    expect([await alive(lost), await alive(mine), await alive(person.token)]).toEqual([false, true, true])
  })

  it('ends all others, or all', async () => {
    const person = await world.person()
    const [first, second] = [await another(person), await another(person)]
    expect((await world.call('sessions.revoke', { others: true }, { token: first })).data).toEqual({ ended: 2 })
    world.pass(1000)
    expect([await alive(first), await alive(second), await alive(person.token)]).toEqual([true, false, false])
    await world.call('sessions.revoke', { all: true }, { token: first })
    world.pass(1000)
    expect(await alive(first)).toBe(false)
  })

  it('is in the audit log: one session, the others, all, and the own one', async () => {
    const person = await world.person()
    const [first, second] = [await another(person), await another(person)]
    const id = (await list(second)).find(({ current }) => current)?.id
    const last = (await list(first)).find(({ current }) => current)?.id
    await world.call('sessions.revoke', { id }, { token: first })
    await world.call('sessions.revoke', { others: true }, { token: first })
    await world.call('accounts.logout', {}, { token: first })
    await world.call('sessions.revoke', { all: true }, { token: await another(person) })
    const rows = await world.db.rows(
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

  it('is not in the audit log when nothing ended', async () => {
    const person = await world.person()
    await world.call('sessions.revoke', { id: crypto.randomUUID() }, person)
    await world.call('accounts.logout', {}, { token: 'nobody' })
    expect(await world.db.rows(sql`select action from audit_log where actor = ${person.uid}`)).toEqual([])
  })
})

describe('refused is', () => {
  it('to end a session of somebody else, one that has ended, or none', async () => {
    const [person, stranger] = [await world.person(), await world.person()]
    const [{ id = '' } = {}] = await list(person.token)
    const unknown = { err: errors.sessionUnknown.err }
    expect(await world.call('sessions.revoke', { id }, stranger)).toMatchObject(unknown)
    expect(await world.call('sessions.revoke', {}, stranger)).toMatchObject(unknown)
    expect(await alive(person.token)).toBe(true)
    await world.call('accounts.logout', {}, person)
    expect(await world.call('sessions.revoke', { id }, { token: await another(person) })).toMatchObject(unknown)
    expect(await world.call('sessions.revoke', { id: "x' or 1=1" }, stranger)).toMatchObject({ code: -1 })
  })

  it('a visitor, and a program with a key', async () => {
    const key = await world.key(await world.person(), 'admin')
    for (const operation of ['sessions.list', 'sessions.signIns', 'sessions.revoke'] as const) {
      expect((await world.call(operation, {})).code).toBe(401)
      expect(await world.call(operation, {}, { token: key })).toMatchObject({ err: errors.forbidden.err })
    }
  })
})
