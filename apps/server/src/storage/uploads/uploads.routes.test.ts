import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'
import { sampleUploads } from './sample-uploads.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
  await env.node()
  await env.node({ kind: 'edge', area: 'Asia-Singapore-Singapore-Singapore' })
})
afterAll(() => env.close())

const md5Of = (text: string) => createHash('md5').update(text).digest('hex')
const { cidOf, stored } = sampleUploads(() => env)

const size = async (person: { token: string }) => (await env.call('usage.storageSize', {}, person)).data

describe('asking where to upload', () => {
  it('returns nodes with tokens, and a trace', async () => {
    const person = await env.person()
    const { code, data } = await env.call('uploads.info', { size: 10, need_trace: true }, person)
    expect(code).toBe(0)
    expect(data.AlreadyExists).toBe(false)
    expect(data.List.length).toBeGreaterThan(0)
    expect(data.available_nodes).toBe(data.List.length)
    expect(data.TraceID).not.toBe('')
    expect(data.List.every((node) => node.UploadURL.endsWith('/uploadv2') && node.Token.split('.').length === 3)).toBe(
      true,
    )
  })

  it('returns only nodes of the requested area, in either form of its name', async () => {
    const person = await env.person()
    for (const area of ['Singapore', 'Asia-Singapore-Singapore-Singapore']) {
      const { data } = await env.call('uploads.info', { area_id: [area] }, person)
      expect(data.AreaID).toBe('Singapore')
      expect(data.List).toHaveLength(1)
    }
  })

  it('reports a file that the account already has', async () => {
    const person = await env.person()
    const { cid } = await stored(person, 'mine already', { md5: md5Of('mine already') })
    const { data } = await env.call('uploads.info', { md5: md5Of('mine already') }, person)
    expect(data).toMatchObject({ AlreadyExists: true, CID: cid, List: [] })
  })

  it('does not reveal a file of another account, but requests a proof from clients that support it', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const text = 'theirs'.repeat(50_000)
    const { cid } = await stored(owner, text, { md5: md5Of(text) })
    const plain = await env.call('uploads.info', { md5: md5Of(text), size: text.length }, other)
    expect(plain.data).toMatchObject({ AlreadyExists: false, CID: '', Proof: null, SizeKnown: true })
    const asked = await env.call('uploads.info', { md5: md5Of(text), size: text.length, proof: true }, other)
    expect(asked.data.AlreadyExists).toBe(false)
    const { offset = 0, length = 0 } = asked.data.Proof ?? {}
    expect(length).toBeGreaterThan(0)
    expect(offset + length).toBeLessThanOrEqual(text.length)
    expect(JSON.stringify(asked.data)).not.toContain(cid)
  })

  it('considers at most ten contents with the same MD5, the most common first', async () => {
    const [owner, other, ...accounts] = [await env.person(), await env.person(), await env.person(), await env.person()]
    const text = 'common'.repeat(50_000)
    const md5 = md5Of(text)
    await stored(owner, text, { md5 })
    const addDecoy = async (number: number) => {
      for (const account of accounts) {
        const { id } = await sampleFile(env.db, account.id, { text: `decoy ${number}`, size: text.length })
        await env.db.run(sql`update assets set md5 = ${md5} where id = ${id}`)
      }
    }
    const proof = async () =>
      (await env.call('uploads.info', { md5, size: text.length, proof: true }, other)).data.Proof
    for (let number = 1; number < 10; number++) await addDecoy(number)
    expect(await proof()).not.toBeNull()
    await addDecoy(10)
    expect(await proof()).toBeNull()
  })

  it('refuses a name that the file could not get, before bytes are sent', async () => {
    const person = await env.person()
    for (const asset_name of ['', ' ', 'a/b', 'x'.repeat(300)]) {
      expect(await env.call('uploads.info', { size: 10, asset_name }, person)).toMatchObject({ code: -1, err: 1001 })
      expect(await env.call('tempFiles.uploadInfo', { size: 10, asset_name }, {})).toMatchObject({
        code: -1,
        err: 1001,
      })
    }
    expect(await size(person)).toMatchObject({ ReservedSize: 0 })
    expect((await env.call('uploads.info', { size: 10, asset_name: 'a.txt' }, person)).code).toBe(0)
  })

  it('takes an empty file only from callers that say so, and lists it', async () => {
    const person = await env.person()
    expect(await env.call('uploads.info', { size: 0 }, person)).toMatchObject({ code: -1, err: 10030 })
    const { data } = await env.call('uploads.info', { size: 0, allow_empty: true }, person)
    expect(decodeJwt(data.List[0]?.Token ?? '')).toMatchObject({ size: 0, max: 0 })
    const node = await env.node()
    const cid = await cidOf('')
    const receipt = await node.receipt({ sub: person.uid, cid, size: 0, tid: data.TraceID })
    const file = { asset_name: 'empty', asset_type: 'file' as const, asset_size: 0, asset_cid: cid, receipt }
    expect(await env.call('assets.create', file, person)).toMatchObject({ code: -1, err: 10030 })
    expect((await env.call('assets.create', { ...file, allow_empty: true }, person)).code).toBe(0)
    const anonymous = { ...file, allow_empty: true, group_id: -1 }
    expect(await env.call('assets.create', anonymous, person)).toMatchObject({ code: -1, err: 10030 })
    const { list } = (await env.call('folders.contents', {}, person)).data
    expect(list.map(({ AssetOverview }) => AssetOverview?.UserAssetDetail.TotalSize)).toEqual([0])
  })

  it('refuses an empty file, a file beyond the quota, an area without nodes, and callers without an account', async () => {
    const person = await env.person({ storageQuota: 100 })
    expect(await env.call('uploads.info', { size: 0 }, person)).toMatchObject({ code: -1, err: 10030 })
    expect(await env.call('uploads.info', { size: 101 }, person)).toMatchObject({ code: -1, err: 10004 })
    expect(await env.call('uploads.info', { area_id: ['Atlantis'] }, person)).toMatchObject({ code: -1, err: 1005 })
    expect(await env.call('uploads.info', {})).toMatchObject({ code: 401 })
  })
})

