import { randomUUID } from 'node:crypto'
import { FREE_STORAGE, TEMP_FILE_MAX, type UploadClaims } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { place } from '../../apps/server/src/network/placement/place.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { UNLISTED_EXTRA_BYTES } from '../../apps/server/src/storage/receipts/unlisted.ts'
import { clean, type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { cidOf, contentCalls, LARGE } from './content-calls.ts'

let env: TestEnv
let owner: Person
let attacker: Person
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node()
  owner = await env.person()
  attacker = await env.person()
})
afterAll(() => env.close())

const { create, replicas, stored } = contentCalls(() => ({ env, node }))

const claimsOf = (token = '') =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as UploadClaims

const deliver = (receipts: string[], by = node) => env.call('nodeControl.receipts', { receipts }, by)

const listed = async (who: { token: string }) =>
  (await env.call('assets.list', { page_size: 100 }, who)).data.list.map((asset) => asset.AssetRecord.CID)
const used = async (who: { token: string }) => (await env.call('usage.storageSize', {}, who)).data

describe('a receipt', () => {
  it('is worthless after the file was deleted', async () => {
    const person = await env.person()
    const { cid, receipt } = await stored(person)
    await env.call('assets.remove', { asset_cid: cid }, person)
    const before = await replicas(cid)
    expect(before).toEqual({ [node.id]: 'removed' })
    const received = async () =>
      (
        await env.db.one<{ sum: number }>(
          sql`select sum(received) as sum from usage_hours where user_id = ${person.id}`,
        )
      ).sum
    const counted = await received()
    expect(await create(person, cid, { receipt })).toMatchObject({ code: -1, err: 10027 })
    await deliver([receipt])
    expect(await replicas(cid)).toEqual(before)
    expect(await received()).toBe(counted)
    // The same after the content's row is deleted.
    await env.db.run(sql`delete from contents where cid = ${cid}`)
    await deliver([receipt])
    expect(await replicas(cid)).toEqual({})
    await env.call('tempFiles.create', { asset_name: 'a', asset_size: LARGE, asset_cid: cid, receipt })
    expect((await env.call('tempFiles.info', { cid })).err).toBe(1000)
  })

  it('of a cancelled upload, or of an expired anonymous file, is worthless', async () => {
    const person = await env.person()
    const cid = await cidOf(randomUUID())
    const { data } = await env.call('uploads.info', { size: LARGE }, person)
    const claims = { sub: person.uid, tid: data.TraceID, cid, size: LARGE }
    const receipt = await node.receipt(claims)
    await deliver([receipt])
    await env.call('uploads.cancel', { trace_id: data.TraceID }, person)
    await deliver([receipt])
    expect(await replicas(cid)).toEqual({ [node.id]: 'removed' })

    const public_ = await cidOf(randomUUID())
    const anonymous = await node.receipt({ sub: 'temp:x', cid: public_, size: 10 })
    await env.call('tempFiles.create', { asset_name: 'a', asset_size: 10, asset_cid: public_, receipt: anonymous })
    const yesterday = new Date(env.clock.now() - 25 * 3600_000)
    await env.db.run(sql`update temp_files set expires_at = ${yesterday} where cid = ${public_}`)
    await env.db.run(sql`update receipts set received_at = ${yesterday} where cid = ${public_}`)
    await clean(env.context)
    await env.call('tempFiles.create', { asset_name: 'a', asset_size: 10, asset_cid: public_, receipt: anonymous })
    expect((await env.call('tempFiles.info', { cid: public_ })).err).toBe(1000)
    expect(await replicas(public_)).toEqual({ [node.id]: 'removed' })
  })

  it('of another account does not prove possession', async () => {
    const { cid, receipt } = await stored(owner)
    expect(await create(attacker, cid, { receipt })).toMatchObject({ code: -1, err: 10027 })
    expect(await listed(attacker)).not.toContain(cid)
  })

  it('does not count for an account that requested no upload', async () => {
    const rogue = await env.node({ kind: 'edge' })
    const victim = await env.person()
    const cid = await cidOf(randomUUID())
    await create(victim, cid)
    const traceOfOther = (await env.call('uploads.info', {}, attacker)).data.TraceID
    const { data } = await env.call('downloads.own', { asset_cid: (await stored(victim)).cid }, victim)
    for (const tid of ['', 'made-up', traceOfOther, data.trace_id])
      await deliver([await rogue.receipt({ sub: victim.uid, tid, cid, size: 2 ** 50 })], rogue)
    expect(await listed(victim)).not.toContain(cid)
    expect(await replicas(cid)).toEqual({})
    const hours = (await env.call('usage.hourly', {}, victim)).data.series_data
    expect(JSON.stringify(hours)).not.toContain(String(2 ** 50))
  })

  it('of an edge does not block accounts that have the real content', async () => {
    const rogue = await env.node({ kind: 'edge' })
    const cid = await cidOf(randomUUID())
    await deliver([await rogue.receipt({ sub: attacker.uid, cid, size: 1 })], rogue)
    expect(await replicas(cid)).toEqual({ [rogue.id]: 'unverified' })
    const receipt = await node.receipt({ sub: owner.uid, cid, size: LARGE })
    expect((await create(owner, cid, { receipt })).code).toBe(0)
    expect(await listed(owner)).toContain(cid)
    expect(await replicas(cid)).toEqual({ [rogue.id]: 'removed', [node.id]: 'stored' })
    // The same if the honest receipt comes first.
    await deliver([await rogue.receipt({ sub: attacker.uid, cid, size: 1 })], rogue)
    expect(await replicas(cid)).toEqual({ [rogue.id]: 'removed', [node.id]: 'stored' })
  })

  it('with an invalid size is rejected', async () => {
    for (const size of [-1, 0.5, 2 ** 60, Number.NaN, '7'] as number[]) {
      const receipt = await node.receipt({ sub: attacker.uid, cid: await cidOf(randomUUID()), size })
      expect(await deliver([receipt])).toMatchObject({ code: -1, err: 1021 })
    }
  })

  it('adds nothing to an account that was locked or is being deleted since its token was issued', async () => {
    for (const ended of [sql`locked_at`, sql`closing_at`]) {
      const person = await env.person()
      const cids = [await cidOf(randomUUID()), await cidOf(randomUUID()), await cidOf(randomUUID())]
      const receipts = await Promise.all(cids.map((cid) => node.receipt({ sub: person.uid, cid, size: 10 })))
      await env.db.run(sql`update users set ${ended} = now() where id = ${person.id}`)
      await deliver(receipts.slice(0, 1))
      await deliver(receipts)
      for (const cid of cids) expect(await replicas(cid)).toEqual({})
      await env.db.run(sql`update users set ${ended} = null where id = ${person.id}`)
      await deliver(receipts)
      for (const cid of cids) expect(await replicas(cid)).toEqual({ [node.id]: 'stored' })
    }
  })

  it('cannot, with others but without listing, use much more than the quota', async () => {
    const person = await env.person()
    const { cid: kept } = await stored(person, { size: 1000 })
    const cids: string[] = []
    const each = 300 * 1024 * 1024
    for (let sent = 0; sent <= FREE_STORAGE + UNLISTED_EXTRA_BYTES; sent += each) {
      const cid = await cidOf(randomUUID())
      cids.push(cid)
      env.pass(1000)
      await deliver([await node.receipt({ sub: person.uid, cid, size: each })])
    }
    expect(await replicas(cids[0] ?? '')).toEqual({ [node.id]: 'removed' })
    expect(await replicas(cids.at(-1) ?? '')).toEqual({ [node.id]: 'stored' })
    expect(await replicas(kept)).toEqual({ [node.id]: 'stored' })
  })
})

