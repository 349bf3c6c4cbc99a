import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { purgeDue } from '../trash/purge.ts'
import { findNull } from './deletions-repository.ts'
import { sampleObjects } from './sample-objects.fixture.ts'
import { rowsRead, sampleManyDeletions, sampleVersions } from './sample-versions.fixture.ts'
import { findVersion } from './versions-repository.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const { put, keys } = sampleObjects(() => env)
const { account, set, write, remove, drop, find, list, shown } = sampleVersions(() => env)
const DAY = 86_400_000
/** What a kept version counts at least. */
const _KEPT_MIN = 4096
const unknown = { err: errors.assetUnknown.err }

describe('a delete marker', () => {
  it('hides an object, which is in the trash until it is deleted, and comes back without the marker', async () => {
    const person = await account()
    const first = await write(person, '1')
    await write(person, '22')
    const { expires_at } = await env.db.one<{ expires_at: Date }>(
      sql`select expires_at from assets where user_id = ${person.id}`,
    )
    const [marker] = await remove(person, 'a', 'never there')
    expect(marker?.key).toBe('a')
    expect(await find(person)).toMatchObject(unknown)
    expect((await keys(person, 'photos')).keys).toEqual([])
    expect(await shown(person)).toEqual(['a marker latest', 'a 2', 'a 1'])
    expect((await find(person, first)).data).toMatchObject({ size: 1, marker: false })
    expect((await find(person, marker?.version_id)).data).toMatchObject({ marker: true })
    env.clock.move(400 * DAY)
    await purgeDue(env.context)
    env.clock.move(0)
    expect(await shown(person)).toHaveLength(3)
    expect((await env.call('trash.list', {}, person)).data.list).toMatchObject([
      { kept: true, name: 'a', purge_at: expires_at.toISOString() },
    ])
    expect((await drop(person, marker?.version_id ?? '')).data.markers).toEqual([true])
    expect((await find(person)).data).toMatchObject({ size: 2 })
    expect(await shown(person)).toEqual(['a 2 latest', 'a 1'])
    expect((await env.call('trash.list', {}, person)).data.list).toEqual([])
  })

  it('stays below an object that is written later; deleting all versions in any order leaves nothing', async () => {
    const person = await account()
    const first = await write(person, '1', 'x//y')
    const [marker] = await remove(person, 'x//y')
    const second = await write(person, '22', 'x//y')
    expect(await shown(person)).toEqual(['x//y 2 latest', 'x//y marker', 'x//y 1'])
    await drop(person, marker?.version_id ?? '', 'x//y')
    expect(await shown(person)).toEqual(['x//y 2 latest', 'x//y 1'])
    // The object below has no marker: it is the current one now, under its key.
    await drop(person, second, 'x//y')
    expect(await shown(person)).toEqual(['x//y 1 latest'])
    expect((await find(person, undefined, 'x//y')).data).toMatchObject({ version_id: first })
    await remove(person, 'x//y')
    for (const { version_id } of (await list(person)).versions.toReversed()) await drop(person, version_id, 'x//y')
    expect(await shown(person)).toEqual([])
    expect((await env.call('trash.list', {}, person)).data.list).toEqual([])
    expect(await env.call('s3.removeBucket', { bucket: 'photos' }, person)).toMatchObject({ code: 0 })
  })

  it('can be deleted together with all versions, in one call and in any order', async () => {
    for (const order of [1, -1]) {
      const person = await account()
      for (const text of ['1', '22', '333']) await write(person, text)
      await remove(person, 'a')
      await write(person, '4444')
      const versions = (await list(person)).versions
        .map(({ key, version_id, size }) => ({ key, version_id, size }))
        .sort((a, b) => order * (a.size - b.size))
        .map(({ key, version_id }) => ({ key, version_id }))
      await env.call('s3.removeVersions', { bucket: 'photos', versions }, person)
      expect(await shown(person)).toEqual([])
      expect((await env.call('usage.storageSize', {}, person)).data).toMatchObject({
        UsedSize: 0,
        TrashSize: 0,
        VersionSize: 0,
      })
    }
  })

  it('is not made twice, and its bucket is not empty', async () => {
    const person = await account()
    await write(person, '1')
    const once = await remove(person, 'a')
    expect(await remove(person, 'a')).toEqual(once)
    expect(await env.call('s3.removeBucket', { bucket: 'photos' }, person)).toMatchObject({
      err: errors.folderNotEmpty.err,
    })
  })

  it('goes when the portal restores the file, and stays alone when the portal deletes it for good', async () => {
    const person = await account()
    await write(person, '1')
    await write(person, '22')
    await remove(person, 'a')
    const trash = async () => (await env.call('trash.list', {}, person)).data.list.map(({ id }) => id)
    await env.call('trash.restore', { ids: await trash() }, person)
    expect(await shown(person)).toEqual(['a 2 latest', 'a 1'])
    await remove(person, 'a')
    await env.call('trash.remove', { ids: await trash() }, person)
    expect(await shown(person)).toEqual(['a marker latest'])
    expect((await env.call('usage.storageSize', {}, person)).data.UsedSize).toBe(0)
  })

  it('leaves no second one when all between them is deleted for good', async () => {
    const person = await account()
    for (const text of ['1', '22', '333']) {
      await write(person, text)
      await remove(person, 'a')
    }
    for (const { version_id, marker } of (await list(person)).versions) if (!marker) await drop(person, version_id)
    expect(await shown(person)).toEqual(['a marker latest'])
  })

  it('keeps what it hides from being pushed out of the trash', async () => {
    const person = await account('Enabled', { storageQuota: 10_000 })
    await write(person, 'k'.repeat(6000))
    await remove(person, 'a')
    // Later, but it gives way.
    await env.call('s3.createBucket', { bucket: 'plain' }, person)
    await put(person, person.uid, 'plain', { c: 'c'.repeat(3000) })
    await env.call('s3.remove', { bucket: 'plain', keys: ['c'] }, person)
    expect(await write(person, 'x'.repeat(5000), 'b')).toBe(`refused ${errors.quotaExceeded.err}`)
    expect(await write(person, 'x'.repeat(4000), 'b')).toMatch(/^[0-9a-f]{32}$/)
    expect(await shown(person)).toEqual(['a marker latest', 'a 6000', 'b 4000 latest'])
    const { list: trash } = (await env.call('trash.list', {}, person)).data
    expect(trash).toMatchObject([{ name: 'a', kept: true }])
    // It counts already, so a full account can restore it.
    const ids = trash.map(({ id }) => id)
    expect((await env.call('trash.restore', { ids }, person)).data.results).toMatchObject([{ ok: true }])
  })
})

