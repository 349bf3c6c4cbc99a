import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleObjects } from './sample-objects.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const { put, keys, md5Of, fileOf } = sampleObjects(() => env)

async function account(bucket = 'photos') {
  const person = await env.person({ vip: true })
  expect(await env.call('s3.createBucket', { bucket }, person)).toMatchObject({ code: 0 })
  return person
}
type Person = Awaited<ReturnType<typeof account>>

const find = (person: Person, key: string, bucket = 'photos') => env.call('s3.find', { bucket, key }, person)
const unknownObject = { code: -1, err: errors.assetUnknown.err }
const unknownBucket = { code: -1, err: errors.folderUnknown.err }

describe('buckets', () => {
  it('are the folders of the root, in the order of their names', async () => {
    const person = await account('beach')
    await env.call('folders.create', { name: 'Archive' }, person)
    const { ID } = (await env.call('folders.create', { name: '照片' }, person)).data.group
    const { data } = await env.call('s3.buckets', {}, person)
    expect(data.list.map(({ name }) => name)).toEqual(['Archive', 'beach', `folder-${ID}`])
    expect(await keys(person, `folder-${ID}`)).toMatchObject({ keys: [] })
  })

  it('are deleted once they have no object, with their empty folders', async () => {
    const person = await account()
    await put(person, person.uid, 'photos', { 'a/b/c.txt': 'text' })
    expect(await env.call('s3.removeBucket', { bucket: 'photos' }, person)).toMatchObject({
      err: errors.folderNotEmpty.err,
    })
    await env.call('s3.remove', { bucket: 'photos', keys: ['a/b/c.txt'] }, person)
    expect(await env.call('s3.removeBucket', { bucket: 'photos' }, person)).toMatchObject({ code: 0 })
    expect((await env.call('s3.buckets', {}, person)).data.list).toEqual([])
  })

  it('are refused with a name that is taken or that S3 does not allow', async () => {
    const person = await account()
    expect(await env.call('s3.createBucket', { bucket: 'photos' }, person)).toMatchObject({ err: errors.nameTaken.err })
    for (const bucket of ['Photos', 'ab', 'a..b', '10.0.0.1', '-a-', 'a/b'])
      expect(await env.call('s3.createBucket', { bucket }, person)).toMatchObject({ err: errors.nameForbidden.err })
  })
})

