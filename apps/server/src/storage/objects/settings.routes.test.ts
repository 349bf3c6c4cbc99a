import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPair, GATEWAY_SECRET, setupWithGateway } from '../../identity/api-keys/s3-client.fixture.ts'
import type { TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setupWithGateway()
})
afterAll(() => env.close())

const rule = {
  allowedOrigins: ['https://app.example'],
  allowedMethods: ['GET'],
  allowedHeaders: ['*'],
  exposeHeaders: ['ETag'],
  maxAgeSeconds: 60,
}

async function account() {
  const person = await env.person({ vip: true })
  await env.call('s3.createBucket', { bucket: 'photos' }, person)
  return person
}
const settings = async (as: Parameters<typeof env.call>[2], bucket = 'photos') =>
  (await env.call('s3.settings', { bucket }, as)).data

describe('CORS rules of a bucket', () => {
  it('are replaced as a whole, stay when the bucket is renamed or comes back from the trash, and are deleted', async () => {
    const person = await account()
    expect(await settings(person)).toMatchObject({ cors: [] })
    await env.call('s3.changeSettings', { bucket: 'photos', cors: [rule] }, person)
    const [folder] = (await env.call('folders.contents', { parent: 0 }, person)).data.list
    await env.call('folders.rename', { group_id: folder?.Group?.ID ?? 0, new_name: 'pictures' }, person)
    expect(await settings(person, 'pictures')).toMatchObject({ cors: [rule] })
    await env.call('s3.removeBucket', { bucket: 'pictures' }, person)
    const [item] = (await env.call('trash.list', {}, person)).data.list
    await env.call('trash.restore', { ids: [item?.id ?? 0] }, person)
    expect(await settings(person, 'pictures')).toMatchObject({ cors: [rule] })
    await env.call('s3.changeSettings', { bucket: 'pictures', cors: [] }, person)
    expect(await settings(person, 'pictures')).toMatchObject({ cors: [] })
  })

  it('are told to gateways by the access key, in whose account the bucket is', async () => {
    const [person, other] = [await account(), await account()]
    await env.call('s3.changeSettings', { bucket: 'photos', cors: [rule] }, person)
    const [mine, theirs] = [await createPair(env, person), await createPair(env, other)]
    const ask = (access_key_id: string, bucket = 'photos') =>
      env.call('s3.corsOfKey', { bucket, access_key_id }, { token: GATEWAY_SECRET })
    expect((await ask(mine.access_key_id)).data).toEqual({ rules: [rule] })
    for (const answer of [
      await ask(theirs.access_key_id),
      await ask('TNUNKNOWN'),
      await ask(mine.access_key_id, 'none'),
    ])
      expect(answer).toEqual({ ...answer, code: 0, data: { rules: [] } })
  })
})

describe('what is refused', () => {
  it('is a key that is limited to folders, one that may not create folders, and a bucket that there is not', async () => {
    const person = await account()
    const [folder] = (await env.call('folders.contents', { parent: 0 }, person)).data.list
    const change = async (as: Parameters<typeof env.call>[2], bucket = 'photos') =>
      env.call('s3.changeSettings', { bucket, cors: [rule] }, as)
    const inside = { token: await env.key(person, 'admin', [folder?.Group?.ID ?? 0]) }
    // The check of folder scopes comes first.
    expect((await change(inside)).code).toBe(-1)
    const adds = { token: await env.key(person, ['createFile', 'readFolder']) }
    expect(await change(adds)).toMatchObject({ err: errors.forbidden.err })
    expect(await change(person, 'none')).toMatchObject({ err: errors.folderUnknown.err })
    expect(await settings(person)).toMatchObject({ cors: [] })
    expect(await settings(inside)).toMatchObject({ cors: [] })
  })

  it('is to ask for the rules of an access key without the secret of a gateway', async () => {
    const person = await account()
    const { access_key_id } = await createPair(env, person)
    for (const as of [undefined, person, { token: 'wrong' }])
      expect(await env.call('s3.corsOfKey', { bucket: 'photos', access_key_id }, as)).toMatchObject({ code: 401 })
  })
})

it.each([
  ['CORS', { cors: [{ ...rule, id: '\ud800' }] }],
  ['CORS', { cors: [{ ...rule, allowedOrigins: ['https://\ud800'] }] }],
  ['lifecycle', { lifecycle: [{ id: '\ud800', isEnabled: true, filter: { tags: [] }, expiration: { days: 1 } }] }],
  ['CORS', { cors: [{ ...rule, exposeHeaders: ['a\r\nset-cookie: b'] }] }],
  [
    'CORS, of which there are so many',
    { cors: Array.from({ length: 100 }, () => ({ ...rule, allowedHeaders: Array.from({ length: 500 }, () => 'a*') })) },
  ],
])('what no answer to a page can have is refused in rules of %s', async (_, changed) => {
  const person = await account()
  expect(await env.call('s3.changeSettings', { bucket: 'photos', ...changed }, person)).toMatchObject({
    err: errors.invalidParams.err,
  })
})
