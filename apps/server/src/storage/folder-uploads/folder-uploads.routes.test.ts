import { randomUUID } from 'node:crypto'
import { FREE_FOLDERS } from '@tidenet/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'
import { sampleUploads } from '../uploads/sample-uploads.fixture.ts'

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node()
})
afterAll(() => env.close())

const { cidOf } = sampleUploads(() => env)
const names = async (person: Person, parent = 0) =>
  (await env.call('folders.contents', { parent, page_size: 100 }, person)).data.list.map(
    ({ AssetOverview, Group }) => Group?.Name ?? AssetOverview?.UserAssetDetail.AssetName,
  )
const ask = (person: Person, sizes: readonly number[], more: object = {}) =>
  env.call(
    'folderUploads.info',
    { name: 'holiday', files: sizes.map((size, item) => ({ item, size })), ...more },
    person,
  )
/** Bytes of the quota that the uploads in progress hold. */
const reserved = async (person: Person): Promise<number> =>
  (
    await env.db.one<{ bytes: number }>(sql`
      select coalesce(sum(reserved), 0) as bytes from upload_grants where user_id = ${person.id} and open_until is not null`)
  ).bytes
const random = async () => {
  const text = randomUUID()
  return { size: text.length, cid: await cidOf(text) }
}

/** A file that the node has received for this trace, as an item of `folderUploads.create`. */
async function sent(person: Person, tid: string, item: number, more: { name?: string; group_id?: number } = {}) {
  const { cid, size } = await random()
  const receipt = await node.receipt({ sub: person.uid, cid, size, tid })
  const { name = `${item}.txt`, ...rest } = more
  return { item, asset_name: name, asset_cid: cid, asset_size: size, receipt, ...rest }
}

