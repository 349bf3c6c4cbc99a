import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import { sql } from '../../platform/db/sql.ts'
import { finishJobs } from '../../platform/jobs/jobs.ts'
import { type As, type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleObjects } from './sample-objects.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const { put, md5Of, fileOf } = sampleObjects(() => env)
const BUCKET = 'photos'

async function account(more: { downloadQuota?: number } = {}): Promise<Person> {
  const person = await env.person({ vip: true, ...more })
  await env.call('s3.createBucket', { bucket: BUCKET }, person)
  return person
}

async function begin(as: As, key = 'movie', more: object = {}) {
  const { data } = await env.call('s3Uploads.begin', { bucket: BUCKET, key, ...more }, as)
  return { bucket: BUCKET, key, upload_id: data.upload_id }
}
type Upload = Awaited<ReturnType<typeof begin>>

/** A part whose bytes a node has received from the account `uid`. */
async function partOf(uid: string, upload: Upload, number: number, text: string) {
  const { cid, size, md5, receipt = '' } = await fileOf(uid, '', text)
  return { ...upload, number, cid, size, md5, receipt }
}
const putPart = async (person: Person, upload: Upload, number: number, text: string) =>
  env.call('s3Uploads.putPart', await partOf(person.uid, upload, number, text), person)
const parts = async (person: Person, upload: Upload) =>
  (await env.call('s3Uploads.parts', upload, person)).data.list.map(({ number, etag }) => [number, etag])
/** Every call about an upload, with what it needs. @param part what is put into it */
const callsOf = (upload: Upload, part: Awaited<ReturnType<typeof partOf>>) =>
  [
    ['s3Uploads.find', upload],
    ['s3Uploads.parts', upload],
    ['s3Uploads.openPart', { ...upload, number: 1 }],
    ['s3Uploads.putPart', part],
    ['s3Uploads.end', upload],
  ] as const
const unknownUpload = { code: -1, err: errors.notFound.err }
const unknownBucket = { code: -1, err: errors.folderUnknown.err }

describe('an upload in parts', () => {
  it('keeps what it began with, and its parts by number; a part can be replaced', async () => {
    const person = await account()
    const upload = await begin(person, 'a/movie', {
      metadata: { is: 'new' },
      algorithm: 'CRC32',
      checksum_type: 'FULL_OBJECT',
    })
    for (const [number, text] of [
      [2, 'two'],
      [1, 'one'],
      [2, 'TWO'],
      [3, ''],
    ] as const)
      expect(await putPart(person, upload, number, text)).toMatchObject({ code: 0 })
    expect(await parts(person, upload)).toEqual([
      [1, md5Of('one')],
      [2, md5Of('TWO')],
      [3, md5Of('')],
    ])
    expect((await env.call('s3Uploads.find', upload, person)).data).toMatchObject({
      metadata: { is: 'new' },
      algorithm: 'CRC32',
      checksum_type: 'FULL_OBJECT',
    })
    // No object yet.
    expect((await env.call('s3.list', { bucket: BUCKET }, person)).data.objects).toEqual([])
  })

  it('has parts of its own number once, and all uploads of an account have no more than a number together', async () => {
    const person = await account()
    const upload = await begin(person)
    for (const text of ['one', 'ONE']) await putPart(person, upload, 1, text)
    const counted = () =>
      env.db.one<{ parts: number }>(sql`select parts from object_uploads where id = ${upload.upload_id}`)
    expect(await counted()).toEqual({ parts: 1 })
    await env.db.run(sql`update object_uploads set parts = 200000 where id = ${upload.upload_id}`)
    expect(await putPart(person, upload, 2, 'two')).toMatchObject({ err: errors.tooManyUploads.err })
    expect(await parts(person, upload)).toEqual([[1, md5Of('ONE')]])
  })

  it('ends, with its parts', async () => {
    const person = await account()
    const upload = await begin(person)
    await putPart(person, upload, 1, 'given up')
    await env.call('s3Uploads.end', upload, person)
    for (const call of ['s3Uploads.find', 's3Uploads.parts', 's3Uploads.end'] as const)
      expect(await env.call(call, upload, person)).toMatchObject(unknownUpload)
    expect(await putPart(person, upload, 1, 'late')).toMatchObject(unknownUpload)
  })

  it('does not take equal parts of another upload with it, nor bytes that are also an object', async () => {
    const person = await account()
    const [ended, other] = [await begin(person, 'one'), await begin(person, 'two')]
    for (const upload of [ended, other]) await putPart(person, upload, 1, 'the same bytes')
    await putPart(person, ended, 2, 'of an object')
    await put(person, person.uid, BUCKET, { a: 'of an object' })
    await env.call('s3Uploads.end', ended, person)
    const opened = await env.call('s3Uploads.openPart', { ...other, number: 1 }, person)
    expect(opened.data.sources?.url).not.toEqual([])
    // The bytes can still become an object of the account.
    const { results } = (await put(person, person.uid, BUCKET, { b: 'the same bytes' })).data
    expect(results).toMatchObject([{ object: { key: 'b' } }])
    expect((await env.call('s3.open', { bucket: BUCKET, key: 'a' }, person)).code).toBe(0)
  })

  it('holds bytes that count as sent and not listed, until it ends', async () => {
    const person = await account()
    const upload = await begin(person)
    await putPart(person, upload, 1, 'some bytes')
    const unspent = () =>
      env.db.rows(sql`select from receipts where account = ${person.uid} and not spent`).then(({ length }) => length)
    expect(await unspent()).toBe(1)
    await env.call('s3Uploads.end', upload, person)
    expect(await unspent()).toBe(0)
  })
})

