import { randomBytes } from 'node:crypto'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { data, type ImportSource, importer, startSource } from './import-source.ts'
import { s3Account } from './s3-client.ts'
import { startNetwork } from './test-network.ts'

/** Imports of the objects of another S3: the gateway of this network is the other one, with an account of its own. */

const MiB = 1024 * 1024
let network: Network
let source: ImportSource
beforeAll(async () => {
  source = await startSource()
  network = await startNetwork({ nodes: [{ kind: 'candidate' }, { kind: 'candidate' }], s3: { port: 0 } })
})
afterAll(async () => {
  await network?.stop()
  await source?.close()
})

type Importer = Awaited<ReturnType<typeof importer>>
type Credentials = { accessKeyId: string; secretAccessKey: string }
const folder = async (person: Importer, name: string) =>
  data(await person.api.call('folders.create', { name, parent: 0 })).group.ID
const begin = async (
  person: Importer,
  group_id: number,
  { accessKeyId, secretAccessKey }: Credentials,
  more: { endpoint?: string; bucket?: string; prefix?: string } = {},
) =>
  data(
    await person.api.call('imports.s3', {
      endpoint: network.s3Url,
      bucket: 'bucket',
      access_key_id: accessKeyId,
      secret_access_key: secretAccessKey,
      group_id,
      ...more,
    }),
  ).id
/** Objects in a folder as S3 shows them. */
const objects = async (person: Importer, bucket: string) => {
  const page = data(await person.api.call('s3.list', { bucket }))
  return new Map(page.objects.map(({ key, etag, size }) => [key, { etag, size }]))
}

describe('a bucket of another S3', () => {
  it('is copied with keys, bytes, types, metadata and ETags, and a retry skips what is there', async () => {
    const other = await s3Account(network)
    const bucket = await other.bucket('bucket')
    const large = randomBytes(2 * MiB + 3)
    await bucket.put('site/a b+ü%.txt', 'hello', { ContentType: 'text/plain', Metadata: { made: 'by hand' } })
    await bucket.put('site/deep/er/large', large)
    await bucket.put('site/empty', '')
    await bucket.put('site/a//double', 'x')
    await bucket.put('elsewhere', 'not this one')
    for (let n = 0; n < 20; n++) await bucket.put(`site/many/${n}`, `file ${n}`)
    const person = await importer(network)
    const group = await folder(person, 'copies')
    const done = await person.ended(await begin(person, group, other.credentials, { prefix: 'site/' }))
    expect(done).toMatchObject({ state: 'done', done: 24, skipped: 0, failed: 0, objects: 24 })
    const copies = await objects(person, 'copies')
    expect(copies.size).toBe(24)
    expect(copies.get('empty')?.size).toBe(0)
    expect(copies.has('a//double')).toBe(true)
    const found = data(await person.api.call('s3.find', { bucket: 'copies', key: 'a b+ü%.txt' }))
    expect(found).toMatchObject({ headers: { 'content-type': 'text/plain' }, metadata: { made: 'by hand' } })
    const { cid } = data(await person.api.call('s3.find', { bucket: 'copies', key: 'deep/er/large' }))
    expect((await person.bytes(cid)).equals(large)).toBe(true)

    await bucket.put('site/empty', 'not any more')
    await bucket.put('site/new', 'new')
    const again = await person.ended(await begin(person, group, other.credentials, { prefix: 'site/' }))
    expect(again).toMatchObject({ state: 'done', done: 2, skipped: 23, objects: 25 })
    expect((await objects(person, 'copies')).get('empty')?.size).toBe(12)
  })

  it('fails with a wrong secret, which a retry needs again, for a bucket that is missing, and for what is no S3', async () => {
    const other = await s3Account(network)
    const bucket = await other.bucket('bucket')
    await bucket.put('a', 'a')
    const person = await importer(network)
    const group = await folder(person, 'copies')
    const wrong = { ...other.credentials, secretAccessKey: 'x'.repeat(40) }
    const denied = await begin(person, group, wrong)
    const missing = await begin(person, group, other.credentials, { bucket: 'missing' })
    source.at('/bucket', (response) => response.end('<html>Welcome</html>'))
    const page = await begin(person, group, other.credentials, { endpoint: source.url })
    expect(await person.ended(denied)).toMatchObject({ state: 'failed', reason: 's3Denied' })
    expect(await person.ended(missing)).toMatchObject({ state: 'failed', reason: 's3Missing' })
    expect(await person.ended(page)).toMatchObject({ state: 'failed', reason: 's3Answer' })
    const retried = await person.api.call('imports.retry', { id: denied })
    expect(retried.code).not.toBe(0)
    data(await person.api.call('imports.retry', { id: denied, secret_access_key: other.credentials.secretAccessKey }))
    expect(await person.when(denied, ['done'])).toMatchObject({ done: 1 })
    // Neither lists nor exports have what is secret.
    const all = JSON.stringify(data(await person.api.call('imports.list', {})))
    expect(all).not.toContain(other.credentials.secretAccessKey)
    expect(all).not.toContain(other.credentials.accessKeyId)
  })
})
