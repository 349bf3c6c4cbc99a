import { createHash, randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import { FREE_STORAGE, TEMP_FILE_DOWNLOADS, TEMP_FILE_MAX, type UploadClaims } from '@tidenet/contract'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { place } from '../../apps/server/src/network/placement/place.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { UNLISTED_EXTRA_BYTES } from '../../apps/server/src/storage/receipts/receipts.ts'
import { PROOF_MIN_BYTES } from '../../apps/server/src/storage/uploads/proofs.ts'
import { clean, type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let world: TestEnv
let owner: Person
let attacker: Person
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  world = await setup()
  node = await world.node()
  owner = await world.person()
  attacker = await world.person()
})
afterAll(() => world.close())

const LARGE = PROOF_MIN_BYTES * 3
const UNLISTED = { code: -1, err: 10028 }
const cidOf = async (text: string) => (await rawCid(new TextEncoder().encode(text))).toString()
const md5Of = (text: string) => createHash('md5').update(text).digest('hex')
const claimsOf = (token = '') =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as UploadClaims

const create = (
  who: { token: string },
  cid: string,
  more: { size?: number; receipt?: string; proof?: string; md5?: string; areas?: string[] } = {},
) => {
  const { size = LARGE, areas, ...rest } = more
  return world.call(
    'assets.create',
    { asset_name: 'a.bin', asset_type: 'file', asset_size: size, asset_cid: cid, area_id: areas, ...rest },
    who,
  )
}
const deliver = (receipts: string[], by = node) => world.call('nodeControl.receipts', { receipts }, by)

/** A content that `who` has sent to a node and listed. */
async function stored(who: Person, more: { size?: number; md5?: string; areas?: string[]; text?: string } = {}) {
  const { text = randomUUID(), ...rest } = more
  const cid = await cidOf(text)
  const receipt = await node.receipt({ sub: who.uid, cid, size: rest.size ?? LARGE })
  expect((await create(who, cid, { receipt, ...rest })).code).toBe(0)
  return { cid, receipt }
}

const listed = async (who: { token: string }) =>
  (await world.call('assets.list', { page_size: 100 }, who)).data.list.map((asset) => asset.AssetRecord.CID)
const used = async (who: { token: string }) => (await world.call('usage.storageSize', {}, who)).data
const replicas = async (cid: string) =>
  Object.fromEntries(
    (
      await world.db.rows<{ node_id: string; state: string }>(
        sql`select node_id, state from replicas where cid = ${cid}`,
      )
    ).map((row) => [row.node_id, row.state]),
  )

describe('the MD5 of a file', () => {
  it('registered with other content brings nobody that content', async () => {
    const victim = await world.person()
    const md5 = md5Of('the real file')
    const { cid: poison } = await stored(attacker, { md5 })
    const asked = await world.call('uploads.info', { md5, size: LARGE, proof: true }, victim)
    expect(asked.data).toMatchObject({ AlreadyExists: false, CID: '' })
    expect(JSON.stringify(asked.data)).not.toContain(poison)
    const answer = { id: asked.data.Proof?.id ?? '', cid: await cidOf('the real file'), sha256: '0'.repeat(64) }
    expect(await world.call('uploads.prove', answer, victim)).toMatchObject({ code: -1, err: 10027 })
    const { cid } = await stored(victim, { md5, text: 'the real file' })
    expect((await world.call('uploads.info', { md5, size: LARGE }, victim)).data.CID).toBe(cid)
    expect(await listed(victim)).toEqual([cid])
  })

  it('tells one who knows it neither the CID nor that it is there, without a proof', async () => {
    const md5 = md5Of(randomUUID())
    await stored(owner, { md5 })
    const known = await world.call('uploads.info', { md5, size: LARGE }, attacker)
    const unknown = await world.call('uploads.info', { md5: md5Of(randomUUID()), size: LARGE }, attacker)
    const shape = ({ AlreadyExists, CID, Proof, SizeKnown }: typeof known.data) => [
      AlreadyExists,
      CID,
      Proof,
      SizeKnown,
    ]
    expect(shape(known.data)).toEqual(shape(unknown.data))
  })

  it('of a file so small that its digest stands in its CID is no subject of proofs', async () => {
    const md5 = md5Of(randomUUID())
    for (const size of [1, 1000, PROOF_MIN_BYTES - 1]) {
      await stored(owner, { md5, size })
      expect((await world.call('uploads.info', { md5, size, proof: true }, attacker)).data.Proof).toBeNull()
    }
  })

  it('is asked about in pieces that are no block by themselves', async () => {
    const md5 = md5Of(randomUUID())
    await stored(owner, { md5, size: PROOF_MIN_BYTES })
    for (let round = 0; round < 20; round++) {
      const { data } = await world.call('uploads.info', { md5, size: PROOF_MIN_BYTES, proof: true }, attacker)
      expect(data.Proof?.length).toBeLessThan(PROOF_MIN_BYTES)
      expect((data.Proof?.offset ?? 0) + (data.Proof?.length ?? 0)).toBeLessThanOrEqual(PROOF_MIN_BYTES)
    }
  })
})

