import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleRegistration } from '../../apps/server/src/network/control/sample-registration.fixture.ts'
import { place } from '../../apps/server/src/network/placement/place.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** Nodes that come back make the server look at all contents below their target. */

const MINUTE = 60_000

let env: TestEnv
let cid: string
beforeAll(async () => {
  env = await setup({ pace: 'usual' })
  const node = await env.node()
  cid = (await sampleFile(env.db, (await env.person()).id, { size: 1000, nodes: [node] })).cid
  await env.db.run(sql`update contents set check_at = ${new Date(env.clock.now())} where cid = ${cid}`)
  // Contents that come together are placed together, after a pause.
  env.pass(1000)
  await place(env.context)
})
afterAll(() => env.close())

/** How often the content is placed while nodes of this kind come and go every minute. */
async function placements(kind: 'edge' | 'candidate', minutes: number): Promise<number> {
  const nodes = await Promise.all(Array.from({ length: 3 }, () => env.node({ kind })))
  const seen = new Set<number>()
  for (let minute = 0; minute < minutes; minute++) {
    env.pass(MINUTE)
    const at = new Date(env.clock.now())
    for (const { id } of nodes)
      await env.db.run(
        sql`update nodes set arrived_at = ${at}, eligible_at = ${at}, space_freed_at = ${at} where id = ${id}`,
      )
    await place(env.context)
    const content = await env.db.one<{ placed_at: Date }>(sql`select placed_at from contents where cid = ${cid}`)
    if (content.placed_at >= at) seen.add(content.placed_at.getTime())
  }
  return seen.size
}

describe('a content below its target', () => {
  it('is placed anew at most every ten minutes because of edges, however often they come and go', async () => {
    expect([1, 2]).toContain(await placements('edge', 25))
  })

  it('is not placed anew for edges if there are none', async () => {
    await env.db.run(sql`delete from nodes where kind = 'edge'`)
    await place(env.context)
    env.pass(30 * MINUTE)
    const before = new Date(env.clock.now())
    await place(env.context)
    const content = await env.db.one<{ placed_at: Date }>(sql`select placed_at from contents where cid = ${cid}`)
    expect(content.placed_at < before).toBe(true)
  })

  it('is placed as soon as an invited node comes', async () => {
    expect(await placements('candidate', 3)).toBe(3)
  })
})

it('an edge that moves between countries has its copies checked at most every ten minutes', async () => {
  const { keys, input } = sampleRegistration(env)
  const { node_id } = (await env.call('nodeControl.register', input, { ip: '193.99.144.80' })).data
  await env.db.run(sql`
    insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${node_id}, 'stored', ${new Date(env.clock.now())})`)
  const country = async () =>
    (await env.db.one<{ country: string }>(sql`select country from nodes where id = ${node_id}`)).country
  let moves = 0
  for (let minute = 0; minute < 25; minute++) {
    env.pass(MINUTE)
    const before = await country()
    const ip = before === 'Germany' ? '165.21.83.88' : '193.99.144.80'
    const { input } = sampleRegistration(env, { url: `http://127.0.0.1:${100 + minute}` }, keys)
    expect((await env.call('nodeControl.register', input, { ip })).code).toBe(0)
    if ((await country()) !== before) moves += 1
  }
  expect([2, 3]).toContain(moves)
})