describe('creating the folders of an upload', () => {
  it('creates every folder on the paths once, and finds them the next time', async () => {
    const person = await env.person()
    const paths = ['Holiday/Day 1', 'Holiday/Day 2/夜', 'Holiday', 'Holiday/Day 1']
    const { data } = await env.call('folderUploads.folders', { paths }, person)
    expect(data.list.map(({ path, created }) => [path, created])).toEqual(paths.map((path) => [path, true]))
    expect(data.list[3]?.id).toBe(data.list[0]?.id)
    expect(await names(person)).toEqual(['Holiday'])
    expect((await names(person, data.list[2]?.id)).sort()).toEqual(['Day 1', 'Day 2'])
    const again = await env.call('folderUploads.folders', { paths: [...paths, 'Holiday/Day 3'] }, person)
    expect(again.data.list.map(({ id }) => id).slice(0, 4)).toEqual(data.list.map(({ id }) => id))
    expect(again.data.list.map(({ created }) => created)).toEqual([false, false, false, false, true])
  })

  it('creates each folder once for calls at the same time', async () => {
    const person = await env.person()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => env.call('folderUploads.folders', { paths: ['a/b/c', 'a/d'] }, person)),
    )
    expect(new Set(answers.map(({ data }) => data.list[0]?.id)).size).toBe(1)
    expect(await env.db.rows(sql`select 1 from folders where user_id = ${person.id}`)).toHaveLength(4)
  })

  it('takes names of 255 bytes, as file systems do', async () => {
    const person = await env.person()
    const long = ['x'.repeat(255), '潮'.repeat(85), 'x'.repeat(255)]
    const { data } = await env.call('folderUploads.folders', { paths: [long.join('/')] }, person)
    expect(await names(person)).toEqual([long[0]])
    expect(data.list[0]?.created).toBe(true)
  })

  it.each([
    ['a/../b', 1001],
    ['..', 1001],
    ['a//b', 1001],
    ['/a', 1001],
    ['a/', 1001],
    ['', 1001],
    ['a\\b', 1001],
    ['a/b\u0000', 1001],
    ['a /b', 1001],
    ['\ud800', 1001],
    ['x'.repeat(256), 1001],
  ])('refuses the path %j', async (path, err) => {
    const person = await env.person()
    expect(await env.call('folderUploads.folders', { paths: ['fine', path] }, person)).toMatchObject({ code: -1, err })
    expect(await names(person)).toEqual([])
  })

  it('refuses more than 1,000 folders at once, in any form, and more than the account may have', async () => {
    const person = await env.person()
    const many = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`)
    for (const paths of [many(1001), [many(1001).join('/').slice(0, 4000), ...many(900)], []])
      expect(await env.call('folderUploads.folders', { paths }, person)).toMatchObject({ code: -1, err: 1001 })
    expect((await env.call('folderUploads.folders', { paths: many(FREE_FOLDERS) }, person)).code).toBe(0)
    const more = { paths: ['f1', 'one more'] }
    expect(await env.call('folderUploads.folders', more, person)).toMatchObject({ code: -1, err: 10019 })
    expect((await env.call('folderUploads.folders', { paths: ['f1'] }, person)).code).toBe(0)
  })

  it('refuses a folder of another account, a key without the permission, and visitors', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const { data } = await env.call('folderUploads.folders', { paths: ['theirs'] }, other)
    const into = { parent: data.list[0]?.id ?? 0, paths: ['mine'] }
    expect(await env.call('folderUploads.folders', into, person)).toMatchObject({ code: -1, err: 10018 })
    const key = { token: await env.key(person, ['createFile', 'readFolder']) }
    expect(await env.call('folderUploads.folders', { paths: ['a'] }, key)).toMatchObject({ err: 1028 })
    expect(await env.call('folderUploads.folders', { paths: ['a'] })).toMatchObject({ code: 401 })
  })
})

describe('asking where to upload the files of a folder', () => {
  it('returns tokens for each file, all under one trace with the name of the folder', async () => {
    const person = await env.person()
    const { data } = await ask(person, [10, 20, 30])
    expect(data.list.map(({ item, ok }) => [item, ok])).toEqual([
      [0, true],
      [1, true],
      [2, true],
    ])
    const claims = data.list.flatMap(({ tokens }) =>
      tokens.map(({ node, Token }) => ({ node, ...decodeJwt<{ tid: string }>(Token) })),
    )
    for (const { node, aud, tid } of claims) expect([data.nodes[node]?.NodeID, data.TraceID]).toEqual([aud, tid])
    expect(new Set(claims.map(({ jti }) => jti)).size).toBe(claims.length)
    expect(data.list.map(({ tokens }) => decodeJwt(tokens[0]?.Token ?? '').size)).toEqual([10, 20, 30])
    expect(await reserved(person)).toBe(60)
    const transfers = (await env.call('traces.list', {}, person)).data
    expect(transfers.list).toMatchObject([{ trace_id: data.TraceID, name: 'holiday', transfer_type: 'upload' }])
    const next = await ask(person, [5], { trace_id: data.TraceID })
    expect(next.data.TraceID).toBe(data.TraceID)
    expect((await env.call('traces.list', {}, person)).data.total).toBe(1)
  })

  it('renews the upload of a file that is asked for again, and reserves it once', async () => {
    const person = await env.person()
    const first = await ask(person, [10, 20])
    const again = await ask(person, [10, 20], { trace_id: first.data.TraceID })
    const ids = (answer: typeof first) =>
      answer.data.list.map(({ tokens }) => tokens.map(({ Token }) => decodeJwt(Token).jti).sort())
    expect(ids(again)).toEqual(ids(first))
    expect(await reserved(person)).toBe(30)
  })

  it('reports the files that the account already has, and no file of others', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const [mine, theirs] = ['a'.repeat(32), 'b'.repeat(32)]
    const own = await sampleFile(env.db, person.id)
    const foreign = await sampleFile(env.db, other.id)
    await env.db.run(
      sql`update assets set md5 = case when id = ${own.id} then ${mine} else ${theirs} end where id in (${own.id}, ${foreign.id})`,
    )
    const files = [
      { item: 1, size: 20, md5: mine.toUpperCase() },
      { item: 2, size: 20, md5: theirs },
    ]
    const { data } = await env.call('folderUploads.info', { name: 'f', proof: true, files }, person)
    expect(data.list).toMatchObject([
      { AlreadyExists: true, CID: own.cid, tokens: [] },
      { AlreadyExists: false, CID: '', Proof: null },
    ])
    expect(JSON.stringify(data)).not.toContain(foreign.cid)
  })

  it('refuses only the files that do not fit, are empty, or repeat a number', async () => {
    const person = await env.person({ storageQuota: 100 })
    const { data } = await ask(person, [60, 50, 0, 40, 1])
    expect(data.list.map(({ ok, err }) => (ok ? 'ok' : err))).toEqual(['ok', 10004, 10030, 'ok', 10004])
    expect(await reserved(person)).toBe(100)
    const twice = [
      { item: 7, size: 1 },
      { item: 7, size: 1 },
    ]
    const other = await env.person()
    const again = await env.call('folderUploads.info', { name: 'f', files: twice }, other)
    expect(again.data.list.map(({ ok }) => ok)).toEqual([true, false])
  })

  it('never grants more than the quota to calls at the same time', async () => {
    const person = await env.person({ storageQuota: 1000 })
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(person, Array(10).fill(30))))
    const granted = answers.flatMap(({ data }) => data.list).filter(({ ok }) => ok)
    expect(granted).toHaveLength(33)
    expect(await reserved(person)).toBe(990)
  })

  it('grants files in advance that may become smaller, and reserves the most that they can have', async () => {
    const person = await env.person({ storageQuota: 10_000 })
    const files = [0, 1].map((item) => ({ item, size: 50, up_to: true }))
    const { data } = await env.call('folderUploads.info', { name: 'f', files }, person)
    const claims = data.list.map(({ tokens }) => decodeJwt(tokens[0]?.Token ?? ''))
    expect(claims.map(({ max, size }) => [max, size])).toEqual([
      [50, undefined],
      [50, undefined],
    ])
    expect(await reserved(person)).toBe(100)
    const again = await env.call('folderUploads.info', { name: 'f', files, trace_id: data.TraceID }, person)
    expect(again.data.list.map(({ tokens }) => decodeJwt(tokens[0]?.Token ?? '').jti)).toEqual(
      claims.map(({ jti }) => jti),
    )
    const { cid, size } = await random()
    const { jti } = claims[0] ?? {}
    const receipt = await node.receipt({ sub: person.uid, cid, size, tid: data.TraceID, ...(jti && { jti }) })
    const smaller = { item: 0, asset_name: 'a', asset_cid: cid, asset_size: size, receipt }
    const listed = await env.call('folderUploads.create', { trace_id: data.TraceID, files: [smaller] }, person)
    expect(listed.data.results).toMatchObject([{ item: 0, ok: true }])
    expect(await reserved(person)).toBe(50)
    await env.call('uploads.cancel', { trace_id: data.TraceID }, person)
    expect(await reserved(person)).toBe(0)
  })

  it('refuses grants in advance for more than a hundredth of the free quota, and to keys with a cap of traffic', async () => {
    const person = await env.person({ storageQuota: 10_000 })
    const files = [0, 1, 2].map((item) => ({ item, size: 50, up_to: true }))
    const { data } = await env.call(
      'folderUploads.info',
      { name: 'f', files: [...files, { item: 3, size: 500 }] },
      person,
    )
    expect(data.list.map(({ ok, err }) => (ok ? 'ok' : err))).toEqual([10004, 10004, 10004, 'ok'])
    const { key } = (await env.call('apiKeys.create', { key_name: 'k', traffic_cap: 10_000 }, person)).data
    const capped = await env.call('folderUploads.info', { name: 'f', files: files.slice(0, 1) }, { token: key })
    expect(capped.data.list).toMatchObject([{ ok: false, err: 1001, tokens: [] }])
  })

  it('refuses more than 1,000 uploads in progress', async () => {
    const person = await env.person()
    for (let call = 0; call < 10; call++)
      expect((await ask(person, Array(100).fill(1))).data.list.every(({ ok }) => ok)).toBe(true)
    expect((await ask(person, [1])).data.list[0]).toMatchObject({ ok: false, err: 1020 })
  })

  it('does not continue a trace of another account, or a closed one', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const theirs = (await ask(other, [10])).data.TraceID
    const { data } = await ask(person, [10], { trace_id: theirs })
    expect(data.TraceID).not.toBe(theirs)
    const report = { trace_id: data.TraceID, transfer_type: 'upload' as const, state: 1, total_size: 10 }
    await env.call('traces.report', report, person)
    expect((await ask(person, [10], { trace_id: data.TraceID })).data.TraceID).not.toBe(data.TraceID)
    expect(await reserved(other)).toBe(10)
  })

  it('refuses more than 100 files, a bad name, a key without the permission, and visitors', async () => {
    const person = await env.person()
    expect(await ask(person, Array(101).fill(1))).toMatchObject({ code: -1, err: 1001 })
    expect(await ask(person, [])).toMatchObject({ code: -1, err: 1001 })
    expect(await ask(person, [1], { name: '../x' })).toMatchObject({ code: -1, err: 1001 })
    const key = { token: await env.key(person, ['readFile', 'createFolder']) }
    const input = { name: 'f', files: [{ item: 0, size: 1 }] }
    expect(await env.call('folderUploads.info', input, key)).toMatchObject({ err: 1028 })
    expect(await env.call('folderUploads.info', input)).toMatchObject({ code: 401 })
  })
})

describe('adding the files of a folder', () => {
  it('lists each in its folder, and ends its reservation alone', async () => {
    const person = await env.person()
    const { data } = await env.call('folderUploads.folders', { paths: ['a', 'b'] }, person)
    const [a, b] = data.list.map(({ id }) => id)
    const { data: info } = await ask(person, [36, 36, 36])
    const jti = (item: number) => String(decodeJwt(info.list[item]?.tokens[0]?.Token ?? '').jti)
    const put = async (item: number, group_id = 0) => {
      const { cid, size } = await random()
      const receipt = await node.receipt({ sub: person.uid, cid, size, tid: info.TraceID, jti: jti(item) })
      return { item, asset_name: `${item}.txt`, asset_cid: cid, asset_size: size, group_id, receipt }
    }
    const files = [await put(0, a), await put(1, b)]
    const answer = await env.call('folderUploads.create', { trace_id: info.TraceID, files }, person)
    expect(answer.data.results).toMatchObject([
      { item: 0, ok: true },
      { item: 1, ok: true },
    ])
    expect(await names(person, a)).toEqual(['0.txt'])
    expect(await names(person, b)).toEqual(['1.txt'])
    expect(await reserved(person)).toBe(36)
    expect((await env.call('traces.list', {}, person)).data.total).toBe(1)
  })

  it('returns a result for each; a refusal does not lose the others', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const { TraceID: tid } = (await ask(person, [36])).data
    const foreign = (await env.call('folderUploads.folders', { paths: ['theirs'] }, other)).data.list[0]?.id ?? 0
    const [good, lost, misplaced, another] = [
      await sent(person, tid, 0),
      await sent(person, tid, 1),
      await sent(person, tid, 2, { group_id: foreign }),
      await sent(person, tid, 3),
    ]
    const files = [
      good,
      { ...lost, receipt: `${lost.receipt.slice(0, -8)}AAAAAAAA` },
      misplaced,
      // The receipt of another item says nothing about this one.
      { ...(await sent(person, tid, 4)), receipt: good.receipt },
      { ...another, asset_cid: 'nonsense' },
      { item: 5, asset_name: 'a.txt', asset_cid: await cidOf('never sent'), asset_size: 10 },
      { ...another, item: 6, proof: 'forged' },
      { ...another, item: 7 },
    ]
    const { data } = await env.call('folderUploads.create', { trace_id: tid, files }, person)
    expect(data.results.map(({ item, ok, err }) => [item, ok ? 'ok' : err])).toEqual([
      [0, 'ok'],
      [1, 1021],
      [2, 10018],
      [4, 10027],
      [3, 1001],
      [5, 10027],
      [6, 10027],
      [7, 'ok'],
    ])
    expect((await names(person)).sort()).toEqual(['0.txt', '3.txt'])
    expect((await env.call('usage.storageSize', {}, person)).data.UsedSize).toBe(72)
  })

  it('refuses a receipt of another account, and one that was not granted', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const theirs = await sent(other, (await ask(other, [36])).data.TraceID, 0)
    const ungranted = await sent(person, `t${'a'.repeat(26)}`, 1)
    const { data } = await env.call('folderUploads.create', { files: [theirs, ungranted] }, person)
    expect(data.results.map(({ ok }) => ok)).toEqual([false, false])
    expect(await names(person)).toEqual([])
  })

  it('does not wait for accounts whose receipts it was given', async () => {
    const people = [await env.person(), await env.person()]
    const own: Awaited<ReturnType<typeof sent>>[][] = []
    for (const person of people) {
      const tid = (await ask(person, [36])).data.TraceID
      own.push(await Promise.all(Array.from({ length: 10 }, (_, item) => sent(person, tid, item))))
    }
    const crossed = own[0]!.map((mine, item) => [mine, { ...own[1]![item]!, item: 50 }])
    const answers = await Promise.all(
      crossed.flatMap((files) => people.map((person) => env.call('folderUploads.create', { files }, person))),
    )
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 0))
    for (const person of people) expect(await names(person)).toHaveLength(10)
  })

  it('refuses files beyond the quota, with the others listed', async () => {
    const person = await env.person({ storageQuota: 100 })
    const tid = (await ask(person, [36])).data.TraceID
    const files = [await sent(person, tid, 0), await sent(person, tid, 1), await sent(person, tid, 2)]
    const { data } = await env.call('folderUploads.create', { files }, person)
    expect(data.results.filter(({ ok }) => ok)).toHaveLength(2)
    expect(data.results.find(({ ok }) => !ok)?.err).toBe(10004)
  })

  it('refuses more than 100 files, a key without the permission, and visitors', async () => {
    const person = await env.person()
    const file = { item: 0, asset_name: 'a', asset_cid: await cidOf('x'), asset_size: 1 }
    expect(await env.call('folderUploads.create', { files: Array(101).fill(file) }, person)).toMatchObject({
      code: -1,
      err: 1001,
    })
    const anonymous = { ...file, group_id: -1 }
    expect(await env.call('folderUploads.create', { files: [anonymous] }, person)).toMatchObject({
      code: -1,
      err: 1001,
    })
    const key = { token: await env.key(person, ['readFile', 'createFolder']) }
    expect(await env.call('folderUploads.create', { files: [file] }, key)).toMatchObject({ err: 1028 })
    expect(await env.call('folderUploads.create', { files: [file] })).toMatchObject({ code: 401 })
  })
})