describe('one who knows only the CID', () => {
  it('lists nothing, fetches nothing and learns nothing', async () => {
    const thief = await world.person()
    const { cid } = await stored(owner)
    const answer = await create(thief, cid)
    expect(answer.data.length).toBeGreaterThan(0)
    expect(await listed(thief)).toEqual([])
    expect(await world.call('downloads.own', { asset_cid: cid }, thief)).toMatchObject(UNLISTED)
    expect(await world.call('downloads.open', { asset_cid: cid, user_id: owner.uid }, thief)).toMatchObject(UNLISTED)
    for (const operation of ['assets.detail', 'assets.location', 'assets.mapOfCid'] as const)
      for (const user_id of [owner.uid, thief.uid, undefined])
        expect(await world.call(operation, { cid, user_id }, thief)).toMatchObject(UNLISTED)
    expect((await world.call('tempFiles.download', { cid }, {})).err).toBe(1000)
  })

  it('hears of no area that holds it', async () => {
    const { cid } = await stored(owner)
    const ask = async (input: object, as: object = {}) => (await world.call('uploads.areas', input, as)).data.list
    expect(await ask({ cid }, owner)).toEqual(['Germany'])
    for (const as of [attacker, {}])
      for (const user_id of [undefined, owner.uid, owner.email, attacker.uid])
        expect(await ask({ cid, user_id }, as)).toEqual([])
    await world.call('shares.setStatus', { cid }, owner)
    expect(await ask({ cid, user_id: owner.uid })).toEqual(['Germany'])
  })

  it('brings no replica to an area that the owner did not choose', async () => {
    const far = await world.node({ area: 'Asia-Singapore-Singapore-Singapore' })
    const { cid } = await stored(owner, { areas: ['Germany'] })
    await create(attacker, cid, { areas: [] })
    await create(await world.person(), cid, { areas: ['Singapore'] })
    await world.call('tempFiles.create', { asset_name: 'a', asset_size: 10, asset_cid: cid }, {})
    await place(world.context)
    expect(await replicas(cid)).not.toHaveProperty(far.id)
  })

  it('keeps nothing alive that its owner deletes', async () => {
    const { cid } = await stored(owner)
    await create(attacker, cid)
    await world.call('tempFiles.create', { asset_name: 'a', asset_size: 10, asset_cid: cid }, {})
    await world.call('assets.remove', { asset_cid: cid }, owner)
    expect(Object.values(await replicas(cid))).not.toContain('stored')
  })

  it('does not make it public by naming it among anonymous files', async () => {
    const { cid } = await stored(owner)
    expect((await world.call('tempFiles.create', { asset_name: 'a', asset_size: 10, asset_cid: cid }, {})).code).toBe(0)
    for (const operation of ['tempFiles.info', 'tempFiles.download', 'tempFiles.share'] as const)
      expect(await world.call(operation, { cid })).toMatchObject({ code: -1, err: 1000 })
    await world.call(
      'assets.create',
      { asset_name: 'a', asset_type: 'file', asset_size: 9, asset_cid: cid, group_id: -1 },
      attacker,
    )
    expect((await world.call('tempFiles.info', { cid })).err).toBe(1000)
  })

  it('does not get at it with a proof of other content, of another account, made up, or of too long ago', async () => {
    const { cid } = await stored(owner)
    const proof = (claims: object, sub: string, audience = 'proof', key = world.context.keys.shareToken, life = 600) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(sub)
        .setAudience(audience)
        .setExpirationTime(Math.floor(world.clock.now() / 1000) + life)
        .sign(key)
    for (const wrong of [
      await proof({ cid: await cidOf('other') }, attacker.uid),
      await proof({ cid }, owner.uid),
      await proof({ cid }, attacker.uid, 'share'),
      await proof({ cid }, attacker.uid, 'proof', new TextEncoder().encode('guess')),
      await proof({ cid }, attacker.uid, 'proof', world.context.keys.session),
      await proof({ cid }, attacker.uid, 'proof', world.context.keys.shareToken, -1),
      attacker.token,
      'x.y.z',
      '',
    ])
      expect(await create(attacker, cid, { proof: wrong })).toMatchObject({ code: -1, err: 10027 })
    expect(await listed(attacker)).not.toContain(cid)
  })
})

