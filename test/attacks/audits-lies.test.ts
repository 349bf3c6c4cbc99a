import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rawCid } from '@tidenet/content/cid'
import type { NodeWork } from '@tidenet/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runServerAudits } from '../../apps/server/src/network/audits/server-audits.ts'
import { auditDue, auditWaiting } from '../../apps/server/src/network/audits/service.ts'
import { reviewStanding } from '../../apps/server/src/network/audits/standing.ts'
import { sendHeartbeat } from '../../apps/server/src/network/control/sample-registration.fixture.ts'
import { nodeToken } from '../../apps/server/src/network/nodes/node-session.ts'
import { timesOf } from '../../apps/server/src/network/nodes/times.ts'
import { place } from '../../apps/server/src/network/placement/place.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/**
 * What an auditor can do to a node by lying. Validators are invited, so operators trust them; still, one alone cannot harm a node:
 * - that it says "failed" is a hint. It counts when another validator, or the server if there is none, asks the node itself and fails too.
 *   Two of different owners and networks that lie together can harm nodes, in the share of audits that both happen to get.
 * - that it says "passed" counts, for the share of audits that it gets. A node that lacks a content passes only those, and fails the others.
 */

let env: TestEnv
let node: Node
let cid: string
let web: Server
beforeEach(async () => {
  env = await setup()
  node = await env.node()
  const bytes = Buffer.from('what the node stores')
  cid = (await rawCid(bytes)).toString()
  web = createServer((request, answer) => {
    const [start = 0, last = bytes.length - 1] = request.headers.range?.slice(6).split('-').map(Number) ?? []
    answer.writeHead(206, { 'content-range': `bytes ${start}-${last}/${bytes.length}` })
    answer.end(bytes.subarray(start, last + 1))
  })
  await new Promise<void>((listening) => web.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
  const at = new Date(env.clock.now())
  await env.db.run(sql`update nodes set url = ${url}, status = 'online' where id = ${node.id}`)
  await env.db.run(sql`
    insert into contents (cid, hash, kind, size, blocks, created_at) values (${cid}, '', 'file', ${bytes.length}, 1, ${at})`)
  await env.db.run(
    sql`insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${node.id}, 'stored', ${at})`,
  )
  const owner = await env.person()
  await env.db.run(sql`
    insert into assets (user_id, cid, kind, name, size, created_at, expires_at)
    values (${owner.id}, ${cid}, 'file', 'a', ${bytes.length}, ${at}, ${new Date(at.getTime() + 1e10)})`)
})
afterEach(async () => {
  web.closeAllConnections()
  await new Promise((closed) => web.close(closed))
  await env.close()
})

type Node = Awaited<ReturnType<TestEnv['node']>>
type Audit = Extract<NodeWork, { type: 'audit' }>
const times = timesOf({ pace: 'quick' })

/** All that happens in a while: audits that are due and repeated, and what each validator says about the node. */
async function live(
  validators: readonly (readonly [Node, boolean | ((audit: Audit) => boolean)])[],
  rounds: number,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    env.pass(round % 2 === 0 ? 3 * times.auditEvery + 1 : times.auditAgain + 1)
    await Promise.all([node, ...validators.map(([validator]) => validator)].map((one) => sendHeartbeat(env, one)))
    await auditDue(env.context)
    await auditWaiting(env.context)
    await runServerAudits(env.context)
    for (const [validator, passed] of validators) {
      const work = (await sendHeartbeat(env, validator)).filter((one): one is Audit => one.type === 'audit')
      const says = typeof passed === 'boolean' ? () => passed : passed
      const results = work.map((audit) => ({ id: audit.id, passed: says(audit), ms: 1 }))
      await env.call('nodeControl.audits', { results }, { token: await nodeToken(env.context, validator.id) })
    }
    await reviewStanding(env.context)
    await place(env.context)
  }
}
const record = () =>
  env.db.one(sql`
    select n.status, n.draining_since is not null as draining, 0 = any(n.audits) as failed, r.state
    from nodes n join replicas r on r.node_id = n.id where n.id = ${node.id}`)
const GOOD = { status: 'online', draining: false, failed: false, state: 'stored' }

