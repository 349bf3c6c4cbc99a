import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { watch } from '../audits/watch.ts'
import { place } from './place.ts'
import { SIZE, samplePlacement } from './sample-placement.fixture.ts'

// Each test has its own database, because the scheduler processes all contents in it.
let env: TestEnv
let person: Person
beforeEach(async () => {
  env = await setup()
  person = await env.person()
})
afterEach(() => env.close())
const { file, heartbeat, report, states, counts, work } = samplePlacement(
  () => env,
  () => person,
)

describe('a pull', () => {
  it('that fails is retried later, and placed elsewhere after the fifth failure', async () => {
    const [holder, node] = [await env.node(), await env.node()]
    const cid = await file([holder])
    await place(env.context)
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await heartbeat(node)).toHaveLength(1)
      await report(node, cid, 'failed')
      expect(await heartbeat(node)).toEqual([])
      if (attempt < 5) env.pass(60_000)
    }
    expect(await states(cid)).toMatchObject({ [node.id]: 'lost' })
    await heartbeat(holder)
    await place(env.context)
    expect(await counts(cid)).toEqual({ wanted: 1, stored: 1 })
  })

  it('in backoff is retried after a minute, or as soon as the node has finished another pull', async () => {
    const [holder, node] = [await env.node(), await env.node()]
    const cid = await file([holder])
    await place(env.context)
    const failFor = async (attempts: number) => {
      for (let attempt = 0; attempt < attempts; attempt++) {
        await heartbeat(node)
        await report(node, cid, 'failed')
        if (attempt < attempts - 1) env.pass(60_000)
      }
      expect(await states(cid)).toMatchObject({ [node.id]: 'lost' })
    }
    const lookAgain = async () => {
      await Promise.all([heartbeat(holder), heartbeat(node, { room: 0 })])
      await watch(env.context)
      await place(env.context)
      return (await states(cid))[node.id]
    }
    await failFor(5)
    expect(await lookAgain()).toBe('lost')
    env.pass(60_000)
    expect(await lookAgain()).toBe('wanted')
    await failFor(1)
    env.pass(60_000)
    expect(await lookAgain()).toBe('lost')
    const other = await file([holder])
    await place(env.context)
    expect(await heartbeat(node)).toMatchObject([{ type: 'pull', cid: other }])
    await report(node, other, 'stored', { source: holder.id })
    expect(await lookAgain()).toBe('wanted')
  })

  it('that finds a full disk is not a failed try, and is repeated once there is space', async () => {
    const [holder, node] = [await env.node(), await env.node()]
    const cid = await file([holder])
    await place(env.context)
    for (let attempt = 1; attempt <= 10; attempt++) {
      expect(await heartbeat(node)).toHaveLength(1)
      await report(node, cid, 'failed', { full: true })
      env.pass(31_000)
      await Promise.all([heartbeat(holder), heartbeat(node, { room: 0 })])
      await place(env.context)
    }
    await heartbeat(node)
    await report(node, cid, 'failed', { full: true })
    // The node reports a full disk and gets no pulls until it reports free space.
    await heartbeat(node, { room: 0, free: 0 })
    await place(env.context)
    expect(await states(cid)).toEqual({ [holder.id]: 'stored' })
    env.pass(31_000)
    await Promise.all([heartbeat(holder), heartbeat(node, { room: 0, free: 0 })])
    await place(env.context)
    expect(await counts(cid)).toEqual({ wanted: 1, stored: 1 })
    env.pass(31_000)
    await Promise.all([heartbeat(holder), heartbeat(node, { room: 0 })])
    await place(env.context)
    await work(node)
    expect(await counts(cid)).toEqual({ wanted: 2, stored: 2 })
  })

  it('whose lease expires is claimed again; a renewed one is not', async () => {
    const [holder, node] = [await env.node(), await env.node()]
    const cid = await file([holder])
    await place(env.context)
    expect(await heartbeat(node)).toHaveLength(1)
    env.pass(50_000)
    expect(await heartbeat(node, { pulling: [cid] })).toEqual([])
    env.pass(50_000)
    await Promise.all([heartbeat(holder), heartbeat(node, { room: 0 })])
    await watch(env.context)
    expect(await states(cid)).toMatchObject({ [node.id]: 'pulling' })
    env.pass(70_000)
    await Promise.all([heartbeat(holder), heartbeat(node, { room: 0 })])
    await watch(env.context)
    expect(await states(cid)).toMatchObject({ [node.id]: 'wanted' })
  })

  it('of the wrong size does not count', async () => {
    const [holder, node] = [await env.node(), await env.node()]
    const cid = await file([holder])
    await place(env.context)
    await heartbeat(node)
    await report(node, cid, 'stored', { size: SIZE + 1 })
    expect(await states(cid)).toMatchObject({ [node.id]: 'wanted' })
  })

  it('that reports a bad source has it audited and lowers its quality', async () => {
    const [holder, node] = [await env.node(), await env.node()]
    await env.node({ kind: 'validator' })
    const cid = await file([holder])
    await place(env.context)
    await heartbeat(node)
    await report(node, cid, 'failed', { bad_sources: [{ node_id: holder.id, error: 'wrong bytes' }] })
    expect(await env.db.rows(sql`select cid, node_id, state from audits`)).toEqual([
      { cid, node_id: holder.id, state: 'open' },
    ])
    expect(
      (await env.db.one<{ quality: number }>(sql`select quality from nodes where id = ${holder.id}`)).quality,
    ).toBeCloseTo(0.98)
  })

  it('of a new edge that reports a bad source has it audited, and lowers no quality', async () => {
    const [holder, edge] = [await env.node(), await env.node({ kind: 'edge' })]
    await env.node({ kind: 'validator' })
    const cid = await file([holder])
    await env.db.run(sql`
      insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${edge.id}, 'pulling', ${new Date(env.clock.now())})`)
    await report(edge, cid, 'failed', { bad_sources: [{ node_id: holder.id, error: 'a lie' }] })
    expect(await env.db.rows(sql`select node_id from audits`)).toEqual([{ node_id: holder.id }])
    expect(await env.db.one(sql`select quality from nodes where id = ${holder.id}`)).toEqual({ quality: 1 })
  })

  it('that reports a bad source again and again has few of its copies audited', async () => {
    const [holder, node] = [await env.node(), await env.node()]
    await env.node({ kind: 'validator' })
    for (let index = 0; index < 15; index++) await file([holder])
    await place(env.context)
    for (const { cid } of await heartbeat(node, { room: 64 }))
      await report(node, cid as string, 'failed', { bad_sources: [{ node_id: holder.id, error: 'a lie' }] })
    expect(await env.db.one(sql`select count(*) as audits from audits`)).toEqual({ audits: 10 })
  })

  it('is limited by the capacity of the node’s queue', async () => {
    const [holder, node] = [await env.node(), await env.node()]
    for (let index = 0; index < 5; index++) await file([holder])
    await place(env.context)
    expect(await heartbeat(node, { room: 0 })).toEqual([])
    expect(await heartbeat(node, { room: 2 })).toHaveLength(2)
    expect(await heartbeat(node)).toHaveLength(3)
  })

  it('is claimed once, however many heartbeats arrive at the same time', async () => {
    const [holder, node] = [await env.node(), await env.node()]
    await file([holder])
    await place(env.context)
    const given = await Promise.all(Array.from({ length: 20 }, () => heartbeat(node)))
    expect(given.flat()).toHaveLength(1)
  })
})

