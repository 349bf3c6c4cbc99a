import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { eraseAssets, eraseVersions } from '../files/erase.ts'
import { eraseTrashed, purgeDue } from '../trash/purge.ts'
import { expired } from './deletions-repository.ts'
import { listObjects } from './list.ts'
import { listVersions } from './list-versions.ts'
import { sampleObjects } from './sample-objects.fixture.ts'
import { sampleVersions } from './sample-versions.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const { put } = sampleObjects(() => env)
const { account, write, remove, drop, list, shown } = sampleVersions(() => env)
const DAY = 86_400_000

describe('a list of versions', () => {
  async function filled() {
    const person = await account()
    for (const [text, ...names] of [
      ['1', 'a', 'b/1', 'b/2', 'c'],
      ['22', 'b/1', 'c', 'd'],
    ])
      await put(person, person.uid, 'photos', Object.fromEntries(names.map((name) => [name, `${text}`])))
    await remove(person, 'b/2', 'c')
    return person
  }
  const all = [
    'a 1 latest',
    'b/1 2 latest',
    'b/1 1',
    'b/2 marker latest',
    'b/2 1',
    'c marker latest',
    'c 2',
    'c 1',
    'd 2 latest',
  ]

  it('goes by key and age, page by page, also when what was listed is deleted in between', async () => {
    for (const limit of [1, 2, 3]) {
      const person = await filled()
      const pages = async (deletes: boolean) => {
        const found: string[] = []
        for (let next = { after_key: '', after_version: '' }; ; ) {
          const page = await list(person, { limit, ...next })
          found.push(...page.versions.map(({ key, size, marker }) => `${key} ${marker ? 'marker' : size}`))
          if (deletes) for (const { key, version_id } of page.versions) await drop(person, version_id, key)
          if (page.next_key === '') return found
          next = { after_key: page.next_key, after_version: page.next_version }
        }
      }
      expect(await pages(false)).toEqual(all.map((row) => row.replace(' latest', '')))
      await pages(true)
      expect(await shown(person)).toEqual([])
    }
  })

  it('is grouped by a delimiter, limited to a prefix, and goes on behind a plain version', async () => {
    const person = await filled()
    expect(await list(person, { delimiter: '/' })).toMatchObject({ prefixes: ['b/'] })
    expect(await shown(person, { delimiter: '/' })).toEqual(all.filter((row) => !row.startsWith('b/')))
    expect(await shown(person, { prefix: 'b/' })).toEqual(all.filter((row) => row.startsWith('b/')))
    expect(await list(person, { delimiter: '1' })).toMatchObject({ prefixes: ['b/1'] })
    const [, newest] = (await list(person, { prefix: 'c' })).versions
    expect(await shown(person, { after_key: 'c', after_version: newest?.version_id ?? '' })).toEqual([
      'c 1',
      'd 2 latest',
    ])
    expect(await shown(person, { after_key: 'c' })).toEqual(['d 2 latest'])
  })

  it('is whole when groups and keys with many versions take turns, and reads few rows beside those it lists', async () => {
    const person = await account()
    const names = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
    const keyOf = (n: string) => (Number(n) % 3 === 0 ? n : `${n}-x`)
    const objects = (text: string) => Object.fromEntries(names.map((n) => [keyOf(n), text]))
    await put(person, person.uid, 'photos', objects('1'))
    for (const text of ['22', '333', '4444'])
      await put(person, person.uid, 'photos', { '03': text, '57': text, '04-x': text })
    const groups = names.filter((n) => Number(n) % 3 !== 0).map((n) => `${n}-`)
    const plain = names.filter((n) => Number(n) % 3 === 0)
    for (const limit of [1, 7, 50, 1000]) {
      const found: { prefixes: string[]; versions: string[] } = { prefixes: [], versions: [] }
      for (let next = { after_key: '', after_version: '' }; ; ) {
        const page = await list(person, { limit, delimiter: '-', ...next })
        found.prefixes.push(...page.prefixes)
        found.versions.push(...page.versions.map(({ key, size }) => `${key} ${size}`))
        if (page.next_key === '') break
        next = { after_key: page.next_key, after_version: page.next_version }
      }
      expect(found.prefixes).toEqual(groups)
      expect(found.versions).toEqual(
        plain.flatMap((n) => (n === '03' || n === '57' ? [4, 3, 2, 1] : [1]).map((size) => `${n} ${size}`)),
      )
    }
    // Reading whole pages behind each group would be some thousand rows.
    let read = 0
    const counting = {
      ...env.db,
      rows: async <T>(statement: Sql) => {
        const rows = await env.db.rows<T>(statement)
        read += rows.length
        return rows
      },
    }
    const caller = { userId: person.id, uid: person.uid, folders: undefined } as unknown as Member
    const asked = { bucket: 'photos', prefix: '', delimiter: '-', limit: 1000 }
    const versions = await listVersions({ db: counting }, caller, { ...asked, after_key: '', after_version: '' })
    expect(versions.prefixes).toEqual(groups)
    expect(read).toBeLessThan(300)
    read = 0
    expect((await listObjects({ db: counting }, caller, { ...asked, after: '' })).prefixes).toEqual(groups)
    expect(read).toBeLessThan(300)
  })

  it('costs what its page costs, in a bucket of many keys', { tags: ['long'] }, async () => {
    const person = await account()
    await write(person, '1', 'folder/first')
    await env.db.run(sql`
      insert into assets (user_id, folder_id, cid, kind, name, size, areas, created_at, expires_at)
      select user_id, folder_id, cid, kind, 'f' || n, 1, areas, created_at, expires_at from assets, generate_series(1, 20000) n where name = 'first' and user_id = ${person.id}`)
    const page = await list(person, { limit: 1000, after_key: 'folder/f15000' })
    expect(page.versions).toHaveLength(1000)
    expect(page.versions[0]?.key).toBe('folder/f15001')
  })
})

