import { randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '../../platform/ago.ts'
import { sql } from '../../platform/db/sql.ts'
import { clean, type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { watch } from '../audits/watch.ts'
import { place } from './place.ts'
import { type Node, SIZE, samplePlacement } from './sample-placement.fixture.ts'

// Each test has its own database, because the scheduler processes all contents in it.
let env: TestEnv
let person: Person
beforeEach(async () => {
  env = await setup()
  person = await env.person()
})
afterEach(() => env.close())
const { call, file, heartbeat, report, states, counts } = samplePlacement(
  () => env,
  () => person,
)

describe('a content without owners', () => {
  it('is removed from its nodes and deleted a day after its last receipt', async () => {
    const node = await env.node()
    const cid = await file([node])
    await env.db.run(sql`delete from assets where cid = ${cid}`)
    await place(env.context)
    expect(await states(cid)).toEqual({ [node.id]: 'stored' })
    env.pass(DAY + 1000)
    await place(env.context)
    expect(await heartbeat(node)).toEqual([{ type: 'remove', cid, decided: expect.any(Number) }])
    await report(node, cid, 'removed')
    await place(env.context)
    expect(await counts(cid)).toBeUndefined()
  })

  it('is deleted although a node that stores it is offline; the node learns of it later', async () => {
    const node = await env.node()
    const cid = await file([node])
    await env.db.run(sql`delete from assets where cid = ${cid}`)
    env.pass(DAY + 1000)
    await watch(env.context)
    await place(env.context)
    expect(await counts(cid)).toBeUndefined()
    const inventory = await call(node, (token) =>
      env.call('nodeControl.inventory', { cids: [cid], first: true, last: true }, { token }),
    )
    expect(inventory.data.unwanted).toEqual([cid])
  })

  it('is not retained by an account that announced it without uploading it', async () => {
    const node = await env.node()
    const cid = await file([node])
    await env.db.run(sql`delete from assets where cid = ${cid}`)
    env.pass(DAY + 1000)
    await env.db.run(sql`
      insert into reservations (user_id, cid, folder_id, kind, name, size, encrypted, areas, trace_id, created_at)
      values (${person.id}, ${cid}, 0, 'file', 'a', ${SIZE}, false, '{}', '', ${new Date(env.clock.now())})`)
    await place(env.context)
    expect(await states(cid)).toEqual({ [node.id]: 'removed' })
  })
})

describe('the cleanup deletes', () => {
  it('an expired file from the account and from the nodes', async () => {
    const node = await env.node()
    const cid = await file([node])
    expect((await env.call('usage.storageSize', {}, person)).data).toMatchObject({ UsedSize: SIZE, AssetCount: 1 })
    env.pass(549 * DAY + 1000)
    // Its owner was told.
    await env.db.run(sql`update assets set ending_stage = 3 where cid = ${cid}`)
    await clean(env.context)
    await heartbeat(node, { room: 0 })
    await place(env.context)
    expect(await heartbeat(node)).toEqual([{ type: 'remove', cid, decided: expect.any(Number) }])
    const row = await env.db.one(sql`select used_bytes, asset_count from users where id = ${person.id}`)
    expect(row).toEqual({ used_bytes: 0, asset_count: 0 })
  })

  it('a reservation that was not used for a day', async () => {
    await env.db.run(sql`
      insert into reservations (user_id, cid, folder_id, kind, name, size, encrypted, areas, trace_id, created_at)
      values (${person.id}, 'c', 0, 'file', 'a', 77, false, '{}', '', ${new Date(env.clock.now())})`)
    await clean(env.context)
    expect(await env.db.one(sql`select reserved_bytes from users where id = ${person.id}`)).toEqual({
      reserved_bytes: 77,
    })
    env.pass(DAY + 1000)
    await clean(env.context)
    expect(await env.db.one(sql`select reserved_bytes from users where id = ${person.id}`)).toEqual({
      reserved_bytes: 0,
    })
  })

  it('an edge that was never seen again, unless it is owned or may have the last copy', async () => {
    const [dead, owned, last, alive] = await Promise.all(
      Array.from({ length: 4 }, () => env.node({ kind: 'edge', status: 'offline' })),
    )
    const invited = await env.node({ status: 'offline' })
    await env.db.run(sql`update nodes set owner_id = ${person.id} where id = ${owned?.id}`)
    const cid = await file([invited])
    await env.db.run(sql`
      insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${dead?.id}, 'lost', ${new Date()})`)
    const only = await file([invited])
    await env.db.run(sql`update replicas set node_id = ${last?.id}, state = 'lost' where cid = ${only}`)
    env.pass(31 * DAY)
    await heartbeat(alive as Node)
    await clean(env.context)
    const left = await env.db.rows<{ id: string }>(sql`select id from nodes`)
    expect(left.map(({ id }) => id).sort()).toEqual([owned, last, alive, invited].map((node) => node?.id).sort())
    expect(await states(cid)).toEqual({ [invited.id]: 'stored' })
  })

  it('an anonymous file after a day', async () => {
    const node = await env.node()
    const cid = (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
    const receipts = [await node.receipt({ sub: 'temp:x', cid, size: SIZE })]
    await call(node, (token) => env.call('nodeControl.receipts', { receipts }, { token }))
    await env.db.run(sql`
      insert into temp_files (cid, stored, name, size, kind, areas, encrypted, created_at, expires_at)
      values (${cid}, true, 'a', ${SIZE}, 'file', '{}', false, ${new Date(env.clock.now())}, ${new Date(env.clock.now() + DAY)})`)
    await clean(env.context)
    await place(env.context)
    expect(await counts(cid)).toMatchObject({ wanted: 1 })
    env.pass(DAY + 1000)
    await clean(env.context)
    await place(env.context)
    expect(await heartbeat(node)).toEqual([{ type: 'remove', cid, decided: expect.any(Number) }])
  })
})
