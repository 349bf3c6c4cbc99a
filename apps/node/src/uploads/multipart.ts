import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { Refusal } from '../refusal.ts'
import { shared, texts } from '../texts.ts'

/** The file part of a form and the text fields before it. */
export interface FormFile {
  fields: Map<string, string>
  file: Readable
  /** Resolves when the form was read to its end; rejects if it is truncated or malformed after the file. */
  finished: Promise<void>
  /** Why the form cannot be read, if it cannot: who reads the file may hear of it before, as any error. */
  readonly failure: Refusal | undefined
}

/** Time limit for the fields before the file. */
const HEAD_MS = 30_000
/** Most bytes of all fields before the file. */
const FIELDS_MAX = 256 * 1024

/**
 * Reads a form up to its field `file`. Fields before it are returned, those after it ignored.
 * @throws Refusal 400 if the form is malformed or has no such field, 408 if the file does not start in time, 415 if it is not a form
 */
export function readForm(request: IncomingMessage): Promise<FormFile> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>()
    let file: Readable | undefined
    let end: { resolve(): void; reject(error: unknown): void } | undefined
    const finished = new Promise<void>((resolve, reject) => {
      end = { resolve, reject }
    })
    // Avoid an unhandled rejection: the reader of the file gets the error.
    finished.catch(() => {})

    let failure: Refusal | undefined
    let fieldBytes = 0
    const late = setTimeout(() => fail(new Refusal(408, texts.silent)), HEAD_MS)

    const fail = (error: Refusal) => {
      failure ??= error
      clearTimeout(late)
      request.unpipe(form)
      reject(error)
      end?.reject(error)
      file?.destroy(error)
    }

    let form: InstanceType<typeof Busboy>
    try {
      form = openForm(request, { fields: 64, parts: 128 })
    } catch (error) {
      clearTimeout(late)
      reject(error)
      return
    }
    form.on('field', (name, value) => {
      if (file) return
      fieldBytes += name.length + value.length
      if (fieldBytes > FIELDS_MAX) fail(unreadable('its fields are too long'))
      else fields.set(name, value)
    })
    form.on('file', (name, stream) => {
      stream.on('error', (error) => {
        failure ??= unreadable(error)
      })
      if (name !== 'file' || file) {
        stream.resume()
        return
      }
      file = stream
      clearTimeout(late)
      resolve({
        fields,
        file: stream,
        finished,
        get failure() {
          return failure
        },
      })
    })
    form.on('error', (error) => fail(unreadable(error)))
    form.on('finish', () => {
      if (!file) fail(new Refusal(400, shared('fileFieldMissing')))
      end?.resolve()
    })
    request.once('close', () => {
      if (!request.complete) fail(new Refusal(400, texts.brokeOff))
    })
    request.pipe(form)
  })
}

/**
 * Reads a form of several files, each after its field `token`. Each is passed on when the one before was read.
 * @param take reads the stream to its end; if it rejects, the rest is not read. It does not run any more when this settles
 * @param signal ends the reading also between two files, with its reason
 * @throws Refusal as `readForm`, and 400 for more than `most` files
 */
export async function readFiles(
  request: IncomingMessage,
  { most, signal }: { most: number; signal: AbortSignal },
  take: (token: string, file: Readable) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted()
  const form = openForm(request, { fields: 2 * most, parts: 3 * most })
  let token = ''
  let count = 0
  let over = false
  let reading: Readable | undefined
  let last: Promise<void> = Promise.resolve()
  try {
    await new Promise<void>((resolve, reject) => {
      form.on('field', (name, value) => {
        if (name === 'token') token = value
      })
      form.on('file', (name, stream) => {
        // Before whoever reads the file hears of it.
        stream.on('error', (error) => reject(unreadable(error)))
        if (name !== 'file') {
          stream.resume()
          return
        }
        const its = token
        token = ''
        count += 1
        if (count > most) reject(unreadable(`it has more than ${most} files`))
        last = last.then(() => {
          if (over) return
          reading = stream
          return take(its, stream)
        })
        last.catch(reject)
      })
      form.on('error', (error) => reject(unreadable(error)))
      form.on('finish', resolve)
      request.once('close', () => {
        if (!request.complete) reject(new Refusal(400, texts.brokeOff))
      })
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      request.pipe(form)
    })
    await last
    if (count === 0) throw new Refusal(400, shared('fileFieldMissing'))
  } finally {
    over = true
    request.unpipe(form)
    form.destroy()
    // Whoever still reads a file gets an error.
    reading?.destroy()
    await last.catch(() => {})
  }
}

/** @throws Refusal 400, 415 */
function openForm(request: IncomingMessage, limits: { fields: number; parts: number }): InstanceType<typeof Busboy> {
  const type = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) throw new Refusal(415, shared('fileFieldMissing'))
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': type },
      highWaterMark: 1 << 20,
      fileHwm: 1 << 20,
      limits: { fieldSize: 64 * 1024, headerPairs: 64, ...limits },
      // Detect the file by field name: some clients send neither file name nor type.
      isPartAFile: (name, contentType, fileName) =>
        name === 'file' || fileName !== undefined || contentType === 'application/octet-stream',
    })
  } catch (error) {
    throw unreadable(error)
  }
}

const unreadable = (error: unknown) => new Refusal(400, texts.malformedForm, { why: String(error) })
