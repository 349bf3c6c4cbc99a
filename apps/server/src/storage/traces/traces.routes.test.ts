import { randomUUID } from 'node:crypto'
import type { contract, Input } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type As, type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { openTrace } from './service.ts'

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
let cid: string
beforeAll(async () => {
  env = await setup()
  node = await env.node()
  cid = randomUUID()
  const at = new Date(env.clock.now())
  await env.db.run(sql`
    insert into contents (cid, hash, kind, size, blocks, created_at) values (${cid}, '', 'file', 10, 1, ${at})`)
  await env.db.run(
    sql`insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${node.id}, 'stored', ${at})`,
  )
})
afterAll(() => env.close())

const opened = (person?: Person) =>
  openTrace(env.db, {
    userId: person?.id,
    account: person?.uid ?? `temp:${cid}`,
    kind: 'download',
    cid,
    name: 'a.txt',
    offered: [node.id],
    at: new Date(env.clock.now()),
  })
type Report = Input<typeof contract.traces.report>
const report = (trace_id: string, as: As = {}, more: Partial<Report> = {}) =>
  env.call(
    'traces.report',
    { trace_id, state: 1, transfer_type: 'download', cost_ms: 100, total_size: 1000, rate: 10_000, ...more },
    as,
  )
const read = async (trace_id: string, as: As = {}) => (await env.call('traces.get', { trace_id }, as)).data
const detail = (more: object = {}) => ({
  node_id: node.id,
  state: 1,
  size: 10,
  start_at: 5,
  end_at: 9,
  status_code: 200,
  ...more,
})
const quality = async (id = node.id) =>
  (await env.db.one<{ quality: number }>(sql`select quality from nodes where id = ${id}`)).quality

