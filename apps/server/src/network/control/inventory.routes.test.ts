import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

/** A node with a replica in each of these states, changed a minute ago. */
async function holding(states: Record<string, string>) {
  const node = await env.node()
  const before = new Date(env.clock.now() - 60_000)
  const prefix = randomUUID()
  for (const [name, state] of Object.entries(states)) {
    const cid = `${prefix}-${name}`
    await env.db.run(sql`
      insert into contents (cid, hash, kind, size, blocks, created_at) values (${cid}, '', 'file', 1, 1, ${before})`)
    await env.db.run(sql`
      insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${node.id}, ${state}, ${before})`)
  }
  return {
    ...node,
    cid: (name: string) => `${prefix}-${name}`,
    send: async (names: string[], page: { first: boolean; last: boolean } = { first: true, last: true }) => {
      const { data } = await env.call(
        'nodeControl.inventory',
        { cids: names.map((name) => `${prefix}-${name}`), ...page },
        node,
      )
      return data.unwanted.map((cid) => cid.slice(prefix.length + 1))
    },
    states: async () =>
      Object.fromEntries(
        (
          await env.db.rows<{ cid: string; state: string }>(
            sql`select cid, state from replicas where node_id = ${node.id}`,
          )
        ).map(({ cid, state }) => [cid.slice(prefix.length + 1), state]),
      ),
  }
}

describe('an inventory', () => {
  it('returns contents that the node should delete', async () => {
    const node = await holding({ a: 'stored', b: 'removed', c: 'pulling' })
    expect(await node.send(['a', 'b', 'c', 'stray'])).toEqual(['b', 'stray'])
  })

  it('marks missing replicas as lost and deletes those that were to be removed', async () => {
    const node = await holding({ a: 'stored', b: 'stored', c: 'removed', d: 'wanted' })
    await node.send(['a'])
    expect(await node.states()).toEqual({ a: 'stored', b: 'lost', d: 'wanted' })
    const { check_at } = await env.db.one<{ check_at: Date | null }>(
      sql`select check_at from contents where cid = ${node.cid('b')}`,
    )
    expect(check_at).not.toBeNull()
  })

  it('restores replicas of a node that came back', async () => {
    const node = await holding({ a: 'lost', b: 'lost' })
    await node.send(['a'])
    expect(await node.states()).toEqual({ a: 'stored', b: 'lost' })
    expect(await env.db.one(sql`select stored from contents where cid = ${node.cid('a')}`)).toEqual({ stored: 1 })
  })

  it('is compared after its last page', async () => {
    const node = await holding({ a: 'stored', b: 'stored', c: 'stored' })
    await node.send(['a'], { first: true, last: false })
    expect(await node.states()).toMatchObject({ b: 'stored', c: 'stored' })
    await node.send(['b'], { first: false, last: true })
    expect(await node.states()).toEqual({ a: 'stored', b: 'stored', c: 'lost' })
  })

  it('does not store contents without a replica; it only returns them', async () => {
    const node = await holding({ a: 'stored' })
    const invented = Array.from({ length: 5000 }, () => randomUUID())
    for (let page = 0; page < 2; page++) {
      const pages = { cids: invented, first: page === 0, last: false }
      const { data } = await env.call('nodeControl.inventory', pages, node)
      expect(data.unwanted).toHaveLength(5000)
    }
    expect(await env.db.rows(sql`select 1 from inventories where node_id = ${node.id}`)).toEqual([])
  })

  it('names at most ten thousand contents that the server does not know', async () => {
    const node = await holding({ a: 'stored', b: 'stored' })
    const invented = Array.from({ length: 5000 }, () => randomUUID())
    const send = (cids: string[], first: boolean, last = false) =>
      env.call('nodeControl.inventory', { cids, first, last }, node)
    expect((await send([node.cid('a'), node.cid('b')], true)).code).toBe(0)
    expect((await send(invented, false)).code).toBe(0)
    expect((await send(invented, false)).code).toBe(0)
    const refused = await send([randomUUID()], false, true)
    expect(refused).toMatchObject({ code: -1, err: 1020 })
    expect(refused.msg).toMatch(/at most 10002 /)
    // The last page was refused, so nothing is missing.
    expect(await node.states()).toEqual({ a: 'stored', b: 'stored' })
    // The next one, after the node has deleted what is not wanted, is compared.
    expect((await send([node.cid('a')], true, true)).code).toBe(0)
    expect(await node.states()).toEqual({ a: 'stored', b: 'lost' })
  })

  it('of a node that holds more is larger', async () => {
    const node = await holding({})
    const cids = Array.from({ length: 12_000 }, () => randomUUID())
    const at = new Date(env.clock.now())
    await env.db.run(sql`
      insert into contents (cid, hash, kind, size, blocks, created_at)
      select cid, '', 'file', 1, 1, ${at} from unnest(${cids}::text[]) cid`)
    await env.db.run(sql`
      insert into replicas (cid, node_id, state, changed_at) select cid, ${node.id}, 'stored', ${at} from unnest(${cids}::text[]) cid`)
    const stray = Array.from({ length: 10_000 }, () => randomUUID())
    const all = [...stray, ...cids]
    for (let from = 0; from < all.length; from += 5000) {
      const page = { cids: all.slice(from, from + 5000), first: from === 0, last: from + 5000 >= all.length }
      expect((await env.call('nodeControl.inventory', page, node)).code).toBe(0)
    }
    expect(new Set(Object.values(await node.states()))).toEqual(new Set(['stored']))
  })

  it('is not larger if its pages come at once', async () => {
    const node = await holding({})
    const cids = Array.from({ length: 5000 }, () => randomUUID())
    await env.call('nodeControl.inventory', { cids: [], first: true, last: false }, node)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => env.call('nodeControl.inventory', { cids, first: false, last: false }, node)),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(2)
  })

  it.each([
    ['', true],
    [', also if no page is the first one', false],
  ])('can be sent thirty times an hour%s', async (_, first) => {
    const node = await holding({ a: 'stored' })
    const send = () => env.call('nodeControl.inventory', { cids: [node.cid('a')], first, last: true }, node)
    for (let times = 0; times < 30; times++) expect((await send()).code).toBe(0)
    expect(await send()).toMatchObject({ code: -1, err: 1020, data: { seconds: expect.any(Number) } })
    env.pass(3600_000)
    expect((await send()).code).toBe(0)
  })

  it('starts again after an interruption', async () => {
    const node = await holding({ a: 'stored', b: 'stored' })
    await node.send(['b'], { first: true, last: false })
    await node.send(['a'])
    expect(await node.states()).toEqual({ a: 'stored', b: 'lost' })
  })

  it('keeps replicas that were stored during the inventory', async () => {
    const node = await holding({})
    const cid = randomUUID()
    await env.db.run(sql`
      insert into contents (cid, hash, kind, size, blocks, created_at) values (${cid}, '', 'file', 1, 1, ${new Date()})`)
    await env.db.run(sql`
      insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${node.id}, 'stored', ${new Date(env.clock.now())})`)
    await node.send([])
    expect(Object.values(await node.states())).toEqual(['stored'])
  })

  it('does not clear suspect replicas', async () => {
    const node = await holding({ a: 'lost' })
    await env.db.run(sql`update replicas set suspect = true where node_id = ${node.id}`)
    await node.send(['a'])
    expect(await node.states()).toEqual({ a: 'lost' })
  })

  it('of another node does not change this one', async () => {
    const [node, other] = [await holding({ a: 'stored' }), await holding({ b: 'stored' })]
    await other.send([])
    expect(await node.states()).toEqual({ a: 'stored' })
  })
})
