import { randomUUID } from 'node:crypto'
import { VETTING_AUDITS, VETTING_PERIOD, VETTING_PERIODS, VETTING_TIME } from '@tidenet/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '../../platform/ago.ts'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { sendHeartbeat } from '../control/sample-registration.fixture.ts'
import { readNodes } from '../nodes/node-table.ts'
import { recordTransferReport } from '../nodes/reports-repository.ts'
import { findSilentNodes } from '../nodes/silence.ts'
import { timesOf } from '../nodes/times.ts'
import { place } from '../placement/place.ts'
import { recordAuditResults } from './service.ts'
import { reviewStanding } from './standing.ts'

/** A node's standing follows from its audits, at the usual pace; the clock is moved. */

let env: TestEnv
let validators: [Node, Node]
let edge: Node
beforeEach(async () => {
  env = await setup({ pace: 'usual' })
  validators = [await env.node({ kind: 'validator' }), await env.node({ kind: 'validator' })]
  edge = await env.node({ kind: 'edge' })
})
afterEach(() => env.close())

type Node = Awaited<ReturnType<TestEnv['node']>>
const times = timesOf({ pace: 'usual' })
const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A content that is stored on the nodes. */
async function content(...nodes: Node[]): Promise<string> {
  const cid = `bafkrei${randomUUID()}`
  const at = new Date(env.clock.now())
  await env.db.run(sql`
    insert into contents (cid, hash, kind, size, blocks, created_at) values (${cid}, '', 'file', 10, 1, ${at})`)
  for (const { id } of nodes)
    await env.db.run(sql`
      insert into replicas (cid, node_id, state, pulled, verified, changed_at) values (${cid}, ${id}, 'stored', true, true, ${at})`)
  return cid
}

/** Audits of a node, at the same time. Failed ones are confirmed by another validator. */
async function audit(node: Node, cids: readonly string[], passed = true): Promise<void> {
  const at = new Date(env.clock.now())
  await env.db.run(sql`update nodes set seen_at = ${at} where id = ${node.id}`)
  for (const validator of passed ? validators.slice(0, 1) : validators) {
    const audits = cids.map((cid) => ({ id: randomUUID(), cid }))
    for (const { id, cid } of audits)
      await env.db.run(sql`
        insert into audits (id, cid, node_id, validator_id, position, state, created_at, assigned_at)
        values (${id}, ${cid}, ${node.id}, ${validator.id}, 0.5, 'open', ${at}, ${at})`)
    const results = audits.map(({ id }) => ({ id, passed, error: '', ms: 1, bytes: 1000 }))
    await recordAuditResults(env.context, validator.id, results)
  }
}
const review = () => reviewStanding(env.context)
const standing = async ({ id }: Node) => (await readNodes(env.context)).find((node) => node.id === id)
const isVetted = async (node = edge) => (await standing(node))?.vetted
const passedAudits = async () =>
  (await env.db.one<{ passed: number }>(sql`select audits_passed as passed from nodes where id = ${edge.id}`)).passed

/** The node passes audits of these contents in as many different periods. @returns the time that it takes */
async function passAudits(node: Node, cids: readonly string[], periods = VETTING_PERIODS): Promise<number> {
  for (let period = 0; period < periods; period++) {
    await audit(
      node,
      cids.filter((_, index) => index % periods === period),
    )
    env.pass(VETTING_PERIOD)
  }
  return periods * VETTING_PERIOD
}

/** Vets the edge: it passes audits of many contents for long enough. */
async function vet(): Promise<string[]> {
  const cids = await Promise.all(Array.from({ length: VETTING_AUDITS }, () => content(edge)))
  env.pass(VETTING_TIME - (await passAudits(edge, cids)))
  await audit(edge, cids.slice(0, 1))
  await review()
  expect(await isVetted()).toBe(true)
  return cids
}

it('a node that passes audits keeps its quality, although a few reporters an hour say that it fails', async () => {
  const [reported, cids] = [3, [await content(edge)]]
  const quality = async () => (await standing(edge))?.quality
  for (let hour = 0; hour < 8; hour++) {
    for (let index = 0; index < reported; index++)
      await env.db.transaction((tx) =>
        recordTransferReport(
          tx,
          { reporters: [`network ${index}`], userId: undefined, nodes: [{ id: edge.id, share: 0, bytes: 0, ms: 0 }] },
          new Date(env.clock.now()),
        ),
      )
    for (let passed = 0; passed < HOUR / times.auditEvery; passed++) {
      env.pass(times.auditEvery)
      await audit(edge, cids)
    }
  }
  expect(await quality()).toBeGreaterThan(0.9)
})