describe('an object', () => {
  it('is a file in the folders that its key names', async () => {
    const person = await account()
    const { data } = await put(person, person.uid, 'photos', { '2026/may/beach.txt': 'sand' })
    expect(data.results).toMatchObject([
      { failed: false, object: { key: '2026/may/beach.txt', size: 4, etag: md5Of('sand') } },
    ])
    const [top] = (await env.call('folders.contents', { parent: 0 }, person)).data.list
    const year = (await env.call('folders.contents', { parent: top?.Group?.ID ?? 0 }, person)).data.list[0]?.Group
    const month = (await env.call('folders.contents', { parent: year?.ID ?? 0 }, person)).data.list[0]?.Group
    const [file] = (await env.call('folders.contents', { parent: month?.ID ?? 0 }, person)).data.list
    expect([top?.Group?.Name, year?.Name, month?.Name]).toEqual(['photos', '2026', 'may'])
    expect(file?.AssetOverview?.UserAssetDetail).toMatchObject({ AssetName: 'beach.txt', TotalSize: 4 })
  })

  it('keeps type and metadata, and loses neither when its file is renamed or moved', async () => {
    const person = await account()
    const more = {
      headers: { 'content-type': 'text/x-tide' },
      metadata: { mtime: '1.5' },
      checksums: { CRC32: 'AAAAAA==' },
    }
    await put(person, person.uid, 'photos', { 'old.txt': 'text' }, more)
    const { cid } = (await find(person, 'old.txt')).data
    await env.call('assets.rename', { asset_cid: cid, new_name: 'new.txt' }, person)
    expect((await find(person, 'new.txt')).data).toMatchObject(more)
    expect(await find(person, 'old.txt')).toMatchObject(unknownObject)
  })

  it('is replaced as a whole; what it was stays as a version', async () => {
    const person = await account()
    await put(person, person.uid, 'photos', { a: 'first' }, { metadata: { is: 'first' } })
    await put(person, person.uid, 'photos', { a: 'second' })
    const { data } = await find(person, 'a')
    expect(data).toMatchObject({ size: 6, etag: md5Of('second'), metadata: {} })
    const { list } = (await env.call('versions.list', { cid: data.cid, asset_id: data.asset_id }, person)).data
    expect(list).toMatchObject([{ size: 5 }])
  })

  it('is deleted only while it has the ETag that its client expects', async () => {
    const person = await account()
    await put(person, person.uid, 'photos', { a: 'now', b: 'now' })
    const remove = async (conditions: { key: string; etag: string }[]) =>
      (await env.call('s3.remove', { bucket: 'photos', keys: ['a', 'b', 'c'], conditions }, person)).data.failed
    const all = ['a', 'b', 'c'].map((key) => ({ key, etag: md5Of('before') }))
    expect(await remove(all)).toEqual(['a', 'b', 'c'])
    expect((await find(person, 'a')).data).toMatchObject({ size: 3 })
    expect(await remove([...all.slice(1), { key: 'a', etag: md5Of('now') }])).toEqual(['b', 'c'])
    expect(await find(person, 'a')).toMatchObject(unknownObject)
    expect(await remove([{ key: 'b', etag: '*' }])).toEqual([])
    expect(await remove([{ key: 'b', etag: '*' }])).toEqual(['b'])
  })

  it('can be empty, be filled and be emptied again', async () => {
    const person = await account()
    for (const text of ['', 'full', '']) {
      expect((await put(person, person.uid, 'photos', { a: text })).data.results).toMatchObject([
        { object: { size: text.length } },
      ])
      expect((await find(person, 'a')).data).toMatchObject({ size: text.length, etag: md5Of(text) })
    }
    expect((await env.call('s3.open', { bucket: 'photos', key: 'a' }, person)).data.sources).toBeNull()
  })

  it('has the same ETag as long as its bytes are the same, also if it came by another way', async () => {
    const person = await account()
    const file = await fileOf(person.uid, '', 'from the portal')
    const { ID } = (await env.call('folders.create', { name: 'drive' }, person)).data.group
    const asset = { asset_name: 'a', asset_type: 'file', asset_size: 15, asset_cid: file.cid, group_id: ID } as const
    await env.call('assets.create', { ...asset, ...(file.receipt && { receipt: file.receipt }) }, person)
    const first = (await find(person, 'a', 'drive')).data
    expect(first.etag).toMatch(/^[0-9a-f]{32}-1$/)
    await env.call('assets.rename', { asset_cid: file.cid, new_name: 'b' }, person)
    expect((await find(person, 'b', 'drive')).data.etag).toBe(first.etag)
  })

  it('is written only under its conditions', async () => {
    const person = await account()
    const write = async (text: string, more: { if_match?: string; if_none?: boolean }) =>
      (
        await env.call(
          's3.put',
          { bucket: 'photos', files: [{ ...(await fileOf(person.uid, 'a', text)), ...more }] },
          person,
        )
      ).data.results[0]
    expect(await write('one', { if_match: md5Of('one') })).toMatchObject({ failed: true })
    expect(await write('one', { if_none: true })).toMatchObject({ failed: false })
    expect(await write('two', { if_none: true })).toMatchObject({ failed: true, object: null })
    expect(await write('two', { if_match: md5Of('one') })).toMatchObject({ failed: false })
    expect(await write('three', { if_match: md5Of('one') })).toMatchObject({ failed: true })
    expect((await find(person, 'a')).data.etag).toBe(md5Of('two'))
  })

  it('is copied without its bytes, with its metadata or with other ones, also onto itself', async () => {
    const person = await account()
    await put(person, person.uid, 'photos', { a: 'text', empty: '' }, { metadata: { is: 'old' } })
    const copy = (key: string, from_key: string, more = {}) =>
      env.call('s3.copy', { bucket: 'photos', key, from_bucket: 'photos', from_key, ...more }, person)
    expect((await copy('b', 'a')).data).toMatchObject({ object: { key: 'b', size: 4, metadata: { is: 'old' } } })
    expect((await copy('b', 'a', { metadata: { is: 'new' } })).data.object).toMatchObject({ metadata: { is: 'new' } })
    expect((await copy('a', 'a', { metadata: {} })).data.object).toMatchObject({ metadata: {}, etag: md5Of('text') })
    expect((await copy('c', 'empty')).data.object).toMatchObject({ size: 0 })
    expect((await copy('d', 'a', { from_etag: md5Of('other') })).data).toMatchObject({ failed: true })
    expect(await copy('d', 'nothing')).toMatchObject(unknownObject)
  })

  it('goes to the trash, and comes back with its metadata', async () => {
    const person = await account()
    await put(person, person.uid, 'photos', { 'a/b': 'text' }, { metadata: { is: 'kept' } })
    await env.call('s3.remove', { bucket: 'photos', keys: ['a/b', 'a/c', 'x/y'] }, person)
    expect(await find(person, 'a/b')).toMatchObject(unknownObject)
    const [item] = (await env.call('trash.list', {}, person)).data.list
    await env.call('trash.restore', { ids: [item?.id ?? 0] }, person)
    expect((await find(person, 'a/b')).data).toMatchObject({ metadata: { is: 'kept' } })
  })
})

