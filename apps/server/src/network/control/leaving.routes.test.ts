import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { watch } from '../audits/watch.ts'
import { notifyOwners } from '../devices/notify.ts'
import { readNodes } from '../nodes/node-table.ts'
import { orderSources } from '../placement/choose-sources.ts'
import { place } from '../placement/place.ts'
import { chooseUploadNodes } from '../placement/placement.ts'
import { type Node, samplePlacement, times } from '../placement/sample-placement.fixture.ts'
import { answerHeartbeat } from './sample-registration.fixture.ts'

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

const DAY = 24 * 3600_000
const leave = async (node: Node, leaving = true) => (await answerHeartbeat(env, node, { leaving, room: 0 })).leaving
const nodes = (count: number) => Promise.all(Array.from({ length: count }, () => env.node()))
/** Lets the scheduler place contents and the nodes do their work. */
async function settle(others: readonly Node[], leaving?: Node) {
  for (let round = 0; round < 4; round += 1) {
    // Replaced copies are removed seconds later.
    env.pass(7000)
    await place(env.context)
    await Promise.all(others.map(work))
    if (!leaving) continue
    for (const piece of (await answerHeartbeat(env, leaving, { leaving: true })).work)
      if (piece.type === 'remove') await report(leaving, piece.cid, 'removed')
  }
}

describe('a node that leaves', () => {
  it('has its copies replaced first, and can be switched off when nothing needs it any more', async () => {
    const [leaving, ...others] = (await nodes(3)) as [Node, ...Node[]]
    const cids = [await file([leaving]), await file([leaving])]
    expect(await leave(leaving)).toEqual({ remaining: 2 })
    await place(env.context)
    // Ordered, but nobody has them yet.
    expect(await leave(leaving)).toEqual({ remaining: 2 })
    for (const cid of cids) expect((await states(cid))[leaving.id]).toBe('stored')
    await settle(others, leaving)
    expect(await leave(leaving)).toEqual({ remaining: 0 })
    for (const cid of cids) {
      expect((await states(cid))[leaving.id]).toBeUndefined()
      expect(await counts(cid)).toEqual({ wanted: 2, stored: 2 })
    }
  })

  it('keeps serving until then, after all other sources', async () => {
    const [leaving, other] = (await nodes(2)) as [Node, Node]
    await leave(leaving)
    const order = orderSources(await readNodes(env.context))
    expect(order.map(({ id }) => id)).toEqual([other.id, leaving.id])
  })

  it('keeps the only copy of what has no other place, and says so', async () => {
    const leaving = await env.node()
    const cid = await file([leaving])
    await leave(leaving)
    await settle([], leaving)
    expect(await leave(leaving)).toEqual({ remaining: 1 })
    expect((await states(cid))[leaving.id]).toBe('stored')
  })

  it('gets neither uploads nor copies', async () => {
    const [leaving, other] = (await nodes(2)) as [Node, Node]
    await leave(leaving)
    const chosen = chooseUploadNodes(await readNodes(env.context), {
      size: 1,
      areas: [],
      count: 5,
      random: () => 0,
    } as never)
    expect(JSON.stringify(chosen)).toContain(other.id)
    expect(JSON.stringify(chosen)).not.toContain(leaving.id)
    const cid = await file([other])
    await settle([other], leaving)
    expect((await states(cid))[leaving.id]).toBeUndefined()
  })

  it('is shown to its owner with what is left, and nobody is warned when it is switched off then', async () => {
    const [leaving, other] = (await nodes(2)) as [Node, Node]
    await env.db.run(
      sql`update nodes set owner_id = ${person.id}, owner_lang = 'en', owner_mail = true where id = ${leaving.id}`,
    )
    await file([leaving])
    await leave(leaving)
    const shown = async () => (await env.call('devices.list', {}, person)).data.list[0]
    expect(await shown()).toMatchObject({ draining: false, leaving: { remaining: 1 } })
    await settle([other], leaving)
    await leave(leaving)
    expect(await shown()).toMatchObject({ leaving: { remaining: 0 } })
    await switchOff(other)
    expect(await shown()).toMatchObject({ status: 'offline', leaving: { remaining: 0 } })
    expect(await mails()).toBe(0)
  })

  it('is shown to operators as leaving, not as draining', async () => {
    const [leaving] = (await nodes(1)) as [Node]
    const operator = await env.person({ role: 'operator' })
    await file([leaving])
    const shown = async () => (await env.call('admin.nodes', { q: leaving.id }, operator)).data.list[0]
    expect(await shown()).toMatchObject({ leaving: null })
    await leave(leaving)
    expect(await shown()).toMatchObject({ draining_since: null, leaving: { remaining: 1 } })
  })

  it('may stay after all: it is used again', async () => {
    const [leaving, other] = (await nodes(2)) as [Node, Node]
    const cid = await file([leaving, other])
    await leave(leaving)
    expect(await leave(leaving, false)).toBeNull()
    await settle([leaving, other])
    expect(await counts(cid)).toEqual({ wanted: 2, stored: 2 })
    expect((await readNodes(env.context)).find(({ id }) => id === leaving.id)?.draining).toBe(false)
  })
})

describe('a node that only says so', () => {
  it('is audited as before, and what fails counts', async () => {
    const [leaving] = (await nodes(1)) as [Node]
    await leave(leaving)
    await env.db.run(sql`update nodes set audits = '{0,0}', audit_bad = 20, audit_good = 1 where id = ${leaving.id}`)
    await heartbeat(leaving, { leaving: true })
    expect(await env.db.one(sql`select status from nodes where id = ${leaving.id}`)).toEqual({ status: 'abnormal' })
  })

  it('and is switched off before the time is offline like any other: its copies are lost, and its owner is told', async () => {
    const [leaving, other] = [await env.node(), await env.node({ free: 0 })]
    await env.db.run(
      sql`update nodes set owner_id = ${person.id}, owner_lang = 'en', owner_mail = true where id = ${leaving.id}`,
    )
    const cid = await file([leaving, other])
    await leave(leaving)
    await switchOff(other)
    expect((await states(cid))[leaving.id]).toBe('lost')
    expect(await mails()).toBe(1)
  })

  it('does not make the others copy its contents again and again', async () => {
    const [leaving] = (await nodes(1)) as [Node]
    expect(await leave(leaving)).toEqual({ remaining: 0 })
    await leave(leaving, false)
    expect(await leave(leaving)).toBeNull()
    expect((await readNodes(env.context))[0]?.draining).toBe(false)
    env.pass(DAY)
    expect(await leave(leaving)).toEqual({ remaining: 0 })
  })

  it('is not released from contents whose copies elsewhere are not confirmed', async () => {
    const [leaving, edge] = [await env.node(), await env.node({ kind: 'edge' })]
    const cid = await file([leaving])
    await leave(leaving)
    await settle([edge], leaving)
    expect((await states(cid))[leaving.id]).toBe('stored')
    expect(await leave(leaving)).toEqual({ remaining: 1 })
  })
})

/** Only `other` goes on sending heartbeats, until the rest counts as lost. */
async function switchOff(other: Node) {
  env.pass(times.offlineAfter + 1000)
  await heartbeat(other)
  await watch(env.context)
  env.pass(times.lostAfter + times.notifyAfter + 1000)
  await heartbeat(other)
  await watch(env.context)
  await notifyOwners(env.context)
}

const mails = async () =>
  (await env.db.one<{ count: number }>(sql`select count(*) as count from mails where recipient = ${person.email}`))
    .count