describe('a question of possession', () => {
  it('is asked of one account, answered once, in time', async () => {
    const md5 = md5Of(randomUUID())
    const { cid } = await stored(owner, { md5 })
    const ask = async () =>
      (await world.call('uploads.info', { md5, size: LARGE, proof: true }, attacker)).data.Proof?.id
    const open = () => world.db.rows(sql`select 1 from proofs`)
    const answer = (id = '', as: Person = attacker) =>
      world.call('uploads.prove', { id, cid, sha256: '0'.repeat(64) }, as)
    const before = (await open()).length
    const id = await ask()
    expect(await answer(id, await world.person())).toMatchObject({ code: -1, err: 10027 })
    expect(await open()).toHaveLength(before + 1)
    await Promise.all(Array.from({ length: 20 }, () => answer(id)))
    expect(await open()).toHaveLength(before)
  })

  it('answered rightly lists nothing that is being deleted meanwhile', async () => {
    const { cid } = await stored(owner)
    const proof = await new SignJWT({ cid })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(attacker.uid)
      .setAudience('proof')
      .setExpirationTime(Math.floor(world.clock.now() / 1000) + 600)
      .sign(world.context.keys.shareToken)
    await world.call('assets.remove', { asset_cid: cid }, owner)
    expect(await create(attacker, cid, { proof })).toMatchObject({ code: -1, err: 10027 })
    expect(await listed(attacker)).not.toContain(cid)
  })
})

