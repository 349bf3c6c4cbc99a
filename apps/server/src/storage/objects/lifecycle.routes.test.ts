import { errors, type LifecycleRuleOfBucket as Rule } from '@tidenet/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { expireObjects } from './lifecycle.ts'
import { sampleObjects } from './sample-objects.fixture.ts'
import { sampleManyVersions } from './sample-versions.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())
beforeEach(async () => {
  env.clock.move(0)
  await env.db.run(sql`delete from bucket_settings`)
})

const { put, keys } = sampleObjects(() => env)
const DAY = 86_400_000
const bucket = 'photos'

async function account() {
  const person = await env.person({ vip: true })
  await env.call('s3.createBucket', { bucket }, person)
  return person
}
type Person = Awaited<ReturnType<typeof account>>
type As = Parameters<typeof env.call>[2]

const rule = (more: Partial<Rule>): Rule => ({ isEnabled: true, filter: { tags: [] }, ...more })
const set = (as: As, ...lifecycle: Rule[]) => env.call('s3.changeSettings', { bucket, lifecycle }, as)
const version = (person: Person) => env.call('s3.changeSettings', { bucket, versioning: 'Enabled' }, person)
const write = (person: Person, objects: Record<string, string>) => put(person, person.uid, bucket, objects)
/** What rules do so many days from the beginning of the test on. */
async function daysLater(days: number) {
  env.clock.move(days * DAY)
  await env.db.run(sql`update bucket_settings set check_at = now() where check_at is not null`)
  await expireObjects(env.context)
  // Sessions do not last so long.
  env.clock.move(0)
}
/** Evaluates rules that have looked at what there was before the change, and wait for the account until it is made. */
async function evaluatedWhile(person: Person, change: Sql) {
  const evaluated = await env.db.transaction(async (tx) => {
    await tx.run(sql`select from users where id = ${person.id} for update`)
    const evaluation = daysLater(3)
    const waits = () =>
      env.db.maybe(sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    await expect.poll(waits).toBeDefined()
    await tx.run(change)
    return { evaluation }
  })
  await evaluated.evaluation
}
const left = async (person: Person) => (await keys(person, bucket)).keys
const shown = async (person: Person) =>
  (await env.call('s3.versions', { bucket }, person)).data.versions.map(
    ({ key, size, marker }) => `${key} ${marker ? 'marker' : size}`,
  )

describe('a rule', () => {
  it('moves objects to the trash when they are as old as it says, and its owner sees that a rule did it', async () => {
    const person = await account()
    await write(person, { a: 'text', b: 'text' })
    await set(person, rule({ expiration: { days: 3 } }))
    await daysLater(2)
    expect(await left(person)).toEqual(['a', 'b'])
    await daysLater(4)
    expect(await left(person)).toEqual([])
    expect((await env.call('trash.list', {}, person)).data.list).toMatchObject([{ kept: false }, { kept: false }])
    const { list } = (await env.call('activity.list', { kind: 'files' }, person)).data
    expect(list[0]).toMatchObject({ action: 'file.expire', by: 'system', items: 2 })
  })

  it('does nothing while its folder is no bucket, and goes on when it is one again', async () => {
    const person = await account()
    await write(person, { a: 'text' })
    await set(person, rule({ expiration: { days: 1 } }))
    const { list } = (await env.call('folders.contents', {}, person)).data
    const moved = list.find(({ Group }) => Group?.Name === bucket)?.Group?.ID
    const archive = (await env.call('folders.create', { name: 'archive' }, person)).data.group.ID
    await env.call('folders.move', { group_id: moved, target_group_id: archive } as never, person)
    expect((await env.call('s3.list', { bucket }, person)).code).not.toBe(0)
    await daysLater(3)
    expect((await env.call('trash.list', {}, person)).data.list).toEqual([])
    await env.call('folders.move', { group_id: moved, target_group_id: 0 } as never, person)
    expect((await env.call('s3.settings', { bucket }, person)).data.lifecycle).toHaveLength(1)
    await daysLater(3)
    expect(await left(person)).toEqual([])
  })

  it('deletes nothing of a locked account, whose owner could not stop it', async () => {
    const person = await account()
    await write(person, { a: 'text' })
    await set(person, rule({ expiration: { days: 1 } }))
    await env.db.run(sql`update users set locked_at = now() where id = ${person.id}`)
    await daysLater(3)
    await env.db.run(sql`update users set locked_at = null where id = ${person.id}`)
    expect(await left(person)).toEqual(['a'])
    await daysLater(3)
    expect(await left(person)).toEqual([])
  })

  it('that cannot be evaluated does not keep those of other buckets waiting', async () => {
    const [broken, person] = [await account(), await account()]
    await set(broken, rule({ expiration: { days: 1 } }))
    await env.db.run(sql`update bucket_settings set lifecycle = '[{"isEnabled": true}]'`)
    await write(person, { a: 'text' })
    await set(person, rule({ expiration: { days: 1 } }))
    await daysLater(3)
    expect(await left(person)).toEqual([])
  })

  it('means what its prefix, tags and sizes say, all of them', async () => {
    const person = await account()
    await write(person, { 'in/small': '1', 'in/large': '1234567890', 'in/tagged': '12345', 'out/tagged': '12345' })
    for (const key of ['in/tagged', 'out/tagged', 'in/large'])
      await env.call('s3.setTags', { bucket, key, tags: [{ key: 'temp', value: 'yes' }] }, person)
    const tags = [{ key: 'temp', value: 'yes' }]
    await set(person, rule({ filter: { prefix: 'in/', tags, sizeAbove: 4, sizeBelow: 10 }, expiration: { days: 1 } }))
    await daysLater(3)
    expect(await left(person)).toEqual(['in/large', 'in/small', 'out/tagged'])
    await set(person, rule({ filter: { tags: [{ key: 'temp', value: 'no' }] }, expiration: { days: 1 } }))
    await daysLater(3)
    expect(await left(person)).toHaveLength(3)
  })

  it('has a date, can be disabled, and ends with its bucket or when it is replaced', async () => {
    const person = await account()
    await write(person, { a: 'text' })
    const midnight = (Math.floor(env.clock.now() / DAY) + 2) * DAY
    await set(person, rule({ expiration: { date: midnight } }))
    await daysLater(0)
    await set(person, rule({ expiration: { date: midnight }, isEnabled: false }))
    await daysLater(9)
    await set(person)
    await daysLater(9)
    expect(await left(person)).toEqual(['a'])
    await set(person, rule({ expiration: { date: midnight } }))
    await daysLater(3)
    expect(await left(person)).toEqual([])
  })

  it('makes delete markers in a bucket with versions, and deletes old versions and lonely markers for good', async () => {
    const person = await account()
    await version(person)
    for (const text of ['1', '22', '333']) await write(person, { a: text })
    await write(person, { b: '4444' })
    await set(person, rule({ filter: { prefix: 'b', tags: [] }, expiration: { days: 1 } }))
    await daysLater(3)
    expect(await shown(person)).toEqual(['a 3', 'a 2', 'a 1', 'b marker', 'b 4'])
    await set(person, rule({ noncurrentExpiration: { days: 1, keep: 1 } }))
    await daysLater(3)
    expect(await shown(person)).toEqual(['a 3', 'a 2', 'b marker', 'b 4'])
    await set(person, rule({ noncurrentExpiration: { days: 1 } }), rule({ expiration: { deleteMarkers: true } }))
    await daysLater(6)
    expect(await shown(person)).toEqual(['a 3', 'b marker'])
    await daysLater(7)
    expect(await shown(person)).toEqual(['a 3'])
  })

  it('is named by the objects that it will delete, with the day when that is', async () => {
    const person = await account()
    const midnight = (Math.floor(env.clock.now() / DAY) + 1) * DAY
    const date = midnight + 30 * DAY
    await set(
      person,
      rule({ id: 'off', isEnabled: false, expiration: { days: 1 } }),
      rule({ id: 'later', expiration: { date } }),
      rule({ id: 'tagged', filter: { tags: [{ key: 'temp', value: 'yes' }] }, expiration: { days: 2 } }),
      rule({ filter: { prefix: 'in/', tags: [] }, expiration: { days: 3 } }),
      rule({ id: 'versions', noncurrentExpiration: { days: 1 } }),
    )
    const { results } = (await write(person, { a: 'text', 'in/b': 'text' })).data
    const find = async (as: As, key: string) => (await env.call('s3.find', { bucket, key }, as)).data.expiration
    const later = { at: new Date(date).toISOString(), rule_id: 'later' }
    expect(results.map(({ object }) => object?.expiration)).toEqual([
      later,
      { at: new Date(midnight + 3 * DAY).toISOString(), rule_id: '' },
    ])
    expect(await find(person, 'a')).toEqual(later)
    await env.call('s3.setTags', { bucket, key: 'a', tags: [{ key: 'temp', value: 'yes' }] }, person)
    const tagged = { at: new Date(midnight + 2 * DAY).toISOString(), rule_id: 'tagged' }
    expect(await find(person, 'a')).toEqual(tagged)
    const copy = { bucket, key: 'c', from_bucket: bucket, from_key: 'a', tags: [] }
    expect((await env.call('s3.copy', copy, person)).data.object?.expiration).toEqual(later)
    // Who does not see the rules is not told of them.
    const [folder] = (await env.call('folders.contents', { parent: 0 }, person)).data.list
    const inside = { token: await env.key(person, 'admin', [folder?.Group?.ID ?? 0]) }
    expect(await find(inside, 'a')).toBeNull()
    await set(person)
    expect(await find(person, 'a')).toBeNull()
  })

  it('ends uploads in parts that take too long', async () => {
    const person = await account()
    for (const key of ['in/a', 'out/a']) await env.call('s3Uploads.begin', { bucket, key }, person)
    await set(person, rule({ filter: { prefix: 'in/', tags: [] }, abortMultipartAfterDays: 2 }))
    const begun = async () => (await env.call('s3Uploads.list', { bucket }, person)).data.list.map(({ key }) => key)
    await daysLater(1)
    expect(await begun()).toEqual(['in/a', 'out/a'])
    await daysLater(3)
    expect(await begun()).toEqual(['out/a'])
  })

  it('is evaluated step by step in a large bucket, and goes on where it was', async () => {
    const person = await account()
    await write(person, { 'many/first': 'text', z: 'kept' })
    await env.db.run(sql`
      insert into assets (user_id, folder_id, cid, kind, name, size, areas, created_at, expires_at)
      select user_id, folder_id, cid, kind, 'f' || n, 4, areas, created_at, expires_at from assets, generate_series(1, 1200) n where name = 'first' and user_id = ${person.id}`)
    await set(person, rule({ filter: { prefix: 'many/', tags: [] }, expiration: { days: 1 } }))
    await daysLater(3)
    expect(await left(person)).toEqual(['z'])
  })

  it('deletes the many versions of one key and many lonely markers step by step, and keeps as many as it says', async () => {
    const person = await account()
    await version(person)
    await write(person, { a: 'text', b: 'text' })
    await sampleManyVersions(env, person, 'a', 300)
    await env.call('s3.remove', { bucket, keys: ['b'] }, person)
    await env.db.run(sql`
      insert into object_deletions (user_id, folder_id, part, version_id, created_at)
      select user_id, folder_id, 'b' || n, gen_random_uuid(), created_at from object_deletions, generate_series(1, 120) n where user_id = ${person.id}`)
    await set(
      person,
      rule({ noncurrentExpiration: { days: 1, keep: 60 } }),
      rule({ expiration: { deleteMarkers: true } }),
    )
    await daysLater(3)
    const listed = await shown(person)
    expect(listed.filter((row) => row.startsWith('a '))).toHaveLength(61)
    expect(listed.slice(61)).toEqual(['b marker', 'b 4'])
  })

  it('keeps a version that got other tags after it was looked at, or lost one of those in front of it', async () => {
    const person = await account()
    await version(person)
    for (const text of ['1', '22', '333', '4444']) await write(person, { a: text })
    const tags = [{ key: 'temp', value: 'yes' }]
    const [, third, second, first] = (await env.call('s3.versions', { bucket }, person)).data.versions
    const tag = (version_id = '', temp: typeof tags = tags) =>
      env.call('s3.setTags', { bucket, key: 'a', version_id, tags: temp }, person)
    for (const one of [first, second, third]) await tag(one?.version_id)
    await set(person, rule({ filter: { tags }, noncurrentExpiration: { days: 1, keep: 2 } }))
    await evaluatedWhile(person, sql`delete from asset_versions where version_id = ${third?.version_id}::uuid`)
    expect(await shown(person)).toEqual(['a 4', 'a 2', 'a 1'])
    await write(person, { a: '55555' })
    await set(person, rule({ filter: { tags }, noncurrentExpiration: { days: 1 } }))
    await evaluatedWhile(person, sql`update object_details set tags = '[]' where user_id = ${person.id}`)
    expect(await shown(person)).toEqual(['a 5', 'a 4', 'a 2', 'a 1'])
  })

  it('does nothing to an object that was written again in the meantime, nor to files of other folders', async () => {
    const [person, other] = [await account(), await account()]
    await write(person, { a: 'old' })
    await write(other, { a: 'theirs' })
    await set(person, rule({ expiration: { days: 2 } }))
    const before = new Date(env.clock.now() - 5 * DAY)
    await env.db.run(
      sql`update object_details set modified_at = ${before} where user_id in (${person.id}, ${other.id})`,
    )
    await write(person, { a: 'new text' })
    await daysLater(0)
    expect(await left(person)).toEqual(['a'])
    expect(await left(other)).toEqual(['a'])
  })
})

describe('what is refused', () => {
  it('is rules of no days, and those of a key that may not delete or is limited to folders', async () => {
    const person = await account()
    await write(person, { a: 'text' })
    for (const bad of [
      { expiration: { days: 0 } },
      { expiration: { days: 1.5 } },
      { noncurrentExpiration: { days: -1 } },
      { abortMultipartAfterDays: 0 },
      { expiration: { days: 1, date: 0 } as never },
    ])
      expect((await set(person, rule(bad))).code).toBe(-1)
    const adds = { token: await env.key(person, ['createFile', 'createFolder', 'readFolder']) }
    expect(await set(adds, rule({ expiration: { days: 1 } }))).toMatchObject({ err: errors.forbidden.err })
    const [folder] = (await env.call('folders.contents', { parent: 0 }, person)).data.list
    const inside = { token: await env.key(person, 'admin', [folder?.Group?.ID ?? 0]) }
    expect((await set(inside, rule({ expiration: { days: 1 } }))).code).toBe(-1)
    await daysLater(9)
    expect(await left(person)).toEqual(['a'])
  })
})
