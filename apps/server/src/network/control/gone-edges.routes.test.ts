import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '../../platform/ago.ts'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { watch } from '../audits/watch.ts'
import { refreshFigures } from '../explorer/figures.ts'
import { deleteGoneEdges } from './gone-edges.ts'
import { sampleRegistration, sendHeartbeat } from './sample-registration.fixture.ts'

let env: TestEnv
beforeEach(async () => {
  env = await setup()
})
afterEach(() => env.close())

/** Edges that registered and sent nothing more. */
async function registered(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const { data } = await env.call('nodeControl.register', sampleRegistration(env).input)
    ids.push(data.node_id)
  }
  return ids
}
const offline = () => env.node({ kind: 'edge', status: 'offline' })
const nodesLeft = async () => (await env.db.rows<{ id: string }>(sql`select id from nodes`)).map(({ id }) => id).sort()
/** Deletes gone edges until a run deletes nothing. @returns the nodes that each run left */
async function purge(): Promise<number[]> {
  const left = [(await nodesLeft()).length]
  do {
    await deleteGoneEdges(env.context)
    left.push((await nodesLeft()).length)
  } while (left.at(-1) !== left.at(-2))
  return left.slice(1, -1)
}
/** Contents with a copy in this state on the node. */
async function holding(node: { id: string }, state: string, { count = 1, copies = 1 } = {}): Promise<string[]> {
  const cids = Array.from({ length: count }, () => randomUUID())
  const at = new Date(env.clock.now())
  await env.db.run(sql`
    insert into contents (cid, hash, kind, size, blocks, created_at) select cid, '', 'file', 1, 1, ${at} from unnest(${cids}::text[]) cid`)
  await env.db.run(sql`
    insert into replicas (cid, node_id, state, changed_at) select cid, ${node.id}, ${state}, ${at} from unnest(${cids}::text[]) cid`)
  const others = await Promise.all(Array.from({ length: copies }, () => env.node()))
  for (const other of others)
    await env.db.run(sql`
      insert into replicas (cid, node_id, state, changed_at) select cid, ${other.id}, 'stored', ${at} from unnest(${cids}::text[]) cid`)
  return cids
}

describe('an edge that never came back', () => {
  it('after its registration is deleted after three days, with everything of its own', async () => {
    const [id = ''] = await registered(1)
    const { id: stayed } = await env.node({ kind: 'edge' })
    await env.db.run(sql`
      insert into audits (id, cid, node_id, validator_id, position, state, created_at)
      values (${randomUUID()}, 'c', ${id}, 'server', 0, 'late', ${new Date(env.clock.now())})`)
    await env.db.run(sql`
      insert into node_reports (node_id, reporter, hour) values (${id}, 'r', ${new Date(env.clock.now())})`)
    env.pass(60_000)
    await watch(env.context)
    await refreshFigures(env.context)
    env.pass(3 * DAY - 120_000)
    await sendHeartbeat(env, { id: stayed })
    await purge()
    expect(await nodesLeft()).toContain(id)
    env.pass(120_000)
    await sendHeartbeat(env, { id: stayed })
    await purge()
    expect(await nodesLeft()).toEqual([stayed])
    const left = await env.db.one(sql`
      select (select count(*) from audits where node_id = ${id}) as audits,
        (select count(*) from online_spans where node_id = ${id}) as spans,
        (select count(*) from node_reports where node_id = ${id}) as reports,
        (select count(*) from node_figures where node_id = ${id}) as figures`)
    expect(left).toEqual({ audits: 0, spans: 0, reports: 0, figures: 0 })
  })

  it('is deleted with the others like it, at most 200 at a time', async () => {
    await Promise.all(Array.from({ length: 450 }, offline))
    env.pass(4 * DAY)
    expect(await purge()).toEqual([250, 50, 0])
  })

  it('is kept for a month if it was used: seen on a second day, or given copies', async () => {
    const [again, given] = [await offline(), await offline()]
    await env.db.run(sql`update nodes set seen_at = created_at + interval '25 hours' where id = ${again.id}`)
    await holding(given, 'lost')
    env.pass(29 * DAY)
    await purge()
    expect(await nodesLeft()).toEqual(expect.arrayContaining([again.id, given.id]))
    env.pass(3 * DAY)
    await purge()
    expect(await nodesLeft()).not.toEqual(expect.arrayContaining([again.id]))
    expect(await nodesLeft()).not.toEqual(expect.arrayContaining([given.id]))
  })
})

describe('an edge that left', () => {
  it('is kept for a year if it has an owner, was taken out of service, or may have the last copy', async () => {
    const [owned, out, last, invited] = [
      await offline(),
      await offline(),
      await offline(),
      await env.node({ status: 'offline' }),
    ]
    await env.db.run(sql`update nodes set owner_id = ${(await env.person()).id} where id = ${owned.id}`)
    await env.db.run(sql`update nodes set out_since = ${new Date(env.clock.now())} where id = ${out.id}`)
    const [cid = ''] = await holding(last, 'lost', { copies: 0 })
    env.pass(364 * DAY)
    await purge()
    expect(await nodesLeft()).toEqual([owned.id, out.id, last.id, invited.id].sort())
    env.pass(2 * DAY)
    await purge()
    expect(await nodesLeft()).toEqual([invited.id])
    expect(await env.db.rows(sql`select 1 from replicas where cid = ${cid}`)).toEqual([])
  })

  it('is deleted in parts if it had many copies; copies of others stay', async () => {
    const gone = await offline()
    await holding(gone, 'lost', { count: 25_000 })
    env.pass(31 * DAY)
    const copies = async () =>
      (await env.db.one<{ count: number }>(sql`select count(*) from replicas where node_id = ${gone.id}`)).count
    const left: number[] = []
    for (let run = 0; run < 3; run++) {
      await deleteGoneEdges(env.context)
      left.push(await copies())
    }
    expect(left).toEqual([15_000, 5000, 0])
    expect(await nodesLeft()).not.toContain(gone.id)
    expect(await env.db.one(sql`select count(*) from contents where stored = 1`)).toEqual({ count: 25_000 })
  })

  it('is kept if it comes back in time', async () => {
    const node = await offline()
    env.pass(2 * DAY)
    await sendHeartbeat(env, node)
    await env.db.run(sql`update nodes set status = 'offline' where id = ${node.id}`)
    env.pass(4 * DAY)
    await purge()
    expect(await nodesLeft()).toEqual([node.id])
  })
})
