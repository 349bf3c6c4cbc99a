import type { Permission } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { type Registration, sampleRegistration, sampleStats } from '../control/sample-registration.fixture.ts'
import { findSilentNodes } from '../nodes/silence.ts'
import { timesOf } from '../nodes/times.ts'
import { notifyOwners } from './notify.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const codeOf = async ({ token }: Person, lang: 'cn' | 'en' = 'en') =>
  (await env.call('devices.code', {}, { token, lang })).data.code
const listOf = async ({ token }: Person) => (await env.call('devices.list', {}, { token })).data
const idsOf = async (person: Person) => (await listOf(person)).list.map(({ node_id }) => node_id)

/** Registers a node; a new one if no keys are given. */
async function register(more: Partial<Registration> = {}, keys?: ReturnType<typeof sampleRegistration>['keys']) {
  const node = sampleRegistration(env, more, keys)
  const answer = await env.call('nodeControl.register', node.input)
  return { ...answer, id: answer.data?.node_id, keys: node.keys }
}

/** A node with an owner. */
const device = async (person: Person, name = 'a node') => register({ name, owner_code: await codeOf(person) })

/** E-mails to an address, oldest first. */
const mailsOf = ({ email }: Person) =>
  env.db.rows<{ subject: string; body: string }>(
    sql`select subject, body_text as body from mails where recipient = ${email} order by id`,
  )

/** Stops heartbeats of the nodes and notifies their owners. */
async function silence() {
  env.pass(MINUTE)
  const heardBefore = new Date(env.clock.now() - timesOf(env.context.config).offlineAfter)
  // Nodes that something else has locked are marked the next time.
  do await findSilentNodes(env.context)
  while (await env.db.maybe(sql`select 1 from nodes where status <> 'offline' and seen_at < ${heardBefore} limit 1`))
  env.pass(MINUTE)
  await notifyOwners(env.context)
}

const beats = ({ data }: Awaited<ReturnType<typeof register>>) =>
  env.call('nodeControl.heartbeat', { stats: sampleStats, time: env.clock.now() }, data)

describe('a node', () => {
  it('that registers with an owner code is linked to the account and listed', async () => {
    const person = await env.person()
    expect(await listOf(person)).toMatchObject({ list: [], total: 0, online: 0, capacity: 0 })
    const node = await device(person, 'harbour')
    expect(node.data.owned).toBe(true)
    const { list, ...sums } = await listOf(person)
    expect(sums).toMatchObject({ total: 1, online: 1, offline: 0, abnormal: 0, used: 0, capacity: 1_000_000 })
    expect(sums.mail_after).toBeGreaterThan(sums.offline_after)
    expect(list).toMatchObject([
      { node_id: node.id, name: 'harbour', type: 1, status: 'online', capacity: 1_000_000, mail: true },
    ])
  })

  it('that updates itself says so to its owner, and why it could not', async () => {
    const person = await env.person()
    const node = await device(person)
    expect((await listOf(person)).list[0]?.updates).toBeNull()
    const updates = { on: true, problem: 'not-ready', version: '9.9.9' } as const
    env.pass(1000)
    await register({ updates }, node.keys)
    expect((await listOf(person)).list[0]?.updates).toEqual(updates)
  })

  it('keeps its owner when it registers without a code or with an expired one', async () => {
    const person = await env.person()
    const code = await codeOf(person)
    const node = await register({ owner_code: code })
    env.pass(1000)
    expect((await register({}, node.keys)).data.owned).toBe(true)
    expect(await idsOf(person)).toEqual([node.id])
    env.pass(25 * HOUR)
    expect((await register({ owner_code: code }, node.keys)).data.owned).toBe(true)
  })

  it('is linked to another account by a code of that account', async () => {
    const [before, after] = [await env.person(), await env.person()]
    const node = await device(before)
    env.pass(1000)
    await register({ owner_code: await codeOf(after) }, node.keys)
    expect(await idsOf(before)).toEqual([])
    expect(await idsOf(after)).toEqual([node.id])
  })

  it('that is unlinked keeps running without an owner, and its code is void', async () => {
    const person = await env.person()
    const code = await codeOf(person)
    const node = await register({ owner_code: code })
    expect((await env.call('devices.unlink', { node_id: node.id }, person)).code).toBe(0)
    expect(await idsOf(person)).toEqual([])
    env.pass(1000)
    expect((await register({ owner_code: code }, node.keys)).data.owned).toBe(false)
    expect((await beats(node)).code).toBe(0)
  })

  it('is in the audit log when it is linked and unlinked', async () => {
    const person = await env.person()
    const node = await device(person)
    await env.call('devices.unlink', { node_id: node.id }, person)
    const rows = await env.db.rows<{ action: string; actor: string }>(
      sql`select action, actor from audit_log where subject = ${`node:${node.id}`} order by id`,
    )
    expect(rows).toEqual([
      { action: 'device.link', actor: person.uid },
      { action: 'device.unlink', actor: person.uid },
    ])
  })

  it.each([
    ['unknown', async () => `own_${'A'.repeat(22)}`],
    ['of nobody', async () => ''],
    [
      'that another one took the place of',
      async () => {
        const person = await env.person()
        const first = await codeOf(person)
        await codeOf(person)
        return first
      },
    ],
    [
      'older than a day',
      async () => {
        const code = await codeOf(await env.person())
        env.pass(60 * HOUR)
        return code
      },
    ],
    [
      'of an account that is locked',
      async () => {
        const person = await env.person()
        const code = await codeOf(person)
        await env.db.run(sql`update users set locked_at = now() where id = ${person.id}`)
        return code
      },
    ],
  ])('with a code %s is registered without an owner', async (_, code) => {
    expect(await register({ owner_code: await code() })).toMatchObject({
      code: 0,
      data: { owned: false, code_taken: false },
    })
  })

  it('is refused if its code was changed in transit', async () => {
    const [owner, thief] = [await env.person(), await env.person()]
    const { input } = sampleRegistration(env, { owner_code: await codeOf(owner) })
    const owner_code = await codeOf(thief)
    expect((await env.call('nodeControl.register', { ...input, owner_code })).err).toBe(1021)
    expect((await env.call('nodeControl.register', { ...input, owner_signature: '' })).err).toBe(1021)
  })
})

