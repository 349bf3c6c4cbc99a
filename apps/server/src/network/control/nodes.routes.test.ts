import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Input, type nodeControl, UNKNOWN_AREA } from '@tidenet/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { healthText } from '../nodes/signatures.ts'
import { notifyNodes } from '../nodes/work-signal.ts'
import { probeDue, probeNode } from './reachability.ts'
import { type Registration, sampleRegistration, signedBy, sampleStats as stats } from './sample-registration.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

const newNode = (...how: [more?: Partial<Registration>, keys?: Keys]) => sampleRegistration(env, ...how)
type Keys = ReturnType<typeof sampleRegistration>['keys']

const heartbeat = (node: { token: string }, more: Partial<Input<typeof nodeControl.heartbeat>> = {}) =>
  env.call('nodeControl.heartbeat', { stats, time: env.clock.now(), ...more }, node)

const statusOf = async (id: string) =>
  (await env.db.one<{ status: string }>(sql`select status from nodes where id = ${id}`)).status

/** A content stored on the node. */
async function heldBy(node: { id: string }): Promise<string> {
  const cid = `work-${randomUUID()}`
  await env.db.run(sql`
    insert into contents (cid, hash, kind, size, blocks, created_at) values (${cid}, '', 'file', 5, 1, ${new Date()})`)
  await env.db.run(
    sql`insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${node.id}, 'stored', ${new Date()})`,
  )
  return cid
}

/** Inserts a wanted replica and notifies the node, as the scheduler does. */
const want = (cid: string, node: { id: string }) =>
  env.db.transaction(async (tx) => {
    await tx.run(
      sql`insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${node.id}, 'wanted', ${new Date()})`,
    )
    await notifyNodes(tx, [node.id])
  })