describe('keys', () => {
  const strange = [
    'a',
    'a/b',
    'a//b',
    'a/',
    '/',
    '.',
    '../x',
    'tab\there',
    ' spaced ',
    'back\\slash',
    `${'长'.repeat(341)}!`,
    'x'.repeat(1024),
  ]

  it('are kept exactly, whatever a folder can hold', async () => {
    const person = await account()
    const objects = Object.fromEntries(strange.map((key, index) => [key, `text ${index}`]))
    const { results } = (await put(person, person.uid, 'photos', objects)).data
    expect(results.map(({ object }) => object?.key)).toEqual(strange)
    const sorted = [...strange].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect((await keys(person, 'photos')).keys).toEqual(sorted)
    for (const [key, text] of Object.entries(objects)) expect((await find(person, key)).data.etag).toBe(md5Of(text))
    await put(person, person.uid, 'photos', { 'a//b': 'again' })
    expect((await keys(person, 'photos')).keys).toEqual(sorted)
    await env.call('s3.remove', { bucket: 'photos', keys: strange }, person)
    expect((await keys(person, 'photos')).keys).toEqual([])
  })

  const names = ['a-b', 'a.txt', 'a/1', 'a/2', 'a/z/1', 'a0', 'b/1', 'ä/1', 'z']

  async function filled() {
    const person = await account()
    await put(person, person.uid, 'photos', Object.fromEntries(names.map((name) => [name, name])))
    return person
  }

  it('are listed in the order of their bytes, page by page', async () => {
    const person = await filled()
    expect((await keys(person, 'photos')).keys).toEqual([...names.slice(0, 7), 'z', 'ä/1'])
    for (const limit of [1, 2, 3]) {
      const found: string[] = []
      for (let after = ''; ; ) {
        const page = await keys(person, 'photos', { limit, after })
        found.push(...page.keys)
        if (page.next === '') break
        after = page.next
      }
      expect(found).toEqual([...names.slice(0, 7), 'z', 'ä/1'])
    }
  })

  it('are grouped by a delimiter, and limited to a prefix', async () => {
    const person = await filled()
    expect(await keys(person, 'photos', { delimiter: '/' })).toEqual({
      keys: ['a-b', 'a.txt', 'a0', 'z'],
      prefixes: ['a/', 'b/', 'ä/'],
      next: '',
    })
    expect(await keys(person, 'photos', { delimiter: '/', prefix: 'a/' })).toMatchObject({
      keys: ['a/1', 'a/2'],
      prefixes: ['a/z/'],
    })
    expect(await keys(person, 'photos', { delimiter: '/', prefix: 'a' })).toMatchObject({
      keys: ['a-b', 'a.txt', 'a0'],
      prefixes: ['a/'],
    })
    expect(await keys(person, 'photos', { prefix: 'a/z' })).toMatchObject({ keys: ['a/z/1'] })
    expect(await keys(person, 'photos', { prefix: 'nothing/here' })).toMatchObject({ keys: [], prefixes: [] })
    expect(await keys(person, 'photos', { after: 'a/1', prefix: 'a/' })).toMatchObject({ keys: ['a/2', 'a/z/1'] })
    expect(await keys(person, 'photos', { after: 'b', prefix: 'a/' })).toMatchObject({ keys: [] })
  })

  it('are grouped page by page, each group once, by any delimiter', async () => {
    const person = await filled()
    const all = async (delimiter: string) => {
      const found: string[] = []
      for (let after = ''; ; ) {
        const page = await keys(person, 'photos', { limit: 1, after, delimiter })
        found.push(...page.keys, ...page.prefixes)
        if (page.next === '') return found
        after = page.next
      }
    }
    expect(await all('/')).toEqual(['a-b', 'a.txt', 'a/', 'a0', 'b/', 'z', 'ä/'])
    expect(await all('1')).toEqual(['a-b', 'a.txt', 'a/1', 'a/2', 'a/z/1', 'a0', 'b/1', 'z', 'ä/1'])
    expect(await all('a')).toEqual(['a', 'b/1', 'z', 'ä/1'])
  })

  it('name the newest of files with the same name, and the oldest of such folders', async () => {
    const person = await account()
    const bucket = (await env.call('folders.contents', { parent: 0 }, person)).data.list[0]?.Group?.ID ?? 0
    await put(person, person.uid, 'photos', { a: 'first', 'c/d': 'below' })
    await env.db.run(sql`
      insert into assets (user_id, folder_id, cid, kind, name, size, areas, created_at, expires_at)
      select user_id, folder_id, cid, kind, 'a', 7, areas, created_at, expires_at from assets, generate_series(1, 600) where name = 'a' and user_id = ${person.id}`)
    await env.call('folders.create', { name: 'c', parent: bucket }, person)
    expect((await keys(person, 'photos')).keys).toEqual(['a', 'c/d'])
    expect((await find(person, 'a')).data.size).toBe(7)
    expect(await keys(person, 'photos', { delimiter: '/' })).toMatchObject({ keys: ['a'], prefixes: ['c/'] })
  })

  it('have no folders without objects', async () => {
    const person = await filled()
    const { list } = (await env.call('folders.contents', { parent: 0 }, person)).data
    await env.call('folders.create', { name: 'empty', parent: list[0]?.Group?.ID ?? 0 }, person)
    expect((await keys(person, 'photos', { delimiter: '/' })).prefixes).toEqual(['a/', 'b/', 'ä/'])
  })
})

