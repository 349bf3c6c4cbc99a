import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { notifyOfTrouble } from './notify.ts'

let env: TestEnv
let owner: Person
beforeAll(async () => {
  env = await setup()
})
beforeEach(async () => {
  // Devices of earlier tests stay quiet.
  await env.db.run(sql`update nodes set owner_mail = false`)
  owner = await env.person()
})
afterAll(() => env.close())

const DAY = 24 * 3600_000
const WEEK = 7 * DAY
const HEALTHY = { version: '1.2.3', status: 'online', quality: 1, good: 100, bad: 0 }

type State = typeof HEALTHY

/** A device with an owner. */
async function device(more: Partial<State> & { name?: string } = {}, of = owner): Promise<string> {
  const { id } = await env.node({ kind: 'edge', vetted: true })
  await env.db.run(sql`
    update nodes set owner_id = ${of.id}, owner_lang = 'en', owner_mail = true, name = ${more.name ?? id} where id = ${id}`)
  await change(id, more)
  return id
}
const change = (id: string, more: Partial<State>) => {
  const { version, status, quality, good, bad } = { ...HEALTHY, ...more }
  return env.db.run(sql`
    update nodes set version = ${version}, status = ${status}, quality = ${quality}, audit_good = ${good}, audit_bad = ${bad} where id = ${id}`)
}
const notify = (newest: string | undefined = '1.2.3') => notifyOfTrouble(env.context, newest)

/** E-mails to the owner, oldest first. */
const mails = ({ email } = owner) =>
  env.db.rows<{ subject: string; text: string }>(
    sql`select subject, body_text as text from mails where recipient = ${email} order by id`,
  )

describe('an owner gets an e-mail about a device', () => {
  it.each<[string, Partial<State>]>([
    ['that runs an older version', { version: '1.2.2' }],
    ['that runs an older version with more digits', { version: '0.10.30' }],
    ['that is abnormal', { status: 'abnormal' }],
    ['that fails more than a tenth of its audits', { good: 80, bad: 10 }],
    ['whose transfers fail', { quality: 0.7 }],
  ])('%s, once a week', async (_, state) => {
    const id = await device(state)
    await notify()
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail?.text).toContain(id)
    env.pass(WEEK - 60_000)
    await notify()
    expect(await mails()).toHaveLength(1)
    env.pass(60_000)
    await notify()
    expect(await mails()).toHaveLength(2)
  })

  it('that names what is wrong, and nothing else', async () => {
    const state = { name: 'd', good: 98, bad: 2, quality: 0.7, status: 'abnormal' }
    await device(state)
    await notify()
    const [many] = await mails()
    for (const percent of ['2%', '70%']) expect(many?.text).toContain(percent)

    owner = await env.person()
    await device({ name: 'd', status: 'abnormal' }, owner)
    await notify()
    const [one] = await mails()
    expect(one?.text).not.toContain('%')
    expect(one?.text).not.toMatch(/^d$/m)
  })

  it('before the device drains', async () => {
    const id = await device({ good: 85, bad: 15 })
    await notify()
    expect(await mails()).toHaveLength(1)
    expect(await env.db.one(sql`select draining_since from nodes where id = ${id}`)).toEqual({ draining_since: null })
  })

  it('and one for all devices that have the same problem', async () => {
    const ids = [await device({ version: '1.0.0' }), await device({ version: '1.1.0' })]
    await notify()
    const sent = await mails()
    expect(sent).toHaveLength(1)
    for (const id of ids) expect(sent[0]?.text).toContain(id)
  })

  it('once, if two servers look at the same time', async () => {
    await device({ version: '1.0.0', quality: 0.6 })
    await Promise.all([notify(), notify(), notify()])
    expect(await mails()).toHaveLength(2)
  })

  it('in the language of the owner code, with the name of the device on one line', async () => {
    const id = await device({ version: '1.0.0', name: 'a\nBcc: b@mail.test' })
    await env.db.run(sql`update nodes set owner_lang = 'cn' where id = ${id}`)
    await notify()
    const [mail] = await mails()
    expect(mail?.subject).toMatch(/\p{Script=Han}/u)
    expect(mail?.text.split('\n')).not.toContain('Bcc: b@mail.test')
  })
})

describe('no e-mail is sent about a device', () => {
  it.each<[string, Partial<State>]>([
    ['that runs the newest version', {}],
    ['that runs a newer version', { version: '1.10.0' }],
    ['whose version is no version', { version: '0.0.0-evil' }],
    ['that is offline: its owner knows', { status: 'offline', version: '1.0.0', quality: 0.5 }],
    ['that failed one of its first audits', { good: 2, bad: 1 }],
    ['that failed few audits', { good: 95, bad: 5 }],
  ])('%s', async (_, state) => {
    await device(state)
    await notify()
    expect(await mails()).toEqual([])
  })

  it('that runs an older version and updates itself, unless it could not', async () => {
    const id = await device({ version: '1.0.0' })
    const set = (problem: string | null) =>
      env.db.run(sql`update nodes set updates_on = true, update_problem = ${problem} where id = ${id}`)
    await set(null)
    await notify()
    expect(await mails()).toEqual([])
    await set('not-ready')
    await notify()
    expect(await mails()).toHaveLength(1)
  })

  it('if the portal offers no version, or a strange one', async () => {
    await device({ version: '1.0.0' })
    for (const newest of [undefined, '', 'latest', '9'.repeat(30)]) await notifyOfTrouble(env.context, newest)
    expect(await mails()).toEqual([])
  })

  it('while a large part of the network fails: the fault is not theirs', async () => {
    const ids = await Promise.all(Array.from({ length: 21 }, () => device({ status: 'abnormal' })))
    await notify()
    expect(await mails()).toEqual([])
    await Promise.all(ids.slice(1).map((id) => change(id, {})))
    await notify()
    expect(await mails()).toHaveLength(1)
    await change(ids[0] ?? '', {})
  })

  it('whose owner turned its e-mails off, is locked, or is nobody', async () => {
    const stranger = await env.person()
    const [silent, unowned, locked] = [
      await device({ version: '1.0.0' }),
      await device({ version: '1.0.0' }),
      await device({ version: '1.0.0' }, stranger),
    ]
    await env.call('devices.mail', { node_id: silent, mail: false }, owner)
    await env.db.run(sql`update nodes set owner_id = null where id = ${unowned}`)
    await env.db.run(sql`update users set locked_at = now() where id = ${stranger.id}`)
    await notify()
    expect([...(await mails()), ...(await mails(stranger))]).toEqual([])
    expect(locked).not.toBe('')
  })
})
