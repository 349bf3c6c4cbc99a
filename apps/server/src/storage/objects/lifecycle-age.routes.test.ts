import type { LifecycleRuleOfBucket as Rule } from '@tidenet/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { expireObjects } from './lifecycle.ts'
import { sampleObjects } from './sample-objects.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const { put, keys, fileOf } = sampleObjects(() => env)
const DAY = 86_400_000
const bucket = 'photos'

/** A bucket with objects that were written ten days ago, and a rule of three days that has not been evaluated since. */
async function aged(objects: Record<string, string>, versioning?: 'Enabled' | 'Suspended') {
  const person = await env.person({ vip: true })
  await env.call('s3.createBucket', { bucket }, person)
  if (versioning) await env.call('s3.changeSettings', { bucket, versioning: 'Enabled' }, person)
  if (versioning === 'Suspended') await env.call('s3.changeSettings', { bucket, versioning }, person)
  await put(person, person.uid, bucket, objects)
  const past = new Date(env.clock.now() - 10 * DAY)
  await env.db.run(sql`update object_details set modified_at = ${past} where user_id = ${person.id}`)
  await env.db.run(sql`update assets set created_at = ${past} where user_id = ${person.id}`)
  const lifecycle: Rule[] = [{ isEnabled: true, filter: { tags: [] }, expiration: { days: 3 } }]
  await env.call('s3.changeSettings', { bucket, lifecycle }, person)
  return person
}
const evaluate = async () => {
  await env.db.run(sql`update bucket_settings set check_at = ${new Date(env.clock.now())} where check_at is not null`)
  await expireObjects(env.context)
}

it.each([undefined, 'Enabled', 'Suspended'] as const)(
  'an object that is written again is new, also with the same bytes (%s)',
  async (versioning) => {
    const person = await aged({ a: 'text', b: 'text', c: 'text', d: '', e: '' }, versioning)
    await put(person, person.uid, bucket, { a: 'text', b: 'other', d: '' })
    await evaluate()
    expect((await keys(person, bucket)).keys).toEqual(['a', 'b', 'd'])
  },
)

it('an object that is copied onto itself is new', async () => {
  const person = await aged({ a: 'text', c: 'text' })
  const copied = await env.call(
    's3.copy',
    { bucket, key: 'a', from_bucket: bucket, from_key: 'a', metadata: { x: '1' } } as never,
    person,
  )
  expect(copied).toMatchObject({ code: 0 })
  await evaluate()
  expect((await keys(person, bucket)).keys).toEqual(['a'])
})

it.each([undefined, 'Enabled'] as const)('a file that is replaced in the portal is new (%s)', async (versioning) => {
  const person = await aged({ a: 'text', c: 'text' }, versioning)
  const file = await fileOf(person.uid, 'a', 'from the portal')
  const { list } = (await env.call('folders.contents', { parent: 0 }, person)).data
  await env.call(
    'assets.create',
    {
      asset_name: 'a',
      asset_type: 'file',
      asset_size: file.size,
      asset_cid: file.cid,
      group_id: list[0]?.Group?.ID ?? 0,
      receipt: file.receipt,
      on_conflict: 'replace',
    } as never,
    person,
  )
  await evaluate()
  expect((await keys(person, bucket)).keys).toEqual(['a'])
})
