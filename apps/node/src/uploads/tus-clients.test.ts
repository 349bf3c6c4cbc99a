import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { createFileHasher } from '@tidenet/content'
import { type DetailedError, Upload, type UploadOptions } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StorageNode } from '../app.ts'
import { createTestEnv, randomFile, type TestEnv } from '../test-env.fixture.ts'

let env: TestEnv
let node: StorageNode
beforeAll(async () => {
  env = await createTestEnv()
  node = await env.start()
})
afterAll(() => env.stop())

type Source = ConstructorParameters<typeof Upload>[0]

/** Uploads with the client that most people have; resolves when it says that it is done. */
async function send(source: Source, options: Partial<UploadOptions> = {}, tokenInQuery = false): Promise<Upload> {
  const token = await env.server.uploadToken(node.id)
  return new Promise((resolve, reject) => {
    const upload: Upload = new Upload(source, {
      endpoint: tokenInQuery ? `${node.url}/tus?token=${token}` : `${node.url}/tus`,
      ...(!tokenInQuery && { headers: { authorization: `Bearer ${token}` } }),
      retryDelays: null,
      ...options,
      onSuccess: () => resolve(upload),
      onError: reject,
    })
    upload.start()
  })
}

const emptyCid = async () => (await createFileHasher().finish()).cid.toString()

/** The content as the node serves it. */
async function stored(cid: string): Promise<Buffer | undefined> {
  const token = await env.server.downloadToken(node.id, cid)
  const answer = await fetch(`${node.url}/ipfs/${cid}?token=${token}`)
  return answer.ok ? Buffer.from(await answer.arrayBuffer()) : undefined
}

describe('tus-js-client', () => {
  it.each([1, 2, 3, 7])('sends a file in %i parts at the same time', async (parallelUploads) => {
    const { bytes, cid } = await randomFile(300_001)
    await send(bytes, { parallelUploads })
    expect(await stored(cid)).toEqual(bytes)
  })

  it('sends parts in chunks, with the token in the query', async () => {
    const { bytes, cid } = await randomFile(300_000)
    await send(bytes, { parallelUploads: 3, chunkSize: 100_000 }, true)
    expect(await stored(cid)).toEqual(bytes)
  })

  it('sends chunks with the token in the query', async () => {
    const { bytes, cid } = await randomFile(90_000)
    await send(bytes, { chunkSize: 30_000 }, true)
    expect(await stored(cid)).toEqual(bytes)
  })

  it('terminates an upload with the token in the query', async () => {
    const token = await env.server.uploadToken(node.id)
    const url = await new Promise<string>((resolve, reject) => {
      const upload: Upload = new Upload(randomBytes(90_000), {
        endpoint: `${node.url}/tus?token=${token}`,
        chunkSize: 30_000,
        retryDelays: null,
        onError: reject,
        onChunkComplete: () => void upload.abort(true).then(() => resolve(upload.url ?? ''), reject),
      })
      upload.start()
    })
    const head = await fetch(url, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } })
    expect(head.status).toBe(404)
  })

  it.each([100_000, 26_000])('sends a stream whose length it does not know, %d bytes at a time', async (chunkSize) => {
    const { bytes, cid } = await randomFile(100_000)
    const parts = [bytes.subarray(0, 1), bytes.subarray(1, 50_000), bytes.subarray(50_000)]
    await send(Readable.from(parts), { uploadLengthDeferred: true, chunkSize })
    expect(await stored(cid)).toEqual(bytes)
  })

  it('sends an empty file', async () => {
    await send(Buffer.alloc(0))
    expect(await stored(await emptyCid())).toEqual(Buffer.alloc(0))
  })

  it('sends its bytes at creation', async () => {
    const { bytes, cid } = await randomFile(100_000)
    await send(bytes, { uploadDataDuringCreation: true })
    expect(await stored(cid)).toEqual(bytes)
  })

  it('resumes after it was interrupted', async () => {
    const { bytes, cid } = await randomFile(120_000)
    const token = await env.server.uploadToken(node.id)
    await new Promise<void>((resolve, reject) => {
      let interrupted = false
      const upload: Upload = new Upload(bytes, {
        endpoint: `${node.url}/tus`,
        headers: { authorization: `Bearer ${token}` },
        addRequestId: true,
        chunkSize: 40_000,
        retryDelays: null,
        onChunkComplete: () => {
          if (interrupted) return
          interrupted = true
          void upload.abort().then(() => upload.start())
        },
        onSuccess: () => resolve(),
        onError: reject,
      })
      upload.start()
    })
    expect(await stored(cid)).toEqual(bytes)
  })

  it('is told when the token does not allow the size', async () => {
    const token = await env.server.uploadToken(node.id, { max: 1000 })
    const failing = new Promise((_resolve, reject) => {
      new Upload(randomBytes(1001), {
        endpoint: `${node.url}/tus`,
        headers: { authorization: `Bearer ${token}` },
        retryDelays: null,
        onError: reject,
      }).start()
    })
    const failure = await failing.catch((error: DetailedError) => error.originalResponse?.getStatus())
    expect(failure).toBe(413)
  })
})
