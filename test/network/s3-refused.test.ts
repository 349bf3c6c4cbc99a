import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { GetObjectCommand, ListBucketsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crcOf, refusal, s3Account } from './s3-client.ts'
import { exchangeRaw, formFields, messageOf } from './s3-raw-client.ts'
import { startNetwork } from './test-network.ts'

let network: Network
beforeAll(async () => {
  network = await startNetwork({ nodes: 3, s3: { port: 0 } })
})
afterAll(() => network?.stop())

const MiB = 1024 * 1024
const account = () => s3Account(network)

describe('a form of a browser', () => {
  const post = async (fields: Record<string, string>, bytes: Uint8Array<ArrayBuffer>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('file', new Blob([bytes]), 'beach 海.jpg')
    return fetch(`${network.s3Url}/photos`, { method: 'POST', body: form })
  }

  it.each([
    ['small', 1000],
    ['large', 3 * MiB],
  ])('stores a %s file, as its policy allows', async (_, size) => {
    const { bucket, credentials } = await account()
    const { get } = await bucket('photos')
    const bytes = new Uint8Array(randomBytes(size))
    const conditions = [
      { bucket: 'photos' },
      ['starts-with', '$key', 'in/'],
      { success_action_status: '201' },
      ['content-length-range', 1, 4 * MiB],
      ['starts-with', '$x-amz-checksum-crc32', ''],
    ]
    const signed = formFields(credentials, conditions)
    const fields = {
      ...signed,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: clients write it so
      key: 'in/${filename}',
      success_action_status: '201',
      'x-amz-checksum-crc32': crcOf(Buffer.from(bytes)),
    }
    expect((await post({ ...fields, 'x-amz-checksum-crc32': crcOf(Buffer.from('other')) }, bytes)).status).toBe(400)
    expect((await post(fields, bytes)).status).toBe(201)
    expect((await get('in/beach 海.jpg', { ChecksumMode: 'ENABLED' })).ChecksumCRC32).toBe(
      fields['x-amz-checksum-crc32'],
    )
    expect((await get('in/beach 海.jpg')).bytes.equals(bytes)).toBe(true)
    expect((await post({ ...fields, key: 'out/x' }, bytes)).status).toBe(403)
    expect((await post({ ...fields, 'x-amz-meta-more': 'x' }, bytes)).status).toBe(403)
    expect((await post(fields, new Uint8Array(0))).status).toBe(400)
    const forged = formFields({ ...credentials, secretAccessKey: 'wrong' }, conditions)
    expect((await post({ ...fields, ...forged }, bytes)).status).toBe(403)
  })

  it('is answered for a folder of the portal, whatever its name', async () => {
    const { credentials, portal } = await account()
    await portal.post('/api/v1/storage/create_group', { name: '海滩' })
    const fields = formFields(credentials, [{ bucket: '海滩' }, { key: 'a' }])
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...fields, key: 'a' })) form.set(name, value)
    form.set('file', new Blob(['text']), 'a.txt')
    const url = `${network.s3Url}/${encodeURIComponent('海滩')}`
    const answer = await fetch(url, { method: 'POST', body: form })
    expect([answer.status, answer.headers.get('location')]).toEqual([204, `${url}/a`])
  })

  it('does not wait on the disk of the gateway if its account has no room for it, whatever the policy allows', async () => {
    const { bucket, credentials } = await account()
    await bucket('photos')
    const fields = { ...formFields(credentials, [{ bucket: 'photos' }, { key: 'big' }]), key: 'big' }
    const head = Object.entries(fields)
      .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('')
    const file = '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nthe beginning'
    const port = Number(new URL(network.s3Url).port)
    const type = { host: 'localhost', 'content-type': 'multipart/form-data; boundary=b' }
    const begin = (length: Record<string, string>, body: string) =>
      exchangeRaw(port, [messageOf('POST', '/photos', { ...type, ...length }), body])
    const whole = head + file
    const huge = { 'content-length': String(4 * 1024 * MiB) }
    expect(await begin(huge, whole)).toMatchObject({ code: 'QuotaExceeded' })
    const chunk = `${Buffer.byteLength(whole).toString(16)}\r\n${whole}\r\n`
    expect(await begin({ 'transfer-encoding': 'chunked' }, chunk)).toMatchObject({ code: 'MissingContentLength' })
  })
})