describe('keys of folders', () => {
  it('have their folders as buckets, and nothing else', async () => {
    const person = await account()
    await put(person, person.uid, 'photos', { 'own/a': 'text', 'other/b': 'text 2' })
    const { list } = (await env.call('folders.contents', { parent: 0 }, person)).data
    const inside = (await env.call('folders.contents', { parent: list[0]?.Group?.ID ?? 0 }, person)).data.list
    const own = inside.find(({ Group }) => Group?.Name === 'own')?.Group?.ID ?? 0
    const key = { token: await env.key(person, 'admin', [own]) }
    expect((await env.call('s3.buckets', {}, key)).data.list.map(({ name }) => name)).toEqual(['own'])
    expect((await keys(key, 'own')).keys).toEqual(['a'])
    expect((await put(key, person.uid, 'own', { c: 'new' })).data.results).toMatchObject([{ object: { key: 'c' } }])
    expect(await env.call('s3.find', { bucket: 'photos', key: 'other/b' }, key)).toMatchObject(unknownBucket)
    const copy = { bucket: 'own', key: 'stolen', from_bucket: 'photos', from_key: 'other/b' }
    expect(await env.call('s3.copy', copy, key)).toMatchObject(unknownBucket)
    for (const call of ['s3.createBucket', 's3.removeBucket'] as const)
      expect(await env.call(call, { bucket: 'own' }, key)).toMatchObject({ err: errors.keyFolders.err })
  })
})

