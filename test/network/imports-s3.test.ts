import { createHash, randomBytes } from 'node:crypto'
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

  it('is copied without objects that are archived or that the key may not read, and names these', async () => {
    const bytes = 'of an object encrypted by a KMS'
    const kms = 'f'.repeat(32)
    const found: [key: string, etag: string][] = [
      ['archived', 'a'.repeat(32)],
      ['forbidden', 'b'.repeat(32)],
      ['gone', 'c'.repeat(32)],
      ['kms', kms],
      ['parts', `${'d'.repeat(32)}-2`],
      ['same', createHash('md5').update(bytes).digest('hex')],
    ]
    const contents = found.map(
      ([key, etag]) =>
        `<Contents><Key>${key}</Key><Size>${bytes.length}</Size><ETag>&quot;${etag}&quot;</ETag></Contents>`,
    )
    source.at('/vault', (response) => response.end(`<ListBucketResult>${contents.join('')}</ListBucketResult>`))
    const refuse = (key: string, code: string) =>
      source.at(`/vault/${key}`, (response) =>
        response.writeHead(403).end(`<Error><Code>${code}</Code><Message>No.</Message></Error>`),
      )
    refuse('archived', 'InvalidObjectState')
    refuse('forbidden', 'AccessDenied')
    for (const key of ['kms', 'parts', 'same']) source.at(`/vault/${key}`, (response) => response.end(bytes))
    const person = await importer(network)
    const group = await folder(person, 'copies')
    const from = { accessKeyId: 'key', secretAccessKey: 'secret' }
    const id = await begin(person, group, from, { endpoint: source.url, bucket: 'vault' })
    const ended = await person.ended(id)
    // None of these failures passes by itself, so nothing was asked twice.
    expect(ended).toMatchObject({ state: 'failed', reason: 'objectsRefused', done: 3, archived: 1, failed: 2 })
    expect(ended).toMatchObject({ skipped: 0, objects: 6 })
    expect(source.asked('/vault')).toBe(1)
    expect(ended.problems.map(({ key, reason }) => [key, reason])).toEqual([
      ['archived', 'archived'],
      ['forbidden', 's3Forbidden'],
      ['gone', 'missing'],
    ])
    for (const { error } of ended.problems) expect(error).not.toBe('')
    // Clients take an ETag of 32 digits for the MD5: only one that is true is kept.
    const copies = await objects(person, 'copies')
    const etags = ['kms', 'parts', 'same'].map((key) => copies.get(key)?.etag)
    expect(etags).toEqual([`${kms}-1`, found[4]?.[1], found[5]?.[1]])

    // One whose server is busy is asked for again.
    let busy = 1
    source.at('/vault', (response) =>
      response.end(`<ListBucketResult>${contents.slice(4).join('')}</ListBucketResult>`),
    )
    source.at('/vault/parts', (response) => (busy-- > 0 ? response.writeHead(503).end() : response.end(bytes)))
    const copied = await folder(person, 'later')
    const later = await begin(person, copied, from, { endpoint: source.url, bucket: 'vault' })
    expect(await person.ended(later)).toMatchObject({ state: 'done', done: 1, skipped: 1 })

    // Archived objects alone are no failure.
    source.at('/vault', (response) => response.end(`<ListBucketResult>${contents[0]}</ListBucketResult>`))
    const again = await begin(person, group, from, { endpoint: source.url, bucket: 'vault' })
    expect(await person.ended(again)).toMatchObject({ state: 'done', archived: 1, failed: 0 })
  })

  it('that the key may read but not list fails with what its owner can do, and so does one that it may not read', async () => {
    const refusal = '<Error><Code>AccessDenied</Code></Error>'
    source.at('/closed', (response) => response.writeHead(403).end(refusal))
    const keys = Array.from(
      { length: 30 },
      (_, n) => `<Contents><Key>${n}</Key><Size>1</Size><ETag>x</ETag></Contents>`,
    )
    source.at('/unreadable', (response) => response.end(`<ListBucketResult>${keys.join('')}</ListBucketResult>`))
    for (let n = 0; n < 30; n++) source.at(`/unreadable/${n}`, (response) => response.writeHead(403).end(refusal))
    const person = await importer(network)
    const group = await folder(person, 'copies')
    const from = { accessKeyId: 'key', secretAccessKey: 'secret' }
    for (const [bucket, reason] of [
      ['closed', 's3List'],
      ['unreadable', 's3Forbidden'],
    ] as const) {
      const id = await begin(person, group, from, { endpoint: source.url, bucket })
      expect(await person.ended(id)).toMatchObject({ state: 'failed', reason })
    }
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
