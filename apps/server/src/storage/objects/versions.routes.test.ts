import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { purgeVersions } from '../versions/service.ts'
import { sampleObjects } from './sample-objects.fixture.ts'
import { rowsRead, sampleManyVersions, sampleVersions } from './sample-versions.fixture.ts'
import { findVersion } from './versions-repository.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const { put, fileOf } = sampleObjects(() => env)
const { account, set, write, remove, drop, find, list, shown } = sampleVersions(() => env)
const DAY = 86_400_000
/** What a kept version counts at least. */
const KEPT_MIN = 4096
const unknown = { err: errors.assetUnknown.err }

describe('a bucket without versions', () => {
  it('lists each object as its version "null", and is otherwise as before', async () => {
    const person = await account('')
    expect(await write(person, 'first')).toBe('')
    await write(person, 'second!')
    expect(await shown(person)).toEqual(['a 7 latest'])
    expect((await find(person, 'null')).data).toMatchObject({ size: 7, version_id: 'null' })
    expect(await remove(person, 'a')).toEqual([])
    expect(await shown(person)).toEqual([])
    expect((await env.call('trash.list', {}, person)).data.list).toMatchObject([{ kept: false }])
    await write(person, 'third')
    await drop(person, 'null')
    expect((await env.call('trash.list', {}, person)).data.list).toMatchObject([{ kept: false }, { kept: false }])
  })
})