describe('reporting a transfer', () => {
  it('stores the report with every node that was tried', async () => {
    const person = await env.person()
    const id = await opened(person)
    const tries = [detail({ state: 2, status_code: 500, error: 'no answer' }), detail()]
    const answer = await report(id, person, { details: tries, node_id: node.id, first_byte_time: 12, log: '{"a":1}' })
    expect(answer).toMatchObject({ code: 0, data: { trace_id: id } })
    expect(await read(id, person)).toMatchObject({
      trace_id: id,
      cid,
      name: 'a.txt',
      transfer_type: 'download',
      state: 1,
      rate: 10_000,
      cost_ms: 100,
      total_size: 1000,
      first_byte_time: 12,
      node_id: node.id,
      log: '{"a":1}',
      details: tries,
    })
  })

  it('names the nodes that have a name', async () => {
    const person = await env.person()
    const id = await opened(person)
    const named = await env.node()
    await env.db.run(sql`update nodes set name = 'shelf' where id = ${named.id}`)
    await env.db.run(sql`update nodes set name = '' where id = ${node.id}`)
    await report(id, person, { details: [detail(), detail({ node_id: named.id })] })
    expect((await read(id, person)).names).toEqual({ [named.id]: 'shelf' })
  })

  it('opens a trace for an account that names none', async () => {
    const person = await env.person()
    const { data } = await report('', person, { transfer_type: 'upload' })
    expect(data.trace_id).toMatch(/^t[a-z2-7]{26}$/)
    expect(await read(data.trace_id, person)).toMatchObject({ transfer_type: 'upload', state: 1 })
  })

  it('accepts reports of a running transfer until the first final one', async () => {
    const person = await env.person()
    const id = await opened(person)
    await report(id, person, { state: 0, total_size: 1 })
    await report(id, person, { state: 1, total_size: 2 })
    await report(id, person, { state: 2, total_size: 3 })
    expect(await read(id, person)).toMatchObject({ state: 1, total_size: 2 })
  })

  it('accepts one report of an anonymous transfer from anyone who knows its id', async () => {
    const id = await opened()
    await report(id, {}, { total_size: 5 })
    await report(id, await env.person(), { total_size: 6, state: 2 })
    expect(await read(id)).toMatchObject({ total_size: 5, state: 1 })
  })

  it('normalizes impossible numbers', async () => {
    const person = await env.person()
    const id = await opened(person)
    const answer = await report(id, person, {
      cost_ms: 0,
      rate: 1e300,
      total_size: -5,
      first_byte_time: 'soon' as never,
      available_bandwidth: Number.MAX_VALUE,
      details: [detail({ start_at: 9.5, end_at: 1, error: 'ab\ud800' })],
      log: '\ud800',
    })
    expect(answer.code).toBe(0)
    expect(await read(id, person)).toMatchObject({
      rate: 0,
      total_size: 0,
      first_byte_time: 0,
      details: [{ start_at: 9, end_at: 9, error: 'ab\ufffd' }],
    })
  })

  it('stores only nodes that exist', async () => {
    const person = await env.person()
    const id = await opened(person)
    await report(id, person, {
      node_id: `nobody,${node.id},'; drop table nodes; --`,
      details: [detail({ node_id: 'nobody' }), detail()],
    })
    const trace = await read(id, person)
    expect(trace.node_id).toBe(node.id)
    expect(trace.details).toHaveLength(1)
  })

  it('stores one of fifty simultaneous reports', async () => {
    const id = await opened()
    const before = await quality()
    await Promise.all(Array.from({ length: 50 }, () => report(id, {}, { details: [detail({ state: 2 })], state: 2 })))
    expect(before - (await quality())).toBeLessThan(0.03)
  })

  it('lowers the quality of a node a little, and not below the floor', async () => {
    await env.db.run(sql`update nodes set quality = 1 where id = ${node.id}`)
    const failed = { state: 2, details: Array.from({ length: 100 }, () => detail({ state: 2, status_code: 500 })) }
    await report(await opened(), { ip: '10.1.0.1' }, failed)
    expect(await quality()).toBeCloseTo(0.98)
    for (let index = 0; index < 60; index++) await report(await opened(), { ip: `10.1.1.${index}` }, failed)
    expect(await quality()).toBeCloseTo(0.5)
    await report(await opened(), { ip: '10.1.2.1' }, { details: [detail()] })
    expect(await quality()).toBeGreaterThan(0.5)
  })

  it('changes a node once an hour for one client network, and for one account', async () => {
    const failed = { state: 2, details: [detail({ state: 2 })] }
    const reset = () => env.db.run(sql`update nodes set quality = 1 where id = ${node.id}`)
    const [one, other] = [await env.person(), await env.person()]
    await reset()
    for (const person of [one, other, one, other])
      await report(await opened(person), { ...person, ip: '10.2.0.1' }, failed)
    expect(await quality()).toBeCloseTo(0.98)
    await reset()
    const person = await env.person()
    for (let index = 0; index < 5; index++)
      await report(await opened(person), { ...person, ip: `10.2.1.${index}` }, failed)
    expect(await quality()).toBeCloseTo(0.98)
    env.pass(3600_000)
    await report(await opened(person), { token: await env.key(person, 'admin'), ip: '10.2.1.1' }, failed)
    expect(await quality()).toBeCloseTo(0.98 ** 2)
  })

  it('changes the node of an upload', async () => {
    const person = await env.person()
    const failed = { state: 2, details: [detail({ state: 2 })] }
    await env.db.run(sql`update nodes set quality = 1 where id = ${node.id}`)
    const { TraceID: traceId } = (await env.call('uploads.info', { size: 10 }, person)).data
    await env.db.run(sql`update traces set cid = ${cid} where id = ${traceId}`)
    await report(traceId, person, { ...failed, transfer_type: 'upload' })
    expect(await quality()).toBeCloseTo(0.98)
  })

  it('changes a node once an hour for all addresses of an IPv6 /48', async () => {
    const failed = { state: 2, details: [detail({ state: 2 })] }
    await env.db.run(sql`update nodes set quality = 1 where id = ${node.id}`)
    for (let index = 1; index < 9; index++) await report(await opened(), { ip: `2001:db8:7:${index}::1` }, failed)
    expect(await quality()).toBeCloseTo(0.98)
  })

  it('changes nothing of a node that was not offered for the transfer, although it has the content', async () => {
    const failed = { state: 2, details: [detail({ state: 2 })] }
    await env.db.run(sql`update nodes set quality = 1 where id = ${node.id}`)
    for (const transfer_type of ['download', 'upload'] as const)
      await report('', await env.person(), { ...failed, transfer_type, cid })
    const traceId = await opened()
    await env.db.run(sql`update traces set offered = ${['e_other']} where id = ${traceId}`)
    await report(traceId, { ip: '2001:db8:a::1' }, failed)
    expect(await quality()).toBe(1)
    await report(await opened(), { ip: '2001:db8:b::1' }, failed)
    expect(await quality()).toBeLessThan(1)
  })

  it('changes nothing of a node that belongs to the reporter', async () => {
    const owner = await env.person()
    await env.db.run(sql`update nodes set quality = 0.8, rate = 0, owner_id = ${owner.id} where id = ${node.id}`)
    const fast = { details: [detail({ size: 10_000_000, start_at: 0, end_at: 1 })] }
    await report(await opened(owner), { ...owner, ip: '10.3.0.1' }, fast)
    expect(await env.db.one(sql`select quality, rate from nodes where id = ${node.id}`)).toEqual({
      quality: 0.8,
      rate: 0,
    })
    await env.db.run(sql`update nodes set owner_id = null where id = ${node.id}`)
  })

  it('moves the measured rate of a node by at most a half for each reporter and hour', async () => {
    await env.db.run(sql`update nodes set rate = 1000000 where id = ${node.id}`)
    const rate = async () =>
      (await env.db.one<{ rate: number }>(sql`select rate from nodes where id = ${node.id}`)).rate
    const measured = (bytesPerMs: number) => ({
      details: [detail({ size: bytesPerMs * 1000, start_at: 0, end_at: 1000 })],
    })
    for (let index = 0; index < 20; index++) await report(await opened(), { ip: '10.4.0.1' }, measured(1e9))
    expect(await rate()).toBeCloseTo(1_500_000)
    await report(await opened(), { ip: '10.4.0.2' }, measured(1e9))
    expect(await rate()).toBeCloseTo(2_250_000)
    // Small transfers measure the delay only.
    await report(await opened(), { ip: '10.4.0.3' }, { details: [detail({ size: 1000, start_at: 0, end_at: 1000 })] })
    expect(await rate()).toBeCloseTo(2_250_000)
    for (let index = 0; index < 60; index++) await report(await opened(), { ip: `10.4.1.${index}` }, measured(5000))
    expect((await rate()) / 5_000_000).toBeCloseTo(1, 1)
  })

  it('does not change nodes that are not involved with the content', async () => {
    const other = await env.node()
    await report(await opened(), {}, { state: 2, details: [detail({ node_id: other.id, state: 2 })] })
    expect(await quality(other.id)).toBe(1)
  })

  it('refuses traces of other accounts, unknown traces, and visitors without a trace', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const id = await opened(owner)
    for (const as of [other, {}, { token: 'x' }]) expect((await report(id, as, { user_id: owner.uid })).err).toBe(1028)
    for (const unknown of [`t${'a'.repeat(26)}`, "' or '1'='1"]) expect((await report(unknown, owner)).err).toBe(1028)
    expect((await report('')).err).toBe(1028)
    expect(await read(id, owner)).toMatchObject({ state: 0 })
  })

  it.each<Partial<Report>>([
    { state: 3 },
    { transfer_type: 'sideways' as never },
    { trace_id: 'x'.repeat(81) },
    { details: Array.from({ length: 2001 }, () => ({ node_id: 'a', state: 1 })) },
    { log: 'x'.repeat(4001) },
  ])('is refused when a field is out of bounds (%#)', async (wrong) => {
    expect((await report('', await env.person(), wrong)).err).toBe(1001)
  })
})

