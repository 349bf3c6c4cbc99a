import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { S3Error } from './errors.ts'

/** Of all fields before the file, names and values. */
const FIELDS_BYTES_MAX = 20 * 1024
const PARTS_MAX = 200
const PART_HEADER_BYTES_MAX = 8 * 1024

/** A form that a browser sends to upload a file. */
export interface PostForm {
  /** By lower-case name. What follows the file is ignored, as in S3. */
  fields: ReadonlyMap<string, string>
  /** '' if the browser gives none. */
  fileName: string
  /**
   * The content of the file, once. It may not become visible before this has ended without an error.
   * @throws S3Error EntityTooLarge, EntityTooSmall, MalformedPOSTRequest, InvalidArgument for a second file
   */
  file(limits: { minBytes: number; maxBytes: number }): AsyncGenerator<Buffer, void, undefined>
}

const malformed = () => new S3Error('MalformedPOSTRequest')

/**
 * Reads a form until its file begins; the rest waits in `source` until the file is read.
 * @param source the body of a POST request; if the form is refused, close its connection
 * @param idleTimeout ms in which all fields must come, because nobody knows yet who sends them; then, in which some bytes of the file must come
 * @throws S3Error PreconditionFailed for another enclosure type, MalformedPOSTRequest, InvalidArgument,
 *   MaxPostPreDataLengthExceededError, RequestTimeout
 */
export function readPostForm(
  contentType: string | undefined,
  source: Readable,
  idleTimeout: number,
): Promise<PostForm> {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? ''))
    throw new S3Error('PreconditionFailed', 'Bucket POST must be of the enclosure-type multipart/form-data', {
      Condition: 'Bucket POST must be of the enclosure-type multipart/form-data',
    })
  const parser = createParser(contentType!)
  const fields = new Map<string, string>()
  let fieldsBytes = 0
  let file: Readable | undefined

  return new Promise<PostForm>((resolve, reject) => {
    let complete = () => {}
    let fail = (_: Error) => {}
    const idle = setTimeout(() => {
      // What the file is written to is slow, not the client.
      if (file && parser.writableNeedDrain) idle.refresh()
      else fail(new S3Error('RequestTimeout'))
    }, idleTimeout)
    const finished = new Promise<void>((resolveEnd, rejectEnd) => {
      complete = () => {
        clearTimeout(idle)
        resolveEnd()
      }
      fail = (error) => {
        clearTimeout(idle)
        source.unpipe(parser)
        rejectEnd(error)
        reject(error)
        file?.destroy(error)
      }
    })
    // Avoid an unhandled rejection until somebody reads the file.
    finished.catch(() => {})

    parser.on('field', (name: string | undefined, value, isNameTruncated, isValueTruncated) => {
      if (file) return
      fieldsBytes += Buffer.byteLength(name ?? '') + Buffer.byteLength(value)
      if (isNameTruncated || isValueTruncated || fieldsBytes > FIELDS_BYTES_MAX)
        return fail(new S3Error('MaxPostPreDataLengthExceededError'))
      if (name === undefined || name === '') return fail(malformed())
      // The policy could be checked against one value and the other be used.
      if (fields.has(name.toLowerCase())) return fail(new S3Error('InvalidArgument', `The field ${name} came twice.`))
      fields.set(name.toLowerCase(), value)
    })
    parser.on('file', (_, stream, fileName: string | undefined) => {
      file = stream
      idle.refresh()
      stream.on('error', () => {})
      resolve({ fields, fileName: fileName ?? '', file: (limits) => content(stream, finished, limits) })
    })
    const oneFile = () => new S3Error('InvalidArgument', 'POST requires exactly one file upload per request.')
    parser.on('filesLimit', () => fail(oneFile()))
    parser.on('partsLimit', () => fail(malformed()))
    parser.on('error', () => fail(malformed()))
    parser.on('finish', () => {
      complete()
      if (!file) reject(oneFile())
    })
    source.on('data', () => file && idle.refresh())
    source.on('end', () => clearTimeout(idle))
    source.on('error', () => fail(new S3Error('IncompleteBody')))
    source.on('close', () => {
      if (!source.readableEnded) fail(new S3Error('IncompleteBody'))
    })
    source.pipe(parser)
  })
}

function createParser(contentType: string) {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: (name) => name?.toLowerCase() === 'file',
      limits: { files: 1, parts: PARTS_MAX, fieldSize: FIELDS_BYTES_MAX, headerSize: PART_HEADER_BYTES_MAX },
    })
  } catch {
    throw malformed()
  }
}

async function* content(
  stream: Readable,
  finished: Promise<void>,
  { minBytes, maxBytes }: { minBytes: number; maxBytes: number },
): AsyncGenerator<Buffer, void, undefined> {
  let length = 0
  try {
    for await (const piece of stream) {
      length += piece.length
      if (length > maxBytes)
        throw new S3Error('EntityTooLarge', undefined, {
          ProposedSize: String(length),
          MaxSizeAllowed: String(maxBytes),
        })
      yield piece
    }
  } catch (error) {
    // The parser also reports a form that is not whole as an error of the file.
    throw error instanceof S3Error ? error : malformed()
  }
  await finished
  if (length < minBytes)
    throw new S3Error('EntityTooSmall', undefined, { ProposedSize: String(length), MinSizeAllowed: String(minBytes) })
}
