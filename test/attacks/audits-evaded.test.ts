import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAudits } from '../../apps/server/src/network/audits/open.ts'
import { recordAuditResults } from '../../apps/server/src/network/audits/service.ts'
import { reportReplicas } from '../../apps/server/src/network/control/replica-reports.ts'
import { sendHeartbeat } from '../../apps/server/src/network/control/sample-registration.fixture.ts'
import { nodeToken } from '../../apps/server/src/network/nodes/node-session.ts'
import { timesOf } from '../../apps/server/src/network/nodes/times.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** What nodes do so that audits which they would fail do not count, or do not happen. */

type Node = Awaited<ReturnType<TestEnv['node']>>
const times = timesOf({ pace: 'usual' })

let env: TestEnv
let validators: [Node, Node]
let edge: Node
let cid: string
beforeEach(async () => {
  env = await setup({ pace: 'usual' })
  validators = [await env.node({ kind: 'validator' }), await env.node({ kind: 'validator' })]
  edge = await env.node({ kind: 'edge', vetted: true })
  cid = await stored()
})
afterEach(() => env.close())

const now = () => new Date(env.clock.now())

async function stored(holder = edge): Promise<string> {
  const name = `bafkrei${randomUUID()}`
  await env.db.run(sql`
    insert into contents (cid, hash, kind, size, blocks, created_at) values (${name}, '', 'file', 10, 1, ${now()})`)
  await env.db.run(sql`
    insert into replicas (cid, node_id, state, pulled, verified, changed_at) values (${name}, ${holder.id}, 'stored', true, true, ${now()})`)
  return name
}

/** A validator audits the copy; meanwhile the node does something. */
async function fail({ id: validator }: Node, meanwhile: () => Promise<unknown> | unknown = () => {}): Promise<void> {
  const id = randomUUID()
  await env.db.run(sql`
    insert into audits (id, cid, node_id, validator_id, position, state, created_at, assigned_at)
    values (${id}, ${cid}, ${edge.id}, ${validator}, 0.5, 'open', ${now()}, ${now()})`)
  await meanwhile()
  await recordAuditResults(env.context, validator, [{ id, passed: false, error: '', ms: 1, bytes: 0 }])
}
/** It is asked, sends nothing for as long as the auditor waits, and no heartbeats either. */
const goSilent = () => env.pass(times.silentAfter + 1000)
const missing = async () => {
  env.pass(10)
  const results = [{ cid, state: 'missing' as const, size: 0, error: '', full: false, source: '', bad_sources: [] }]
  await reportReplicas(env.context, edge.id, results)
}
/** Another edge complains about the copy. */
async function complain() {
  const accomplice = await env.node({ kind: 'edge' })
  await env.db.run(sql`
    insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${accomplice.id}, 'pulling', ${now()})`)
  const bad_sources = [{ node_id: edge.id, error: 'a lie' }]
  const results = [{ cid, state: 'failed' as const, size: 0, error: '', full: false, source: '', bad_sources }]
  await reportReplicas(env.context, accomplice.id, results)
}
/** Its inventory no longer names the copy. */
const sendInventory = async () => {
  env.pass(20_000)
  await sendHeartbeat(env, edge)
  const token = await nodeToken(env.context, edge.id)
  const pages = { cids: [], first: true, last: true }
  expect((await env.call('nodeControl.inventory', pages, { token })).code).toBe(0)
}
const failures = async () =>
  (
    await env.db.one<{ failures: number }>(
      sql`select cardinality(array_positions(audits, 0::smallint)) as failures from nodes where id = ${edge.id}`,
    )
  ).failures
const copy = async () =>
  (await env.db.maybe<{ state: string }>(sql`select state from replicas where cid = ${cid} and node_id = ${edge.id}`))
    ?.state

describe('a node that pauses its heartbeats while it is audited', () => {
  it('fails the audit that comes when it is back', async () => {
    await fail(validators[0], goSilent)
    expect([await failures(), await copy()]).toEqual([0, 'stored'])
    await sendHeartbeat(env, edge)
    await fail(validators[1], goSilent)
    expect([await failures(), await copy()]).toEqual([1, 'lost'])
  })

  it('is not blamed for one outage, however many audits fail meanwhile', async () => {
    for (const validator of [...validators, ...validators]) await fail(validator, goSilent)
    expect([await failures(), await copy()]).toEqual([0, 'stored'])
  })
})

describe('a node that says that a copy is missing as soon as it is asked for it', () => {
  it('fails the audit: two say so', async () => {
    await fail(validators[0], missing)
    expect([await failures(), await copy()]).toEqual([1, 'lost'])
  })

  it('fails the audit, also if it pauses its heartbeats', async () => {
    await fail(validators[0], async () => {
      goSilent()
      await missing()
    })
    expect([await failures(), await copy()]).toEqual([1, 'lost'])
  })

  it('fails the audit that confirms it, also after the copy is gone from its inventory', async () => {
    await fail(validators[0])
    await missing()
    for (let run = 0; run < 2; run++) await sendInventory()
    await fail(validators[1])
    expect([await failures(), await copy()]).toEqual([1, 'lost'])
  })

  it('is not blamed if it said so before it was audited, or went offline', async () => {
    await missing()
    env.pass(10)
    await fail(validators[0])
    expect(await failures()).toBe(0)
    cid = await stored()
    await fail(validators[0], async () => {
      env.pass(10)
      await env.db.run(
        sql`update replicas set state = 'lost', error = 'offline', changed_at = ${now()} where cid = ${cid}`,
      )
    })
    expect(await failures()).toBe(0)
  })
})

it('a node has its copies audited although new edges have more to be audited than validators can', async () => {
  const slow = await env.node({ kind: 'edge' })
  const open = (copies: readonly { cid: string; nodeId: string }[]) =>
    env.db.transaction((tx) => openAudits(env.context, tx, copies))
  const copies = await Promise.all(
    Array.from({ length: 80 }, async () => ({ cid: await stored(slow), nodeId: slow.id })),
  )
  expect(await open(copies)).toBe(true)
  expect(await open([{ cid: await stored(slow), nodeId: slow.id }])).toBe(false)
  expect(await open([{ cid, nodeId: edge.id }])).toBe(true)
})

it('a node is asked again for what it failed, by another auditor, although others complain about its copy', async () => {
  await fail(validators[0])
  await complain()
  expect(
    await env.db.rows(
      sql`select validator_id as validator, position from audits where cid = ${cid} and state = 'open'`,
    ),
  ).toEqual([{ validator: validators[1].id, position: 0.5 }])
})

it('a node does not pass audits because others complain about copies that it has', async () => {
  await complain()
  const audits = await env.db.rows<{ id: string; validator: string }>(sql`
    update audits set assigned_at = ${now()} returning id, validator_id as validator`)
  expect(audits).toHaveLength(1)
  for (const { id, validator } of audits)
    await recordAuditResults(env.context, validator, [{ id, passed: true, error: '', ms: 1, bytes: 10 }])
  expect(await env.db.one(sql`select audits, audits_passed from nodes where id = ${edge.id}`)).toEqual({
    audits: [],
    audits_passed: 0,
  })
})