describe('creating an asset', () => {
  it('lists content of a receipt, with the size of the receipt', async () => {
    const person = await env.person()
    const node = await env.node()
    const cid = await cidOf('eleven byte')
    const receipt = await node.receipt({ sub: person.uid, cid, size: 11 })
    const answer = await env.call(
      'assets.create',
      { asset_name: 'a.txt', asset_type: 0 as never, asset_size: 5, asset_cid: cid, receipt },
      person,
    )
    expect(answer.code).toBe(0)
    expect(answer.data.length).toBeGreaterThan(0)
    const { data } = await env.call('folders.contents', { parent: 0 }, person)
    expect(data.total).toBe(1)
    expect(data.list[0]?.AssetOverview?.UserAssetDetail).toMatchObject({
      Cid: cid,
      AssetName: 'a.txt',
      AssetType: 'file',
      TotalSize: 11,
    })
    expect(await size(person)).toMatchObject({ UsedSize: 11, ReservedSize: 0, AssetCount: 1 })
  })

  it('names the transfer of bytes that the replaced file has already', async () => {
    const person = await env.person()
    const node = await env.node()
    const cid = await cidOf('the same bytes')
    const size = 14
    for (const _ of ['first', 'again']) {
      const { TraceID: tid } = (await env.call('uploads.info', { size }, person)).data
      const receipt = await node.receipt({ sub: person.uid, cid, size, tid })
      const file = { asset_name: 'tide.txt', asset_type: 'file', asset_size: size, asset_cid: cid, receipt } as const
      expect((await env.call('assets.create', { ...file, on_conflict: 'replace' }, person)).code).toBe(0)
    }
    const { list } = (await env.call('traces.list', {}, person)).data
    expect(list.map(({ name }) => name)).toEqual(['tide.txt', 'tide.txt'])
  })

  it('names its own trace, and no trace of other accounts', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const node = await env.node()
    const cid = await cidOf('a named transfer')
    const begun = async (who: typeof person) => (await env.call('uploads.info', { size: 16 }, who)).data.TraceID
    const [tid, foreign] = [await begun(person), await begun(other)]
    const put = async (who: typeof person, trace: string) => {
      const receipt = await node.receipt({ sub: who.uid, cid, size: 16, tid: trace })
      const file = { asset_name: 'tides.csv', asset_type: 'file' as const, asset_size: 16, asset_cid: cid, receipt }
      return env.call('assets.create', file, who)
    }
    expect((await put(person, tid)).code).toBe(0)
    const { data } = await env.call('traces.get', { trace_id: tid }, person)
    expect(data).toMatchObject({ name: 'tides.csv', cid, transfer_type: 'upload' })
    await put(person, foreign)
    expect((await env.call('traces.get', { trace_id: foreign }, other)).data.name).toBe('')
  })

  it('reserves quota for announced content, lists it with the receipt, and releases the quota if cancelled', async () => {
    const person = await env.person()
    const node = await env.node()
    const [arriving, cancelled] = [await cidOf('arrives later'), await cidOf('never arrives')]
    for (const cid of [arriving, cancelled]) {
      const { data } = await env.call(
        'assets.create',
        { asset_name: 'f', asset_type: 'folder', asset_size: 1000, asset_cid: cid },
        person,
      )
      expect(data[0]).toMatchObject({ TraceID: expect.any(String), CandidateAddr: expect.stringContaining('/upload') })
    }
    expect(await size(person)).toMatchObject({ UsedSize: 0, ReservedSize: 2000 })
    expect((await env.call('folders.contents', {}, person)).data.total).toBe(0)

    const receipt = await node.receipt({ sub: person.uid, cid: arriving, size: 900, kind: 'folder' })
    expect((await env.call('nodeControl.receipts', { receipts: [receipt] }, node)).code).toBe(0)
    expect((await env.call('folders.contents', {}, person)).data.total).toBe(1)
    await env.call('uploads.cancel', { asset_cid: cancelled }, person)
    expect(await size(person)).toMatchObject({ UsedSize: 900, ReservedSize: 0 })
  })

  it('returns 1017 with an address if the account has the file, and adds new areas', async () => {
    const person = await env.person()
    const { cid } = await stored(person, 'twice', { areas: ['Germany'] })
    const again = (area: string) =>
      env.call(
        'assets.create',
        { asset_name: 'b', asset_type: 'file', asset_size: 5, asset_cid: cid, area_id: [area] },
        person,
      )
    const exists = await again('Germany')
    expect(exists).toMatchObject({ code: -1, err: 1017 })
    expect((exists.data as unknown as { assetDirectUrl: string }).assetDirectUrl).toContain(`/ipfs/${cid}?token=`)
    expect(await again('Singapore')).toMatchObject({ code: 0, data: [] })
    expect(await again('Singapore')).toMatchObject({ code: -1, err: 1017 })
  })

  it('returns no address to a key that may not read, and refuses to publish for it', async () => {
    const person = await env.person()
    const { cid } = await stored(person, 'written, not read')
    const asked = { asset_name: 'b', asset_type: 'file' as const, asset_size: 17, asset_cid: cid }
    const token = await env.key(person, ['createFile'])
    const exists = await env.call('assets.create', asked, { token })
    expect(exists).toMatchObject({ code: -1, err: 1017, data: { assetDirectUrl: '' } })
    await env.call('assets.create', { ...asked, group_id: -1 }, { token })
    expect((await env.call('tempFiles.download', { cid }, {})).code).toBe(-1)
  })

  it('never exceeds the quota in races', async () => {
    const person = await env.person({ storageQuota: 25 })
    const node = await env.node()
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const cid = await cidOf(`one of eight: ${index}`)
        const receipt = await node.receipt({ sub: person.uid, cid, size: 10 })
        return env.call(
          'assets.create',
          { asset_name: 'r', asset_type: 'file', asset_size: 10, asset_cid: cid, receipt },
          person,
        )
      }),
    )
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(2)
    expect(answers.filter((answer) => answer.err === 10004)).toHaveLength(6)
    expect(await size(person)).toMatchObject({ UsedSize: 20 })
  })

  it('counts correctly when the same content is created many times at once', async () => {
    const person = await env.person()
    const node = await env.node()
    const cid = await cidOf('same')
    const receipt = await node.receipt({ sub: person.uid, cid, size: 4 })
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        env.call(
          'assets.create',
          { asset_name: 's', asset_type: 'file', asset_size: 4, asset_cid: cid, receipt },
          person,
        ),
      ),
    )
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
    expect(answers.filter((answer) => answer.err === 1017)).toHaveLength(5)
    expect(await size(person)).toMatchObject({ UsedSize: 4, AssetCount: 1 })
  })

  it('frees the quota on deletion, and removes only contents that nobody else has', async () => {
    const [first, second] = [await env.person(), await env.person()]
    const { cid } = await stored(first, 'shared content')
    await stored(second, 'shared content')
    expect(await env.call('assets.remove', { asset_cid: cid }, first)).toMatchObject({
      code: 0,
      data: { complete: true },
    })
    expect(await size(first)).toMatchObject({ UsedSize: 0, AssetCount: 0 })
    const states = () => env.db.rows<{ state: string }>(sql`select state from replicas where cid = ${cid}`)
    expect((await states()).every((replica) => replica.state === 'stored')).toBe(true)
    await env.call('assets.remove', { asset_cid: cid }, second)
    expect((await states()).some((replica) => replica.state === 'stored')).toBe(false)
  })

  it('removes an asset from one area and keeps it in the others', async () => {
    const person = await env.person()
    const { cid } = await stored(person, 'in two areas', { areas: ['Germany', 'Singapore'] })
    expect(await env.call('assets.remove', { asset_cid: cid, area_id: ['Germany'] }, person)).toMatchObject({
      code: 0,
      data: { complete: false },
    })
    expect(await env.call('assets.remove', { asset_cid: cid, area_id: ['Singapore'] }, person)).toMatchObject({
      code: 0,
      data: { complete: true },
    })
  })

  it('renames and moves assets', async () => {
    const person = await env.person()
    const { cid } = await stored(person, 'to be moved')
    const folder = (await env.call('folders.create', { name: 'inside' }, person)).data.group.ID
    expect((await env.call('assets.rename', { asset_cid: cid, new_name: 'new.txt' }, person)).code).toBe(0)
    expect((await env.call('assets.move', { asset_cid: cid, group_id: folder }, person)).code).toBe(0)
    const { data } = await env.call('folders.contents', { parent: folder }, person)
    expect(data.list[0]?.AssetOverview?.UserAssetDetail).toMatchObject({ AssetName: 'new.txt', GroupID: folder })
  })

  it('lists nothing for an account that only knows the CID', async () => {
    const [owner, thief] = [await env.person(), await env.person()]
    const { cid } = await stored(owner, 'private words')
    const answer = await env.call(
      'assets.create',
      { asset_name: 'stolen', asset_type: 'file', asset_size: 13, asset_cid: cid },
      thief,
    )
    expect(answer.data.length).toBeGreaterThan(0)
    expect((await env.call('folders.contents', {}, thief)).data.total).toBe(0)
    expect(await env.call('downloads.own', { asset_cid: cid }, thief)).toMatchObject({ code: -1, err: 10028 })
  })

  it('refuses receipts of other accounts, forged receipts, folders of others, invalid CIDs and names', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const node = await env.node()
    const cid = await cidOf('for another')
    const base = { asset_name: 'n', asset_type: 'file' as const, asset_size: 4, asset_cid: cid }
    const foreign = await node.receipt({ sub: other.uid, cid, size: 4 })
    await env.call('assets.create', { ...base, receipt: foreign }, person)
    expect((await env.call('folders.contents', {}, person)).data.total).toBe(0)
    expect(
      await env.call('assets.create', { ...base, receipt: `${foreign.slice(0, -6)}AAAAAA` }, person),
    ).toMatchObject({ code: -1, err: 1021 })
    expect(await env.call('assets.create', { ...base, proof: foreign }, person)).toMatchObject({
      code: -1,
      err: 10027,
    })
    const folder = (await env.call('folders.create', { name: 'theirs' }, other)).data.group.ID
    expect(await env.call('assets.create', { ...base, group_id: folder }, person)).toMatchObject({
      code: -1,
      err: 10018,
    })
    expect(await env.call('assets.create', { ...base, asset_cid: 'Qm' }, person)).toMatchObject({
      code: -1,
      err: 1001,
    })
    for (const asset_name of ['../up', '..', '.', 'a\\b', ''])
      expect(await env.call('assets.create', { ...base, asset_name }, person)).toMatchObject({ code: -1, err: 1001 })
    expect(await env.call('assets.create', { ...base, asset_size: 0 }, person)).toMatchObject({
      code: -1,
      err: 10030,
    })
    expect(await env.call('assets.remove', { asset_cid: cid }, person)).toMatchObject({ code: -1, err: 10028 })
    expect(await env.call('assets.rename', { asset_cid: cid, new_name: 'x' }, person)).toMatchObject({
      code: -1,
      err: 10028,
    })
  })
})