describe('a report of replicas', () => {
  it('about contents without a replica on the node changes nothing', async () => {
    const [holder, liar] = [await env.node(), await env.node()]
    const cid = await file([holder])
    const { data } = await report(liar, cid, 'stored')
    expect(data.known).toBe(0)
    expect(await states(cid)).toEqual({ [holder.id]: 'stored' })
  })

  it('cannot change replicas of another node', async () => {
    const [holder, liar] = [await env.node(), await env.node()]
    const cid = await file([holder])
    await report(liar, cid, 'missing')
    await report(liar, cid, 'failed', { bad_sources: [{ node_id: holder.id, error: 'a lie' }] })
    expect(await states(cid)).toEqual({ [holder.id]: 'stored' })
    expect(await env.db.one(sql`select quality from nodes where id = ${holder.id}`)).toEqual({ quality: 1 })
  })

  it('with SQL as CID changes nothing', async () => {
    const { code, data } = await report(await env.node(), "'; delete from replicas; --", 'removed')
    expect([code, data.known]).toEqual([0, 0])
  })

  it.each([{ size: -1 }, { size: 10 ** 60 }])('is refused with %j', async (wrong) => {
    expect((await report(await env.node(), 'c', 'stored', wrong)).err).toBe(1001)
  })

  it('is refused from people', async () => {
    expect((await env.call('nodeControl.replicas', { results: [] }, person)).code).toBe(401)
  })
})