describe('an upload token', () => {
  it('is valid for one node and account, for a day, up to the free quota', async () => {
    const person = await env.person({ storageQuota: 5000 })
    await stored(person, { size: 1000 })
    const { data } = await env.call('uploads.info', {}, person)
    for (const { NodeID, Token } of data.List)
      expect(claimsOf(Token)).toMatchObject({
        typ: 'upload',
        aud: NodeID,
        sub: person.uid,
        max: 4000,
        tid: data.TraceID,
      })
    const { exp, size } = claimsOf((await env.call('uploads.info', { size: 300 }, person)).data.List[0]?.Token)
    expect(size).toBe(300)
    expect(exp * 1000 - env.clock.now()).toBeLessThanOrEqual(24 * 3600_000)
    const each = data.List.map(({ Token }) => claimsOf(Token).jti)
    expect(new Set(each).size).toBe(each.length)
  })

  it('without an account is valid for 100 MiB at most', async () => {
    const { data } = await env.call('tempFiles.uploadInfo', {})
    expect(data.List.every(({ Token }) => claimsOf(Token).max === TEMP_FILE_MAX)).toBe(true)
    expect(await env.call('tempFiles.uploadInfo', { size: TEMP_FILE_MAX + 1 })).toMatchObject({
      code: -1,
      err: 10004,
    })
  })

  it('is not issued if the quota is used up, including reservations', async () => {
    const person = await env.person({ storageQuota: 5000 })
    await create(person, await cidOf(randomUUID()), { size: 5000 })
    expect(await env.call('uploads.info', { size: 1 }, person)).toMatchObject({ code: -1, err: 10004 })
    expect(await env.call('uploads.info', {}, person)).toMatchObject({ code: -1, err: 10004 })
  })
})