describe('a bucket that goes to the trash', () => {
  async function gone() {
    const person = await account()
    for (const text of ['1', '22']) await write(person, text)
    await remove(person, 'a')
    const [folder] = (await env.call('folders.contents', { parent: 0 }, person)).data.list
    const { trash_ids: ids } = (await env.call('trash.put', { folders: [folder?.Group?.ID ?? 0] }, person)).data
    return { person, ids }
  }
  const sweep = async () => {
    for (const statement of expired(new Date(env.clock.now() + DAY))) await env.db.run(statement)
  }

  it('comes back with its versions, markers and settings', async () => {
    const { person, ids } = await gone()
    await sweep()
    await env.call('trash.restore', { ids }, person)
    expect(await shown(person)).toEqual(['a marker latest', 'a 2', 'a 1'])
    expect((await env.call('s3.settings', { bucket: 'photos' }, person)).data.versioning).toBe('Enabled')
  })

  it('leaves nothing that is kept for ever when it is deleted for good', async () => {
    const { person, ids } = await gone()
    await env.call('trash.remove', { ids }, person)
    await sweep()
    expect((await env.call('trash.list', {}, person)).data.list).toMatchObject([{ name: 'a', kept: false }])
    env.clock.move(2 * DAY)
    await purgeDue(env.context)
    env.clock.move(0)
    const usage = (await env.call('usage.storageSize', {}, person)).data
    expect(usage).toMatchObject({ UsedSize: 0, TrashSize: 0, VersionSize: 0 })
  })
})

describe('an account that is deleted', () => {
  it('leaves no version, and no bytes are counted for it', async () => {
    const person = await account()
    for (const text of ['1', '22', '333']) await write(person, text)
    await remove(person, 'a')
    await write(person, '4444', 'b')
    await write(person, '55555', 'b')
    for (const erase of [
      eraseAssets,
      eraseVersions,
      (context: typeof env.context, one: Person) => eraseTrashed(context, one, 500),
    ])
      while (await erase(env.context, person));
    const usage = (await env.call('usage.storageSize', {}, person)).data
    expect(usage).toMatchObject({ UsedSize: 0, TrashSize: 0, VersionSize: 0 })
    expect(await shown(person)).toEqual(['a marker latest'])
  })
})
