import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleObjects } from './sample-objects.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const { put, fileOf } = sampleObjects(() => env)

async function account() {
  const person = await env.person({ vip: true })
  await env.call('s3.createBucket', { bucket: 'photos' }, person)
  return person
}
const tag = (key: string, value = '') => ({ key, value })
const tagsOf = async (person: Person, key = 'a', bucket = 'photos') =>
  (await env.call('s3.find', { bucket, key }, person)).data.tags
const setTags = (as: Parameters<typeof env.call>[2], tags: { key: string; value: string }[], key = 'a') =>
  env.call('s3.setTags', { bucket: 'photos', key, tags }, as)

describe('tags of an object', () => {
  it('come with it, are replaced as a whole, and are deleted', async () => {
    const person = await account()
    const [file] = [await fileOf(person.uid, 'a', 'text')]
    await env.call('s3.put', { bucket: 'photos', files: [{ ...file, tags: [tag('kind', '照片')] }] }, person)
    expect(await tagsOf(person)).toEqual([tag('kind', '照片')])
    await setTags(person, [tag('a'), tag('b', 'c d')])
    expect(await tagsOf(person)).toEqual([tag('a'), tag('b', 'c d')])
    await setTags(person, [])
    expect(await tagsOf(person)).toEqual([])
  })

  it('belong to what it contains: another content has its own', async () => {
    const person = await account()
    await put(person, person.uid, 'photos', { a: 'first' })
    await setTags(person, [tag('is', 'first')])
    await put(person, person.uid, 'photos', { a: 'second' })
    expect(await tagsOf(person)).toEqual([])
  })

  it('go along with a copy, unless it names others', async () => {
    const person = await account()
    await put(person, person.uid, 'photos', { a: 'text' })
    await setTags(person, [tag('is', 'old')])
    const copy = (key: string, more = {}) =>
      env.call('s3.copy', { bucket: 'photos', key, from_bucket: 'photos', from_key: 'a', ...more }, person)
    await copy('b')
    expect(await tagsOf(person, 'b')).toEqual([tag('is', 'old')])
    await copy('c', { tags: [tag('is', 'new')] })
    expect(await tagsOf(person, 'c')).toEqual([tag('is', 'new')])
  })

  it('are kept for files that came by other ways, whose ETag and type stay as they were', async () => {
    const person = await account()
    const file = await fileOf(person.uid, '', 'from the portal')
    const { list } = (await env.call('folders.contents', { parent: 0 }, person)).data
    const asset = {
      asset_name: 'a',
      asset_type: 'file',
      asset_size: 15,
      asset_cid: file.cid,
      group_id: list[0]?.Group?.ID ?? 0,
      receipt: file.receipt ?? '',
    } as const
    await env.call('assets.create', asset, person)
    const before = (await env.call('s3.find', { bucket: 'photos', key: 'a' }, person)).data
    await setTags(person, [tag('seen')])
    expect((await env.call('s3.find', { bucket: 'photos', key: 'a' }, person)).data).toEqual({
      ...before,
      tags: [tag('seen')],
    })
    expect((await env.call('s3.list', { bucket: 'photos' }, person)).data.objects).toMatchObject([
      { key: 'a', etag: before.etag, modified: before.modified },
    ])
  })

  it('come with an upload in parts', async () => {
    const person = await account()
    const begun = await env.call('s3Uploads.begin', { bucket: 'photos', key: 'a', tags: [tag('big')] }, person)
    const upload = { bucket: 'photos', key: 'a', upload_id: begun.data.upload_id }
    expect((await env.call('s3Uploads.find', upload, person)).data.tags).toEqual([tag('big')])
  })
})

describe('what is refused', () => {
  it('is more than ten, two with one key, and texts that no tag may have', async () => {
    const person = await account()
    await put(person, person.uid, 'photos', { a: 'text' })
    const ten = Array.from({ length: 10 }, (_, index) => tag(`tag ${index}`))
    expect(await setTags(person, ten)).toMatchObject({ code: 0 })
    for (const tags of [
      [...ten, tag('eleventh')],
      [tag('same', '1'), tag('same', '2')],
      [tag('')],
      [tag('x'.repeat(129))],
      [tag('x', 'y'.repeat(257))],
      [tag('aws:x')],
      [tag('<x>')],
      [tag('x', 'a\0b')],
    ])
      expect((await setTags(person, tags)).code).toBe(-1)
    expect(await tagsOf(person)).toEqual(ten)
  })

  it('is a key that may not delete, because rules can delete by tags; a key that there is not; other accounts', async () => {
    const [person, other] = [await account(), await account()]
    await put(person, person.uid, 'photos', { a: 'text' })
    const adds = { token: await env.key(person, ['createFile', 'createFolder', 'readFile']) }
    expect(await setTags(adds, [tag('x')])).toMatchObject({ err: errors.forbidden.err })
    expect(await setTags(person, [tag('x')], 'b')).toMatchObject({ err: errors.assetUnknown.err })
    expect(await setTags(other, [tag('x')])).toMatchObject({ err: errors.assetUnknown.err })
    expect(await tagsOf(person)).toEqual([])
  })
})
