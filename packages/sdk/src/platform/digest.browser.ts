import { createFileHasher } from '@tidenet/content'
import type { ByteSource } from '../bytes.ts'
import { type HashMessage, type HashRequest, hashBlob, startMd5 } from './hash-blob.ts'
import type { ContentDigest, DigestOptions } from './platform.ts'

/** Computes CID and MD5 of a source: a Blob in a worker, any other source as it is read for sending. */
export function digest(source: ByteSource, options: DigestOptions): ContentDigest {
  return source.blob ? inWorker(source.blob, options) : hashWhileSending(source, options)
}

function inWorker(blob: Blob, options: DigestOptions): ContentDigest {
  const stop = new AbortController()
  options.signal.addEventListener('abort', () => stop.abort(), { signal: stop.signal })
  const request: HashRequest = { blob, md5: options.md5 }
  const onHashed = (bytes: number) => options.onHashed?.(bytes)
  // If the content security policy forbids workers, hash on the page: slices and async WebCrypto keep it responsive.
  const result = runWorker(request, onHashed, stop.signal).catch((error) => {
    stop.signal.throwIfAborted()
    if (error instanceof NoWorker) return hashBlob(request, onHashed, stop.signal)
    throw error
  })
  // Avoid an unhandled rejection until a caller awaits it.
  result.catch(() => {})
  return { observe: () => {}, finish: () => result, stop: () => stop.abort() }
}

class NoWorker extends Error {}

function runWorker(request: HashRequest, onHashed: (bytes: number) => void, signal: AbortSignal) {
  return new Promise<{ cid: string; md5: string }>((resolve, reject) => {
    let worker: Worker
    try {
      // Bundlers recognize only this form.
      worker = new Worker(new URL('./digest-worker.browser.js', import.meta.url), { type: 'module' })
    } catch (error) {
      reject(new NoWorker(String(error)))
      return
    }
    const end = () => {
      signal.removeEventListener('abort', stop)
      worker.terminate()
    }
    const stop = () => {
      end()
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop)
    worker.onmessage = ({ data }: MessageEvent<HashMessage>) => {
      if ('hashed' in data) {
        onHashed(data.hashed)
        return
      }
      end()
      if ('failed' in data) reject(new Error(data.failed))
      else resolve(data)
    }
    worker.onerror = (event) => {
      end()
      reject(new NoWorker(event.message))
    }
    worker.postMessage(request)
  })
}

/** Hashes bytes as they are sent, in order; bytes sent again are skipped. */
function hashWhileSending(source: ByteSource, options: DigestOptions): ContentDigest {
  const hasher = createFileHasher()
  const md5 = options.md5 ? startMd5() : Promise.resolve(undefined)
  let hashed = 0
  let finished: Promise<{ cid: string; md5: string }> | undefined
  const add = async (chunk: Uint8Array) => {
    hashed += chunk.length
    await hasher.update(chunk)
    const sum = await md5
    sum?.update(chunk)
    options.onHashed?.(hashed)
  }
  const finish = async () => {
    for await (const chunk of source.read(hashed, source.size)) {
      options.signal.throwIfAborted()
      await add(chunk)
    }
    const { cid } = await hasher.finish()
    return { cid: cid.toString(), md5: (await md5)?.digest('hex') ?? '' }
  }
  return {
    observe(offset, chunk) {
      if (offset > hashed || offset + chunk.length <= hashed || finished) return
      return add(chunk.subarray(hashed - offset))
    },
    finish() {
      finished ??= finish()
      return finished
    },
    stop() {},
  }
}
