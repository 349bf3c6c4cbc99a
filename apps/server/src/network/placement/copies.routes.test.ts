import type { NodeWork } from '@tidenet/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { timesOf } from '../nodes/times.ts'
import type { Demand } from './demand.ts'
import { place, placeDue } from './place.ts'
import { SIZE, samplePlacement } from './sample-placement.fixture.ts'

// Each test has its own database, because the scheduler processes all contents in it.
let env: TestEnv
let person: Person
beforeEach(async () => {
  env = await setup()
  person = await env.person()
})
afterEach(() => env.close())
const { call, listed, file, heartbeat, report, states, counts, work } = samplePlacement(
  () => env,
  () => person,
)

describe('a stored file', () => {
  it('gets a replica on every node that can hold it', async () => {
    const [first, second, edge] = [await env.node(), await env.node(), await env.node({ kind: 'edge', vetted: true })]
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

  it('gets a replica soon on a node that arrives while it is placed', async () => {
    const cid = await file([await env.node()])
    let arrived = ''
    const db: TestEnv['db'] = {
      ...env.db,
      async transaction(work) {
        env.pass(1000)
        arrived = (await env.node()).id
        await env.db.run(sql`update nodes set arrived_at = ${new Date(env.clock.now())} where id = ${arrived}`)
        env.pass(1000)
        return env.db.transaction(work)
      },
    }
    await placeDue({ ...env.context, db })
    await place(env.context)
    expect(Object.keys(await states(cid))).toContain(arrived)
  })

  it('is placed with those that come after it, once they pause or after a while', async () => {
    const nodes = [await env.node(), await env.node()]
    const context = { ...env.context, config: { ...env.context.config, pace: 'usual' as const } }
    const { pause, most } = timesOf(context.config).placeTogether
    const placed = async (cid: string) => Object.keys(await states(cid)).length === 2
    const first = await file(nodes.slice(0, 1))
    await place(context)
    expect(await placed(first)).toBe(false)
    for (let waited = 0; waited <= most; waited += 1000) {
      env.pass(1000)
      await file(nodes.slice(0, 1))
      await place(context)
    }
    expect(await placed(first)).toBe(true)
    const last = await file(nodes.slice(0, 1))
    env.pass(pause + 100)
    await place(context)
    expect(await placed(last)).toBe(true)
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
        new Map([...(await wantedOf(tx, cids))].map(([each, { areas, near }]) => [each, { areas, near, target: 2 }])),
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

  it('reaches trusted nodes although new edges pretend to pull it for ever', async () => {
    const source = await env.node()
    const edges = await Promise.all(Array.from({ length: 5 }, () => env.node({ kind: 'edge' })))
    const cid = await file([source])
    await place(env.context)
    for (const edge of edges) await heartbeat(edge, { pulling: [cid] })
    const trusted = [
      await env.node({ status: 'offline' }),
      await env.node({ kind: 'edge', vetted: true, status: 'offline' }),
    ]
    env.pass(1000)
    for (const node of trusted) await heartbeat(node, { room: 0 })
    await place(env.context)
    for (const node of trusted) expect(await heartbeat(node)).toMatchObject([{ type: 'pull', cid }])
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