describe('what is refused', () => {
  it('is bytes without a receipt, with that of another account, or of other bytes', async () => {
    const [person, other] = [await account(), await account()]
    const mine = await fileOf(person.uid, 'a', 'mine')
    const theirs = await fileOf(other.uid, 'a', 'theirs')
    await put(other, other.uid, 'photos', { a: 'theirs' })
    for (const file of [{ ...theirs, receipt: undefined }, theirs, { ...theirs, receipt: mine.receipt }]) {
      const { results } = (await env.call('s3.put', { bucket: 'photos', files: [file] }, person)).data
      expect(results).toMatchObject([{ object: null, err: errors.proofFailed.err }])
    }
    expect((await keys(person, 'photos')).keys).toEqual([])
  })

  it('is to read what somebody else has, because an edge says that it was sent there: in no copy and no version', async () => {
    const [owner, thief] = [await account(), await account()]
    await put(owner, owner.uid, 'photos', { a: 'known by its CID' })
    const edge = await env.node({ kind: 'edge' })
    await env.call('s3.changeSettings', { bucket: 'photos', versioning: 'Enabled' }, thief)
    const file = await fileOf(thief.uid, 'a', 'known by its CID')
    const lie = { ...file, receipt: await edge.receipt({ sub: thief.uid, cid: file.cid, size: file.size }) }
    const { results } = (await env.call('s3.put', { bucket: 'photos', files: [lie] }, thief)).data
    const nodes = async (key: string, more: { version_id?: string } = {}) => {
      const { err, data } = await env.call('s3.open', { bucket: 'photos', key, ...more }, thief)
      return err ?? data.sources?.node_ids
    }
    const onlyThere = [errors.nodesOffline.err, [edge.id]]
    expect(onlyThere).toContainEqual(await nodes('a'))
    await env.call('s3.copy', { bucket: 'photos', key: 'b', from_bucket: 'photos', from_key: 'a' }, thief)
    expect(onlyThere).toContainEqual(await nodes('b'))
    await put(thief, thief.uid, 'photos', { a: 'another content' })
    const version_id = results[0]?.object?.version_id ?? ''
    expect(version_id).not.toBe('')
    expect(onlyThere).toContainEqual(await nodes('a', { version_id }))
    const copy = { bucket: 'photos', key: 'c', from_bucket: 'photos', from_key: 'a', from_version: version_id }
    await env.call('s3.copy', copy, thief)
    expect([...onlyThere, errors.assetUnknown.err]).toContainEqual(await nodes('c'))
    for (const key of ['b', 'c']) {
      const { asset_id = 0 } = (await find(thief, key)).data ?? {}
      const published = await env.call('publications.create', { cid: file.cid, asset_id }, thief)
      expect([errors.publicationUnproven.err, errors.assetUnknown.err]).toContain(published.err)
    }
  })

  it('is what the permissions of a key do not include', async () => {
    const person = await account()
    await put(person, person.uid, 'photos', { a: 'text' })
    const adds = { token: await env.key(person, ['createFile', 'createFolder']) }
    expect((await put(adds, person.uid, 'photos', { b: 'new' })).data.results).toMatchObject([{ object: { key: 'b' } }])
    expect((await put(adds, person.uid, 'photos', { a: 'other' })).data.results).toMatchObject([
      { err: errors.forbidden.err },
    ])
    for (const [call, input] of [
      ['s3.find', { bucket: 'photos', key: 'a' }],
      ['s3.list', { bucket: 'photos' }],
      ['s3.remove', { bucket: 'photos', keys: ['a'] }],
      ['s3.copy', { bucket: 'photos', key: 'c', from_bucket: 'photos', from_key: 'a' }],
    ] as const)
      expect(await env.call(call, input as never, adds)).toMatchObject({ err: errors.forbidden.err })
  })

  it('is what another account has, and more than fits the quota', async () => {
    const [person, other] = [await account(), await env.person({ storageQuota: 3 })]
    await put(person, person.uid, 'photos', { a: 'text' })
    expect(await env.call('s3.find', { bucket: 'photos', key: 'a' }, other)).toMatchObject(unknownBucket)
    await env.call('s3.createBucket', { bucket: 'photos' }, other)
    expect(await find(other, 'a')).toMatchObject(unknownObject)
    expect((await put(other, other.uid, 'photos', { a: 'text' })).data.results).toMatchObject([
      { err: errors.quotaExceeded.err },
    ])
  })

  it('is a key that is too long, empty, or no text, and a call without an account', async () => {
    const person = await account()
    for (const key of ['', '长'.repeat(342), 'a\0b']) expect((await find(person, key)).code).toBe(-1)
    expect(await env.call('s3.list', { bucket: 'photos' })).toMatchObject({ code: 401 })
  })
})
