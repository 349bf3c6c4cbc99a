import { randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { probeNode } from '../../apps/server/src/network/control/reachability.ts'
import { sampleStats } from '../../apps/server/src/network/control/sample-registration.fixture.ts'
import { place } from '../../apps/server/src/network/placement/place.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { type HostileNode, hostileNode } from './hostile-node.ts'

/** Contents that only edges signed for, and what happens when others have them too. */

const SIZE = 200_000

let env: TestEnv
let honest: Awaited<ReturnType<TestEnv['node']>>
let edge: HostileNode
let other: HostileNode
beforeAll(async () => {
  env = await setup()
  honest = await env.node()
  edge = await reachable('Space-Mars-Mars-Mars')
  other = await reachable('Space-Moon-Moon-Moon')
})
afterAll(async () => {
  await Promise.all([edge, other].map((node) => node.close()))
  await env.close()
})

async function reachable(area_id: string) {
  const node = await hostileNode(env, { area_id })
  await node.listen()
  await probeNode(env.context, node.id)
  return node
}
const newCid = async () => (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
const create = (who: Person, cid: string, more: object = {}) =>
  env.call('assets.create', { asset_name: 'a', asset_type: 'file', asset_size: SIZE, asset_cid: cid, ...more }, who)
const sources = async (who: Person, cid: string) =>
  (await env.call('downloads.own', { asset_cid: cid }, who)).data.node_ids ?? []
const stored = async (cid: string) =>
  (
    await env.db.rows<{ node_id: string }>(sql`select node_id from replicas where cid = ${cid} and state = 'stored'`)
  ).map((row) => row.node_id)

/** Lists a content that only an edge signed for, where there is no other node. */
async function listed(who: Person, cid: string, { at = edge, size = SIZE, md5 = '' } = {}) {
  const area = at === edge ? 'Mars' : 'Moon'
  const { data } = await env.call('uploads.info', { size, area_id: [area] }, who)
  const receipt = await at.receiptFor(data.List[0]?.Token ?? '', { cid })
  return create(who, cid, { receipt, asset_size: size, md5 })
}
/** The honest node does its work and reports the results. */
async function pulls(cid: string, { size = SIZE, source = edge.id } = {}) {
  await env.db.run(sql`update contents set check_at = ${new Date(0)} where cid = ${cid}`)
  await place(env.context)
  await env.call(
    'nodeControl.heartbeat',
    { stats: { ...sampleStats, free: 1e12, capacity: 1e12 }, room: 64, time: env.clock.now() },
    honest,
  )
  await env.call('nodeControl.replicas', { results: [{ cid, state: 'stored', size, source }] }, honest)
}

describe('a content that only an edge signed for', () => {
  it('in a wrong size is taken in the right one, however often others failed to fetch it', async () => {
    const cid = await newCid()
    expect((await listed(await env.person(), cid, { size: 10 })).code).toBe(0)
    for (let tries = 0; tries < 6; tries++) await pulls(cid)
    const owner = await env.person()
    const receipt = await honest.receipt({ sub: owner.uid, cid, size: SIZE })
    expect((await create(owner, cid, { receipt })).code).toBe(0)
    expect(await sources(owner, cid)).toEqual([honest.id])
  })

  it('and that an invited node has fetched stays available everywhere when a stranger uploads it too', async () => {
    const [owner, stranger] = [await env.person(), await env.person()]
    const cid = await newCid()
    expect((await listed(owner, cid)).code).toBe(0)
    await pulls(cid)
    expect(await stored(cid)).toContain(honest.id)
    await listed(stranger, cid, { at: other })
    await place(env.context)
    expect(await stored(cid)).toContain(honest.id)
    expect(await sources(owner, cid)).toContain(honest.id)
    expect(await sources(stranger, cid)).not.toContain(honest.id)
  })

  it('does not count as uploaded for others before an invited node has it', async () => {
    const cid = await newCid()
    const md5 = randomUUID().replaceAll('-', '')
    const [owner, second] = [await env.person(), await env.person()]
    expect((await listed(owner, cid, { md5 })).code).toBe(0)
    const ask = () => env.call('uploads.info', { size: SIZE, md5, proof: true }, second)
    expect((await ask()).data.Proof).toBeNull()
    await pulls(cid)
    expect((await ask()).data.Proof).toMatchObject({ length: expect.any(Number) })
  })

  it('can be uploaded to an invited node by an account that may read it from the edge only', async () => {
    const [owner, second] = [await env.person(), await env.person()]
    const cid = await newCid()
    const md5 = randomUUID().replaceAll('-', '')
    await listed(owner, cid, { md5 })
    await create(second, cid, { receipt: await honest.receipt({ sub: second.uid, cid, size: SIZE }) })
    expect(await sources(owner, cid)).toEqual([edge.id])
    const { data } = await env.call('uploads.info', { size: SIZE, md5 }, owner)
    expect(data).toMatchObject({ AlreadyExists: false, List: [{ NodeID: honest.id }] })
    const receipt = await honest.receipt({ sub: owner.uid, cid, size: SIZE })
    await create(owner, cid, { receipt, md5 })
    expect(await sources(owner, cid)).toContain(honest.id)
    expect((await env.call('uploads.info', { size: SIZE, md5 }, owner)).data.AlreadyExists).toBe(true)
  })

  it('does not reveal areas of nodes of others', async () => {
    const [owner, stranger] = [await env.person(), await env.person()]
    const cid = await newCid()
    await create(owner, cid, { receipt: await honest.receipt({ sub: owner.uid, cid, size: SIZE }) })
    await listed(stranger, cid)
    const areas = async (who: Person) => (await env.call('uploads.areas', { cid }, who)).data.list
    expect(await areas(owner)).toEqual(['Germany'])
    expect(await areas(stranger)).not.toContain('Germany')
  })

  it('is not read from a node that has reported it but is still receiving it', async () => {
    const stranger = await env.person()
    const cid = await newCid()
    await listed(stranger, cid)
    await pulls(cid, { source: '' })
    expect(await stored(cid)).toContain(honest.id)
    expect(await sources(stranger, cid)).toEqual([edge.id])
  })
})