describe('the quota', () => {
  it('is not exceeded by announcing small sizes and sending large ones', async () => {
    const person = await env.person({ storageQuota: 1000 })
    const cids = await Promise.all([1, 2, 3].map(() => cidOf(randomUUID())))
    for (const cid of cids) expect((await create(person, cid, { size: 1 })).code).toBe(0)
    await Promise.all(cids.map(async (cid) => deliver([await node.receipt({ sub: person.uid, cid, size: 600 })])))
    expect(await used(person)).toMatchObject({ UsedSize: 600, ReservedSize: 0, AssetCount: 1 })
    expect(await listed(person)).toHaveLength(1)
  })

  it('is released once by a hundred concurrent deletions of a file', async () => {
    const person = await env.person()
    const { cid } = await stored(person, { size: 700 })
    await stored(person, { size: 300 })
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => env.call('assets.remove', { asset_cid: cid }, person)),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(await used(person)).toMatchObject({ UsedSize: 300, AssetCount: 1 })
  })

  it('is released once by a hundred concurrent cancellations, and only by the owner', async () => {
    const person = await env.person()
    const cid = await cidOf(randomUUID())
    await create(person, cid, { size: 700 })
    await create(person, await cidOf(randomUUID()), { size: 300 })
    await env.call('uploads.cancel', { asset_cid: cid }, attacker)
    expect(await used(person)).toMatchObject({ ReservedSize: 1000 })
    await Promise.all(Array.from({ length: 100 }, () => env.call('uploads.cancel', { asset_cid: cid }, person)))
    expect(await used(person)).toMatchObject({ ReservedSize: 300, UsedSize: 0 })
  })

  it('is not released by cancelling an upload that is listed', async () => {
    const person = await env.person()
    const cid = await cidOf(randomUUID())
    const { data } = await env.call('uploads.info', { size: 700 }, person)
    const receipt = await node.receipt({ sub: person.uid, tid: data.TraceID, cid, size: 700 })
    await create(person, cid, { receipt })
    await env.call('uploads.cancel', { trace_id: data.TraceID, asset_cid: cid }, person)
    expect(await used(person)).toMatchObject({ UsedSize: 700 })
    expect(await replicas(cid)).toEqual({ [node.id]: 'stored' })
  })

  it('accepts only whole numbers of bytes', async () => {
    for (const size of [-1, 1.5, 1e300, 'x', 2 ** 60] as number[])
      expect(await create(attacker, await cidOf(randomUUID()), { size })).toMatchObject({ code: -1, err: 1001 })
    expect(await create(attacker, await cidOf(randomUUID()), { size: Number.MAX_SAFE_INTEGER })).toMatchObject({
      err: 10004,
    })
  })
})

describe('content of two accounts', () => {
  const list = async (who: Person, cid: string) =>
    create(who, cid, { receipt: await node.receipt({ sub: who.uid, cid, size: LARGE }) })

  it('is kept if one deletes it while the other lists it', async () => {
    for (let round = 0; round < 15; round++) {
      const [one, two] = [await env.person(), await env.person()]
      const { cid } = await stored(one)
      const receipt = await node.receipt({ sub: two.uid, cid, size: LARGE })
      const [, created] = await Promise.all([
        env.call('assets.remove', { asset_cid: cid }, one),
        create(two, cid, { receipt }),
      ])
      expect(created.code).toBe(0)
      expect(await replicas(cid)).toEqual({ [node.id]: 'stored' })
      await place(env.context)
      expect(await replicas(cid)).toMatchObject({ [node.id]: 'stored' })
    }
  })

  it.each<[string, (cid: string) => Promise<{ code: number }>]>([
    ['lists it', async (cid) => list(await env.person(), cid)],
    [
      'has it in the trash',
      async (cid) => {
        const other = await env.person()
        await list(other, cid)
        return env.call('trash.put', { assets: [cid] }, other)
      },
    ],
    [
      'uploaded it anonymously',
      async (cid) => {
        const receipt = await node.receipt({ sub: 'temp:x', cid, size: LARGE })
        return env.call('tempFiles.create', { asset_name: 'a', asset_size: LARGE, asset_cid: cid, receipt })
      },
    ],
  ])('is kept for a second account that %s, even without its receipt', async (_, keep) => {
    const { cid } = await stored(owner)
    expect((await keep(cid)).code).toBe(0)
    await env.db.run(sql`delete from receipts where cid = ${cid}`)
    await env.call('assets.remove', { asset_cid: cid }, owner)
    expect(await replicas(cid)).toEqual({ [node.id]: 'stored' })
  })

  it('is kept for a second account that uploaded it and lists it later', async () => {
    const { cid } = await stored(owner)
    const other = await env.person()
    const receipt = await node.receipt({ sub: other.uid, cid, size: LARGE })
    expect((await deliver([receipt])).data.accepted).toBe(1)
    await env.call('assets.remove', { asset_cid: cid }, owner)
    expect((await create(other, cid)).code).toBe(0)
    expect(await listed(other)).toEqual([cid])
    expect(await replicas(cid)).toEqual({ [node.id]: 'stored' })
  })

  it('is kept if a node reports an earlier deletion late', async () => {
    const [one, two] = [await env.person(), await env.person()]
    const { cid } = await stored(one)
    await env.call('assets.remove', { asset_cid: cid }, one)
    await create(two, cid, { receipt: await node.receipt({ sub: two.uid, cid, size: LARGE }) })
    const results = [{ cid, state: 'removed' as const, size: 0, error: '', bad_sources: [] }]
    await env.call('nodeControl.replicas', { results }, node)
    expect(await replicas(cid)).toMatchObject({ [node.id]: 'stored' })
  })
})
