import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import type { Person, TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { openShares, type Shares, shareActions } from './shares.ts'

let shares: Shares
let env: TestEnv
let node: Shares['node']
let owner: Person
let attacker: Person
beforeAll(async () => {
  shares = await openShares()
  ;({ env, node, owner, attacker } = shares)
})
afterAll(() => env.close())
const { file, folder, get } = shareActions(() => shares)

const usedBytes = async (person: Person) =>
  (await env.db.one<{ used_bytes: number }>(sql`select used_bytes from users where id = ${person.id}`)).used_bytes

describe('folders', () => {
  it('of others cannot be parents or targets', async () => {
    const [theirs, mine] = [await folder(owner, 'theirs'), await folder(attacker, 'mine')]
    const { cid } = await file({ folder: theirs })
    const { cid: own } = await sampleFile(env.db, attacker.id)
    const refused = { code: -1, err: 10018 }
    expect(await env.call('folders.create', { name: 'x', parent: theirs }, attacker)).toMatchObject(refused)
    for (const move of [
      { group_id: mine, target_group_id: theirs },
      { group_id: theirs, target_group_id: mine },
    ])
      expect(await env.call('folders.move', move, attacker)).toMatchObject(refused)
    expect(await env.call('folders.rename', { group_id: theirs, new_name: 'x' }, attacker)).toMatchObject(refused)
    expect(await env.call('folders.remove', { group_id: theirs }, attacker)).toMatchObject(refused)
    expect(await env.call('assets.move', { asset_cid: own, group_id: theirs }, attacker)).toMatchObject(refused)
    expect(await env.call('assets.move', { asset_cid: cid, group_id: mine }, attacker)).toMatchObject({ err: 10028 })
    expect(await env.call('folders.rename', { asset_cid: cid, new_name: 'x' }, attacker)).toMatchObject({
      err: 10028,
    })
  })

  it('release exactly the quota of their files, even if deleted by many concurrent requests', async () => {
    const person = await env.person()
    const inside = await folder(person, 'inside')
    await sampleFile(env.db, person.id, { size: 1000 })
    await sampleFile(env.db, person.id, { size: 700, folder: inside })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => env.call('folders.remove', { group_id: inside }, person)),
    )
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
    expect(await usedBytes(person)).toBe(1000)
  })

  it('do not delete content that another account has just stored', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, two] = [await env.person(), await env.person()]
      const text = `race ${round}`
      const inside = await folder(one, 'inside')
      const { cid } = await sampleFile(env.db, one.id, { folder: inside, text, nodes: [node] })
      const receipt = await node.receipt({ sub: two.uid, cid, size: 20 })
      await Promise.all([
        env.call('folders.remove', { group_id: inside }, one),
        env.call(
          'assets.create',
          { asset_name: 'x', asset_type: 'file', asset_size: 20, asset_cid: cid, receipt },
          two,
        ),
      ])
      const { data } = await env.call('folders.contents', {}, two)
      expect(data.list[0]?.AssetOverview?.AssetRecord.CID).toBe(cid)
      const { state } = await env.db.one<{ state: string }>(sql`select state from replicas where cid = ${cid}`)
      expect(state).toBe('stored')
    }
  })
})

describe('listings', () => {
  it('have a maximum page size', async () => {
    for (const page_size of [101, 1_000_000, -1])
      for (const operation of ['folders.contents', 'folders.list', 'assets.list'] as const)
        expect(await env.call(operation, { page_size }, owner)).toMatchObject({ code: -1, err: 1001 })
    const everything = await get('/api/v1/storage/get_all_asset_list?group_id=0', {
      jwtauthorization: `Bearer ${owner.token}`,
    })
    expect(everything.statusCode).toBe(404)
  })

  it('count pages from one', async () => {
    const person = await env.person()
    const cids = []
    for (let index = 0; index < 5; index++) cids.unshift((await sampleFile(env.db, person.id)).cid)
    const page = async (number: number) =>
      (await env.call('assets.list', { page: number, page_size: 2 }, person)).data.list.map(
        (asset) => asset.AssetRecord.CID,
      )
    expect([await page(1), await page(2), await page(3)]).toEqual([cids.slice(0, 2), cids.slice(2, 4), cids.slice(4)])
  })

  it('are complete, even for content that no node stores', async () => {
    const person = await env.person()
    await folder(person, 'x')
    await sampleFile(env.db, person.id)
    const { list, total } = (await env.call('folders.contents', {}, person)).data
    expect(total).toBe(2)
    expect(list.every((item) => (item.Group === null) !== (item.AssetOverview === null))).toBe(true)
  })
})