describe('versions of an object', () => {
  it('are what it contained, with their own details, until they are deleted', async () => {
    const person = await account()
    const first = await write(person, '1')
    await env.call('s3.setTags', { bucket: 'photos', key: 'a', tags: [{ key: 'is', value: 'first' }] }, person)
    const second = await write(person, '22')
    const third = await write(person, '333')
    expect(await shown(person)).toEqual(['a 3 latest', 'a 2', 'a 1'])
    expect((await list(person)).versions.map(({ version_id }) => version_id)).toEqual([third, second, first])
    expect((await find(person, first)).data).toMatchObject({ size: 1, tags: [{ key: 'is', value: 'first' }] })
    expect((await find(person)).data).toMatchObject({ size: 3, version_id: third, tags: [] })
    await drop(person, second)
    expect(await find(person, second)).toMatchObject(unknown)
    expect(await shown(person)).toEqual(['a 3 latest', 'a 1'])
    // Without the current one, the one before it is there again.
    await drop(person, third)
    expect((await find(person)).data).toMatchObject({
      size: 1,
      version_id: first,
      tags: [{ key: 'is', value: 'first' }],
    })
    const fourth = await write(person, '4444')
    expect(fourth).not.toBe(third)
    expect((await find(person)).data.tags).toEqual([])
    await drop(person, fourth)
    await drop(person, first)
    expect(await shown(person)).toEqual([])
    expect(await find(person)).toMatchObject(unknown)
  })

  it('outlive the limits of the plan, count as used storage, and leave none too much for the quota', async () => {
    const person = await account('Enabled', { storageQuota: 10 * KEPT_MIN })
    for (let index = 0; index < 8; index++) await write(person, `${index}`.repeat(KEPT_MIN))
    env.clock.move(400 * DAY)
    await purgeVersions(env.context)
    env.clock.move(0)
    expect(await shown(person)).toHaveLength(8)
    const used = async () => (await env.call('usage.storageSize', {}, person)).data.UsedSize
    expect(await used()).toBe(8 * KEPT_MIN)
    await write(person, 'x'.repeat(2 * KEPT_MIN))
    expect(await write(person, 'y'.repeat(KEPT_MIN))).toBe(`refused ${errors.quotaExceeded.err}`)
    expect(await shown(person)).toHaveLength(9)
    for (const { version_id } of (await list(person)).versions) await drop(person, version_id)
    expect(await used()).toBe(0)
  })

  it('without bytes count, too, as do those below a delete marker: there is an end to them', async () => {
    const writeUntilFull = async (person: Person, after: () => Promise<unknown>) => {
      let written = 0
      for (; written < 50 && /^[0-9a-f]{32}$/.test(await write(person, '')); written++) await after()
      return written
    }
    const terms = { storageQuota: 5 * KEPT_MIN }
    const [writer, deleter] = [await account('Enabled', terms), await account('Enabled', terms)]
    expect(await writeUntilFull(writer, async () => {})).toBe(6)
    expect(await writeUntilFull(deleter, () => remove(deleter, 'a'))).toBe(6)
    const used = async (person: Person) => (await env.call('usage.storageSize', {}, person)).data.UsedSize
    expect(await used(writer)).toBe(5 * KEPT_MIN)
    for (const person of [writer, deleter]) {
      for (const { version_id } of (await list(person)).versions) await drop(person, version_id)
      expect(await shown(person)).toEqual([])
      expect(await used(person)).toBe(0)
    }
  })

  it('are found without reading those beside them, by their ID and as the version "null"', async () => {
    const person = await account('')
    await write(person, 'first')
    await set(person, 'Enabled')
    await write(person, 'second')
    await sampleManyVersions(env, person, 'a', 3000)
    await write(person, 'third')
    await remove(person, 'a')
    await env.db.run(sql`analyze asset_versions`)
    const [, , , some] = (await list(person, { limit: 10 })).versions
    const place = await env.db.one<{ folderId: number; part: string }>(
      sql`select folder_id as "folderId", part from object_deletions where user_id = ${person.id}`,
    )
    for (const id of [some?.version_id ?? '', null])
      await env.db.transaction(async (tx) => {
        const before = await rowsRead(tx)
        expect(await findVersion(tx, person.id, place, id)).toBeDefined()
        expect((await rowsRead(tx)) - before).toBeLessThan(20)
      })
    const [marker] = (await list(person)).versions
    const named = { bucket: 'photos', versions: Array(1000).fill({ key: 'a', version_id: marker?.version_id ?? '' }) }
    const { markers } = (await env.call('s3.removeVersions', named, person)).data
    expect(markers.filter(Boolean)).toHaveLength(1000)
  })

  it('are made by every write, also of the same bytes and of none, and by the portal', async () => {
    const person = await account()
    const made = [
      await write(person, 'same'),
      await write(person, 'same'),
      await write(person, ''),
      await write(person, ''),
    ]
    expect(new Set(made).size).toBe(4)
    expect(await shown(person)).toEqual(['a 0 latest', 'a 0', 'a 4', 'a 4'])
    const object = (await find(person)).data
    const { list: earlier } = (await env.call('versions.list', { cid: object.cid, asset_id: object.asset_id }, person))
      .data
    expect(earlier).toMatchObject([{ kept: true }, { kept: true }, { kept: true }])
    await env.call('versions.restore', { id: earlier[1]?.id ?? 0 }, person)
    expect(await shown(person)).toEqual(['a 4 latest', 'a 0', 'a 0', 'a 4', 'a 4'])
  })

  it('are made once by one upload, also if the answer was lost and the gateway sends it again', async () => {
    const person = await account()
    const file = await fileOf(person.uid, 'a', 'text')
    const upload = async (one: typeof file) => {
      const { results } = (await env.call('s3.put', { bucket: 'photos', files: [one] }, person)).data
      return results[0]?.object
    }
    await write(person, 'before')
    const first = await upload(file)
    expect(await upload(file)).toEqual(first)
    await write(person, 'later one')
    // What was written in the meantime stays the current one.
    expect(await upload(file)).toMatchObject({ version_id: first?.version_id, size: 4 })
    expect(await shown(person)).toEqual(['a 9 latest', 'a 4', 'a 6'])
    // Another upload of the same bytes is another version.
    const again = await upload(await fileOf(person.uid, 'a', 'text'))
    expect(again?.version_id).not.toBe(first?.version_id)
    expect(await shown(person)).toEqual(['a 4 latest', 'a 9', 'a 4', 'a 6'])
    await drop(person, first?.version_id ?? '')
    expect((await upload({ ...file, key: 'b' }))?.key).toBe('b')
  })

  it('without bytes and of copies are made once by one call, too, and by none of another account', async () => {
    const [person, other] = [await account(), await account()]
    const [empty, write_id] = [await fileOf(person.uid, 'a', ''), 'w'.repeat(16)]
    const upload = async (as: Person, more: { write_id: string }) =>
      (await env.call('s3.put', { bucket: 'photos', files: [{ ...empty, ...more }] }, as)).data.results[0]?.object
    await write(person, 'before')
    const first = await upload(person, { write_id })
    expect(await upload(person, { write_id })).toEqual(first)
    expect((await upload(other, { write_id }))?.version_id).not.toBe(first?.version_id)
    expect((await upload(person, { write_id: 'x'.repeat(16) }))?.version_id).not.toBe(first?.version_id)
    const copy = { bucket: 'photos', key: 'a', from_bucket: 'photos', from_key: 'a', from_version: first?.version_id }
    const copied = async () =>
      (await env.call('s3.copy', { ...copy, write_id: 'y'.repeat(16) }, person)).data.object?.version_id
    expect(await copied()).toBe(await copied())
    expect(await shown(person)).toEqual(['a 0 latest', 'a 0', 'a 0', 'a 6'])
  })

  it('are copied, and go along when the file is renamed', async () => {
    const person = await account()
    const first = await write(person, 'first')
    await write(person, 'second!')
    const copy = { bucket: 'photos', key: 'b', from_bucket: 'photos', from_key: 'a', from_version: first }
    expect((await env.call('s3.copy', copy, person)).data.object).toMatchObject({ size: 5 })
    const { cid, asset_id } = (await find(person)).data
    await env.call('assets.rename', { asset_cid: cid, asset_id, new_name: 'c' }, person)
    expect(await shown(person)).toEqual(['b 5 latest', 'c 7 latest', 'c 5'])
  })
})

