import { createHash, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { place } from '../../apps/server/src/network/placement/place.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { PROOF_MIN_BYTES } from '../../apps/server/src/storage/uploads/proofs.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
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

const UNLISTED = { code: -1, err: 10028 }
const md5Of = (text: string) => createHash('md5').update(text).digest('hex')

const listed = async (who: { token: string }) =>
  (await env.call('assets.list', { page_size: 100 }, who)).data.list.map((asset) => asset.AssetRecord.CID)

describe('the MD5 of a file', () => {
  it('registered with other content gives nobody that content', async () => {
    const victim = await env.person()
    const md5 = md5Of('the real file')
    const { cid: poison } = await stored(attacker, { md5 })
    const asked = await env.call('uploads.info', { md5, size: LARGE, proof: true }, victim)
    expect(asked.data).toMatchObject({ AlreadyExists: false, CID: '' })
    expect(JSON.stringify(asked.data)).not.toContain(poison)
    const answer = { id: asked.data.Proof?.id ?? '', cid: await cidOf('the real file'), sha256: '0'.repeat(64) }
    expect(await env.call('uploads.prove', answer, victim)).toMatchObject({ code: -1, err: 10027 })
    const { cid } = await stored(victim, { md5, text: 'the real file' })
    expect((await env.call('uploads.info', { md5, size: LARGE }, victim)).data.CID).toBe(cid)
    expect(await listed(victim)).toEqual([cid])
  })

  it('reveals neither the CID nor the existence of the file without a proof', async () => {
    const md5 = md5Of(randomUUID())
    await stored(owner, { md5 })
    const known = await env.call('uploads.info', { md5, size: LARGE }, attacker)
    const unknown = await env.call('uploads.info', { md5: md5Of(randomUUID()), size: LARGE }, attacker)
    const shape = ({ AlreadyExists, CID, Proof, SizeKnown }: typeof known.data) => [
      AlreadyExists,
      CID,
      Proof,
      SizeKnown,
    ]
    expect(shape(known.data)).toEqual(shape(unknown.data))
  })

  it('cannot be used for a proof if the file is so small that its hash is part of the CID', async () => {
    const md5 = md5Of(randomUUID())
    for (const size of [1, 1000, PROOF_MIN_BYTES - 1]) {
      await stored(owner, { md5, size })
      expect((await env.call('uploads.info', { md5, size, proof: true }, attacker)).data.Proof).toBeNull()
    }
  })

  it('is challenged with ranges that are not whole blocks', async () => {
    const md5 = md5Of(randomUUID())
    await stored(owner, { md5, size: PROOF_MIN_BYTES })
    for (let round = 0; round < 20; round++) {
      const { data } = await env.call('uploads.info', { md5, size: PROOF_MIN_BYTES, proof: true }, attacker)
      expect(data.Proof?.length).toBeLessThan(PROOF_MIN_BYTES)
      expect((data.Proof?.offset ?? 0) + (data.Proof?.length ?? 0)).toBeLessThanOrEqual(PROOF_MIN_BYTES)
    }
  })
})

describe('a caller who knows only the CID', () => {
  it('can neither list nor download the content', async () => {
    const thief = await env.person()
    const { cid } = await stored(owner)
    const answer = await create(thief, cid)
    expect(answer.data.length).toBeGreaterThan(0)
    expect(await listed(thief)).toEqual([])
    expect(await env.call('downloads.own', { asset_cid: cid }, thief)).toMatchObject(UNLISTED)
    expect(await env.call('downloads.open', { asset_cid: cid, user_id: owner.uid }, thief)).toMatchObject(UNLISTED)
    for (const operation of ['assets.detail', 'assets.location', 'assets.mapOfCid'] as const)
      for (const user_id of [owner.uid, thief.uid, undefined])
        expect(await env.call(operation, { cid, user_id }, thief)).toMatchObject(UNLISTED)
    expect((await env.call('tempFiles.download', { cid }, {})).err).toBe(1000)
  })

  it('does not get the areas of the content', async () => {
    const { cid } = await stored(owner)
    const ask = async (input: object, as: object = {}) => (await env.call('uploads.areas', input, as)).data.list
    expect(await ask({ cid }, owner)).toEqual(['Germany'])
    for (const as of [attacker, {}])
      for (const user_id of [undefined, owner.uid, owner.email, attacker.uid])
        expect(await ask({ cid, user_id }, as)).toEqual([])
    await env.call('shares.setStatus', { cid }, owner)
    expect(await ask({ cid, user_id: owner.uid })).toEqual(['Germany'])
  })

  it('cannot cause replicas in areas that the owner did not choose', async () => {
    const far = await env.node({ area: 'Asia-Singapore-Singapore-Singapore' })
    const { cid } = await stored(owner, { areas: ['Germany'] })
    await create(attacker, cid, { areas: [] })
    await create(await env.person(), cid, { areas: ['Singapore'] })
    await env.call('tempFiles.create', { asset_name: 'a', asset_size: 10, asset_cid: cid }, {})
    await place(env.context)
    expect(await replicas(cid)).not.toHaveProperty(far.id)
  })

  it('cannot keep content that its owner deletes', async () => {
    const { cid } = await stored(owner)
    await create(attacker, cid)
    await env.call('tempFiles.create', { asset_name: 'a', asset_size: 10, asset_cid: cid }, {})
    await env.call('assets.remove', { asset_cid: cid }, owner)
    expect(Object.values(await replicas(cid))).not.toContain('stored')
  })

  it('cannot publish it as an anonymous file', async () => {
    const { cid } = await stored(owner)
    expect((await env.call('tempFiles.create', { asset_name: 'a', asset_size: 10, asset_cid: cid }, {})).code).toBe(0)
    for (const operation of ['tempFiles.info', 'tempFiles.download', 'tempFiles.share'] as const)
      expect(await env.call(operation, { cid })).toMatchObject({ code: -1, err: 1000 })
    await env.call(
      'assets.create',
      { asset_name: 'a', asset_type: 'file', asset_size: 9, asset_cid: cid, group_id: -1 },
      attacker,
    )
    expect((await env.call('tempFiles.info', { cid })).err).toBe(1000)
  })

  it('cannot use a proof of other content, of another account, forged or expired', async () => {
    const { cid } = await stored(owner)
    const proof = (claims: object, sub: string, audience = 'proof', key = env.context.keys.shareToken, life = 600) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(sub)
        .setAudience(audience)
        .setExpirationTime(Math.floor(env.clock.now() / 1000) + life)
        .sign(key)
    for (const wrong of [
      await proof({ cid: await cidOf('other') }, attacker.uid),
      await proof({ cid }, owner.uid),
      await proof({ cid }, attacker.uid, 'share'),
      await proof({ cid }, attacker.uid, 'proof', new TextEncoder().encode('guess')),
      await proof({ cid }, attacker.uid, 'proof', env.context.keys.session),
      await proof({ cid }, attacker.uid, 'proof', env.context.keys.shareToken, -1),
      attacker.token,
      'x.y.z',
      '',
    ])
      expect(await create(attacker, cid, { proof: wrong })).toMatchObject({ code: -1, err: 10027 })
    expect(await listed(attacker)).not.toContain(cid)
  })
})

describe('a proof of possession', () => {
  it('is valid for one account, once, for a limited time', async () => {
    const md5 = md5Of(randomUUID())
    const { cid } = await stored(owner, { md5 })
    const ask = async () => (await env.call('uploads.info', { md5, size: LARGE, proof: true }, attacker)).data.Proof?.id
    const open = () => env.db.rows(sql`select 1 from proofs`)
    const answer = (id = '', as: Person = attacker) =>
      env.call('uploads.prove', { id, cid, sha256: '0'.repeat(64) }, as)
    const before = (await open()).length
    const id = await ask()
    expect(await answer(id, await env.person())).toMatchObject({ code: -1, err: 10027 })
    expect(await open()).toHaveLength(before + 1)
    await Promise.all(Array.from({ length: 20 }, () => answer(id)))
    expect(await open()).toHaveLength(before)
  })

  it('does not list content that was deleted in the meantime', async () => {
    const { cid } = await stored(owner)
    const proof = await new SignJWT({ cid })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(attacker.uid)
      .setAudience('proof')
      .setExpirationTime(Math.floor(env.clock.now() / 1000) + 600)
      .sign(env.context.keys.shareToken)
    await env.call('assets.remove', { asset_cid: cid }, owner)
    expect(await create(attacker, cid, { proof })).toMatchObject({ code: -1, err: 10027 })
    expect(await listed(attacker)).not.toContain(cid)
  })
})