describe('an object that completes an upload', () => {
  const complete = async (as: As, uid: string, { upload_id }: Upload, more: object = {}) =>
    (await put(as, uid, BUCKET, { movie: 'joined' }, { upload_id, ...more })).data.results
  const versions = async (person: Person) => (await env.call('s3.versions', { bucket: BUCKET }, person)).data.versions
  const refused = { object: null, err: errors.notFound.err }

  it('ends it with the write: of many completions at once, one makes a version', async () => {
    const person = await account()
    await env.call('s3.changeSettings', { bucket: BUCKET, versioning: 'Enabled' }, person)
    const upload = await begin(person)
    await putPart(person, upload, 1, 'join')
    await putPart(person, upload, 2, 'ed')
    // Each has joined the parts by itself, and has a receipt of its own.
    const results = await Promise.all(Array.from({ length: 4 }, () => complete(person, person.uid, upload)))
    const written = results.flat().filter(({ object }) => object !== null)
    expect(written).toMatchObject([{ object: { key: 'movie', size: 6 } }])
    expect(results.flat().filter(({ err }) => err === refused.err)).toHaveLength(3)
    expect(await versions(person)).toMatchObject([{ version_id: written[0]?.object?.version_id }])
    expect(await env.call('s3Uploads.find', upload, person)).toMatchObject(unknownUpload)
    const unspent = sql`select cid from receipts where account = ${person.uid} and not spent`
    await finishJobs(env.context, features)
    expect(await env.db.rows(unspent)).toEqual([{ cid: written[0]?.object?.cid }])
  })

  it('does not overwrite what came after the first completion, nor come back after the upload was given up', async () => {
    const person = await account()
    const [completed, ended] = [await begin(person), await begin(person)]
    for (const upload of [completed, ended]) await putPart(person, upload, 1, 'joined')
    await complete(person, person.uid, completed)
    await put(person, person.uid, BUCKET, { movie: 'newer' })
    await env.call('s3Uploads.end', ended, person)
    for (const upload of [completed, ended]) expect(await complete(person, person.uid, upload)).toMatchObject([refused])
    expect((await env.call('s3.find', { bucket: BUCKET, key: 'movie' }, person)).data.etag).toBe(md5Of('newer'))
  })

  it('leaves it as it is if nothing is written', async () => {
    const person = await account()
    const upload = await begin(person)
    await putPart(person, upload, 1, 'joined')
    expect(await complete(person, person.uid, upload, { if_match: md5Of('other') })).toMatchObject([{ failed: true }])
    expect(await parts(person, upload)).toEqual([[1, md5Of('joined')]])
    expect(await complete(person, person.uid, upload)).toMatchObject([{ object: { key: 'movie' } }])
  })

  it('is refused twice in one call, under another key, and to keys that may not end what others began', async () => {
    const person = await account()
    const upload = await begin(person)
    const file = { ...(await fileOf(person.uid, 'movie', 'joined')), upload_id: upload.upload_id }
    const wrong = { ...(await fileOf(person.uid, 'other', 'joined')), upload_id: upload.upload_id }
    const reads = { token: await env.key(person, ['createFile', 'readFile']) }
    expect(await complete(reads, person.uid, upload)).toMatchObject([refused])
    const other = await account()
    expect(await complete(other, other.uid, upload)).toMatchObject([refused])
    expect((await env.call('s3.put', { bucket: BUCKET, files: [wrong] }, person)).data.results).toMatchObject([refused])
    const twice = { bucket: BUCKET, files: [file, { ...file, item: 1 }] }
    expect((await env.call('s3.put', twice, person)).data.results).toMatchObject([
      { object: { key: 'movie' } },
      refused,
    ])
  })
})