describe('what is refused', () => {
  it('is a version of another key, bucket or account, and what is none', async () => {
    const [person, other] = [await account(), await account()]
    const version = await write(person, 'text')
    await write(person, 'other', 'b')
    await env.call('s3.createBucket', { bucket: 'more' }, person)
    await write(other, 'theirs')
    for (const [as, id, key] of [
      [person, version, 'b'],
      [other, version, 'a'],
      [person, 'x', 'a'],
      [person, '0'.repeat(32), 'a'],
      [person, "' or 1=1 --", 'a'],
    ] as const) {
      expect(await find(as, id, key)).toMatchObject(unknown)
      await drop(as, id, key)
    }
    expect(await env.call('s3.find', { bucket: 'more', key: 'a', version_id: version }, person)).toMatchObject(unknown)
    await env.call('s3.removeVersions', { bucket: 'more', versions: [{ key: 'a', version_id: version }] }, person)
    expect(await shown(person)).toEqual(['a 4 latest', 'b 5 latest'])
    expect(await shown(other)).toEqual(['a 6 latest'])
  })

  it('is to bring back a version that was deleted in the portal, if something else uses its storage now', async () => {
    const person = await account('Enabled', { storageQuota: 20_000 })
    await write(person, 'k')
    await write(person, 'x'.repeat(1000))
    const { cid, asset_id } = (await find(person)).data
    const [version] = (await env.call('versions.list', { cid, asset_id }, person)).data.list
    const id = version?.id ?? 0
    const used = async () => (await env.call('usage.storageSize', {}, person)).data.UsedSize
    await env.call('versions.remove', { id }, person)
    await env.call('versions.undelete', { id }, person)
    expect(await used()).toBe(1000 + KEPT_MIN)
    await env.call('versions.remove', { id }, person)
    await write(person, 'y'.repeat(18_000), 'b')
    expect(await env.call('versions.undelete', { id }, person)).toMatchObject({ err: errors.quotaExceeded.err })
    expect(await used()).toBe(19_000)
    expect(await shown(person)).toEqual(['a 1000 latest', 'b 18000 latest'])
  })

  it('is a key that may not delete, and to suspend versions with it', async () => {
    const person = await account()
    const version = await write(person, 'text')
    const adds = { token: await env.key(person, ['createFile', 'createFolder', 'readFile', 'readFolder']) }
    expect(await drop(adds, version)).toMatchObject({ err: errors.forbidden.err })
    const suspend = { bucket: 'photos', versioning: 'Suspended' } as const
    expect(await env.call('s3.changeSettings', suspend, adds)).toMatchObject({ err: errors.forbidden.err })
    expect(await shown(adds)).toEqual(['a 4 latest'])
  })

  it('is what is outside the folders of a key; inside, versions are those of the bucket around it', async () => {
    const person = await account()
    await write(person, '1', 'own/a')
    await write(person, '1', 'other/b')
    const { list: top } = (await env.call('folders.contents', { parent: 0 }, person)).data
    const inside = (await env.call('folders.contents', { parent: top[0]?.Group?.ID ?? 0 }, person)).data.list
    const own = inside.find(({ Group }) => Group?.Name === 'own')?.Group?.ID ?? 0
    const key = { token: await env.key(person, 'admin', [own]) }
    await put(key, person.uid, 'own', { a: '22' })
    const removed = await env.call('s3.remove', { bucket: 'own', keys: ['a'] }, key)
    expect(removed.data.markers).toMatchObject([{ key: 'a' }])
    const seen = (await env.call('s3.versions', { bucket: 'own' }, key)).data.versions
    expect(seen.map(({ marker, size }) => (marker ? 'marker' : size))).toEqual(['marker', 2, 1])
    expect(await shown(person, { prefix: 'own/' })).toEqual(['own/a marker latest', 'own/a 2', 'own/a 1'])
    expect(await env.call('s3.versions', { bucket: 'photos' }, key)).toMatchObject({ err: errors.folderUnknown.err })
    expect((await env.call('s3.changeSettings', { bucket: 'own', versioning: 'Suspended' }, key)).code).toBe(-1)
  })
})
