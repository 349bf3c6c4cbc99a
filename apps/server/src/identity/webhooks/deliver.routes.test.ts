import { createHmac } from 'node:crypto'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { WEBHOOK_RETRIES } from '@tidenet/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { inbox } from '../../platform/mail/inbox.fixture.ts'
import { deleteExpired } from '../../platform/tasks/expired.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { leaseDue } from './deliver.ts'
import { closeReceivers, type Received, receiver, webhookCalls } from './receiver.fixture.ts'
import { expired } from './repository.ts'
import { sendMessage } from './send.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterEach(closeReceivers)
afterAll(() => env.close())
const { fresh, hook, list, deliveries, emit, deliver } = webhookCalls(() => env)

const DAY = 86_400_000
const idOf = ({ headers }: Received) => headers['webhook-id']

function isSigned({ headers, body }: Received, secret: string): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(signature)
}

describe('a delivery', () => {
  it('is a signed POST of the event', async () => {
    const owner = await env.person()
    const target = await receiver()
    const { id, secret } = await hook(owner, target.url)
    await emit(owner, 'a')
    await deliver()
    const [got] = target.received
    expect(got?.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(JSON.parse(got?.body ?? '')).toMatchObject({ type: 'asset.uploaded', data: { cid: 'a' } })
    expect(isSigned(got as Received, secret)).toBe(true)
    expect(Math.abs(Number(got?.headers['webhook-timestamp']) * 1000 - env.clock.now())).toBeLessThan(60_000)
    expect(await deliveries(owner, id)).toMatchObject([{ state: 'delivered', status: 204, tries: 1, due_at: null }])
    await deliver()
    expect(target.received).toHaveLength(1)
  })

  it('goes to all webhooks of the account that receive the event, and to no others', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const targets = await Promise.all([receiver(), receiver(), receiver(), receiver()])
    const urls = targets.map(({ url }) => url) as [string, string, string, string]
    await hook(owner, urls[0])
    await hook(owner, urls[1], ['asset.uploaded', 'order.status'])
    await hook(owner, urls[2], ['order.status'])
    await hook(other, urls[3])
    expect(await emit(owner)).toBe(2)
    await deliver()
    expect(targets.map(({ received }) => received.length)).toEqual([1, 1, 0, 0])
  })

  it('is not sent for a transaction that was rolled back', async () => {
    const owner = await env.person()
    const target = await receiver()
    await hook(owner, target.url)
    const { emitEvent } = await import('./emit.ts')
    const failing = env.db.transaction(async (tx) => {
      await emitEvent(tx, owner.id, 'asset.uploaded', { cid: 'x' } as never, new Date(env.clock.now()))
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await deliver()
    expect(target.received).toEqual([])
  })

  it('is signed with both secrets for a day after a rotation', async () => {
    const owner = await env.person()
    const target = await receiver()
    const { id, secret: old } = await hook(owner, target.url)
    const { secret } = (await env.call('webhooks.rotate', { id }, owner)).data
    const signedBy = async () => {
      await emit(owner)
      await deliver()
      const last = target.received.at(-1) as Received
      return [isSigned(last, secret), isSigned(last, old)]
    }
    expect(await signedBy()).toEqual([true, true])
    env.pass(DAY)
    expect(await signedBy()).toEqual([true, false])
  })

  it('is repeated with the same id and body until it succeeds', async () => {
    const owner = await env.person()
    const target = await receiver((_, reply) => reply.writeHead(500).end('x'.repeat(5000)))
    const { id } = await hook(owner, target.url)
    await emit(owner)
    await deliver()
    expect(await deliveries(owner, id)).toMatchObject([
      { state: 'waiting', status: 500, tries: 1, answer: 'x'.repeat(1024) },
    ])
    await deliver()
    expect(target.received).toHaveLength(1)
    target.answer = (_, reply) => reply.end('ok')
    env.pass(6000)
    await deliver()
    expect(await deliveries(owner, id)).toMatchObject([{ state: 'delivered', status: 200, tries: 2, answer: 'ok' }])
    expect(target.received.map(idOf)).toEqual([
      idOf(target.received[0] as Received),
      idOf(target.received[0] as Received),
    ])
    expect(target.received[1]?.body).toBe(target.received[0]?.body)
    expect((await list(owner))[0]?.failing_since).toBeNull()
  })

  it('is given up after a day, and can be replayed with the same id', async () => {
    const owner = await env.person()
    const target = await receiver((_, reply) => reply.writeHead(503).end())
    const { id } = await hook(owner, target.url)
    await emit(owner)
    await deliver()
    for (const delay of WEBHOOK_RETRIES) {
      env.pass(delay * 1.1)
      await deliver()
    }
    expect(target.received).toHaveLength(WEBHOOK_RETRIES.length + 1)
    const [dead] = await deliveries(owner, id)
    expect(dead).toMatchObject({ state: 'dead', due_at: null })
    expect((await list(owner))[0]).toMatchObject({ dead: 1, enabled: true })
    target.answer = (_, reply) => reply.end()
    expect((await env.call('webhooks.replay', { id, delivery: dead?.id ?? 0 }, await fresh(owner))).data.count).toBe(1)
    await deliver()
    expect(await deliveries(owner, id)).toMatchObject([{ state: 'delivered', message_id: dead?.message_id, tries: 1 }])
    expect(new Set(target.received.map(idOf)).size).toBe(1)
  })

  it('that was sent by a server which was killed before it recorded that is sent again with the same id', async () => {
    const owner = await env.person()
    const target = await receiver()
    await hook(owner, target.url)
    await emit(owner)
    const [leased] = await leaseDue(env.context, { all: 1, slow: 1 })
    await sendMessage(env.context, leased as NonNullable<typeof leased>)
    await deliver()
    expect(target.received).toHaveLength(1)
    env.pass(31_000)
    await deliver()
    expect(target.received.map(idOf)).toEqual([leased?.message_id, leased?.message_id])
  })

  it('is sent by one of several servers', async () => {
    const owner = await env.person()
    const target = await receiver()
    await hook(owner, target.url)
    for (let each = 0; each < 100; each++) await emit(owner, String(each))
    await Promise.all([deliver(), deliver(), deliver()])
    // A server that found all of them taken has returned.
    await deliver()
    expect(target.received).toHaveLength(100)
    expect(new Set(target.received.map(idOf)).size).toBe(100)
  })

  it('that is interrupted by the end of the server is sent again at once', async () => {
    const owner = await env.person()
    const stopping = new AbortController()
    const target = await receiver(() => stopping.abort(new Error('stopping')))
    const { id } = await hook(owner, target.url)
    await emit(owner)
    await deliver(stopping.signal)
    expect(await deliveries(owner, id)).toMatchObject([{ state: 'waiting', tries: 0 }])
    target.answer = (_, reply) => reply.end()
    await deliver()
    expect(await deliveries(owner, id)).toMatchObject([{ state: 'delivered', tries: 1 }])
  })

  it('does not wait for slow receivers, and at most two are sent to one webhook at once', async () => {
    const [owner, other] = [await env.person(), await env.person()]
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
    const fast = await receiver()
    await hook(owner, slow.url)
    await hook(other, fast.url)
    for (let each = 0; each < 20; each++) await emit(owner)
    const delivering = deliver()
    await expect.poll(() => held.length).toBe(2)
    for (let each = 0; each < 20; each++) await emit(other)
    await expect.poll(() => fast.received.length, { timeout: 10_000 }).toBe(20)
    slow.answer = (_, reply) => reply.end()
    for (const release of held) release()
    await delivering
    expect(slow.received).toHaveLength(20)
    expect(most).toBe(2)
  })
})

describe('a receiver', () => {
  it('that answers 410 is not called again, and its owner is told', async () => {
    const owner = await env.person()
    const target = await receiver((_, reply) => reply.writeHead(410).end())
    const { id } = await hook(owner, target.url)
    for (let each = 0; each < 5; each++) await emit(owner)
    await deliver()
    expect(target.received.length).toBeLessThanOrEqual(2)
    expect((await list(owner))[0]).toMatchObject({ enabled: false, disabled_by: 'gone', waiting: 0, dead: 5 })
    expect(await inbox(env, owner.email)).toHaveLength(1)
    expect(await emit(owner)).toBe(0)
    await env.call('webhooks.change', { id, enabled: true }, owner)
    expect((await list(owner))[0]).toMatchObject({ enabled: true, disabled_by: '' })
  })

  it('that fails for three days is disabled, and its owner is told once', async () => {
    const owner = await env.person()
    const target = await receiver((_, reply) => reply.writeHead(500).end())
    await hook(owner, target.url)
    for (let day = 0; day < 4; day++) {
      for (let each = 0; each < 10; each++) await emit(owner)
      await deliver()
      expect((await list(owner))[0]?.enabled).toBe(day < 3)
      env.pass(DAY)
    }
    expect((await list(owner))[0]).toMatchObject({ disabled_by: 'failing', waiting: 0 })
    expect(await inbox(env, owner.email)).toHaveLength(1)
  })

  it('that redirects is not followed', async () => {
    const owner = await env.person()
    const inside = await receiver()
    const target = await receiver((_, reply) => reply.writeHead(302, { location: inside.url }).end())
    const { id } = await hook(owner, target.url)
    await emit(owner)
    await deliver()
    expect(inside.received).toEqual([])
    expect(await deliveries(owner, id)).toMatchObject([{ state: 'waiting', status: 302 }])
  })

  it('that sends without end is cut off; its status counts', async () => {
    const owner = await env.person()
    let closed = false
    const target = await receiver((_, reply) => {
      const more = () => {
        while (!reply.destroyed && reply.write(Buffer.alloc(65_536, 'x')));
      }
      reply.on('drain', more).on('close', () => {
        closed = true
      })
      more()
    })
    const { id } = await hook(owner, target.url)
    await emit(owner)
    await deliver()
    const [row] = await deliveries(owner, id)
    expect(row).toMatchObject({ state: 'delivered', status: 200 })
    expect(row?.answer).toHaveLength(1024)
    await expect.poll(() => closed).toBe(true)
  })

  it('that says nothing, resets, speaks no TLS or does not exist is tried again', { tags: ['long'] }, async () => {
    const owner = await env.person()
    const silent = await receiver(() => {})
    const reset = createTcp((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.resetAndDestroy())
    })
    const plain = await receiver()
    await new Promise<void>((done) => reset.listen(0, '127.0.0.1', done))
    const hooks = [
      ['timeout', await hook(owner, silent.url)],
      ['connection', await hook(owner, `http://127.0.0.1:${(reset.address() as AddressInfo).port}/`)],
      ['tls', await hook(owner, plain.url.replace('http:', 'https:'))],
      ['connection', await hook(owner, 'http://127.0.0.1:9/')],
      ['name', await hook(owner, 'http://no-such-host.invalid/')],
    ] as const
    await emit(owner)
    await deliver()
    for (const [failure, { id }] of hooks)
      expect(await deliveries(owner, id)).toMatchObject([{ state: 'waiting', status: null, failure }])
    await new Promise((done) => reset.close(done))
  })

  it('at a private address is never connected to, whatever its name', async () => {
    const guarded = await setup({ privateWebhooks: false })
    try {
      const calls = webhookCalls(() => guarded)
      const owner = await guarded.person()
      const target = await receiver()
      const { port } = new URL(target.url)
      expect((await calls.create(owner, `https://127.0.0.1:${port}/`)).code).toBe(-1)
      const named = await calls.hook(owner, `https://localhost:${port}/`)
      // As if it had been created while that was allowed.
      const { id } = await calls.hook(owner, 'https://hooks.example.org/')
      await guarded.db.run(sql`update webhooks set url = ${target.url} where id = ${id}`)
      await calls.emit(owner)
      await calls.deliver()
      for (const each of [named.id, id]) {
        expect(await calls.deliveries(owner, each)).toMatchObject([{ failure: 'private', status: null }])
        expect((await guarded.call('webhooks.test', { id: each }, owner)).data).toMatchObject({ failure: 'private' })
      }
      expect(target.received).toEqual([])
    } finally {
      await guarded.close()
    }
  })
})

describe('deliveries', () => {
  it('are kept for thirty days, and at most a thousand ended ones per webhook', async () => {
    const owner = await env.person()
    const { id } = await hook(owner, 'https://hooks.example.org/')
    const count = async () =>
      (await env.db.one<{ n: number }>(sql`select count(*) as n from webhook_deliveries where webhook_id = ${id}`)).n
    await env.db.run(sql`
      insert into webhook_deliveries (webhook_id, message_id, event, body, state, created_at)
      select ${id}, 'msg_' || i, 'asset.uploaded', '{}', 'delivered', ${new Date(env.clock.now())} from generate_series(1, 1200) i`)
    await deleteExpired(env.context, [{ expired }])
    expect(await count()).toBe(1000)
    env.pass(31 * DAY)
    await deleteExpired(env.context, [{ expired }])
    expect(await count()).toBe(0)
  })

  it('of locked accounts are not sent', async () => {
    const owner = await env.person()
    const target = await receiver()
    await hook(owner, target.url)
    await emit(owner)
    await env.db.run(sql`update users set locked_at = now() where id = ${owner.id}`)
    await deliver()
    expect(target.received).toEqual([])
  })
})