describe('an edge', () => {
  it('is vetted after enough passed audits and enough time, and not before', async () => {
    const cids = await Promise.all(Array.from({ length: VETTING_AUDITS }, () => content(edge)))
    env.pass(VETTING_TIME + 1 - (await passAudits(edge, cids.slice(1))))
    await audit(edge, [])
    await review()
    expect([await passedAudits(), await isVetted()]).toEqual([VETTING_AUDITS - 1, false])
    await audit(edge, cids.slice(0, 1))
    await review()
    expect([await passedAudits(), await isVetted()]).toEqual([VETTING_AUDITS, true])

    const hasty = await env.node({ kind: 'edge' })
    const contents = await Promise.all(Array.from({ length: VETTING_AUDITS }, () => content(hasty)))
    env.pass(VETTING_TIME - MINUTE - (await passAudits(hasty, contents)))
    await review()
    expect(await isVetted(hasty)).toBe(false)
    env.pass(2 * MINUTE)
    await review()
    expect(await isVetted(hasty)).toBe(true)
  })

  it('is not vetted by audits of one content: they count once an hour', async () => {
    const cid = await content(edge)
    for (let index = 0; index < VETTING_AUDITS; index++) {
      await audit(edge, [cid])
      env.pass(1000)
    }
    expect(await passedAudits()).toBe(1)
    env.pass(VETTING_TIME)
    await review()
    expect(await isVetted()).toBe(false)
    await audit(edge, [cid])
    expect(await passedAudits()).toBe(2)
  })

  it('is vetted only if it passed audits at many different times: having registered days ago is not enough', async () => {
    const cids = await Promise.all(Array.from({ length: 2 * VETTING_AUDITS }, () => content(edge)))
    await passAudits(edge, cids, VETTING_PERIODS - 1)
    env.pass(VETTING_TIME)
    await audit(edge, [])
    await review()
    expect([await passedAudits(), await isVetted()]).toEqual([2 * VETTING_AUDITS, false])
    await audit(edge, cids.slice(0, 1))
    await review()
    expect(await isVetted()).toBe(true)
  })

  it('is vetted after three days although it is off at night', async () => {
    const cids = await Promise.all(Array.from({ length: VETTING_AUDITS }, () => content(edge)))
    const began = env.clock.now()
    // From any time of the day: on for sixteen hours, then off for eight.
    for (let hour = 0; hour < 72; hour++) {
      if (hour % 24 < 16) await audit(edge, cids.slice(hour, hour + 3))
      env.pass(HOUR)
    }
    await audit(edge, cids.slice(-1))
    expect(env.clock.now() - began).toBeGreaterThanOrEqual(VETTING_TIME)
    await review()
    expect(await isVetted()).toBe(true)
  })

  it('stays vetted after an outage of a minute, whatever is audited meanwhile', async () => {
    const cids = await vet()
    for (let second = 0; second <= 60; second += 10) {
      await audit(edge, cids.slice(second, second + 10), false)
      await review()
      env.pass(10_000)
    }
    expect(await standing(edge)).toMatchObject({ vetted: true, status: 'online', draining: false })
  })

  it('is vetted anew after it failed audits, or was offline for more than a day', async () => {
    const cids = await vet()
    await audit(edge, cids.slice(0, 1), false)
    env.pass(times.outage + 1000)
    await audit(edge, cids.slice(1, 2), false)
    await review()
    expect(await standing(edge)).toMatchObject({ vetted: false, status: 'abnormal' })
    expect(await passedAudits()).toBe(0)
    // Enough audits do not help before the time has passed again.
    await audit(edge, cids.slice(2))
    await audit(edge, cids.slice(2))
    await env.db.run(sql`update nodes set audits_passed = ${VETTING_AUDITS} where id = ${edge.id}`)
    await review()
    expect(await standing(edge)).toMatchObject({ vetted: false, status: 'online' })
    env.pass(VETTING_TIME - (await passAudits(edge, cids.slice(2))))
    await audit(edge, cids.slice(2, 3))
    await review()
    expect(await isVetted()).toBe(true)

    await findSilentNodes(env.context)
    env.pass(times.offlineAfter + 1000)
    await findSilentNodes(env.context)
    env.pass(DAY - MINUTE)
    await review()
    expect(await isVetted()).toBe(true)
    env.pass(2 * MINUTE)
    await review()
    expect(await isVetted()).toBe(false)
  })

  it('gets more copies once it is vetted', async () => {
    const honest = await env.node()
    const others = await Promise.all(Array.from({ length: 5 }, () => env.node({ kind: 'edge' })))
    const cid = await content(honest)
    const owner = await env.person()
    const at = new Date(env.clock.now())
    await env.db.run(sql`
      insert into assets (user_id, cid, kind, name, size, created_at, expires_at)
      values (${owner.id}, ${cid}, 'file', 'a', 10, ${at}, ${new Date(at.getTime() + 1e11)})`)
    for (const { id } of others)
      await env.db.run(sql`
        insert into replicas (cid, node_id, state, pulled, verified, changed_at) values (${cid}, ${id}, 'stored', true, true, ${at})`)
    await env.db.run(sql`update contents set check_at = ${at} where cid = ${cid}`)
    await place(env.context)
    const wanted = () =>
      env.db.rows(sql`select node_id from replicas where cid = ${cid} and node_id = ${edge.id} and state = 'wanted'`)
    expect(await wanted()).toEqual([])
    await vet()
    await place(env.context)
    expect(await wanted()).toHaveLength(1)
  })
})

