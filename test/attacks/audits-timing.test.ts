import { randomBytes } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openAudits } from '../../apps/server/src/network/audits/open.ts'
import { assignAudits, replicasToAudit } from '../../apps/server/src/network/audits/service.ts'
import * as nodes from '../../apps/server/src/network/nodes/nodes.ts'
import { timesOf } from '../../apps/server/src/network/nodes/times.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** What tells a node that it is audited, besides the requests: when they come, and what the server says about their traces. */

let env: TestEnv
let quick: TestEnv
beforeAll(async () => {
  env = await setup({ pace: 'usual' })
  quick = await setup()
})
afterAll(async () => {
  await env.close()
  await quick.close()
})
const times = timesOf({ pace: 'usual' })

async function stored(node: { id: string }, state = 'stored', { db, clock } = env): Promise<string> {
  const cid = (await rawCid(randomBytes(8))).toString()
  const at = new Date(clock.now())
  await db.run(sql`
    insert into contents (cid, hash, kind, size, blocks, created_at) values (${cid}, '', 'file', 10, 1, ${at})`)
  await db.run(sql`
    insert into replicas (cid, node_id, state, pulled, changed_at) values (${cid}, ${node.id}, ${state}, true, ${at})`)
  return cid
}

it.each([
  ['a trusted node', 'candidate', times.auditEvery],
  ['a new edge', 'edge', times.auditDoubtfulEvery],
] as const)('the time until the next audit of %s is random', async (_, kind, mean) => {
  const node = await env.node({ kind })
  const at = new Date(env.clock.now())
  const waits: number[] = []
  for (let time = 0; time < 200; time++) {
    await env.db.run(sql`update nodes set next_audit_at = null, seen_at = ${at} where id = ${node.id}`)
    const means = { trusted: times.auditEvery, doubtful: times.auditDoubtfulEvery }
    await nodes.claimForAudit(env.db, { heardSince: new Date(0), means }, 1000, at)
    const { next } = await env.db.one<{ next: Date }>(
      sql`select next_audit_at as next from nodes where id = ${node.id}`,
    )
    waits.push((next.getTime() - at.getTime()) / mean)
  }
  const share = (from: number, to: number) => waits.filter((wait) => wait >= from && wait < to).length / waits.length
  // Exponential, up to the limit: shares of 0.22, 0.41 and 0.32. The bounds are five standard deviations away.
  expect(share(0, 0.25)).toBeGreaterThan(0.08)
  expect(share(0.25, 1)).toBeGreaterThan(0.23)
  expect(share(1, 3)).toBeGreaterThan(0.15)
  expect(Math.max(...waits)).toBeLessThanOrEqual(3)
})

it('the first audit of a copy comes at a random time after the node has reported it', async () => {
  const edge = await env.node({ kind: 'edge' })
  await env.node({ kind: 'validator' })
  for (let index = 0; index < 60; index++) await stored(edge, 'unverified')
  const due = async () => {
    await env.db.run(sql`update nodes set seen_at = ${new Date(env.clock.now())} where id = ${edge.id}`)
    return (await replicasToAudit(env.context, env.db, { perNode: 100, limit: 1000 }, [edge.id])).length
  }
  expect(await due()).toBeLessThan(10)
  env.pass(times.auditFirst)
  const later = await due()
  expect(later).toBeGreaterThan(20)
  expect(later).toBeLessThan(55)
  env.pass(2 * times.auditFirst + 1000)
  expect(await due()).toBe(60)
})

it('the server says the same about the trace of an audit as about that of a download', async () => {
  const [node, validator] = [await quick.node(), await quick.node({ kind: 'validator' })]
  const owner = await quick.person()
  const traceOf = async (cid: string) => {
    await quick.db.transaction((tx) => openAudits(quick.context, tx, [{ cid, nodeId: node.id }]))
    await quick.db.run(sql`update audits set validator_id = ${validator.id} where cid = ${cid}`)
    const [audit] = await assignAudits(quick.context, quick.db, validator.id, 10)
    return decodeJwt(audit?.address.token ?? '')
  }
  const ask = async (trace_id: unknown) => {
    const { code, data } = await quick.call('traces.get', { trace_id: String(trace_id) })
    return { code, fields: data && { ...data, trace_id: '', created_at: '', name: '' } }
  }
  const at = new Date(quick.clock.now())
  const until = new Date(quick.clock.now() + 1e9)

  const anonymous = await stored(node, 'stored', quick)
  await quick.db.run(sql`
    insert into temp_files (cid, kind, name, size, stored, areas, encrypted, created_at, expires_at)
    values (${anonymous}, 'file', 'its name', 10, true, '{}', false, ${at}, ${until})`)
  const audited = await traceOf(anonymous)
  const download = await quick.call('tempFiles.download', { cid: anonymous })
  const real = decodeJwt(new URL(download.data.url[0] ?? '').searchParams.get('token') ?? '')
  expect(audited.sub).toBe(real.sub)
  expect(await ask(audited.tid)).toEqual(await ask(real.tid))
  expect((await ask(audited.tid)).code).toBe(0)

  const owned = await stored(node, 'stored', quick)
  await quick.db.run(sql`
    insert into assets (user_id, cid, kind, name, size, created_at, expires_at)
    values (${owner.id}, ${owned}, 'file', 'a', 10, ${at}, ${until})`)
  const own = await quick.call('downloads.own', { asset_cid: owned }, owner)
  expect(await ask((await traceOf(owned)).tid)).toEqual(await ask(own.data.trace_id))
})