describe('a receipt', () => {
  it('shown again after the file was deleted is worth nothing', async () => {
    const person = await world.person()
    const { cid, receipt } = await stored(person)
    await world.call('assets.remove', { asset_cid: cid }, person)
    const before = await replicas(cid)
    expect(before).toEqual({ [node.id]: 'removed' })
    const received = async () =>
      (
        await world.db.one<{ sum: number }>(
          sql`select sum(received) as sum from usage_hours where user_id = ${person.id}`,
        )
      ).sum
    const counted = await received()
    expect(await create(person, cid, { receipt })).toMatchObject({ code: -1, err: 10027 })
    await deliver([receipt])
    expect(await replicas(cid)).toEqual(before)
    expect(await received()).toBe(counted)
    // Neither when nothing is left of the content.
    await world.db.run(sql`delete from contents where cid = ${cid}`)
    await deliver([receipt])
    expect(await replicas(cid)).toEqual({})
    await world.call('tempFiles.create', { asset_name: 'a', asset_size: LARGE, asset_cid: cid, receipt })
    expect((await world.call('tempFiles.info', { cid })).err).toBe(1000)
  })

  it('of an upload that was cancelled, or of an anonymous file of yesterday, neither', async () => {
    const person = await world.person()
    const cid = await cidOf(randomUUID())
    const { data } = await world.call('uploads.info', { size: LARGE }, person)
    const claims = { sub: person.uid, tid: data.TraceID, cid, size: LARGE }
    const receipt = await node.receipt(claims)
    await deliver([receipt])
    await world.call('uploads.cancel', { trace_id: data.TraceID }, person)
    await deliver([receipt])
    expect(await replicas(cid)).toEqual({ [node.id]: 'removed' })

    const public_ = await cidOf(randomUUID())
    const anonymous = await node.receipt({ sub: 'temp:x', cid: public_, size: 10 })
    await world.call('tempFiles.create', { asset_name: 'a', asset_size: 10, asset_cid: public_, receipt: anonymous })
    const yesterday = new Date(world.clock.now() - 25 * 3600_000)
    await world.db.run(sql`update temp_files set expires_at = ${yesterday} where cid = ${public_}`)
    await world.db.run(sql`update receipts set received_at = ${yesterday} where cid = ${public_}`)
    await clean(world.context)
    await world.call('tempFiles.create', { asset_name: 'a', asset_size: 10, asset_cid: public_, receipt: anonymous })
    expect((await world.call('tempFiles.info', { cid: public_ })).err).toBe(1000)
    expect(await replicas(public_)).toEqual({ [node.id]: 'removed' })
  })

  it('of another account is no possession', async () => {
    const { cid, receipt } = await stored(owner)
    expect(await create(attacker, cid, { receipt })).toMatchObject({ code: -1, err: 10027 })
    expect(await listed(attacker)).not.toContain(cid)
  })

  it('speaks of nobody who never asked this network where to upload', async () => {
    const rogue = await world.node({ kind: 'edge' })
    const victim = await world.person()
    const cid = await cidOf(randomUUID())
    await create(victim, cid)
    const traceOfOther = (await world.call('uploads.info', {}, attacker)).data.TraceID
    const { data } = await world.call('downloads.own', { asset_cid: (await stored(victim)).cid }, victim)
    for (const tid of ['', 'made-up', traceOfOther, data.trace_id])
      await deliver([await rogue.receipt({ sub: victim.uid, tid, cid, size: 2 ** 50 })], rogue)
    expect(await listed(victim)).not.toContain(cid)
    expect(await replicas(cid)).toEqual({})
    const hours = (await world.call('usage.hourly', {}, victim)).data.series_data
    expect(JSON.stringify(hours)).not.toContain(String(2 ** 50))
  })

  it('of an edge cannot spoil a CID for those who have the real bytes', async () => {
    const rogue = await world.node({ kind: 'edge' })
    const cid = await cidOf(randomUUID())
    await deliver([await rogue.receipt({ sub: attacker.uid, cid, size: 1 })], rogue)
    expect(await replicas(cid)).toEqual({ [rogue.id]: 'unverified' })
    const receipt = await node.receipt({ sub: owner.uid, cid, size: LARGE })
    expect((await create(owner, cid, { receipt })).code).toBe(0)
    expect(await listed(owner)).toContain(cid)
    expect(await replicas(cid)).toEqual({ [rogue.id]: 'removed', [node.id]: 'stored' })
    // And not the other way round, though the answer does not say so.
    await deliver([await rogue.receipt({ sub: attacker.uid, cid, size: 1 })], rogue)
    expect(await replicas(cid)).toEqual({ [rogue.id]: 'removed', [node.id]: 'stored' })
  })

  it('with a size that is none is not one', async () => {
    for (const size of [-1, 0.5, 2 ** 60, Number.NaN, '7'] as number[]) {
      const receipt = await node.receipt({ sub: attacker.uid, cid: await cidOf(randomUUID()), size })
      expect(await deliver([receipt])).toMatchObject({ code: -1, err: 1021 })
    }
  })

  it('after receipt, without a file, takes no more room than the quota and a little', async () => {
    const person = await world.person()
    const { cid: kept } = await stored(person, { size: 1000 })
    const cids: string[] = []
    const each = 300 * 1024 * 1024
    for (let sent = 0; sent <= FREE_STORAGE + UNLISTED_EXTRA_BYTES; sent += each) {
      const cid = await cidOf(randomUUID())
      cids.push(cid)
      world.pass(1000)
      await deliver([await node.receipt({ sub: person.uid, cid, size: each })])
    }
    expect(await replicas(cids[0] ?? '')).toEqual({ [node.id]: 'removed' })
    expect(await replicas(cids.at(-1) ?? '')).toEqual({ [node.id]: 'stored' })
    expect(await replicas(kept)).toEqual({ [node.id]: 'stored' })
  })
})