describe('suspended versions', () => {
  it('have their version "null" found without reading the other deletions of the key', async () => {
    const ways = {
      'an object in the trash': async (person: Person) => {
        await set(person, 'Suspended')
        await write(person, '1')
        await set(person, 'Enabled')
        await remove(person, 'a')
      },
      'a marker': async (person: Person) => {
        await write(person, '1')
        await set(person, 'Suspended')
        await remove(person, 'a')
      },
      'an earlier content of what is in the trash': async (person: Person) => {
        await set(person, 'Suspended')
        await write(person, '1')
        await set(person, 'Enabled')
        await write(person, '22')
        await remove(person, 'a')
      },
    }
    for (const [way, make] of Object.entries(ways)) {
      const person = await account()
      await make(person)
      const place = await env.db.one<{ folderId: number; part: string }>(
        sql`select folder_id as "folderId", part from object_deletions where user_id = ${person.id}`,
      )
      await sampleManyDeletions(env, person, 3000)
      await env.db.run(sql`analyze object_deletions`)
      const asked = [(tx: Db) => findVersion(tx, person.id, place, null), (tx: Db) => findNull(tx, person.id, place)]
      for (const ask of asked)
        await env.db.transaction(async (tx) => {
          const before = await rowsRead(tx)
          expect(await ask(tx), way).toBeTruthy()
          expect((await rowsRead(tx)) - before, way).toBeLessThan(20)
        })
      expect((await find(person, 'null')).data, way).toMatchObject({ version_id: 'null' })
      // The next one takes its place, and then nothing has to be looked through either.
      await set(person, 'Suspended')
      await write(person, '333')
      expect((await find(person, 'null')).data, way).toMatchObject({ size: 3 })
      expect(await findNull(env.db, person.id, place), way).toEqual([])
    }
  })

  it('are kept, and a key has one version "null", which a write or delete replaces', async () => {
    const person = await account('')
    await write(person, '1')
    await set(person, 'Enabled')
    const second = await write(person, '22')
    await set(person, 'Suspended')
    expect(await shown(person)).toEqual(['a 2 latest', 'a 1'])
    expect(await write(person, '333')).toBe('null')
    expect(await shown(person)).toEqual(['a 3 latest', 'a 2'])
    await write(person, '4444')
    expect(await shown(person)).toEqual(['a 4 latest', 'a 2'])
    expect(await remove(person, 'a')).toEqual([{ key: 'a', version_id: 'null' }])
    expect(await shown(person)).toEqual(['a marker latest', 'a 2'])
    await write(person, '55555')
    expect(await shown(person)).toEqual(['a 5 latest', 'a 2'])
    await drop(person, 'null')
    expect((await find(person)).data).toMatchObject({ size: 2, version_id: second })
  })

  it('keep the version "null" when they are enabled again', async () => {
    const person = await account('Suspended')
    await write(person, '1')
    await set(person, 'Enabled')
    await write(person, '22')
    await remove(person, 'a')
    expect(await shown(person)).toEqual(['a marker latest', 'a 2', 'a 1'])
    await set(person, 'Suspended')
    await write(person, '333')
    expect(await shown(person)).toEqual(['a 3 latest', 'a marker', 'a 2'])
  })
})