describe('a validator that says that all audits failed', () => {
  it('drains no node and loses no copy, if it is the only one: the server asks too', async () => {
    const liar = await env.node({ kind: 'validator' })
    await live([[liar, false]], 30)
    expect(await record()).toMatchObject(GOOD)
    const audits = await env.db.rows(sql`
      select validator_id = ${liar.id} as lies, state, count(*)::int > 3 as many from audits where done_at is not null group by 1, 2`)
    expect(audits).toEqual(
      expect.arrayContaining([
        { lies: true, state: 'failed', many: true },
        { lies: false, state: 'passed', many: true },
      ]),
    )
  })

  it('drains no node and loses no copy, if another one is honest', async () => {
    const [liar, honest] = [await env.node({ kind: 'validator' }), await env.node({ kind: 'validator' })]
    await live(
      [
        [liar, false],
        [honest, true],
      ],
      30,
    )
    expect(await record()).toMatchObject(GOOD)
  })

  it.each(['owner', 'network'])(
    'drains no node and loses no copy, if all others that lie are of the same %s: the server asks too',
    { tags: ['long'] },
    async (same) => {
      const liars = await Promise.all(Array.from({ length: 3 }, () => env.node({ kind: 'validator' })))
      const ids = liars.map(({ id }) => id)
      const { id: owner } = await env.person()
      if (same === 'owner') await env.db.run(sql`update nodes set owner_id = ${owner} where id = any(${ids})`)
      else await env.db.run(sql`update nodes set network = '198.51.100.0/24' where id = any(${ids})`)
      await live(
        liars.map((liar) => [liar, false] as const),
        30,
      )
      expect(await record()).toMatchObject(GOOD)
    },
  )

  it('does not confirm the failure of another of its owner, if both were assigned', async () => {
    const liars = await Promise.all(Array.from({ length: 2 }, () => env.node({ kind: 'validator' })))
    const { id: owner } = await env.person()
    await env.db.run(sql`update nodes set owner_id = ${owner} where id = any(${liars.map(({ id }) => id)})`)
    await sendHeartbeat(env, node)
    for (const [index, liar] of liars.entries()) {
      const at = new Date(env.clock.now())
      await env.db.run(sql`
        insert into audits (id, cid, node_id, validator_id, position, state, created_at, assigned_at)
        values (${`audit ${index}`}, ${cid}, ${node.id}, ${liar.id}, 0.5, 'open', ${at}, ${at})`)
      const results = [{ id: `audit ${index}`, passed: false, ms: 1 }]
      const token = await nodeToken(env.context, liar.id)
      expect((await env.call('nodeControl.audits', { results }, { token })).data.accepted).toBe(1)
    }
    expect(await record()).toMatchObject(GOOD)
  })

  it('is believed if others say so too', async () => {
    const two = [await env.node({ kind: 'validator' }), await env.node({ kind: 'validator' })] as const
    await live(
      two.map((validator) => [validator, false] as const),
      6,
    )
    expect(await record()).toMatchObject({ failed: true })
  })
})

it('a validator that says that all audits passed does not hide a missing copy from the others', {
  tags: ['long'],
}, async () => {
  const [liar, honest] = [await env.node({ kind: 'validator' }), await env.node({ kind: 'validator' })]
  await live(
    [
      [liar, true],
      [honest, false],
    ],
    // The server chooses auditors at random: in 30 rounds the honest one failed too few copies once.
    60,
  )
  const { failed } = await env.db.one<{ failed: number }>(sql`
    select count(*)::int as failed from audits where node_id = ${node.id} and state = 'failed'`)
  expect(failed).toBeGreaterThan(3)
})