describe('a token for uploading', () => {
  it('is for one node and account, for a day, for no more bytes than the account has room for', async () => {
    const person = await world.person({ storageQuota: 5000 })
    await stored(person, { size: 1000 })
    const { data } = await world.call('uploads.info', {}, person)
    for (const { NodeID, Token } of data.List)
      expect(claimsOf(Token)).toMatchObject({
        typ: 'upload',
        aud: NodeID,
        sub: person.uid,
        max: 4000,
        tid: data.TraceID,
      })
    const { exp, size } = claimsOf((await world.call('uploads.info', { size: 300 }, person)).data.List[0]?.Token)
    expect(size).toBe(300)
    expect(exp * 1000 - world.clock.now()).toBeLessThanOrEqual(24 * 3600_000)
    const each = data.List.map(({ Token }) => claimsOf(Token).jti)
    expect(new Set(each).size).toBe(each.length)
  })

  it('without an account is for 100 MiB at most', async () => {
    const { data } = await world.call('tempFiles.uploadInfo', {})
    expect(data.List.every(({ Token }) => claimsOf(Token).max === TEMP_FILE_MAX)).toBe(true)
    expect(await world.call('tempFiles.uploadInfo', { size: TEMP_FILE_MAX + 1 })).toMatchObject({
      code: -1,
      err: 10004,
    })
  })

  it('is given to nobody whose room is spent, also by what is on its way', async () => {
    const person = await world.person({ storageQuota: 5000 })
    await create(person, await cidOf(randomUUID()), { size: 5000 })
    expect(await world.call('uploads.info', { size: 1 }, person)).toMatchObject({ code: -1, err: 10004 })
    expect(await world.call('uploads.info', {}, person)).toMatchObject({ code: -1, err: 10004 })
  })
})

describe('the quota', () => {
  it('is not overrun by announcing little and sending much', async () => {
    const person = await world.person({ storageQuota: 1000 })
    const cids = await Promise.all([1, 2, 3].map(() => cidOf(randomUUID())))
    for (const cid of cids) expect((await create(person, cid, { size: 1 })).code).toBe(0)
    await Promise.all(cids.map(async (cid) => deliver([await node.receipt({ sub: person.uid, cid, size: 600 })])))
    expect(await used(person)).toMatchObject({ UsedSize: 600, ReservedSize: 0, AssetCount: 1 })
    expect(await listed(person)).toHaveLength(1)
  })

  it('never falls below nothing: one file deleted a hundred times at once frees its room once', async () => {
    const person = await world.person()
    const { cid } = await stored(person, { size: 700 })
    await stored(person, { size: 300 })
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => world.call('assets.remove', { asset_cid: cid }, person)),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(await used(person)).toMatchObject({ UsedSize: 300, AssetCount: 1 })
  })

  it('is given back once by a hundred cancellations, and to nobody else', async () => {
    const person = await world.person()
    const cid = await cidOf(randomUUID())
    await create(person, cid, { size: 700 })
    await create(person, await cidOf(randomUUID()), { size: 300 })
    await world.call('uploads.cancel', { asset_cid: cid }, attacker)
    expect(await used(person)).toMatchObject({ ReservedSize: 1000 })
    await Promise.all(Array.from({ length: 100 }, () => world.call('uploads.cancel', { asset_cid: cid }, person)))
    expect(await used(person)).toMatchObject({ ReservedSize: 300, UsedSize: 0 })
  })

  it('cannot be cancelled away: what is listed stays and counts', async () => {
    const person = await world.person()
    const cid = await cidOf(randomUUID())
    const { data } = await world.call('uploads.info', { size: 700 }, person)
    const receipt = await node.receipt({ sub: person.uid, tid: data.TraceID, cid, size: 700 })
    await create(person, cid, { receipt })
    await world.call('uploads.cancel', { trace_id: data.TraceID, asset_cid: cid }, person)
    expect(await used(person)).toMatchObject({ UsedSize: 700 })
    expect(await replicas(cid)).toEqual({ [node.id]: 'stored' })
  })

  it('is asked in whole bytes', async () => {
    for (const size of [-1, 1.5, 1e300, 'x', 2 ** 60] as number[])
      expect(await create(attacker, await cidOf(randomUUID()), { size })).toMatchObject({ code: -1, err: 1001 })
    expect(await create(attacker, await cidOf(randomUUID()), { size: Number.MAX_SAFE_INTEGER })).toMatchObject({
      err: 10004,
    })
  })
})