describe('what is refused', () => {
  it('is a wrong secret, an unknown key, and no signature, all without the portal’s words', async () => {
    const { bucket, credentials, clientOf } = await account()
    await bucket('photos')
    const list = (secretAccessKey: string, accessKeyId = credentials.accessKeyId) =>
      refusal(clientOf({ credentials: { accessKeyId, secretAccessKey } }).send(new ListBucketsCommand({})))
    expect(await list('wrong')).toBe('403 SignatureDoesNotMatch')
    expect(await list(credentials.secretAccessKey, 'TNUNKNOWN0000000000X')).toBe('403 SignatureDoesNotMatch')
    const answer = await fetch(`${network.s3Url}/photos`)
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('<Code>AccessDenied</Code>')])
  })

  it('is a key that was deleted, within a second', async () => {
    const { bucket, client, portal } = await account()
    const { put } = await bucket('photos')
    await put('a', 'b')
    await portal.post('/api/v1/storage/delete_key', { key_name: 's3' })
    await expect.poll(() => refusal(client.send(new ListBucketsCommand({})))).toMatch(/^403/)
    expect(await refusal(put('a', 'c'))).toMatch(/^403/)
  })

  it.each([
    ['was deleted', 'delete_key', {}],
    ['may not read any more', 'change_key', { perms: ['readFolder'] }],
  ])('is the rest of a running download, if its key %s', async (_, call, change) => {
    const { bucket, client, portal } = await account()
    const { put } = await bucket('photos')
    const size = 48 * MiB
    await put('large', randomBytes(size))
    const { Body } = await client.send(new GetObjectCommand({ Bucket: 'photos', Key: 'large' }))
    const body = Body as Readable
    const began = performance.now()
    let received = 0
    const read = async () => {
      for await (const piece of body) {
        received += (piece as Buffer).length
        // Reads on when the key has ended for the gateway as well.
        if (received === (piece as Buffer).length) {
          await portal.post(`/api/v1/storage/${call}`, { key_name: 's3', ...change })
          await expect.poll(() => refusal(put('other', 'x')), { timeout: 10_000, interval: 1500 }).toMatch(/^403/)
          // A gateway asks once a second: the rest of the bytes can come faster.
          await expect.poll(() => performance.now() - began, { timeout: 10_000 }).toBeGreaterThan(2000)
        }
      }
    }
    await expect(read()).rejects.toThrow()
    expect(received).toBeLessThan(size)
  })

  it('is a body that is not the one that was signed, and nothing of it is stored', async () => {
    const { bucket, clientOf } = await account()
    const { put, get } = await bucket('photos')
    await put('a', 'before')
    const lying = clientOf()
    // What a proxy on the way could do.
    lying.middlewareStack.add(
      (next) => async (args) => {
        const message = args.request as { body: unknown }
        message.body = Buffer.alloc(Buffer.byteLength(message.body as Buffer), 'x')
        return next(args)
      },
      { step: 'finalizeRequest', priority: 'low', name: 'tamper' },
    )
    const { PutObjectCommand } = await import('@aws-sdk/client-s3')
    for (const size of [6, 2 * MiB])
      expect(
        await refusal(lying.send(new PutObjectCommand({ Bucket: 'photos', Key: 'a', Body: Buffer.alloc(size, 'y') }))),
      ).toMatch(/^400 (BadDigest|XAmzContentSHA256Mismatch)$/)
    expect(String((await get('a')).bytes)).toBe('before')
  })

  it('is a client that goes away in the middle of a body', async () => {
    const { bucket, credentials, clientOf } = await account()
    const { get } = await bucket('photos')
    void credentials
    const cut = clientOf({ requestHandler: { requestTimeout: 500 } })
    const { PutObjectCommand } = await import('@aws-sdk/client-s3')
    async function* slow() {
      yield randomBytes(MiB)
      await new Promise(() => {})
    }
    const abort = new AbortController()
    const sent = refusal(
      cut.send(
        new PutObjectCommand({ Bucket: 'photos', Key: 'cut', Body: Readable.from(slow()), ContentLength: 4 * MiB }),
        { abortSignal: abort.signal },
      ),
    )
    await expect.poll(async () => (await fetch(`${network.s3Url}/-/ready`)).status).toBe(200)
    abort.abort()
    expect(await sent).not.toBe('done')
    expect(await refusal(get('cut'))).toBe('404 NoSuchKey')
  })

  it('is what another account has', async () => {
    const [owner, other] = [await account(), await account()]
    const { put } = await owner.bucket('photos')
    await put('a', 'mine')
    expect(await refusal(other.client.send(new ListObjectsV2Command({ Bucket: 'photos' })))).toBe('404 NoSuchBucket')
    await other.client.send(new ListBucketsCommand({}))
  })

  it('is a message that two programs could read differently', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${network.s3Url}/photos/a`, { method: 'GET' }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      sent.setHeader('authorization', ['AWS4-HMAC-SHA256 a', 'AWS4-HMAC-SHA256 b'])
      sent.on('error', reject)
      sent.end()
    })
    expect(status).toBe(400)
  })
})
