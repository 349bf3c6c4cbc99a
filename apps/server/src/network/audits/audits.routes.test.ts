import { randomBytes, randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import type { NodeWork } from '@tidenet/contract'
import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { place } from '../../network/placement/place.ts'
import { sql } from '../../platform/db/sql.ts'
import { sampleFile } from '../../storage/assets/sample-files.fixture.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { sendHeartbeat } from '../control/sample-registration.fixture.ts'
import { nodeToken } from '../nodes/node-session.ts'
import { timesOf } from '../nodes/times.ts'
import { auditDue, auditWaiting, closeLate } from './service.ts'

let env: TestEnv
beforeEach(async () => {
  env = await setup()
})
afterEach(() => env.close())

type Node = Awaited<ReturnType<TestEnv['node']>>
type Audit = Extract<NodeWork, { type: 'audit' }>
const times = timesOf({ pace: 'quick' })

async function content(holders: readonly Node[], start = 'bafkrei'): Promise<string> {
  const cid = `${start}${randomUUID()}`
  const at = new Date(env.clock.now())
  await env.db.run(sql`
    insert into contents (cid, hash, kind, size, blocks, created_at) values (${cid}, '', 'file', 10, 1, ${at})`)
  for (const node of holders)
    await env.db.run(
      sql`insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${node.id}, 'stored', ${at})`,
    )
  const owner = await env.person()
  await env.db.run(sql`
    insert into assets (user_id, cid, kind, name, size, created_at, expires_at)
    values (${owner.id}, ${cid}, 'file', 'a', 10, ${at}, ${new Date(at.getTime() + 1e10)})`)
  return cid
}
const heartbeat = (node: Node) => sendHeartbeat(env, node)
const assigned = async (validator: Node) =>
  (await heartbeat(validator)).filter((work): work is Audit => work.type === 'audit')
const answer = async (validator: Node, audits: readonly { id: string }[], passed: boolean) => {
  const token = await nodeToken(env.context, validator.id)
  const results = audits.map(({ id }) => ({ id, passed, ms: 1 }))
  return (await env.call('nodeControl.audits', { results }, { token })).data?.accepted
}
/** Advances the clock until all nodes are due and have fresh heartbeats. */
async function nextRound(nodes: readonly Node[]) {
  env.pass(3 * times.auditEvery + 1)
  await Promise.all(nodes.map(heartbeat))
  await auditDue(env.context)
}
/** Answers all audits: `passed` those of the node, the others as passed. @returns the audits of the node */
async function judge(validators: readonly Node[], node: Node, passed: boolean) {
  const judged: (Audit & { by: string })[] = []
  for (const validator of validators) {
    const audits = await assigned(validator)
    const ofNode = audits.filter(({ source }) => source.node_id === node.id)
    await answer(validator, ofNode, passed)
    await answer(
      validator,
      audits.filter((audit) => !ofNode.includes(audit)),
      true,
    )
    judged.push(...ofNode.map((audit) => ({ ...audit, by: validator.id })))
  }
  return judged
}
/** Repeats audits of suspect copies. */
async function again(nodes: readonly Node[]) {
  env.pass(times.auditAgain + 1)
  await Promise.all(nodes.map(heartbeat))
  await auditWaiting(env.context)
}
/** Lets one audit of the node fail, and another validator confirm it. */
async function fail(validators: readonly Node[], node: Node): Promise<void> {
  expect(await judge(validators, node, false)).toHaveLength(1)
  await again([node, ...validators])
  expect(await judge(validators, node, false)).toHaveLength(1)
}
const twoValidators = async () =>
  [await env.node({ kind: 'validator' }), await env.node({ kind: 'validator' })] as const
/** An API key of an owner created by `content`. */
const signedIn = async (id: number, uid: string) => ({
  token: await env.key({ id, uid, email: '', token: '' }, 'admin'),
})
const statusOf = async (node: Node) =>
  (await env.db.one<{ status: string }>(sql`select status from nodes where id = ${node.id}`)).status
const replica = (cid: string, node: Node) =>
  env.db.maybe<{ state: string }>(sql`select state from replicas where cid = ${cid} and node_id = ${node.id}`)

describe('an audit', () => {
  it('asks a validator to check one position in a content of each node', async () => {
    const [node, other, validator] = [await env.node(), await env.node(), await env.node({ kind: 'validator' })]
    const cid = await content([node, other])
    await auditDue(env.context)
    const audits = await assigned(validator)
    expect(audits).toHaveLength(2)
    expect(audits.map((audit) => audit.source.node_id).sort()).toEqual([node.id, other.id].sort())
    expect(audits[0]).toMatchObject({ type: 'audit', cid, kind: 'file' })
    expect(audits.every(({ position }) => position >= 0 && position < 1)).toBe(true)
  })

  it('looks to the node like a download by an owner of the file', async () => {
    const [node, validator] = [await env.node(), await env.node({ kind: 'validator' })]
    const cid = await content([node])
    await auditDue(env.context)
    const [audit] = await assigned(validator)
    const { uid, id } = await env.db.one<{ uid: string; id: number }>(
      sql`select u.uid, u.id from users u join assets a on a.user_id = u.id where a.cid = ${cid}`,
    )
    const bare = await rawCid(randomBytes(8))
    const plain = await sampleFile(env.db, id, { text: bare.toString(), name: 'a', nodes: [node] })
    const { data } = await env.call('downloads.own', { asset_cid: plain.cid }, await signedIn(id, uid))
    const [audited, wanted] = [audit?.source.url, data.url[0]].map((address) => new URL(address ?? ''))
    expect([...(audited?.searchParams.keys() ?? [])]).toEqual([...(wanted?.searchParams.keys() ?? [])])
    expect(audited?.searchParams.get('filename')).toBe('a')
    const claimsOf = (address: URL | undefined) => decodeJwt(address?.searchParams.get('token') ?? '')
    const [seen, usual] = [claimsOf(audited), claimsOf(wanted)]
    expect(Object.keys(seen).filter((name) => name !== 'rk')).toEqual(Object.keys(usual))
    expect(seen).toMatchObject({ typ: usual.typ, iss: usual.iss, sub: uid, aud: node.id, cid })
    expect((seen.exp ?? 0) - (seen.iat ?? 0)).toBe((usual.exp ?? 0) - (usual.iat ?? 0))
    expect(String(seen.tid)).toHaveLength(String(usual.tid).length)
    // The audit is not billed as download traffic.
    const transfers = [
      { account: uid, trace_id: String(seen.tid), cid, bytes: 10, requests: 1, peak: 1, time: env.clock.now() },
    ]
    await env.call('nodeControl.served', { batch: 'b', transfers }, node)
    expect(await env.db.rows(sql`select 1 from usage_hours where user_id = ${id} and sent > 0`)).toEqual([])
  })

  it('is assigned once, and a copy has no two at a time', async () => {
    const [node, validator] = [await env.node(), await env.node({ kind: 'validator' })]
    await content([node])
    await Promise.all([auditDue(env.context), auditDue(env.context)])
    await auditDue(env.context)
    expect((await Promise.all(Array.from({ length: 10 }, () => assigned(validator)))).flat()).toHaveLength(1)
    await nextRound([node, validator])
    expect(await assigned(validator)).toHaveLength(0)
  })

  it('eventually covers all contents of a node', async () => {
    const [node, validator] = [await env.node(), await env.node({ kind: 'validator' })]
    const cids = await Promise.all(
      ['bafkreig', 'bafkreiw', 'bafybeig', 'bafybeiw'].map((start) => content([node], start)),
    )
    const seen = new Set<string>()
    for (let round = 0; round < 100 && seen.size < cids.length; round++) {
      await nextRound([node])
      const audits = await assigned(validator)
      for (const audit of audits) seen.add(audit.cid)
      await answer(validator, audits, true)
    }
    expect([...seen].sort()).toEqual([...cids].sort())
  })

  it('is not created without a validator, by a node of itself, or for an unreachable node', async () => {
    const validator = await env.node({ kind: 'validator' })
    await content([validator])
    const hidden = await env.node()
    await env.db.run(sql`update nodes set reachable = false where id = ${hidden.id}`)
    await content([hidden])
    await auditDue(env.context)
    await env.db.run(sql`update nodes set status = 'offline' where id = ${validator.id}`)
    await content([await env.node()])
    await auditDue(env.context)
    expect(await env.db.rows(sql`select 1 from audits`)).toEqual([])
  })

  it('that fails is repeated by another validator, and only then replaces the copy', async () => {
    const [node, other, validators] = [await env.node(), await env.node(), await twoValidators()]
    const cid = await content([node, other])
    await auditDue(env.context)
    const [first] = await judge(validators, node, false)
    expect(await replica(cid, node)).toEqual({ state: 'stored' })
    expect(await env.db.one(sql`select audits from nodes where id = ${node.id}`)).toEqual({ audits: [] })
    await again([node, other, ...validators])
    const [second] = await judge(validators, node, false)
    expect([second?.cid, second?.position]).toEqual([cid, first?.position])
    expect(second?.by).not.toBe(first?.by)
    expect(await replica(cid, node)).toEqual({ state: 'lost' })
    expect(await env.db.one(sql`select audits from nodes where id = ${node.id}`)).toEqual({ audits: [0] })
    expect(await env.db.one(sql`select stored from contents where cid = ${cid}`)).toEqual({ stored: 1 })
    await place(env.context)
    expect(await heartbeat(node)).toEqual([])
    // One more failure, after an outage would have ended, removes it.
    await nextRound([node, other, ...validators])
    await judge(validators, node, false)
    await place(env.context)
    expect(await heartbeat(node)).toEqual([{ type: 'remove', cid, decided: expect.any(Number) }])
  })

  it('that fails on the only replica keeps the bytes, and a passed one restores the replica', async () => {
    const [node, validators] = [await env.node(), await twoValidators()]
    const cid = await content([node])
    await auditDue(env.context)
    await fail(validators, node)
    await place(env.context)
    expect(await replica(cid, node)).toEqual({ state: 'lost' })
    await nextRound([node, ...validators])
    await judge(validators, node, true)
    expect(await replica(cid, node)).toEqual({ state: 'stored' })
    await place(env.context)
    expect(await env.db.one(sql`select wanted, stored from contents where cid = ${cid}`)).toEqual({
      wanted: 3,
      stored: 1,
    })
  })

  it('that fails twice in ten makes the node abnormal; two passed ones restore it', async () => {
    const [node, validators] = [await env.node(), await twoValidators()]
    for (let index = 0; index < 5; index++) await content([node])
    const outcomes: [boolean, string][] = [
      [true, 'online'],
      [false, 'online'],
      [true, 'online'],
      [false, 'abnormal'],
      [true, 'abnormal'],
      [true, 'online'],
    ]
    for (const [passed, status] of outcomes) {
      await nextRound([node, ...validators])
      if (passed) expect(await judge(validators, node, true)).toHaveLength(1)
      else await fail(validators, node)
      expect(await statusOf(node)).toBe(status)
      // A heartbeat does not restore the node.
      await heartbeat(node)
      expect(await statusOf(node)).toBe(status)
    }
  })

  it('that fails together with others counts once and is repeated soon', async () => {
    const [node, validators] = [await env.node(), await twoValidators()]
    const cids = await Promise.all(Array.from({ length: 8 }, () => content([node])))
    const at = new Date(env.clock.now())
    // Several audits of two validators fail during a short restart.
    for (const validator of validators)
      for (const cid of cids) {
        const id = randomUUID()
        await env.db.run(sql`
          insert into audits (id, cid, node_id, validator_id, position, state, created_at, assigned_at)
          values (${id}, ${cid}, ${node.id}, ${validator.id}, 0.5, 'open', ${at}, ${at})`)
        await answer(validator, [{ id }], false)
      }
    expect(await statusOf(node)).toBe('online')
    expect(await replica(cids[0] as string, node)).toEqual({ state: 'lost' })
    for (let turn = 0; turn < 3; turn++) {
      await again([node, ...validators])
      await judge(validators, node, true)
    }
    for (const cid of cids) expect(await replica(cid, node)).toEqual({ state: 'stored' })
    expect(await statusOf(node)).toBe('online')
  })

  it('that fails again later counts again, and an abnormal node is audited more often', async () => {
    const [node, validators] = [await env.node(), await twoValidators()]
    for (let index = 0; index < 5; index++) await content([node])
    await nextRound([node, ...validators])
    await fail(validators, node)
    // The copy is still suspect, so the next failure confirms it again.
    await nextRound([node, ...validators])
    await judge(validators, node, false)
    expect(await statusOf(node)).toBe('abnormal')
    for (let round = 0; round < 2; round++) {
      env.pass(3 * times.auditDoubtfulEvery + 1)
      await Promise.all([node, ...validators].map(heartbeat))
      await auditDue(env.context)
      await judge(validators, node, true)
    }
    expect(await statusOf(node)).toBe('online')
  })

  it('that removed the last copies of a node does not exclude it for ever; one more failure does', async () => {
    const [node, validators] = [await env.node(), await twoValidators()]
    const failing = async (cid: string) => {
      await env.db.run(
        sql`update replicas set state = 'stored', suspect = false where cid = ${cid} and node_id = ${node.id}`,
      )
      await nextRound([node, ...validators])
      await fail(validators, node)
    }
    const cid = await content([node])
    await failing(cid)
    await failing(cid)
    expect(await statusOf(node)).toBe('abnormal')
    // A suspect copy can still be audited, so the status stays.
    await nextRound([node])
    expect(await statusOf(node)).toBe('abnormal')
    await env.db.run(sql`delete from replicas where node_id = ${node.id}`)
    await nextRound([node])
    await heartbeat(node)
    expect(await statusOf(node)).toBe('online')
    await failing(await content([node]))
    expect(await statusOf(node)).toBe('abnormal')
  })

  it('that fails while the node sends no heartbeats does not count', async () => {
    const [node, validator] = [await env.node(), await env.node({ kind: 'validator' })]
    const cid = await content([node])
    await auditDue(env.context)
    env.pass(times.silentAfter + 1)
    await answer(validator, await assigned(validator), false)
    expect(await replica(cid, node)).toEqual({ state: 'stored' })
    expect(await statusOf(node)).toBe('online')
  })

  it('that is not answered in time does not count', async () => {
    const [node, validator] = [await env.node(), await env.node({ kind: 'validator' })]
    const cid = await content([node])
    await auditDue(env.context)
    const audits = await assigned(validator)
    env.pass(times.auditTimeout + 1)
    await closeLate(env.context)
    expect(await answer(validator, audits, false)).toBe(0)
    expect(await replica(cid, node)).toEqual({ state: 'stored' })
    expect(await env.db.one(sql`select state from audits`)).toEqual({ state: 'late' })
  })

  it('accepts one result', async () => {
    const [node, validator] = [await env.node(), await env.node({ kind: 'validator' })]
    await content([node])
    await auditDue(env.context)
    const audits = await assigned(validator)
    const accepted = await Promise.all(Array.from({ length: 20 }, () => answer(validator, audits, true)))
    expect(accepted.reduce((sum, count) => (sum ?? 0) + (count ?? 0), 0)).toBe(1)
    expect(await env.db.one(sql`select audits from nodes where id = ${node.id}`)).toEqual({ audits: [1] })
  })

  it('rejects results of the audited node, another validator, an unassigned validator and a person', async () => {
    const [node, validator, stranger] = [await env.node(), await env.node({ kind: 'validator' }), await env.node()]
    const cid = await content([node])
    await auditDue(env.context)
    const ids = await env.db.rows<{ id: string }>(sql`select id from audits`)
    expect(await answer(validator, ids, false)).toBe(0)
    await assigned(validator)
    for (const other of [node, stranger]) expect(await answer(other, ids, false)).toBe(0)
    expect((await env.call('nodeControl.audits', { results: [] }, await env.person())).code).toBe(401)
    expect(await replica(cid, node)).toEqual({ state: 'stored' })
  })

  it('ignores an id that contains SQL', async () => {
    const validator = await env.node({ kind: 'validator' })
    expect(await answer(validator, [{ id: "' or true; --" }], false)).toBe(0)
  })
})
