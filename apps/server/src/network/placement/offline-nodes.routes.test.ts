import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { watch } from '../audits/watch.ts'
import { place } from './place.ts'
import { type Node, samplePlacement, times } from './sample-placement.fixture.ts'

// Each test has its own database, because the scheduler processes all contents in it.
let env: TestEnv
let person: Person
beforeEach(async () => {
  env = await setup()
  person = await env.person()
})
afterEach(() => env.close())
const { file, heartbeat, states, counts, work } = samplePlacement(
  () => env,
  () => person,
)

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