describe('content that two accounts have', () => {
  const enter = async (who: Person, cid: string) =>
    create(who, cid, { receipt: await node.receipt({ sub: who.uid, cid, size: LARGE }) })

  it('outlives the deletion by one while the other enters it, whoever is first', async () => {
    for (let round = 0; round < 15; round++) {
      const [one, two] = [await world.person(), await world.person()]
      const { cid } = await stored(one)
      const receipt = await node.receipt({ sub: two.uid, cid, size: LARGE })
      const [, entered] = await Promise.all([
        world.call('assets.remove', { asset_cid: cid }, one),
        create(two, cid, { receipt }),
      ])
      expect(entered.code).toBe(0)
      expect(await replicas(cid)).toEqual({ [node.id]: 'stored' })
      await place(world.context)
      expect(await replicas(cid)).toMatchObject({ [node.id]: 'stored' })
    }
  })

  it.each<[string, (cid: string) => Promise<{ code: number }>]>([
    ['lists it', async (cid) => enter(await world.person(), cid)],
    [
      'has it in the trash',
      async (cid) => {
        const other = await world.person()
        await enter(other, cid)
        return world.call('trash.put', { assets: [cid] }, other)
      },
    ],
    [
      'has left it without an account',
      async (cid) => {
        const receipt = await node.receipt({ sub: 'temp:x', cid, size: LARGE })
        return world.call('tempFiles.create', { asset_name: 'a', asset_size: LARGE, asset_cid: cid, receipt })
      },
    ],
  ])('outlives it for who %s, also when no receipt is remembered any more', async (_, keep) => {
    const { cid } = await stored(owner)
    expect((await keep(cid)).code).toBe(0)
    await world.db.run(sql`delete from receipts where cid = ${cid}`)
    await world.call('assets.remove', { asset_cid: cid }, owner)
    expect(await replicas(cid)).toEqual({ [node.id]: 'stored' })
  })

  it('outlives it for who has sent it and lists it afterwards', async () => {
    const { cid } = await stored(owner)
    const other = await world.person()
    const receipt = await node.receipt({ sub: other.uid, cid, size: LARGE })
    expect((await deliver([receipt])).data.accepted).toBe(1)
    await world.call('assets.remove', { asset_cid: cid }, owner)
    expect((await create(other, cid)).code).toBe(0)
    expect(await listed(other)).toEqual([cid])
    expect(await replicas(cid)).toEqual({ [node.id]: 'stored' })
  })

  it('is not given up when a node says late that it has deleted what was sent to it since', async () => {
    const [one, two] = [await world.person(), await world.person()]
    const { cid } = await stored(one)
    await world.call('assets.remove', { asset_cid: cid }, one)
    await create(two, cid, { receipt: await node.receipt({ sub: two.uid, cid, size: LARGE }) })
    const results = [{ cid, state: 'removed' as const, size: 0, error: '', bad_sources: [] }]
    await world.call('nodeControl.replicas', { results }, node)
    expect(await replicas(cid)).toMatchObject({ [node.id]: 'stored' })
  })
})

