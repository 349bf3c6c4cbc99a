import { randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import type { NodeWork } from '@tidenet/contract'
import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditWaiting } from '../../apps/server/src/network/audits/service.ts'
import { watch } from '../../apps/server/src/network/audits/watch.ts'
import { probeNode } from '../../apps/server/src/network/control/reachability.ts'
import { sampleStats } from '../../apps/server/src/network/control/sample-registration.fixture.ts'
import { nodeToken } from '../../apps/server/src/network/nodes/node-session.ts'
import { timesOf } from '../../apps/server/src/network/nodes/times.ts'
import { place } from '../../apps/server/src/network/placement/place.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { openTrace } from '../../apps/server/src/storage/traces/service.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { type HostileNode, hostileNode } from './hostile-node.ts'

/** Many edges of one attacker against a file on honest nodes. */

let env: TestEnv
let owner: Person
let honest: Honest[]
let validator: Honest
let cid: string
const SIZE = 10
const times = timesOf({ pace: 'quick' })

type Honest = Awaited<ReturnType<TestEnv['node']>>
type Audit = Extract<NodeWork, { type: 'audit' }>

beforeEach(async () => {
  env = await setup()
  owner = await env.person()
  honest = await Promise.all(Array.from({ length: 5 }, () => env.node()))
  validator = await env.node({ kind: 'validator' })
  cid = (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
  for (const node of honest)
    await env.call(
      'nodeControl.receipts',
      { receipts: [await node.receipt({ sub: owner.uid, cid, size: SIZE })] },
      node,
    )
  const at = new Date(env.clock.now())
  await env.db.run(sql`
    insert into assets (user_id, cid, kind, name, size, areas, created_at, expires_at)
    values (${owner.id}, ${cid}, 'file', 'a', ${SIZE}, '{}', ${at}, ${new Date(at.getTime() + 1e10)})`)
  await env.db.run(sql`update nodes set out_since = ${at} where id = ${validator.id}`)
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((node) => node.close()))
  await env.close()
})
const opened: HostileNode[] = []

/** Of one address, reachable, and reporting unlimited space and high speed. */
async function edges(count: number): Promise<HostileNode[]> {
  // One network may bring few new edges a day: the attacker registers them through others.
  const nodes = await Promise.all(
    Array.from({ length: count }, (_, index) => hostileNode(env, { ip: `10.9.${index % 9}.9` })),
  )
  await Promise.all(nodes.map((node) => node.listen(undefined, '127.9.9.1')))
  opened.push(...nodes)
  await Promise.all(nodes.map(({ id }) => probeNode(env.context, id)))
  await Promise.all(nodes.map((node) => boast(node)))
  return nodes
}
const boast = (node: HostileNode, room = 0) =>
  node.heartbeat({ room, stats: { capacity: 1e15, free: 1e15, load: 0, send_rate: 1e12, receive_rate: 1e12 } })

/** Claims a content in every possible way. */
async function claim(nodes: readonly HostileNode[]) {
  const thief = await env.person()
  for (const node of nodes) {
    const at = new Date(env.clock.now())
    const tid = await openTrace(env.db, { account: thief.uid, kind: 'upload', cid: '', name: '', at })
    await node.deliver(await node.receipt({ sub: thief.uid, tid, cid, size: SIZE }))
    await node.inventory([cid])
    await node.replicas({ cid, size: SIZE })
  }
}

const heldBy = async () =>
  new Set(
    (
      await env.db.rows<{ node_id: string }>(sql`select node_id from replicas where cid = ${cid} and state = 'stored'`)
    ).map((row) => row.node_id),
  )
const offered = async () => (await env.call('downloads.own', { asset_cid: cid }, owner)).data.node_ids
const stays = async () => {
  const holders = await heldBy()
  return honest.every(({ id }) => holders.has(id))
}
async function alive() {
  for (const node of [...honest, validator])
    await env.call(
      'nodeControl.heartbeat',
      { stats: { ...sampleStats, free: 1e12, capacity: 1e12 }, room: 0, time: env.clock.now() },
      { token: await nodeToken(env.context, node.id) },
    )
}
/** Runs the scheduler several times. */
async function settle() {
  for (let round = 0; round < 3; round++) {
    await env.db.run(sql`update contents set check_at = ${new Date(0)}`)
    await place(env.context)
    await watch(env.context)
  }
}
async function audits(): Promise<Audit[]> {
  await env.db.run(sql`update nodes set out_since = null where id = ${validator.id}`)
  await auditWaiting(env.context)
  const { data } = await env.call(
    'nodeControl.heartbeat',
    { stats: sampleStats, room: 64, time: env.clock.now() },
    { token: await nodeToken(env.context, validator.id) },
  )
  return data.work.filter((piece) => piece.type === 'audit')
}
const judge = async (list: readonly Audit[], passed: (audit: Audit) => boolean) =>
  env.call(
    'nodeControl.audits',
    { results: list.map((audit) => ({ id: audit.id, passed: passed(audit), ms: 1 })) },
    { token: await nodeToken(env.context, validator.id) },
  )