describe('what is refused', () => {
  it('is a part without a receipt, with that of another account, or of other bytes', async () => {
    const [person, other] = [await account(), await account()]
    const upload = await begin(person)
    const mine = await partOf(person.uid, upload, 1, 'mine')
    const theirs = await partOf(other.uid, upload, 1, 'theirs')
    for (const part of [{ ...theirs, receipt: '' }, theirs, { ...theirs, receipt: mine.receipt }])
      expect(await env.call('s3Uploads.putPart', part, person)).toMatchObject({ err: errors.proofFailed.err })
    expect(await env.call('s3Uploads.putPart', { ...mine, receipt: `${mine.receipt}x` }, person)).toMatchObject({
      err: errors.nodeSignature.err,
    })
    expect(await parts(person, upload)).toEqual([])
  })

  it('is a size that the node did not sign: the receipt says how many bytes there are', async () => {
    const person = await account()
    const upload = await begin(person)
    const part = await partOf(person.uid, upload, 1, 'small')
    await env.call('s3Uploads.putPart', { ...part, size: 1_000_000_000 }, person)
    expect((await env.call('s3Uploads.parts', upload, person)).data.list).toMatchObject([{ size: 5 }])
    const file = { ...(await fileOf(person.uid, 'a', 'small')), size: 0 }
    const { results } = (await env.call('s3.put', { bucket: BUCKET, files: [file] }, person)).data
    expect(results).toMatchObject([{ object: { size: 5 } }])
  })

  it('is the upload of another account, whatever is done with it', async () => {
    const [person, other] = [await account(), await account()]
    const upload = await begin(person)
    await putPart(person, upload, 1, 'mine')
    const part = await partOf(other.uid, upload, 2, 'theirs')
    for (const [call, input] of callsOf(upload, part))
      expect(await env.call(call, input as never, other)).toMatchObject(unknownUpload)
    expect((await env.call('s3Uploads.list', { bucket: BUCKET }, other)).data.list).toEqual([])
    expect(await parts(person, upload)).toEqual([[1, md5Of('mine')]])
  })

  it('is an upload under another key or in another bucket', async () => {
    const person = await account()
    const upload = await begin(person)
    await env.call('s3.createBucket', { bucket: 'other' }, person)
    for (const wrong of [{ key: 'other' }, { bucket: 'other' }, { upload_id: 'other' }])
      expect(await env.call('s3Uploads.find', { ...upload, ...wrong }, person)).toMatchObject(unknownUpload)
  })

  it('is what the permissions and folders of a key do not include', async () => {
    const person = await account()
    const upload = await begin(person)
    const reads = { token: await env.key(person, ['readFile', 'readFolder']) }
    for (const call of ['s3Uploads.find', 's3Uploads.parts', 's3Uploads.end'] as const)
      expect(await env.call(call, upload, reads)).toMatchObject({ err: errors.forbidden.err })
    const { ID } = (await env.call('folders.create', { name: 'own' }, person)).data.group
    const limited = { token: await env.key(person, 'admin', [ID]) }
    expect(await env.call('s3Uploads.find', upload, limited)).toMatchObject(unknownBucket)
    expect(await env.call('s3Uploads.begin', { bucket: BUCKET, key: 'a' }, limited)).toMatchObject(unknownBucket)
  })

  it('is to read, change or end what another key began, for a key that may only add', async () => {
    const person = await account()
    const [adds, other, reads] = [
      { token: await env.key(person, ['createFile']) },
      { token: await env.key(person, ['createFile']) },
      { token: await env.key(person, ['createFile', 'readFile']) },
    ]
    const upload = await begin(other)
    await env.call('s3Uploads.putPart', await partOf(person.uid, upload, 1, 'of the other key'), other)
    const ofSession = await begin(person, 'of a session')
    const part = await partOf(person.uid, upload, 1, 'forged')
    for (const [call, input] of [
      ...callsOf(upload, part),
      ['s3Uploads.find', ofSession],
      ['s3Uploads.end', ofSession],
    ] as const)
      expect(await env.call(call, input as never, adds), call).toMatchObject(unknownUpload)
    expect((await env.call('s3Uploads.list', { bucket: BUCKET }, adds)).data.list).toEqual([])
    for (const [call, input] of [
      ['s3Uploads.putPart', part],
      ['s3Uploads.end', upload],
    ] as const)
      expect(await env.call(call, input as never, reads), call).toMatchObject(unknownUpload)
    expect((await env.call('s3Uploads.list', { bucket: BUCKET }, reads)).data.list).toHaveLength(2)
    expect(await parts(person, upload)).toEqual([[1, md5Of('of the other key')]])
    // What it began is its own.
    expect((await env.call('s3Uploads.list', { bucket: BUCKET }, other)).data.list).toMatchObject([{ key: 'movie' }])
    expect((await env.call('s3Uploads.openPart', { ...upload, number: 1 }, other)).code).toBe(0)
    expect((await env.call('s3Uploads.end', upload, other)).code).toBe(0)
  })

  it('is a content of somebody else, of which an edge says that it is a part: only that edge is offered', async () => {
    const [owner, thief] = [await account(), await account()]
    const { cid, size, md5 } = await fileOf(owner.uid, '', 'known by its CID')
    await put(owner, owner.uid, BUCKET, { a: 'known by its CID' })
    const edge = await env.node({ kind: 'edge' })
    const offered = async (thiefs: As, more: { receipt: string }) => {
      const upload = await begin(thiefs)
      const part = { ...upload, number: 1, cid, size, md5, ...more }
      expect((await env.call('s3Uploads.putPart', part, thiefs)).code).toBe(0)
      const { err, data } = await env.call('s3Uploads.openPart', { ...upload, number: 1 }, thiefs)
      return err ?? data.sources?.node_ids
    }
    const lie = await edge.receipt({ sub: thief.uid, cid, size })
    expect([errors.nodesOffline.err, [edge.id]]).toContainEqual(await offered(thief, { receipt: lie }))
    // Who has sent the bytes to a node of the operator reads them there.
    const sent = await fileOf(thief.uid, '', 'known by its CID')
    expect(await offered(thief, { receipt: sent.receipt ?? '' })).not.toEqual(errors.nodesOffline.err)
  })

  it('is to download a part again and again without download traffic: it can be joined, and that be tried again', async () => {
    const open = (upload: Upload, person: Person) => env.call('s3Uploads.openPart', { ...upload, number: 1 }, person)
    const answers = async (person: Person) => {
      const upload = await begin(person)
      await putPart(person, upload, 1, 'some bytes')
      const errs: (number | undefined)[] = []
      for (let time = 0; time < 6; time++) errs.push((await open(upload, person)).err)
      return errs
    }
    expect(await answers(await account())).toEqual(Array(6).fill(undefined))
    const poor = await account({ downloadQuota: 0 })
    const free = Array(5).fill(undefined)
    for (let time = 0; time < 2; time++)
      expect(await answers(poor)).toEqual([...free, errors.downloadQuotaExceeded.err])
  })

  it.each([
    ['a header that frames messages', { headers: { 'transfer-encoding': 'chunked' } }],
    ['a header that says how long an answer is', { headers: { 'content-length': '1' } }],
    ['a cookie for readers', { headers: { 'set-cookie': 'session=other' } }],
    ['a header that ends early', { headers: { 'content-type': 'a/b\r\nset-cookie: session=other' } }],
    ['a header that HTTP cannot carry', { headers: { 'content-disposition': '海滩' } }],
    ['metadata that ends early', { metadata: { a: 'b\r\n\r\n<html>' } }],
    ['metadata without a name', { metadata: { '': 'a' } }],
    ['metadata whose name ends early', { metadata: { 'a: b\r\nset-cookie': 'c' } }],
    ['metadata with half a character', { metadata: { a: '\ud800' } }],
    ['more metadata than S3 takes', { metadata: { a: 'b'.repeat(2048) } }],
    ['much metadata', { metadata: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`n${index}`, 'v'])) }],
    ['a checksum that ends early', { checksums: { CRC32: 'AAAA\r\nx: y' } }],
    ['a checksum of no algorithm', { checksums: { '\r\nset-cookie': 'AAAAAA==' } }],
  ])('is %s, in every call that keeps it', async (_, details) => {
    const person = await account()
    await put(person, person.uid, BUCKET, { a: 'text' })
    const file = { ...(await fileOf(person.uid, 'b', 'text')), ...details }
    expect((await env.call('s3.put', { bucket: BUCKET, files: [file] }, person)).code).toBe(-1)
    if ('checksums' in details) {
      const upload = await begin(person)
      const part = { ...(await partOf(person.uid, upload, 1, 'text')), ...details }
      expect((await env.call('s3Uploads.putPart', part, person)).code).toBe(-1)
      return
    }
    const copy = { bucket: BUCKET, key: 'b', from_bucket: BUCKET, from_key: 'a', ...details }
    expect((await env.call('s3.copy', copy, person)).code).toBe(-1)
    expect((await env.call('s3Uploads.begin', { bucket: BUCKET, key: 'b', ...details }, person)).code).toBe(-1)
    expect((await env.call('s3.find', { bucket: BUCKET, key: 'b' }, person)).err).toBe(errors.assetUnknown.err)
  })
})