describe('a node that fails a fifth of its audits', () => {
  /** Failures far enough apart to count, and nine times as many passed audits in between. */
  async function fail(node: Node, share: number, audits: number) {
    const cids = await Promise.all(Array.from({ length: 20 }, () => content(node)))
    for (let index = 0; index < audits; index++) {
      const passed = (index + 1) % Math.round(1 / share) !== 0
      await env.db.run(sql`update replicas set state = 'stored', suspect = false where node_id = ${node.id}`)
      await audit(node, [cids[index % cids.length] as string], passed)
      env.pass(times.outage + 1000)
    }
  }

  it('drains, also if it is invited, until it passes them again', async () => {
    const node = await env.node()
    await fail(node, 0.1, 20)
    await review()
    expect(await standing(node)).toMatchObject({ draining: false })
    await fail(node, 1 / 3, 30)
    await review()
    expect(await standing(node)).toMatchObject({ draining: true })
    const cids = await Promise.all(Array.from({ length: 10 }, () => content(node)))
    await audit(node, cids)
    await review()
    expect(await standing(node)).toMatchObject({ draining: true })
    for (let index = 0; index < 30; index++) {
      await audit(node, cids)
      env.pass(HOUR)
    }
    await review()
    expect(await standing(node)).toMatchObject({ draining: false, status: 'online' })
  })

  it('drains after an hour in which it was abnormal', async () => {
    const node = await env.node()
    await fail(node, 1, 2)
    await review()
    expect(await standing(node)).toMatchObject({ status: 'abnormal', draining: false })
    env.pass(HOUR + MINUTE)
    await review()
    expect(await standing(node)).toMatchObject({ draining: true })
  })

  it('that drained and has no copies left may try again once its audits are old', async () => {
    const node = await env.node()
    await fail(node, 1 / 3, 30)
    await review()
    expect(await standing(node)).toMatchObject({ draining: true })
    await env.db.run(sql`delete from replicas where node_id = ${node.id}`)
    await env.db.run(sql`update nodes set audits = '{}', status = 'online' where id = ${node.id}`)
    env.pass(2 * DAY)
    await review()
    expect(await standing(node)).toMatchObject({ draining: false })
  })
})

it('copies on a node that is out of reach for minutes are replaced, and count again when it is back', async () => {
  const [node, other] = [await env.node(), await env.node()]
  const cid = await content(node)
  const since = new Date(env.clock.now())
  await env.db.run(sql`update nodes set reachable = false, unreachable_since = ${since} where id = ${node.id}`)
  await sendHeartbeat(env, other)
  await review()
  expect(await standing(node)).toMatchObject({ counts: true })
  env.pass(times.lostAfter + 1000)
  await review()
  expect(await standing(node)).toMatchObject({ counts: false })
  expect(await env.db.one(sql`select check_at is not null as due from contents where cid = ${cid}`)).toEqual({
    due: true,
  })
  // An audit through another node reached it.
  await env.db.run(sql`update nodes set reachable_via_at = ${new Date(env.clock.now())} where id = ${node.id}`)
  await review()
  expect(await standing(node)).toMatchObject({ counts: true })
})

it('results count that confirm each other or repeat an earlier one, not the first of a copy, a requested one, or a single failure', async () => {
  const [plain, requested, fresh, doubted, failed] = await Promise.all(Array.from({ length: 5 }, () => content(edge)))
  await audit(edge, [plain as string])
  await env.db.run(sql`update replicas set state = 'unverified' where cid = ${fresh as string}`)
  await audit(edge, [fresh as string])
  const once = { id: randomUUID(), passed: false, error: '', ms: 1, bytes: 0 }
  const asked = { ...once, id: randomUUID(), passed: true }
  const at = new Date(env.clock.now())
  for (const [{ id }, cid, wanted] of [
    [once, doubted, false],
    [asked, requested, true],
  ] as const)
    await env.db.run(sql`
      insert into audits (id, cid, node_id, validator_id, position, state, created_at, assigned_at, requested)
      values (${id}, ${cid as string}, ${edge.id}, ${validators[0].id}, 0.5, 'open', ${at}, ${at}, ${wanted})`)
  await recordAuditResults(env.context, validators[0].id, [once, asked])
  await audit(edge, [failed as string], false)
  const counted = await env.db.rows<{ cid: string; passed: boolean }>(
    sql`select cid, state = 'passed' as passed from audits where node_id = ${edge.id} and counted`,
  )
  expect(counted).toHaveLength(2)
  expect(counted).toContainEqual({ cid: plain, passed: true })
  expect(counted).toContainEqual({ cid: failed, passed: false })
})
