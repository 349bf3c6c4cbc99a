import { randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import type { NodeWork } from '@tidenet/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watch } from '../../network/audits/watch.ts'
import { place } from '../../network/placement/place.ts'
import { DAY } from '../../platform/ago.ts'
import { sql } from '../../platform/db/sql.ts'
import { clean, type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sendHeartbeat } from '../control/sample-registration.fixture.ts'
import { nodeToken } from '../nodes/node-session.ts'
import { timesOf } from '../nodes/times.ts'
import type { Demand } from './demand.ts'
import { placeDue } from './place.ts'

// Each test has its own database, because the scheduler processes all contents in it.
let env: TestEnv
let person: Person
beforeEach(async () => {
  env = await setup()
  person = await env.person()
})
afterEach(() => env.close())

type Node = Awaited<ReturnType<TestEnv['node']>>
const times = timesOf({ pace: 'quick' })
const SIZE = 10

/** A file of the person on some nodes; restricted to `areas` if given. */
async function file(holders: readonly Node[], more: { areas?: string[]; owner?: Person } = {}): Promise<string> {
  const owner = more.owner ?? person
  const cid = (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
  for (const node of holders) {
    const receipts = [await node.receipt({ sub: owner.uid, cid, size: SIZE })]
    await call(node, (token) => env.call('nodeControl.receipts', { receipts }, { token }))
  }
  await listed(cid, owner, more.areas)
  return cid
}

const listed = (cid: string, owner: Person, areas: string[] = []) =>
  env.db.run(sql`
    insert into assets (user_id, cid, kind, name, size, areas, created_at, expires_at)
    values (${owner.id}, ${cid}, 'file', 'a', ${SIZE}, ${areas}, ${new Date(env.clock.now())}, ${new Date(env.clock.now() + 549 * DAY)})`)

/** Calls with a new token, because tests move the clock. */
const call = async <T>(node: Node, run: (token: string) => Promise<T>) => run(await nodeToken(env.context, node.id))

const heartbeat = (node: Node, more?: Parameters<typeof sendHeartbeat>[2]) => sendHeartbeat(env, node, more)
const report = (
  node: Node,
  cid: string,
  state: 'stored' | 'failed' | 'removed' | 'missing',
  more: { size?: number; full?: boolean; source?: string; bad_sources?: { node_id: string; error: string }[] } = {},
) =>
  call(node, (token) => env.call('nodeControl.replicas', { results: [{ cid, state, size: SIZE, ...more }] }, { token }))
const states = async (cid: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (
      await env.db.rows<{ node_id: string; state: string }>(sql`select node_id, state from replicas where cid = ${cid}`)
    ).map(({ node_id, state }) => [node_id, state]),
  )
const counts = (cid: string) =>
  env.db.maybe<{ wanted: number; stored: number }>(sql`select wanted, stored from contents where cid = ${cid}`)

/** Completes all work of a node. */
async function work(node: Node): Promise<void> {
  for (const piece of await heartbeat(node)) {
    if (piece.type === 'pull') await report(node, piece.cid, 'stored')
    if (piece.type === 'remove') await report(node, piece.cid, 'removed')
  }
}

describe('a stored file', () => {
  it('gets a replica on every node that can hold it', async () => {
    const [first, second, edge] = [await env.node(), await env.node(), await env.node({ kind: 'edge' })]
    const validator = await env.node({ kind: 'validator' })
    const cid = await file([first])
    await place(env.context)
    expect(await counts(cid)).toEqual({ wanted: 4, stored: 1 })
    await Promise.all([second, edge].map(work))
    expect(await counts(cid)).toEqual({ wanted: 4, stored: 2 })
    // An edge's copy counts after a passed audit.
    const [audit, pull] = await heartbeat(validator)
    expect(pull).toMatchObject({ type: 'pull', cid })
    await report(validator, cid, 'stored')
    expect(audit).toMatchObject({ type: 'audit', cid, source: { node_id: edge.id } })
    const results = [{ id: audit?.type === 'audit' ? audit.id : '', passed: true, ms: 1 }]
    await call(validator, (token) => env.call('nodeControl.audits', { results }, { token }))
    expect(await counts(cid)).toEqual({ wanted: 4, stored: 4 })
    expect(Object.keys(await states(cid)).sort()).toEqual(
      [first, second, edge, validator].map((node) => node.id).sort(),
    )
  })

  it('gets at most fifty replicas', async () => {
    const nodes = await Promise.all(Array.from({ length: 60 }, () => env.node()))
    const cid = await file(nodes.slice(0, 1))
    await place(env.context)
    expect(await counts(cid)).toMatchObject({ wanted: 50 })
    expect(Object.keys(await states(cid))).toHaveLength(50)
  })

  it('is complete with as many replicas as its owners want', async () => {
    const nodes = [await env.node(), await env.node(), await env.node()]
    const cid = await file(nodes.slice(0, 1))
    const { wantedOf } = env.context.demand
    const demand: Demand = {
      ...env.context.demand,
      wantedOf: async (tx, cids) =>
        new Map([...(await wantedOf(tx, cids))].map(([each, { areas }]) => [each, { areas, target: 2 }])),
    }
    await place({ ...env.context, demand })
    await Promise.all(nodes.slice(1).map(work))
    await env.db.run(sql`update contents set check_at = ${new Date(0)} where cid = ${cid}`)
    await place({ ...env.context, demand })
    await env.node()
    await place({ ...env.context, demand })
    expect(Object.keys(await states(cid))).toHaveLength(2)
    expect(
      await env.db.maybe(sql`select wanted, stored, below_target, check_at from contents where cid = ${cid}`),
    ).toEqual({ wanted: 2, stored: 2, below_target: false, check_at: null })
  })

  it('spreads as a tree: few nodes pull at once from one holder', async () => {
    const nodes = await Promise.all(Array.from({ length: 12 }, () => env.node()))
    await file(nodes.slice(0, 1))
    await place(env.context)
    const pulls = []
    for (const node of nodes.slice(1)) pulls.push((await heartbeat(node)).length)
    expect(pulls.filter((count) => count > 0)).toHaveLength(3)
  })

  it('is sent to nodes with reachable sources and their tokens', async () => {
    const [source, hidden, node] = [await env.node(), await env.node(), await env.node()]
    const cid = await file([source, hidden])
    await env.db.run(sql`update nodes set reachable = false where id = ${hidden.id}`)
    await place(env.context)
    const [piece] = await heartbeat(node)
    expect(piece).toMatchObject({ type: 'pull', cid, size: SIZE, kind: 'file' })
    const { sources } = piece as Extract<NodeWork, { type: 'pull' }>
    expect(sources.map((each) => each.node_id)).toEqual([source.id])
    const claims = JSON.parse(Buffer.from(sources[0]?.token.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ typ: 'pull', aud: source.id, cid, iss: 'tidenet' })
  })

  it('stays in the areas its owner chose', async () => {
    const here = await env.node()
    const there = await env.node({ area: 'Asia-Japan-Tokyo-Tokyo' })
    const cid = await file([here], { areas: ['Germany'] })
    await place(env.context)
    expect(await counts(cid)).toEqual({ wanted: 1, stored: 1 })
    expect(await states(cid)).not.toHaveProperty(there.id)
  })

  it('of several owners is wanted in all their areas, and everywhere if one chose none', async () => {
    const nodes = [
      await env.node(),
      await env.node({ area: 'Asia-Japan-Tokyo-Tokyo' }),
      await env.node({ area: 'Europe-France-Paris-Paris' }),
    ]
    const cid = await file(nodes.slice(0, 1), { areas: ['Germany'] })
    await listed(cid, await env.person(), ['Japan'])
    await place(env.context)
    expect(await counts(cid)).toMatchObject({ wanted: 2 })
    await listed(cid, await env.person())
    await env.db.run(sql`update contents set check_at = ${new Date(0)} where cid = ${cid}`)
    await place(env.context)
    expect(await counts(cid)).toMatchObject({ wanted: 3 })
  })

  it('gets a replica on a node that arrives later', async () => {
    const cid = await file([await env.node()])
    await place(env.context)
    expect(await counts(cid)).toEqual({ wanted: 1, stored: 1 })
    env.pass(1000)
    const late = await env.node({ status: 'offline' })
    await heartbeat(late)
    await place(env.context)
    await work(late)
    expect(await counts(cid)).toEqual({ wanted: 2, stored: 2 })
  })
})

describe('a node that goes offline', () => {
  it('is offline after missed heartbeats, and later its replicas are lost', async () => {
    const [gone, stays] = [await env.node(), await env.node()]
    const cid = await file([gone, stays])
    await place(env.context)
    env.pass(times.offlineAfter + 1000)
    await heartbeat(stays)
    await watch(env.context)
    expect(await states(cid)).toMatchObject({ [gone.id]: 'stored' })
    env.pass(times.lostAfter + 1000)
    await heartbeat(stays)
    await watch(env.context)
    expect(await states(cid)).toEqual({ [gone.id]: 'lost', [stays.id]: 'stored' })
    await place(env.context)
    expect(await counts(cid)).toEqual({ wanted: 1, stored: 1 })
  })

  it('is replaced by another', async () => {
    const [gone, stays] = [await env.node(), await env.node()]
    const full = await env.node({ free: 0 })
    const cid = await file([gone, stays])
    await place(env.context)
    await away(gone, [stays, full])
    await heartbeat(full)
    await place(env.context)
    await Promise.all([stays, full].map(work))
    expect(await counts(cid)).toEqual({ wanted: 2, stored: 2 })
    expect(await states(cid)).toMatchObject({ [full.id]: 'stored' })
  })

  it('counts again when it is back, and surplus replicas are removed', async () => {
    const nodes = await Promise.all(Array.from({ length: 51 }, () => env.node()))
    const cid = await file(nodes.slice(0, 50))
    await place(env.context)
    const gone = nodes[0] as Node
    await away(gone, nodes.slice(1))
    await place(env.context)
    await work(nodes[50] as Node)
    expect(await counts(cid)).toEqual({ wanted: 50, stored: 50 })
    await heartbeat(gone)
    expect(await counts(cid)).toMatchObject({ stored: 51 })
    await place(env.context)
    await Promise.all(nodes.map(work))
    await place(env.context)
    expect(await counts(cid)).toEqual({ wanted: 50, stored: 50 })
    expect(Object.values(await states(cid)).every((state) => state === 'stored')).toBe(true)
  })

  it('with the only replica keeps it: the file is available again with the node', async () => {
    const [only, other] = [await env.node(), await env.node()]
    const cid = await file([only])
    await away(only, [other])
    await place(env.context)
    expect(await counts(cid)).toMatchObject({ stored: 0 })
    expect(await heartbeat(other)).toEqual([])
    await heartbeat(only)
    await place(env.context)
    await work(other)
    expect(await counts(cid)).toEqual({ wanted: 2, stored: 2 })
  })

  it('before it has finished a pull is replaced', async () => {
    const [holder, gone] = [await env.node(), await env.node()]
    const cid = await file([holder])
    await place(env.context)
    await heartbeat(gone)
    await away(gone, [holder])
    await place(env.context)
    expect(await states(cid)).toEqual({ [holder.id]: 'stored' })
  })

  async function away(gone: Node, others: readonly Node[]) {
    for (const ms of [times.offlineAfter + 1000, times.lostAfter + 1000]) {
      env.pass(ms)
      await Promise.all(others.map((node) => heartbeat(node, { room: 0 })))
      await watch(env.context)
    }
    expect(await env.db.one(sql`select status from nodes where id = ${gone.id}`)).toEqual({ status: 'offline' })
  }
})

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

describe('a content without owners', () => {
  it('is removed from its nodes and deleted a day after its last receipt', async () => {
    const node = await env.node()
    const cid = await file([node])
    await env.db.run(sql`delete from assets where cid = ${cid}`)
    await place(env.context)
    expect(await states(cid)).toEqual({ [node.id]: 'stored' })
    env.pass(DAY + 1000)
    await place(env.context)
    expect(await heartbeat(node)).toEqual([{ type: 'remove', cid, decided: expect.any(Number) }])
    await report(node, cid, 'removed')
    await place(env.context)
    expect(await counts(cid)).toBeUndefined()
  })

  it('is deleted although a node that stores it is offline; the node learns of it later', async () => {
    const node = await env.node()
    const cid = await file([node])
    await env.db.run(sql`delete from assets where cid = ${cid}`)
    env.pass(DAY + 1000)
    await watch(env.context)
    await place(env.context)
    expect(await counts(cid)).toBeUndefined()
    const inventory = await call(node, (token) =>
      env.call('nodeControl.inventory', { cids: [cid], first: true, last: true }, { token }),
    )
    expect(inventory.data.unwanted).toEqual([cid])
  })

  it('is not retained by an account that announced it without uploading it', async () => {
    const node = await env.node()
    const cid = await file([node])
    await env.db.run(sql`delete from assets where cid = ${cid}`)
    env.pass(DAY + 1000)
    await env.db.run(sql`
      insert into reservations (user_id, cid, folder_id, kind, name, size, encrypted, areas, trace_id, created_at)
      values (${person.id}, ${cid}, 0, 'file', 'a', ${SIZE}, false, '{}', '', ${new Date(env.clock.now())})`)
    await place(env.context)
    expect(await states(cid)).toEqual({ [node.id]: 'removed' })
  })
})

describe('the cleanup deletes', () => {
  it('an expired file from the account and from the nodes', async () => {
    const node = await env.node()
    const cid = await file([node])
    expect((await env.call('usage.storageSize', {}, person)).data).toMatchObject({ UsedSize: SIZE, AssetCount: 1 })
    env.pass(549 * DAY + 1000)
    await clean(env.context)
    await heartbeat(node, { room: 0 })
    await place(env.context)
    expect(await heartbeat(node)).toEqual([{ type: 'remove', cid, decided: expect.any(Number) }])
    const row = await env.db.one(sql`select used_bytes, asset_count from users where id = ${person.id}`)
    expect(row).toEqual({ used_bytes: 0, asset_count: 0 })
  })

  it('a reservation that was not used for a day', async () => {
    await env.db.run(sql`
      insert into reservations (user_id, cid, folder_id, kind, name, size, encrypted, areas, trace_id, created_at)
      values (${person.id}, 'c', 0, 'file', 'a', 77, false, '{}', '', ${new Date(env.clock.now())})`)
    await clean(env.context)
    expect(await env.db.one(sql`select reserved_bytes from users where id = ${person.id}`)).toEqual({
      reserved_bytes: 77,
    })
    env.pass(DAY + 1000)
    await clean(env.context)
    expect(await env.db.one(sql`select reserved_bytes from users where id = ${person.id}`)).toEqual({
      reserved_bytes: 0,
    })
  })

  it('an edge that was never seen again, unless it is owned or may have the last copy', async () => {
    const [dead, owned, last, alive] = await Promise.all(
      Array.from({ length: 4 }, () => env.node({ kind: 'edge', status: 'offline' })),
    )
    const invited = await env.node({ status: 'offline' })
    await env.db.run(sql`update nodes set owner_id = ${person.id} where id = ${owned?.id}`)
    const cid = await file([invited])
    await env.db.run(sql`
      insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${dead?.id}, 'lost', ${new Date()})`)
    const only = await file([invited])
    await env.db.run(sql`update replicas set node_id = ${last?.id}, state = 'lost' where cid = ${only}`)
    env.pass(31 * DAY)
    await heartbeat(alive as Node)
    await clean(env.context)
    const left = await env.db.rows<{ id: string }>(sql`select id from nodes`)
    expect(left.map(({ id }) => id).sort()).toEqual([owned, last, alive, invited].map((node) => node?.id).sort())
    expect(await states(cid)).toEqual({ [invited.id]: 'stored' })
  })

  it('an anonymous file after a day', async () => {
    const node = await env.node()
    const cid = (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
    const receipts = [await node.receipt({ sub: 'temp:x', cid, size: SIZE })]
    await call(node, (token) => env.call('nodeControl.receipts', { receipts }, { token }))
    await env.db.run(sql`
      insert into temp_files (cid, stored, name, size, kind, areas, encrypted, created_at, expires_at)
      values (${cid}, true, 'a', ${SIZE}, 'file', '{}', false, ${new Date(env.clock.now())}, ${new Date(env.clock.now() + DAY)})`)
    await clean(env.context)
    await place(env.context)
    expect(await counts(cid)).toMatchObject({ wanted: 1 })
    env.pass(DAY + 1000)
    await clean(env.context)
    await place(env.context)
    expect(await heartbeat(node)).toEqual([{ type: 'remove', cid, decided: expect.any(Number) }])
  })
})

describe('several schedulers', () => {
  it('share the contents: each is placed once', async () => {
    const [holder] = [await env.node(), await env.node()]
    const cids = []
    for (let index = 0; index < 20; index++) cids.push(await file([holder]))
    const looked = await Promise.all(Array.from({ length: 4 }, () => placeDue(env.context)))
    expect(looked.reduce((sum, count) => sum + count)).toBe(20)
    for (const cid of cids) expect(await counts(cid)).toMatchObject({ wanted: 2 })
  })

  it('and fifty concurrent reports leave the right count', async () => {
    const nodes = await Promise.all(Array.from({ length: 50 }, () => env.node()))
    const cid = await file(nodes.slice(0, 1))
    await place(env.context)
    // All nodes pull and report concurrently while the scheduler keeps running.
    for (let round = 0; round < 30 && (await counts(cid))?.stored !== 50; round++) {
      await env.db.run(sql`update contents set check_at = ${new Date(0)}`)
      await Promise.all([...nodes.map(work), place(env.context), place(env.context)])
    }
    expect(await counts(cid)).toEqual({ wanted: 50, stored: 50 })
    const row = await env.db.one<{ n: number }>(
      sql`select count(*) as n from replicas where cid = ${cid} and state = 'stored'`,
    )
    expect(row.n).toBe(50)
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