describe('listing transfers', () => {
  it('lists the newest first, in pages', async () => {
    const person = await env.person()
    const ids: string[] = []
    for (let index = 0; index < 3; index++) {
      env.pass(1000)
      ids.unshift(await opened(person))
      await report(ids[0]!, person)
    }
    const { data } = await env.call('traces.list', { page: 1, page_size: 2 }, person)
    expect(data.total).toBe(3)
    expect(data.list.map((trace) => trace.trace_id)).toEqual(ids.slice(0, 2))
    const rest = await env.call('traces.list', { page: 2, page_size: 2 }, person)
    expect(rest.data.list.map((trace) => trace.trace_id)).toEqual(ids.slice(2))
  })

  it('omits downloads that never started', async () => {
    const person = await env.person()
    const asked = await opened(person)
    const listed = async () => {
      const { data } = await env.call('traces.list', {}, person)
      expect(data.total).toBe(data.list.length)
      return data.list.map(({ trace_id }) => trace_id)
    }
    expect(await listed()).toEqual([])
    expect(await read(asked, person)).toMatchObject({ trace_id: asked, state: 0 })
    await env.db.run(sql`update traces set node_bytes = 5 where id = ${asked}`)
    expect(await listed()).toEqual([asked])
    for (const more of [
      { state: 2, total_size: 0 },
      { state: 0, total_size: 7 },
    ]) {
      const running = await opened(person)
      await report(running, person, more)
      expect(await listed()).toContain(running)
    }
    expect(await listed()).toHaveLength(3)
  })

  it('omits uploads whose client asked for nodes and never came back', async () => {
    const person = await env.person()
    const { TraceID: trace_id } = (await env.call('uploads.info', { size: 10 }, person)).data
    const listed = async () => (await env.call('traces.list', {}, person)).data
    expect(await listed()).toMatchObject({ list: [{ trace_id, state: 0 }], total: 1 })
    env.pass(3_600_000)
    expect(await listed()).toEqual({ list: [], total: 0 })
    expect(await read(trace_id, person)).toMatchObject({ trace_id })
    await report(trace_id, person, { state: 2, transfer_type: 'upload' })
    expect(await listed()).toMatchObject({ list: [{ trace_id, state: 2 }], total: 1 })
  })

  it('does not reveal the owner', async () => {
    const person = await env.person()
    const trace = await read(await opened(person), person)
    expect(JSON.stringify(trace)).not.toContain(person.email)
    expect(trace).not.toHaveProperty('user_id')
  })

  it('does not show transfers to other accounts', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const id = await opened(owner)
    for (const as of [other, {}]) expect((await env.call('traces.get', { trace_id: id }, as)).err).toBe(1000)
    expect((await env.call('traces.list', {}, other)).data.list).toEqual([])
    expect((await env.call('traces.list', {})).code).toBe(401)
  })

  it('returns 404 for an id that contains SQL', async () => {
    expect((await env.call('traces.get', { trace_id: "' or true --" })).err).toBe(1000)
  })
})