describe('owners are notified by e-mail', () => {
  it('once when nodes go offline and once when they are back, together in one e-mail', async () => {
    const person = await env.person()
    const [first, second] = [await device(person, 'first'), await device(person, 'second')]
    await notifyOwners(env.context)
    expect(await mailsOf(person)).toEqual([])
    await silence()
    await notifyOwners(env.context)
    const [away, ...more] = await mailsOf(person)
    expect(more).toEqual([])
    expect(away?.body).toContain('first')
    expect(away?.body).toContain('second')
    expect(away?.body).toContain('http://portal.test/devices')
    await beats(first)
    await beats(second)
    env.pass(MINUTE)
    await notifyOwners(env.context)
    await notifyOwners(env.context)
    expect(await mailsOf(person)).toHaveLength(2)
  })

  it('not about a short interruption, and about the same node only once an hour', async () => {
    const person = await env.person()
    const node = await device(person)
    const count = async () => (await mailsOf(person)).length
    env.pass(MINUTE)
    await findSilentNodes(env.context)
    await notifyOwners(env.context)
    expect(await count()).toBe(0)
    await silence()
    expect(await count()).toBe(1)
    await beats(node)
    env.pass(MINUTE)
    await notifyOwners(env.context)
    expect(await count()).toBe(2)
    await silence()
    expect(await count()).toBe(2)
    env.pass(HOUR)
    await notifyOwners(env.context)
    expect(await count()).toBe(3)
  })

  it('in the language in which they requested the code', async () => {
    const person = await env.person()
    await register({ owner_code: await codeOf(person, 'cn') })
    await silence()
    expect((await mailsOf(person)).map(({ subject }) => /[\u4e00-\u9fff]/.test(subject))).toEqual([true])
  })

  it('not if they do not want it, have no address, or are locked', async () => {
    const [quiet, nameless, locked] = [await env.person(), await env.person(), await env.person()]
    const { id } = await device(quiet)
    await device(nameless)
    await device(locked)
    const changed = await env.call('devices.mail', { node_id: id, mail: false }, quiet)
    expect(changed.data).toMatchObject({ node_id: id, mail: false })
    await env.db.run(sql`update users set email = null where id = ${nameless.id}`)
    await env.db.run(sql`update users set locked_at = now() where id = ${locked.id}`)
    await silence()
    env.pass(HOUR)
    await notifyOwners(env.context)
    for (const person of [quiet, nameless, locked]) expect(await mailsOf(person)).toEqual([])
  })

  it('with one line per device, whatever its name contains', async () => {
    const person = await env.person()
    await device(person, 'one\n\nPay at http://pay.example\u202e')
    await silence()
    const [mail] = await mailsOf(person)
    expect(mail?.body.split('\n').filter((line) => line.startsWith('Pay'))).toEqual([])
    expect(mail?.body).not.toContain('\u202e')
  })

  it('not about a node whose e-mails were switched off meanwhile', async () => {
    const person = await env.person()
    const node = await device(person)
    await silence()
    for (const mail of [false, true]) await env.call('devices.mail', { node_id: node.id, mail }, person)
    await beats(node)
    env.pass(MINUTE)
    await notifyOwners(env.context)
    expect(await mailsOf(person)).toHaveLength(1)
  })

  it('not while a large part of the network is offline', async () => {
    const [person, others] = [await env.person(), await env.person()]
    const code = await codeOf(others)
    await device(person)
    for (let count = 0; count < 40; count++) await register({ owner_code: code })
    await silence()
    expect(await mailsOf(person)).toEqual([])
    env.pass(10 * MINUTE)
    await notifyOwners(env.context)
    expect(await mailsOf(person)).toHaveLength(1)
    expect(await mailsOf(others)).toHaveLength(1)
  })
})

describe('refused', () => {
  it('is every operation on a device of another account', async () => {
    const [owner, stranger] = [await env.person(), await env.person()]
    const { id } = await device(owner)
    expect(await idsOf(stranger)).toEqual([])
    expect((await env.call('devices.mail', { node_id: id, mail: false }, stranger)).code).not.toBe(0)
    expect((await env.call('devices.unlink', { node_id: id }, stranger)).code).not.toBe(0)
    expect((await listOf(owner)).list).toMatchObject([{ node_id: id, mail: true }])
  })

  it('are visitors and API keys', async () => {
    const owner = await env.person()
    const key = async (perms: Permission[] | 'admin') => ({ token: await env.key(owner, perms) })
    for (const as of [{}, await key('admin'), await key(['readDevices'])])
      expect((await env.call('devices.code', {}, as)).code).not.toBe(0)
    for (const as of [{}, await key(['readFile', 'readFolder'])])
      expect((await env.call('devices.list', {}, as)).code).not.toBe(0)
  })

  it('is the owner of a node to everyone else: neither the explorer nor the map shows it', async () => {
    const person = await env.person()
    const { id } = await device(person)
    const node = await env.call('explorer.node', { node_id: id })
    expect(JSON.stringify(node.data)).not.toContain(person.uid)
    expect(Object.keys(node.data).filter((name) => /owner|link|mail/.test(name))).toEqual([])
  })
})
