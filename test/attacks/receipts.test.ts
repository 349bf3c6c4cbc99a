import { randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { probeNode } from '../../apps/server/src/network/control/reachability.ts'
import { nodeToken } from '../../apps/server/src/network/nodes/node-session.ts'
import { place } from '../../apps/server/src/network/placement/place.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { openTrace } from '../../apps/server/src/storage/traces/service.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { type HostileNode, hostileNode } from './hostile-node.ts'

/** What receipts of a hostile node can do. */

const SIZE = 1711
const UNLISTED = { code: -1, err: 10028 }
const MARS = { area_id: 'Space-Mars-Mars-Mars' }

let env: TestEnv
let honest: Awaited<ReturnType<TestEnv['node']>>
let owner: Person
let attacker: Person
let edge: HostileNode
const nodes: HostileNode[] = []
beforeAll(async () => {
  env = await setup()
  honest = await env.node()
  owner = await env.person()
  attacker = await env.person()
  edge = await reachable(MARS)
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()))
  await env.close()
})

/** A reachable hostile node. */
async function reachable(more: { area_id?: string }) {
  const node = await hostileNode(env, more)
  nodes.push(node)
  await node.listen()
  await probeNode(env.context, node.id)
  return node
}
const newCid = async () => (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
const create = (who: { token: string }, cid: string, more: object = {}) =>
  env.call('assets.create', { asset_name: 'a', asset_type: 'file', asset_size: SIZE, asset_cid: cid, ...more }, who)
const own = (who: { token: string }, cid: string) => env.call('downloads.own', { asset_cid: cid }, who)
const replicas = async (cid: string) =>
  Object.fromEntries(
    (
      await env.db.rows<{ node_id: string; state: string }>(sql`select node_id, state from replicas where cid = ${cid}`)
    ).map((row) => [row.node_id, row.state]),
  )

/** A file of `who` that an invited node stored, with a token of this server. */
async function stored(who: Person, cid: string, size = SIZE) {
  const receipt = await honest.receipt({ sub: who.uid, cid, size })
  const answer = await create(who, cid, { receipt })
  expect(answer.code).toBe(0)
}
/** A token of this server for the attacker and the attacker's node, which is the only one in that area. */
async function offered(size: number | undefined = SIZE, who = attacker) {
  const { data } = await env.call('uploads.info', { size, area_id: ['Mars'] }, who)
  expect(data.List.map(({ NodeID }) => NodeID)).toEqual([edge.id])
  return { token: data.List[0]?.Token ?? '', traceId: data.TraceID }
}
async function offeredToAnybody() {
  const { data } = await env.call('tempFiles.uploadInfo', { size: SIZE, area_id: ['Mars'] })
  return data.List[0]?.Token ?? ''
}

describe('the receipt of a hostile node', () => {
  it('without a granted upload opens no file, for any guessed size', async () => {
    const cid = await newCid()
    await stored(owner, cid)
    const { data } = await env.call('uploads.info', { size: 10 }, attacker)
    const claims = { sub: attacker.uid, tid: data.TraceID, cid }
    const answer = await edge.deliver(
      ...(await Promise.all([SIZE - 1, SIZE, SIZE + 1].map((size) => edge.receipt({ ...claims, size })))),
    )
    expect(answer.data.accepted).toBe(0)
    const receipt = await edge.receipt({ ...claims, size: SIZE })
    expect(await create(attacker, cid, { receipt })).toMatchObject({ code: -1, err: 10027 })
    await create(attacker, cid)
    expect(await own(attacker, cid)).toMatchObject(UNLISTED)
    expect((await env.call('shares.setStatus', { cid }, attacker)).code).toBe(-1)
    expect(await replicas(cid)).toEqual({ [honest.id]: 'stored' })
  })

  it('for a granted upload gives access on that node only, if others have the content', async () => {
    const cid = await newCid()
    await stored(owner, cid)
    const receipt = await edge.receiptFor((await offered()).token, { cid })
    await edge.deliver(receipt)
    await create(attacker, cid, { receipt })
    await env.call('shares.setStatus', { cid }, attacker)
    const visitor = await env.call('downloads.open', { asset_cid: cid, user_id: attacker.uid })
    for (const { data } of [await own(attacker, cid), visitor])
      expect(data.node_ids?.filter((id) => id !== edge.id) ?? []).toEqual([])
    for (const operation of ['assets.detail', 'assets.location', 'assets.mapOfCid', 'assets.replicas'] as const)
      expect(JSON.stringify(await env.call(operation, { cid }, attacker))).not.toContain(honest.id)
    expect(await env.call('assets.challenge', { cid, node_id: honest.id }, attacker)).toMatchObject({ code: -1 })
    expect((await own(owner, cid)).data.node_ids).toEqual([honest.id])
  })

  it('lists a content that nobody has, and yields to an account that uploads it later', async () => {
    const cid = await newCid()
    const receipt = await edge.receiptFor((await offered(10)).token, { cid })
    expect((await create(attacker, cid, { receipt })).code).toBe(0)
    expect((await own(attacker, cid)).data.node_ids).toEqual([edge.id])
    await stored(owner, cid)
    expect((await own(owner, cid)).data.node_ids).toContain(honest.id)
    expect((await env.call('assets.detail', { cid }, owner)).code).toBe(0)
    expect((await own(attacker, cid)).data.node_ids ?? []).not.toContain(honest.id)
    await place(env.context)
    expect((await own(attacker, cid)).data.node_ids ?? []).not.toContain(honest.id)
    // Nor after the true owner has deleted it, which removes the stored content.
    await env.call('assets.remove', { asset_cid: cid }, owner)
    await place(env.context)
    expect((await replicas(cid))[honest.id]).not.toBe('stored')
    expect((await own(attacker, cid)).data.node_ids ?? []).not.toContain(honest.id)
  })

  it('keeps a file of another account readable on its node, and everywhere after an invited node received it', async () => {
    const person = await env.person()
    const cid = await newCid()
    const receipt = await edge.receiptFor((await offered(SIZE, person)).token, { cid })
    expect((await create(person, cid, { receipt })).code).toBe(0)
    await stored(owner, cid)
    expect((await own(person, cid)).data.node_ids).toEqual([edge.id])
    expect((await edge.inventory([cid])).data.unwanted).toEqual([])
    await env.call(
      'nodeControl.receipts',
      { receipts: [await honest.receipt({ sub: person.uid, cid, size: SIZE })] },
      honest,
    )
    expect((await own(person, cid)).data.node_ids).toContain(honest.id)
  })

  it('gets the same answer for a right and a wrong size, if others have the content', async () => {
    const cid = await newCid()
    await stored(owner, cid)
    const answers = []
    for (const size of [SIZE, SIZE + 1]) {
      const person = await env.person()
      const receipt = await edge.receiptFor((await offered(size, person)).token, { cid })
      const { data } = await edge.deliver(receipt)
      const listed = await create(person, cid, { receipt, asset_size: 5 })
      const asset = (await env.call('assets.list', {}, person)).data.list[0]?.AssetRecord
      const { data: found, code } = await own(person, cid)
      answers.push([data.accepted, listed.code, (asset?.TotalSize ?? 0) - size, code, found.node_ids])
      expect((await edge.inventory([cid])).data.unwanted).toEqual([])
    }
    expect(answers[0]).toEqual(answers[1])
    expect((await own(owner, cid)).data.size).toBe(SIZE)
  })

  it('makes no file of an account public', async () => {
    const cid = await newCid()
    await stored(owner, cid)
    const receipt = await edge.receiptFor(await offeredToAnybody(), { cid })
    await edge.deliver(receipt)
    await env.call('tempFiles.create', { asset_name: 'a', asset_size: SIZE, asset_cid: cid, receipt })
    const { data } = await env.call('tempFiles.download', { cid })
    expect(data.node_ids ?? []).not.toContain(honest.id)
    expect(JSON.stringify(await env.call('tempFiles.info', { cid }))).not.toContain(honest.id)
    const unasked = await edge.receipt({ sub: 'temp:x', tid: 'made-up', cid, size: SIZE })
    expect((await edge.deliver(unasked)).data.accepted).toBe(0)
  })

  it('keeps nothing that its owner deletes', async () => {
    const cid = await newCid()
    await stored(owner, cid)
    const receipt = await edge.receiptFor((await offered()).token, { cid })
    await create(attacker, cid, { receipt })
    await env.call('assets.remove', { asset_cid: cid }, owner)
    await place(env.context)
    expect((await replicas(cid))[honest.id]).not.toBe('stored')
  })
})

describe('an upload token', () => {
  it('is valid for one content: a hundred invented ones under one trace are refused', async () => {
    const { token } = await offered()
    const claims = await Promise.all(Array.from({ length: 100 }, async () => ({ cid: await newCid() })))
    const receipts = await Promise.all(claims.map((claim) => edge.receiptFor(token, claim)))
    expect((await edge.deliver(...receipts)).data.accepted).toBe(1)
    const others = await Promise.all(claims.map((claim) => edge.receiptFor(token, { ...claim, jti: randomUUID() })))
    expect((await edge.deliver(...others)).data.accepted).toBe(0)
    const cids = claims.map(({ cid }) => cid)
    expect(await env.db.rows(sql`select 1 from contents where cid = any(${cids})`)).toHaveLength(1)
    // The same receipt again gets the same answer.
    expect((await edge.deliver(receipts[0] ?? '')).data.accepted).toBe(1)
  })

  it('is one of few: an upload has at most as many contents as nodes to which it was offered', async () => {
    const venus = await Promise.all(Array.from({ length: 3 }, () => reachable({ area_id: 'Space-Venus-Venus-Venus' })))
    const { data } = await env.call('uploads.info', { size: SIZE, area_id: ['Venus'] }, attacker)
    expect(data.List.map(({ NodeID }) => NodeID).sort()).toEqual(venus.map(({ id }) => id).sort())
    const deliveries = venus.flatMap((node) =>
      data.List.flatMap(({ Token }) =>
        Array.from({ length: 4 }, async () => node.deliver(await node.receiptFor(Token, { cid: await newCid() }))),
      ),
    )
    const accepted = (await Promise.all(deliveries)).map((answer) => answer.data.accepted)
    expect(accepted.reduce((sum, count) => sum + count, 0)).toBe(venus.length)
    expect(await env.db.rows(sql`select 1 from receipts where trace_id = ${data.TraceID}`)).toHaveLength(venus.length)
  })

  it('is bound to account, node, trace, kind and size', async () => {
    const other = await env.person()
    const stranger = await hostileNode(env)
    const { token } = await offered()
    for (const wrong of [
      { sub: other.uid },
      { tid: 'x' },
      { kind: 'folder' as const },
      { size: SIZE + 1 },
      { size: 1 },
    ])
      expect((await edge.deliver(await edge.receiptFor(token, { cid: await newCid(), ...wrong }))).data.accepted).toBe(
        0,
      )
    expect((await stranger.deliver(await stranger.receiptFor(token, { cid: await newCid() }))).data.accepted).toBe(0)
    const { data } = await env.call(
      'assets.create',
      {
        asset_name: 'f',
        asset_type: 'folder',
        asset_size: SIZE,
        asset_cid: await newCid(),
        area_id: ['Mars'],
      },
      other,
    )
    const bound = data[0]?.Token ?? ''
    expect((await edge.deliver(await edge.receiptFor(bound, { cid: await newCid(), size: 9 }))).data.accepted).toBe(0)
    expect(
      (await edge.deliver(await edge.receiptFor(bound, { cid: await newCid(), size: 9, kind: 'file' }))).data.accepted,
    ).toBe(0)
  })

  it('may be of a file, if the archive that was announced by its CID has a file as its root', async () => {
    const person = await env.person()
    const cid = await newCid()
    const asked = {
      asset_name: 'f',
      asset_type: 'folder' as const,
      asset_size: SIZE,
      asset_cid: cid,
      area_id: ['Mars'],
    }
    const { data } = await env.call('assets.create', asked, person)
    const token = data[0]?.Token ?? ''
    expect(
      (await edge.deliver(await edge.receiptFor(token, { cid, size: SIZE + 1, kind: 'file' }))).data.accepted,
    ).toBe(0)
    expect((await edge.deliver(await edge.receiptFor(token, { cid, size: 9, kind: 'file' }))).data.accepted).toBe(1)
    const { list } = (await env.call('folders.contents', {}, person)).data
    expect(list.map(({ AssetOverview }) => AssetOverview?.UserAssetDetail.AssetType)).toEqual(['file'])
  })

  it('stays valid, for one content, if a cancelled upload is resumed', async () => {
    const { token, traceId } = await offered()
    await env.call('uploads.cancel', { trace_id: traceId }, attacker)
    const [first, second] = [
      await edge.receiptFor(token, { cid: await newCid() }),
      await edge.receiptFor(token, { cid: await newCid() }),
    ]
    expect((await edge.deliver(first)).data.accepted).toBe(1)
    await env.call('uploads.cancel', { trace_id: traceId }, attacker)
    expect((await edge.deliver(second)).data.accepted).toBe(0)
    expect((await edge.deliver(first)).data.accepted).toBe(1)
  })

  it('allows a receipt for a week after it expired', async () => {
    const { token } = await offered()
    const receipt = await edge.receiptFor(token, { cid: await newCid() })
    env.pass(6 * 24 * 3600_000)
    await edge.register()
    expect((await edge.deliver(receipt)).data.accepted).toBe(1)
  })

  it('was not recorded by the first release: receipts of its uploads are accepted of invited nodes, for ten days', async () => {
    const person = await env.person()
    const tid = await openTrace(env.db, {
      account: person.uid,
      kind: 'upload',
      cid: '',
      name: '',
      at: new Date(env.clock.now()),
    })
    await env.db.run(sql`update traces set granted = false where id = ${tid}`)
    const accepted = async (node: { id: string }) => {
      const { token } = { token: await nodeToken(env.context, node.id) }
      const claims = { sub: person.uid, tid, cid: await newCid(), size: 5 }
      const receipt = node === honest ? await honest.receipt(claims) : await edge.receipt(claims)
      await env.db.run(sql`delete from upload_grants where trace_id = ${tid}`)
      return (await env.call('nodeControl.receipts', { receipts: [receipt] }, { token })).data.accepted
    }
    expect(await accepted(edge)).toBe(0)
    expect(await accepted(honest)).toBe(1)
    env.pass(10 * 24 * 3600_000)
    expect(await accepted(honest)).toBe(0)
  })

  it('is not issued for an edge while an invited node can take the upload', async () => {
    const near = await reachable({ area_id: 'Europe-Germany-Hesse-Frankfurt' })
    const person = await env.person()
    for (const ask of [{ size: 10 }, { size: 10, area_id: ['Germany'] }]) {
      const { data } = await env.call('uploads.info', ask, person)
      expect(data.List.map(({ NodeID }) => NodeID)).not.toContain(near.id)
    }
  })
})