describe('sixty hostile edges', () => {
  it('that claim a file replace no honest copy, do not count, and are no sources', async () => {
    const strangers = await edges(60)
    await claim(strangers)
    await settle()
    expect(await stays()).toBe(true)
    expect(await heldBy()).toEqual(new Set(honest.map(({ id }) => id)))
    expect((await offered()).sort()).toEqual(honest.map(({ id }) => id).sort())
  })

  it('that accept pull orders without pulling fail their audits and change nothing', async () => {
    const strangers = await edges(60)
    await settle()
    for (const node of strangers) {
      const work = (await boast(node, 64)).data.work
      await node.replicas(...work.map((piece) => ({ cid: (piece as { cid: string }).cid, size: SIZE })))
    }
    await settle()
    expect(await heldBy()).toEqual(new Set(honest.map(({ id }) => id)))
    for (let round = 0; round < 4; round++) {
      const list = await audits()
      await judge(list, (audit) => honest.some(({ id }) => id === audit.source.node_id))
      env.pass(times.auditAgain * (round + 1))
      await alive()
      await Promise.all(strangers.map((node) => boast(node)))
    }
    await settle()
    expect(await stays()).toBe(true)
    expect((await offered()).every((id) => honest.some((node) => node.id === id))).toBe(true)
  })

  it('that really hold a file get one trial copy together, replace no honest copies and rank after them', async () => {
    const strangers = await edges(60)
    await settle()
    await hold(strangers)
    expect((await heldBy()).size).toBe(honest.length + 1)
    expect(await stays()).toBe(true)
    expect((await offered()).slice(0, 3).every((id) => honest.some((node) => node.id === id))).toBe(true)
    await env.db.run(sql`update nodes set reachable = false where id = any(${honest.map(({ id }) => id)})`)
    await settle()
    expect(await stays()).toBe(true)
  })

  it('that were vetted get a fifth of the copies, and a third of the downloads', async () => {
    const strangers = await edges(60)
    const ids = strangers.map(({ id }) => id)
    await env.db.run(sql`update nodes set vetted_at = ${new Date(env.clock.now())} where id = any(${ids})`)
    await settle()
    await hold(strangers)
    const held = await heldBy()
    expect(ids.filter((id) => held.has(id))).toHaveLength(10)
    expect(await stays()).toBe(true)
    const sources = await offered()
    expect(sources.slice(0, 6).filter((id) => ids.includes(id))).toHaveLength(2)
    expect(honest.every(({ id }) => sources.includes(id))).toBe(true)
  })

  /** The edges do what the server orders, and pass their audits. */
  async function hold(strangers: readonly HostileNode[]) {
    for (let round = 0; round < 3; round++) {
      for (const node of strangers) {
        const work = (await boast(node, 64)).data.work
        await node.replicas(...work.map((piece) => ({ cid: (piece as { cid: string }).cid, size: SIZE })))
      }
      await alive()
      for (let list = await audits(); list.length > 0; list = await audits()) await judge(list, () => true)
      await settle()
    }
  }
})

it('an unreachable edge is never audited and never counts', async () => {
  const hidden = await hostileNode(env)
  await settle()
  const work = (await boast(hidden, 64)).data.work
  await hidden.replicas(...work.map((piece) => ({ cid: (piece as { cid: string }).cid, size: SIZE })))
  expect((await audits()).some((audit) => audit.source.node_id === hidden.id)).toBe(false)
  expect(await heldBy()).toEqual(new Set(honest.map(({ id }) => id)))
})

it('a passed audit of a copy that was never ordered changes nothing', async () => {
  const [node] = await edges(1)
  await claim([node as HostileNode])
  await env.db.run(sql`
    insert into audits (id, cid, node_id, validator_id, position, state, created_at, assigned_at)
    values ('x', ${cid}, ${node?.id}, ${validator.id}, 0.5, 'open', ${new Date(env.clock.now())}, ${new Date(env.clock.now())})`)
  await env.call('nodeControl.audits', { results: [{ id: 'x', passed: true, ms: 1 }] }, validator)
  expect((await heldBy()).has(node?.id ?? '')).toBe(false)
})

it('an edge cannot claim a lost copy again', async () => {
  const [node] = await edges(1)
  const id = node?.id ?? ''
  const at = new Date(env.clock.now())
  await env.db.run(sql`
    insert into replicas (cid, node_id, state, pulled, verified, changed_at) values (${cid}, ${id}, 'stored', true, true, ${at})`)
  await node?.replicas({ cid, state: 'missing' })
  await node?.replicas({ cid, size: SIZE })
  await node?.inventory([cid])
  expect((await heldBy()).has(id)).toBe(false)
})

it('a content that only an edge holds is copied to other nodes', async () => {
  const [node] = await edges(1)
  const own = (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
  const at = new Date(env.clock.now())
  await env.db.run(sql`
    insert into contents (cid, hash, kind, size, blocks, created_at) values (${own}, '', 'file', ${SIZE}, 1, ${at})`)
  await env.db.run(sql`
    insert into replicas (cid, node_id, state, changed_at) values (${own}, ${node?.id}, 'unverified', ${at})`)
  await env.db.run(sql`
    insert into assets (user_id, cid, kind, name, size, areas, created_at, expires_at)
    values (${owner.id}, ${own}, 'file', 'b', ${SIZE}, '{}', ${at}, ${new Date(at.getTime() + 1e10)})`)
  await settle()
  const [first] = honest
  const { data } = await env.call(
    'nodeControl.heartbeat',
    { stats: { ...sampleStats, free: 1e12, capacity: 1e12 }, room: 64, time: env.clock.now() },
    first,
  )
  const pull = data.work.find((piece) => piece.type === 'pull' && piece.cid === own)
  expect(pull).toMatchObject({ sources: [{ node_id: node?.id }] })
  expect((await env.call('downloads.own', { asset_cid: own }, owner)).data.node_ids).toEqual([node?.id])
  const list = (await audits()).filter((audit) => audit.cid === own)
  expect(list.map((audit) => decodeJwt(audit.source.token).aud)).toEqual([node?.id])
  await judge(list, () => true)
  expect(await env.db.one(sql`select stored from contents where cid = ${own}`)).toEqual({ stored: 1 })
})