describe('audits through other nodes', () => {
  const relaying = async (...kinds: ('candidate' | 'edge')[]) => {
    const relays = await Promise.all(
      kinds.map(async (kind, index) => {
        const url = `http://10.1.${index}.1:9`
        return { ...(await env.node({ kind, vetted: true, network: `10.1.${index}.0/24`, url })), url }
      }),
    )
    const validators = [await env.node({ kind: 'validator' }), await env.node({ kind: 'validator' })] as const
    const ids = [...relays, ...validators].map(({ id }) => id)
    await env.db.run(sql`update nodes set relays = true where id = any(${ids})`)
    return { relays, validators }
  }
  /** An edge passes on audits of what it holds. */
  const holding = (edges: readonly ({ id: string } | undefined)[], more: { pulled: boolean } = { pulled: true }) =>
    env.db.run(sql`
      insert into replicas (cid, node_id, state, pulled, changed_at)
      select ${cid}, e.id, 'stored', ${more.pulled}, ${new Date(env.clock.now())} from unnest(${edges.map((edge) => edge?.id ?? '')}::text[]) e (id)`)
  const unreachable = () =>
    env.db.run(
      sql`update nodes set reachable = false, unreachable_since = ${new Date(env.clock.now())} where id = ${node.id}`,
    )
  const ways = async () =>
    (
      await env.db.rows<{ via: boolean; state: string }>(sql`
        select distinct via_id is not null as via, state from audits where node_id = ${node.id} and done_at is not null`)
    ).map(({ via, state }) => `${via ? 'through another node' : 'directly'}: ${state}`)
  const counts = async () =>
    (
      await env.db.one<{ counts: boolean }>(
        sql`select uncounted_since is null as counts from nodes where id = ${node.id}`,
      )
    ).counts

  it('find a node that answers validators and refuses others', async () => {
    const { validators } = await relaying('candidate', 'candidate', 'edge')
    await live(
      validators.map((validator) => [validator, ({ source }: Audit) => source.via === undefined] as const),
      30,
    )
    expect(await record()).toMatchObject({ failed: true, state: 'lost' })
  })

  it('that edges, and one invited node, let fail blame nobody', { tags: ['long'] }, async () => {
    const { relays, validators } = await relaying('edge', 'edge', 'edge', 'candidate', 'candidate')
    await holding(relays.slice(0, 3))
    const liars = new Set(relays.slice(0, 4).map(({ url }) => url))
    await live(
      validators.map((validator) => [validator, ({ source }: Audit) => !liars.has(source.via?.url ?? '')] as const),
      60,
    )
    expect(await record()).toMatchObject(GOOD)
    expect(await ways()).toContain('through another node: failed')
  })

  it.each([
    ['blame nobody, if the node can be asked itself and both nodes are edges', ['edge', 'edge'], GOOD],
    ['blame nobody, if the node can be asked itself and one node is an edge', ['edge', 'candidate'], GOOD],
    ['count, if both nodes are invited', ['candidate', 'candidate'], { failed: true, state: 'lost' }],
  ] as const)('that two auditors made through nodes %s', async (_, kinds, expected) => {
    const { relays, validators } = await relaying(...kinds)
    await sendHeartbeat(env, node)
    for (const [index, validator] of validators.entries()) {
      const at = new Date(env.clock.now())
      await env.db.run(sql`
        insert into audits (id, cid, node_id, validator_id, via_id, position, state, created_at, assigned_at)
        values (${`audit ${index}`}, ${cid}, ${node.id}, ${validator.id}, ${relays[index]?.id}, 0.5, 'open', ${at}, ${at})`)
      const results = [{ id: `audit ${index}`, passed: false, ms: 1 }]
      const token = await nodeToken(env.context, validator.id)
      expect((await env.call('nodeControl.audits', { results }, { token })).data.accepted).toBe(1)
    }
    expect(await record()).toMatchObject(expected)
  })

  it('use nodes of another network and owner, that are trusted and in service', async () => {
    const { relays, validators } = await relaying(
      'candidate',
      'candidate',
      'edge',
      'candidate',
      'candidate',
      'candidate',
    )
    const [same, own, edge, away, out] = relays as unknown as [Node, Node, Node, Node, Node]
    const owner = await env.person()
    await env.db.run(sql`update nodes set owner_id = ${owner.id} where id = any(${[node.id, own.id]})`)
    await env.db.run(sql`update nodes set network = '10.9.9.0/24' where id = any(${[node.id, same.id]})`)
    await env.db.run(sql`update nodes set vetted_at = null where id = ${edge.id}`)
    await env.db.run(sql`update nodes set reachable = false where id = ${away.id}`)
    await env.db.run(sql`update nodes set out_since = now() where id = ${out.id}`)
    await live(
      validators.map((validator) => [validator, true] as const),
      30,
    )
    const used = await env.db.rows(
      sql`select distinct via_id as id from audits where node_id = ${node.id} and via_id = any(${relays.map(({ id }) => id)})`,
    )
    expect(used).toEqual([{ id: relays[5]?.id }])
  })

  it('go through edges that were ordered to hold the content only, because these see the token', async () => {
    const { relays, validators } = await relaying('edge', 'edge', 'edge')
    const [holder, liar] = relays
    await holding([holder])
    await holding([liar], { pulled: false })
    await live(
      validators.map((validator) => [validator, true] as const),
      30,
    )
    const used = await env.db.rows(
      sql`select distinct via_id as id from audits where node_id = ${node.id} and via_id is not null`,
    )
    expect(used).toEqual([{ id: holder?.id }])
  })

  it('let copies count on a node that the server cannot reach, and only they do', async () => {
    await unreachable()
    await live([], 8)
    expect(await counts()).toBe(false)
    const { validators } = await relaying('candidate', 'candidate')
    await live(
      validators.map((validator) => [validator, true] as const),
      4,
    )
    expect(await ways()).toEqual(['through another node: passed'])
    expect(await counts()).toBe(true)
  })

  it('of an unreachable node count as failed only if two different nodes cannot read it either', async () => {
    const { relays, validators } = await relaying('candidate', 'candidate')
    await unreachable()
    await env.db.run(sql`update nodes set reachable_via_at = ${new Date(env.clock.now())} where id = ${node.id}`)
    const liar = relays[0]?.url
    await live(
      validators.map((validator) => [validator, ({ source }: Audit) => source.via?.url !== liar] as const),
      16,
    )
    expect(await ways()).toHaveLength(2)
    expect(await record()).toMatchObject({ failed: false, state: 'stored' })
    await live(
      validators.map((validator) => [validator, false] as const),
      6,
    )
    expect(await record()).toMatchObject({ failed: true })
  })
})
