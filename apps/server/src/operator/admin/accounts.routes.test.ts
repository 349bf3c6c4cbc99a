import { errorText, FREE_STORAGE, type Role, VIP_STORAGE } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cautious, nextCode, ticketOf } from '../../identity/second-factors/sample-person.fixture.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { err, reason, sampleOperator } from './sample-operator.fixture.ts'

let env: TestEnv
let operator: Person
beforeAll(async () => {
  env = await setup()
  operator = await env.person({ role: 'operator' })
})
afterAll(() => env.close())
const { later, upload } = sampleOperator(
  () => env,
  () => operator,
)

const LOCKED = { code: 401, msg: errorText('accountLocked', 'en') }

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
