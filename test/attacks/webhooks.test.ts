import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { errors, WEBHOOK_RETRIES } from '@tidenet/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { leaseDue } from '../../apps/server/src/identity/webhooks/deliver.ts'
import { closeReceivers, receiver, webhookCalls } from '../../apps/server/src/identity/webhooks/receiver.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { invalidCertificate } from '../../packages/daemon/src/invalid-certificate.fixture.ts'

// Receivers and owners of webhooks that want to harm the server, other accounts or third parties.

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterEach(async () => {
  await closeReceivers()
  await env.db.run(sql`delete from webhooks`)
})
afterAll(() => env.close())
const { fresh, hook, deliveries, emit, deliver } = webhookCalls(() => env)

const people = (count: number) => Promise.all(Array.from({ length: count }, () => env.person()))
const countRows = async (id: number) =>
  (await env.db.one<{ n: number }>(sql`select count(*) as n from webhook_deliveries where webhook_id = ${id}`)).n

describe('an answer', () => {
  it('that is compressed counts by its status', async () => {
    const owner = await env.person()
    const target = await receiver((_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end('\x1f\x8b'))
    const { id } = await hook(owner, target.url)
    await emit(owner)
    await deliver()
    expect(await deliveries(owner, id)).toMatchObject([{ state: 'delivered', status: 200, answer: '' }])
  })
})

describe('a request', () => {
  it.each([
    ['all requests', { all: 4, slow: 100 }],
    ['requests to slow receivers', { all: 100, slow: 4 }],
  ])('is leased to accounts with few requests before one with many older deliveries, of %s', async (_, free) => {
    const [greedy, ...rest] = await people(4)
    for (let each = 0; each < 3; each++) await hook(greedy as Person, `https://${each}.hooks.example.org/`)
    for (let each = 0; each < 10; each++) await emit(greedy as Person)
    env.pass(60_000)
    for (const person of rest) await hook(person, 'https://other.example.org/')
    for (const person of rest) await emit(person)
    const leased = await leaseDue(env.context, free)
    expect(leased.map((each) => each.user_id).sort()).toEqual([greedy, ...rest].map((each) => each?.id).sort())
  })

  it('to a host is leased to every account that has one there, however many older ones others have', async () => {
    const [last, ...greedy] = await people(4)
    for (const person of greedy) {
      for (let each = 0; each < 5; each++) await hook(person, 'https://shared.example.org/')
      for (let each = 0; each < 3; each++) await emit(person)
    }
    env.pass(60_000)
    await hook(last as Person, 'https://shared.example.org/')
    await emit(last as Person)
    const leased = await leaseDue(env.context, { all: 100, slow: 100 })
    expect(leased).toHaveLength(8)
    expect(leased.map((each) => each.user_id)).toContain(last?.id)
  })

  it('to a receiver that has not proved to be fast leaves half of the requests to others', async () => {
    const [old, recent, enabled] = await people(3)
    const fast = await receiver()
    await hook(old as Person, fast.url)
    await emit(old as Person)
    await deliver()
    await hook(recent as Person, 'https://hooks.example.org/')
    const { id } = await hook(enabled as Person, 'https://hooks.example.org/')
    await env.call('webhooks.change', { id, enabled: false }, enabled)
    await env.call('webhooks.change', { id, enabled: true }, enabled)
    for (const person of [old, recent, enabled]) await emit(person as Person)
    const leased = await leaseDue(env.context, { all: 9, slow: 0 })
    expect(leased.map((each) => each.user_id)).toEqual([old?.id])
  })

  it('that cannot be made is repeated like others, and given up', async () => {
    const owner = await env.person()
    const target = await receiver()
    const { id } = await hook(owner, target.url)
    await emit(owner)
    await env.db.run(sql`update webhooks set secret = 'x' where id = ${id}`)
    await deliver()
    for (const delay of WEBHOOK_RETRIES) {
      env.pass(delay * 1.1)
      await deliver()
    }
    expect(await deliveries(owner, id)).toMatchObject([{ state: 'dead', failure: 'interrupted', due_at: null }])
    expect(target.received).toEqual([])
  })
})

describe('refused', () => {
  it('events for a receiver with an invalid certificate', async () => {
    const owner = await env.person()
    const got: string[] = []
    const server = createHttps(invalidCertificate, (_, reply) => {
      got.push('a request')
      reply.end()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { id } = await hook(owner, `https://localhost:${(server.address() as AddressInfo).port}/`)
    await emit(owner)
    await deliver()
    expect(await deliveries(owner, id)).toMatchObject([{ state: 'waiting', failure: 'tls', status: null }])
    expect(got).toEqual([])
    await new Promise((done) => server.close(done))
  })

  it('requests beyond four of an account that deletes its webhooks while they run', async () => {
    const owner = await env.person()
    let open = 0
    let most = 0
    const held: (() => void)[] = []
    const slow = await receiver((_, reply) => {
      most = Math.max(most, ++open)
      held.push(() => {
        open -= 1
        reply.end()
      })
    })
    const more = async () => {
      const created = await Promise.all([hook(owner, slow.url), hook(owner, slow.url)])
      for (let each = 0; each < 2; each++) await emit(owner)
      return created
    }
    const first = await more()
    const delivering = deliver()
    await expect.poll(() => held.length).toBe(4)
    for (const { id } of first) await env.call('webhooks.remove', { id }, owner)
    await more()
    const other = await env.person()
    const target = await receiver()
    await hook(other, target.url)
    await emit(other)
    // The server has looked for deliveries since then.
    await expect.poll(() => target.received.length).toBe(1)
    slow.answer = (_, reply) => reply.end()
    for (const release of held) release()
    await delivering
    expect(most).toBe(4)
    expect(slow.received).toHaveLength(8)
  })

  it('more than ten tests in a minute, also by webhooks that are deleted and created again', async () => {
    const owner = await env.person()
    const target = await receiver()
    const answers = []
    for (let each = 0; each < 4; each++) {
      const { id } = await hook(owner, target.url)
      for (let test = 0; test < 4; test++) answers.push(await env.call('webhooks.test', { id }, owner))
      await env.call('webhooks.remove', { id }, owner)
    }
    expect(target.received).toHaveLength(10)
    expect(answers.slice(10).map(({ err }) => err)).toEqual(Array(6).fill(errors.tooManyRequests.err))
    env.pass(60_000)
    const { id } = await hook(owner, target.url)
    expect((await env.call('webhooks.test', { id }, owner)).code).toBe(0)
  })

  it('replays without end, which would send old events to somebody again and again', async () => {
    const owner = await env.person()
    const target = await receiver((_, reply) => reply.writeHead(500).end())
    const { id } = await hook(owner, target.url)
    await emit(owner)
    for (let each = 0; each < 20; each++) {
      await env.call('webhooks.change', { id, enabled: false }, owner)
      await env.call('webhooks.change', { id, enabled: true }, owner)
      const answer = await env.call('webhooks.replay', { id }, owner)
      expect(answer.code === 0).toBe(each < 10)
      await deliver()
    }
    expect(target.received).toHaveLength(10)
    env.pass(3_600_000)
    expect((await env.call('webhooks.replay', { id }, await fresh(owner))).code).toBe(0)
  })

  it('events without end for a receiver that is down', async () => {
    const owner = await env.person()
    const { id } = await hook(owner, 'https://hooks.example.org/')
    await env.db.run(sql`
      insert into webhook_deliveries (webhook_id, message_id, event, body, due_at, created_at)
      select ${id}, 'msg_' || i, 'asset.uploaded', '{}', ${new Date(env.clock.now())}, ${new Date(env.clock.now())}
      from generate_series(1, 19998) i`)
    const large = 'a'.repeat(40_000)
    for (let each = 0; each < 3; each++) await emit(owner, large)
    expect(await countRows(id)).toBe(19_998)
    for (let each = 0; each < 4; each++) await emit(owner)
    expect(await countRows(id)).toBe(20_000)
  })
})