describe('anonymous files', () => {
  const file = async (name: string, text = randomUUID()) => {
    const cid = await cidOf(text)
    const receipt = await node.receipt({ sub: 'temp:x', cid, size: 10 })
    const answer = await world.call('tempFiles.create', { asset_name: name, asset_size: 10, asset_cid: cid, receipt })
    expect(answer.code).toBe(0)
    return cid
  }

  it('keep their name, size and place when somebody else registers them again', async () => {
    const cid = await file('holiday.jpg')
    await world.call('tempFiles.create', {
      asset_name: 'virus.exe',
      asset_size: 99,
      asset_cid: cid,
      area_ids: ['Mars'],
    })
    expect((await world.call('tempFiles.info', { cid })).data).toMatchObject({ name: 'holiday.jpg', size: 10 })
  })

  it('are fetched twenty times, however many ask at once', async () => {
    const cid = await file('a')
    await Promise.all(Array.from({ length: 30 }, () => world.call('tempFiles.info', { cid })))
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => world.call('tempFiles.download', { cid }, { ip: '10.1.1.1' })),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(TEMP_FILE_DOWNLOADS)
    expect(answers.filter(({ err }) => err === 2057)).toHaveLength(50 - TEMP_FILE_DOWNLOADS)
  })

  it('show masked addresses of machines', async () => {
    const cid = await file('b')
    expect(JSON.stringify((await world.call('tempFiles.info', { cid })).data)).not.toContain('127.0.0.1')
  })

  it('lead only to the machines that hold them', async () => {
    const cid = await file('c')
    const answer = await world.app.inject({
      url: `/api/v1/storage/temp_file/share/${cid}?filename=//evil.example/x&url=//evil.example`,
    })
    expect(answer.statusCode).toBe(302)
    expect(new URL(String(answer.headers.location)).host).toBe('127.0.0.1:9')
  })
})

describe('a report of a transfer', () => {
  const report = (input: object, as: object = {}) =>
    world.call('traces.report', { transfer_type: 'download', state: 1, ...input }, as)
  const trace = async () => {
    const { cid } = await stored(owner)
    return { cid, id: (await world.call('downloads.own', { asset_cid: cid }, owner)).data.trace_id }
  }

  it('is of the caller, whoever it says it is of', async () => {
    const { id, cid } = await trace()
    for (const as of [attacker, {}])
      expect(await report({ trace_id: id, user_id: owner.uid, cid, rate: 666 }, as)).toMatchObject({
        code: -1,
        err: 1028,
      })
    const mine = await report({ user_id: owner.uid, cid }, attacker)
    expect(await world.call('traces.get', { trace_id: mine.data.trace_id }, owner)).toMatchObject({
      code: -1,
      err: 1000,
    })
    expect((await world.call('traces.get', { trace_id: id }, owner)).data.rate).toBe(0)
  })

  it('survives no time at all, numbers by the million and times before time', async () => {
    const { id } = await trace()
    const detail = {
      node_id: node.id,
      state: 1,
      transfer_type: 'download',
      size: 1e15,
      start_at: 5,
      end_at: 5,
      status_code: 200,
      error: '',
    }
    const wild = { rate: 1e300, cost_ms: 0, total_size: 9e15, first_byte_time: -7, available_bandwidth: 'many' }
    const details = [detail, { ...detail, start_at: 9e15, end_at: 0 }, { ...detail, node_id: 'nobody' }]
    expect((await report({ trace_id: id, ...wild, details }, owner)).code).toBe(0)
    const { data } = await world.call('traces.get', { trace_id: id }, owner)
    for (const value of [data.rate, data.cost_ms, data.first_byte_time, data.available_bandwidth])
      expect(Number.isSafeInteger(value) && value >= 0).toBe(true)
    expect(data.details.every(({ start_at, end_at }) => Number(end_at) >= Number(start_at))).toBe(true)
    expect((await report({ trace_id: id, details: [] }, owner)).code).toBe(0)
    expect((await report({ trace_id: '', details: null, log: null }, owner)).code).toBe(0)
  })

  it('counts no download traffic, which only nodes report', async () => {
    const { id } = await trace()
    const before = (await used(owner)).UsedTraffic
    await report({ trace_id: id, total_size: 10 ** 12 }, owner)
    expect((await used(owner)).UsedTraffic).toBe(before)
  })

  it('overwrites none that has ended, a hundred at once or later', async () => {
    const { id } = await trace()
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => report({ trace_id: id, rate: index + 1, cost_ms: 10 }, owner)),
    )
    const { rate } = (await world.call('traces.get', { trace_id: id }, owner)).data
    await report({ trace_id: id, state: 2, rate: 777_777, cost_ms: 1 }, owner)
    expect((await world.call('traces.get', { trace_id: id }, owner)).data).toMatchObject({ rate, state: 1 })
  })
})
