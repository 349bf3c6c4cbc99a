import { errors, WEBHOOKS_MAX } from '@tidenet/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { closeReceivers, receiver, webhookCalls } from './receiver.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterEach(closeReceivers)
afterAll(() => env.close())
const { create, hook, list, deliveries, emit, deliver } = webhookCalls(() => env)
const URL_OF_NONE = 'https://hooks.example.org/secret-path'

describe('a webhook', () => {
  it('is listed without its secret, which is shown once and stored encrypted', async () => {
    const owner = await env.person()
    const { id, secret } = await hook(owner, URL_OF_NONE, ['order.status', 'asset.deleted', 'order.status'])
    expect(secret).toMatch(/^whsec_/)
    const listed = await list(owner)
    expect(listed).toMatchObject([
      { id, name: 'hook', url: URL_OF_NONE, events: ['asset.deleted', 'order.status'], enabled: true, waiting: 0 },
    ])
    expect(JSON.stringify(listed)).not.toContain(secret)
    const rows = await env.db.rows<{ row: string }>(sql`
      select w::text as row from webhooks w union all select a::text from audit_log a`)
    for (const { row } of rows) {
      expect(row).not.toContain(secret)
      expect(row).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })

  it('is recorded in the audit log without the path of its URL', async () => {
    const owner = await env.person()
    const { id } = await hook(owner, URL_OF_NONE)
    await env.call('webhooks.change', { id, url: `${URL_OF_NONE}/2` }, owner)
    await env.call('webhooks.rotate', { id }, owner)
    await env.call('webhooks.remove', { id }, owner)
    const rows = await env.db.rows<{ action: string; row: string }>(sql`
      select action, a::text as row from audit_log a where actor_user_id = ${owner.id} order by id`)
    expect(rows.map(({ action }) => action)).toEqual([
      'webhook.create',
      'webhook.change',
      'webhook.rotate',
      'webhook.remove',
    ])
    for (const { row } of rows) expect(row).not.toContain('secret-path')
    expect(await list(owner)).toEqual([])
  })

  it('can be tested at once, also while it is disabled, and shows the answer', async () => {
    const owner = await env.person()
    const target = await receiver((_, reply) => reply.writeHead(500).end('no\0 thanks'))
    const { id } = await hook(owner, target.url)
    await env.call('webhooks.change', { id, enabled: false }, owner)
    const { data } = await env.call('webhooks.test', { id }, owner)
    expect(data).toMatchObject({ delivered: false, status: 500, failure: '', answer: 'no thanks' })
    expect(JSON.parse(target.received[0]?.body ?? '')).toMatchObject({ type: 'test.ping', data: { webhook_id: id } })
    expect(await deliveries(owner, id)).toMatchObject([
      { event: 'test.ping', state: 'dead', status: 500, due_at: null },
    ])
    target.answer = (_, reply) => reply.end('thanks')
    expect((await env.call('webhooks.test', { id }, owner)).data).toMatchObject({ delivered: true, status: 200 })
    // Tests are neither repeated nor replayed.
    await env.call('webhooks.change', { id, enabled: true }, owner)
    expect((await env.call('webhooks.replay', { id }, owner)).data.count).toBe(0)
    await deliver()
    expect(target.received).toHaveLength(2)
  })

  it('does not receive events while it is disabled; those that waited can be replayed', async () => {
    const owner = await env.person()
    const target = await receiver()
    const { id } = await hook(owner, target.url)
    await emit(owner, 'waiting')
    await env.call('webhooks.change', { id, enabled: false }, owner)
    expect(await emit(owner, 'missed')).toBe(0)
    await deliver()
    expect(target.received).toEqual([])
    expect((await list(owner))[0]).toMatchObject({ enabled: false, disabled_by: 'owner', waiting: 0, dead: 1 })
    expect(await env.call('webhooks.replay', { id }, owner)).toMatchObject({ err: errors.webhookDisabled.err })
    await env.call('webhooks.change', { id, enabled: true }, owner)
    expect((await env.call('webhooks.replay', { id }, owner)).data.count).toBe(1)
    await deliver()
    expect(target.received.map(({ body }) => JSON.parse(body).data)).toEqual([{ cid: 'waiting' }])
  })

  it('has pages of deliveries, newest first', async () => {
    const owner = await env.person()
    const target = await receiver()
    const { id } = await hook(owner, target.url)
    for (let each = 0; each < 25; each++) await emit(owner, String(each))
    const first = (await env.call('webhooks.deliveries', { id }, owner)).data
    const second = (await env.call('webhooks.deliveries', { id, before: first.next ?? 0 }, owner)).data
    expect(second.next).toBeNull()
    const ids = [...first.list, ...second.list].map((row) => row.id)
    expect(ids).toHaveLength(25)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
  })
})

describe('refused', () => {
  it('a webhook beyond the limit, even with fifty concurrent requests', async () => {
    const owner = await env.person()
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(owner, URL_OF_NONE)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(WEBHOOKS_MAX)
    expect(answers.filter(({ err }) => err === errors.tooManyWebhooks.err)).toHaveLength(50 - WEBHOOKS_MAX)
  })

  it('URLs that are none, and unknown or no events', async () => {
    const owner = await env.person()
    expect(await create(owner, 'ftp://hooks.example.org')).toMatchObject({ err: errors.webhookUrl.err })
    expect(await create(owner, `https://hooks.example.org/${'a'.repeat(2000)}`)).toMatchObject({ code: -1 })
    expect(await create(owner, URL_OF_NONE, [])).toMatchObject({ err: errors.webhookEvents.err })
    expect(await create(owner, URL_OF_NONE, ['test.ping'])).toMatchObject({ code: -1 })
    expect(await create(owner, URL_OF_NONE, ['__proto__'])).toMatchObject({ code: -1 })
    const { id } = await hook(owner, URL_OF_NONE)
    expect(await env.call('webhooks.change', { id, url: 'javascript:1' }, owner)).toMatchObject({ code: -1 })
    expect((await list(owner))[0]?.url).toBe(URL_OF_NONE)
  })

  it('more than ten tests in a minute', async () => {
    const owner = await env.person()
    const target = await receiver()
    const { id } = await hook(owner, target.url)
    const answers = await Promise.all(Array.from({ length: 15 }, () => env.call('webhooks.test', { id }, owner)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(10)
    expect(target.received).toHaveLength(10)
  })

  it('everything about webhooks of others', async () => {
    const [owner, stranger] = [await env.person(), await env.person()]
    const target = await receiver((_, reply) => reply.writeHead(410).end('secret answer'))
    const { id } = await hook(owner, target.url)
    const own = await hook(stranger, target.url)
    await emit(owner)
    await deliver()
    await env.call('webhooks.change', { id, enabled: true }, owner)
    const [delivery] = await deliveries(owner, id)
    const before = await list(owner)
    for (const operation of ['change', 'rotate', 'remove', 'test', 'deliveries', 'replay'] as const) {
      const answer = await env.call(`webhooks.${operation}`, { id, enabled: false } as never, stranger)
      expect(answer).toMatchObject({ code: -1, err: errors.webhookUnknown.err })
      expect(JSON.stringify(answer)).not.toContain('secret answer')
    }
    // A delivery of another account, by the own webhook.
    const replayed = await env.call('webhooks.replay', { id: own.id, delivery: delivery?.id ?? 0 }, stranger)
    expect(replayed).toMatchObject({ err: errors.notFound.err })
    expect(await list(owner)).toEqual(before)
    expect(await deliveries(owner, id)).toEqual([delivery])
  })

  it('visitors and API keys', async () => {
    const key = await env.key(await env.person(), 'admin')
    for (const operation of ['create', 'list', 'change', 'rotate', 'remove', 'test', 'deliveries', 'replay'] as const) {
      const input = { id: 1, name: 'n', url: URL_OF_NONE, events: ['order.status'] } as never
      expect((await env.call(`webhooks.${operation}`, input)).code).toBe(401)
      expect(await env.call(`webhooks.${operation}`, input, { token: key })).toMatchObject({
        err: errors.forbidden.err,
      })
    }
  })
})