describe('registration', () => {
  it('returns an id derived from the key, a token, and the public keys of tokens', async () => {
    const { input } = newNode()
    const { data } = await env.call('nodeControl.register', input)
    expect(data.node_id).toMatch(/^e_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(data.keys).toEqual([expect.objectContaining({ kty: 'OKP', crv: 'Ed25519', kid: expect.any(String) })])
    expect(data.keys[0]).not.toHaveProperty('d')
    expect((await heartbeat(data)).code).toBe(0)
    expect(await statusOf(data.node_id)).toBe('online')
  })

  it('updates a node that registers again', async () => {
    const { input, keys } = newNode()
    const first = await env.call('nodeControl.register', input)
    env.pass(1000)
    const again = newNode({ name: 'renamed', area_id: 'Europe-France-Paris-Paris' }, keys)
    const second = await env.call('nodeControl.register', again.input)
    expect(second.data.node_id).toBe(first.data.node_id)
    const row = await env.db.one(sql`select name, country from nodes where id = ${first.data.node_id}`)
    expect(row).toEqual({ name: 'renamed', country: 'France' })
  })

  it('of a node that does not say where it is puts it into the country of its address', async () => {
    const { input } = newNode({ area_id: UNKNOWN_AREA, latitude: 0, longitude: 0, url: 'http://193.99.144.80:9000' })
    const { data } = await env.call('nodeControl.register', input, { ip: '193.99.144.80' })
    const row = await env.db.one(sql`select country, latitude, longitude from nodes where id = ${data.node_id}`)
    expect(row).toEqual({ country: 'Germany', latitude: 51, longitude: 10 })
  })

  it('accepts candidates and validators with the join token', async () => {
    for (const kind of ['candidate', 'validator'] as const) {
      const { input } = newNode({ kind })
      const { data } = await env.call('nodeControl.register', { ...input, join_token: 'join' })
      expect(data.node_id.slice(0, 2)).toBe('c_')
    }
  })

  it.each([
    ['changed after signing', (input: Registration) => ({ ...input, url: 'http://198.51.100.1:80' })],
    ['with an empty signature', (input: Registration) => ({ ...input, signature: '' })],
    ['with a signature of noise', (input: Registration) => ({ ...input, signature: 'A'.repeat(86) })],
    [
      'with another spelling of its key',
      (input: Registration) => ({ ...input, public_key: respelled(input.public_key) }),
    ],
  ])('refuses a registration %s', async (_, change) => {
    expect((await env.call('nodeControl.register', change(newNode().input))).err).toBe(1021)
  })

  it('refuses a proof that is more than five minutes old or in the future', async () => {
    for (const off of [-301_000, 301_000]) {
      const { input } = newNode({ time: env.clock.now() + off })
      expect((await env.call('nodeControl.register', input)).err).toBe(1021)
    }
  })

  it('reports a wrong clock, its offset and the server time, only to the owner of the key', async () => {
    for (const [off, en, cn] of [
      [2 * 3600_000, /clock.* 2 hours ahead/, /时钟.*快 2 小时/],
      [-3 * 24 * 3600_000, /clock.* 3 days behind/, /时钟.*慢 3 天/],
    ] as const) {
      const { input } = newNode({ time: env.clock.now() + off })
      const refused = await env.call('nodeControl.register', input)
      expect(refused).toMatchObject({
        code: -1,
        err: 1021,
        data: { server_time: expect.closeTo(env.clock.now(), -4) },
      })
      expect(refused.msg).toMatch(en)
      expect((await env.call('nodeControl.register', input, { lang: 'cn' })).msg).toMatch(cn)
      const forged = await env.call('nodeControl.register', { ...input, signature: 'AAAA' })
      expect(forged).not.toHaveProperty('data')
      expect(forged.msg).not.toMatch(/clock/)
    }
  })

  it('refuses a proof that was used before', async () => {
    const { input } = newNode()
    expect((await env.call('nodeControl.register', input)).code).toBe(0)
    expect((await env.call('nodeControl.register', input)).err).toBe(1021)
  })

  it('refuses candidates and validators without the join token, or if none is configured', async () => {
    const closed = await setup({ joinToken: '' })
    for (const kind of ['candidate', 'validator'] as const)
      for (const [where, join_token] of [
        [env, ''],
        [env, 'wrong'],
        [closed, ''],
      ] as const) {
        const answer = await where.call('nodeControl.register', { ...newNode({ kind }).input, join_token })
        expect(answer.err).toBe(1028)
      }
    await closed.close()
  })

  it('refuses a key that is registered with another kind of id', async () => {
    const { input, keys } = newNode()
    await env.call('nodeControl.register', input)
    const other = newNode({ kind: 'candidate' }, keys)
    expect((await env.call('nodeControl.register', { ...other.input, join_token: 'join' })).err).toBe(1028)
  })

  it.each([
    { url: 'http://user:secret@198.51.100.1/' },
    { url: 'http://198.51.100.1/path' },
    { url: 'file:///etc/passwd' },
    { area_id: "x'; drop table nodes; --" },
    { capacity: -1 },
    { latitude: 91 },
    { cpu_cores: 0 },
  ])('refuses %j', async (wrong) => {
    const { input } = newNode(wrong as Partial<Registration>)
    expect((await env.call('nodeControl.register', input)).err).toBe(1001)
  })
})

describe('a heartbeat', () => {
  it('is recorded', async () => {
    const node = await env.node()
    const answer = await heartbeat(node)
    expect(answer.data).toMatchObject({ work: [], server_time: expect.any(Number) })
    const row = await env.db.one(
      sql`select capacity, used, free, load, send_rate, receive_rate from nodes where id = ${node.id}`,
    )
    expect(row).toEqual({ capacity: 1000, used: 100, free: 900, load: 0.5, send_rate: 20, receive_rate: 10 })
  })

  it('keeps the last measured rates if there are no new ones', async () => {
    const node = await env.node()
    await heartbeat(node)
    await heartbeat(node, { stats: { ...stats, send_rate: 0, receive_rate: 0 } })
    const row = await env.db.one(sql`select send_rate, receive_rate from nodes where id = ${node.id}`)
    expect(row).toEqual({ send_rate: 20, receive_rate: 10 })
  })

  it('is recorded for each of a hundred nodes at once', async () => {
    const nodes = await Promise.all(Array.from({ length: 100 }, () => env.node()))
    const answers = await Promise.all(nodes.map((node, index) => heartbeat(node, { stats: { ...stats, used: index } })))
    expect(answers.every((answer) => answer.code === 0)).toBe(true)
    const rows = await env.db.rows<{ id: string; used: number }>(
      sql`select id, used from nodes where id = any(${nodes.map((node) => node.id)})`,
    )
    const used = new Map(rows.map((row) => [row.id, row.used]))
    expect(nodes.map((node) => used.get(node.id))).toEqual(nodes.map((_, index) => index))
  })

  it('brings a node back online', async () => {
    const node = await env.node({ status: 'offline' })
    await heartbeat(node)
    expect(await statusOf(node.id)).toBe('online')
  })

  it('makes a node with a wrong clock abnormal until the clock is right', async () => {
    const node = await env.node()
    await heartbeat(node, { time: env.clock.now() - 301_000 })
    expect(await statusOf(node.id)).toBe('abnormal')
    await heartbeat(node)
    expect(await statusOf(node.id)).toBe('online')
  })

  it('is answered as soon as there is work', async () => {
    const [source, node] = [await env.node(), await env.node()]
    const cid = await heldBy(source)
    const held = heartbeat(node, { wait: 20 })
    // The heartbeat was recorded; the answer is held now.
    while ((await env.db.maybe(sql`select 1 from nodes where id = ${node.id} and used = ${stats.used}`)) === undefined);
    const started = performance.now()
    await want(cid, node)
    const { data } = await held
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(data.work).toMatchObject([
      { type: 'pull', cid, size: 5, kind: 'file', sources: [{ node_id: source.id, url: 'http://127.0.0.1:9' }] },
    ])
  })

  it('is answered as soon as there is work, also after the LISTEN connection broke', async () => {
    const listeners = () =>
      env.db.rows<{ pid: number }>(sql`
        select pid from pg_stat_activity where datname = current_database() and query = 'listen node_work'`)
    const [old] = await listeners()
    await env.db.rows(sql`select pg_terminate_backend(${old?.pid})`)
    while (!(await listeners()).some(({ pid }) => pid !== old?.pid));
    const [source, node] = [await env.node(), await env.node()]
    const cid = await heldBy(source)
    const held = heartbeat(node, { wait: 20 })
    while ((await env.db.maybe(sql`select 1 from nodes where id = ${node.id} and used = ${stats.used}`)) === undefined);
    const started = performance.now()
    await want(cid, node)
    expect((await held).data.work).toHaveLength(1)
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('is answered without work after its wait', async () => {
    const node = await env.node()
    expect((await heartbeat(node, { wait: 0.2 })).data.work).toEqual([])
  })

  it('is answered without work as soon as the server stops', async () => {
    const closing = await setup()
    const node = await closing.node()
    const held = closing.call(
      'nodeControl.heartbeat',
      { stats, time: closing.clock.now(), wait: 30 },
      { token: node.token },
    )
    while (
      (await closing.db.maybe(sql`select 1 from nodes where id = ${node.id} and used = ${stats.used}`)) === undefined
    );
    const started = performance.now()
    await Promise.all([closing.app.close(), held.then(({ data }) => expect(data.work).toEqual([]))])
    expect(performance.now() - started).toBeLessThan(10_000)
    await closing.close()
  })

  it('of an unknown node asks it to register', async () => {
    const node = await env.node()
    await env.db.run(sql`delete from nodes where id = ${node.id}`)
    expect((await heartbeat(node)).code).toBe(401)
  })

  it('is refused without a token, with a forged one, and with a person’s token', async () => {
    const person = await env.person()
    for (const token of [undefined, 'x', person.token])
      expect((await env.call('nodeControl.heartbeat', { stats, time: 0 }, { token })).code).toBe(401)
  })

  it.each([{ used: -1 }, { load: 2 }, { free: 2 ** 60 }, { capacity: Number.NaN }])(
    'is refused with %j',
    async (wrong) => {
      const node = await env.node()
      expect((await heartbeat(node, { stats: { ...stats, ...wrong } })).err).toBe(1001)
    },
  )
})

describe('reachability', () => {
  /** A node that answers health checks with `answer`. */
  async function listening(
    answer: (nonce: string, node: { id: string; keys: ReturnType<typeof newNode>['keys'] }) => unknown,
  ) {
    let node = { id: '', keys: generateKeyPairSync('ed25519') }
    const server = createServer((request, reply) => {
      const nonce = new URL(request.url ?? '', 'http://x').searchParams.get('nonce') ?? ''
      const made = answer(nonce, node)
      if (typeof made === 'string' && made.startsWith('http')) reply.writeHead(302, { location: made }).end()
      else reply.end(typeof made === 'string' ? made : JSON.stringify(made))
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { input, keys } = newNode({ url })
    node = { id: '', keys }
    const { data } = await env.call('nodeControl.register', input)
    node.id = data.node_id
    return { ...node, url }
  }
  const reachable = async (id: string) => {
    await env.db.run(sql`update nodes set reachable = false where id = ${id}`)
    await probeNode(env.context, id)
    return (await env.db.one<{ reachable: boolean }>(sql`select reachable from nodes where id = ${id}`)).reachable
  }
  const honest = (nonce: string, node: { id: string; keys: { privateKey: KeyObject } }) => ({
    node_id: node.id,
    signature: signedBy(healthText(node.id, nonce), node.keys.privateKey),
    version: '1',
  })

  it('is confirmed when the node answers with its signature', async () => {
    const node = await listening(honest)
    expect(await reachable(node.id)).toBe(true)
  })

  it('is checked again later', async () => {
    const node = await listening(honest)
    await env.db.run(sql`update nodes set reachable = false where id = ${node.id}`)
    env.pass(60_000)
    await probeDue(env.context)
    const row = await env.db.one(sql`select reachable from nodes where id = ${node.id}`)
    expect(row).toEqual({ reachable: true })
  })

  it.each<[string, Parameters<typeof listening>[0]]>([
    ['signs another nonce', (_, node) => honest('other', node)],
    ['names another node', (nonce, node) => ({ ...honest(nonce, node), node_id: 'e_other' })],
    ['signs with another key', (nonce, node) => honest(nonce, { ...node, keys: generateKeyPairSync('ed25519') })],
    ['answers at great length', () => 'x'.repeat(100_000)],
    ['sends elsewhere', () => 'http://127.0.0.1:9/'],
    ['answers nonsense', () => 'nonsense'],
  ])('is not confirmed when the node %s', async (_, answer) => {
    const node = await listening(answer)
    expect(await reachable(node.id)).toBe(false)
  })

  it('is not checked at private addresses unless the configuration allows it', async () => {
    const node = await listening(honest)
    const strict = { ...env.context, config: { ...env.context.config, privateNodes: false } }
    const found = async () => await env.db.one(sql`select reachable from nodes where id = ${node.id}`)
    // The check after the registration does not request it either.
    for (const url of [`${node.url}/`, node.url.replace('127.0.0.1', 'localhost')]) {
      await env.db.run(sql`update nodes set url = ${url} where id = ${node.id}`)
      await probeNode(env.context, node.id)
      expect(await found()).toEqual({ reachable: true })
      await probeNode(strict, node.id)
      expect(await found()).toEqual({ reachable: false })
    }
  })
})

/** Another base64url text of the same 32 bytes: the low bits of the last character are unused. */
function respelled(key: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = alphabet.indexOf(key.at(-1) as string)
  return key.slice(0, -1) + alphabet[last ^ 1]
}
