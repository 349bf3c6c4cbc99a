import { createFileHasher } from '@tidenet/content'
import type { ByteSource } from '../bytes.ts'
import { type HashMessage, type HashRequest, hashBlob, startMd5 } from './hash-blob.ts'
import type { ContentDigest, DigestOptions } from './platform.ts'

/** Names a source beside the page: a Blob in a worker while it is being sent, anything else as it passes by. */
export function digest(source: ByteSource, options: DigestOptions): ContentDigest {
  return source.blob ? inWorker(source.blob, options) : passingBy(source, options)
}

function inWorker(blob: Blob, options: DigestOptions): ContentDigest {
  const stop = new AbortController()
  options.signal.addEventListener('abort', () => stop.abort(), { signal: stop.signal })
  const request: HashRequest = { blob, md5: options.md5 }
  const told = (bytes: number) => options.onHashed?.(bytes)
  // A page whose policy allows no worker hashes by itself; slices and WebCrypto leave it room to breathe.
  const result = runWorker(request, told, stop.signal).catch((error) => {
    stop.signal.throwIfAborted()
    if (error instanceof NoWorker) return hashBlob(request, told, stop.signal)
    throw error
  })
  // Whoever wants it asks; until then a failure is nobody's.
  result.catch(() => {})
  return { observe: () => {}, finish: () => result, stop: () => stop.abort() }
}

class NoWorker extends Error {}

function runWorker(request: HashRequest, onHashed: (bytes: number) => void, signal: AbortSignal) {
  return new Promise<{ cid: string; md5: string }>((resolve, reject) => {
    let worker: Worker
    try {
      // Bundlers look for exactly this form.
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

/** For bytes that exist only while they are sent: each is hashed in its turn, those sent again are not. */
function passingBy(source: ByteSource, options: DigestOptions): ContentDigest {
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
