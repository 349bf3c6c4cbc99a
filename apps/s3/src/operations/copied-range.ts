import { type Checksums, createChecksums, readCopyRange } from '@tidenet/s3-wire'
import type { OpenContent } from '@tidenet/storage/gateway'
import { header, type ObjectExchange } from '../exchange.ts'
import type { Part } from '../openings.ts'

/** The part of a source object of this size that is copied. @throws S3Error InvalidArgument, InvalidRange */
export function copiedRange(exchange: ObjectExchange, size: number): Part {
  const text = header(exchange, 'x-amz-copy-source-range')
  if (text === undefined) return { start: 0, end: size }
  const { start, end } = readCopyRange(text, size)
  return { start, end: end + 1 }
}

/** A part of a source object, as a body that is stored as a part of another. */
export async function copiedBody(content: OpenContent, { start, end }: Part) {
  const stream = await createChecksums({})
  let found: Checksums | undefined
  async function* pieces() {
    for await (const piece of content.read(start, end)) {
      stream.update(piece)
      yield piece
    }
    found = stream.finish()
    void content.end(true)
  }
  return {
    size: end - start,
    pieces: pieces(),
    checksums(): Checksums {
      if (!found) throw new Error('the source was not read to its end')
      return found
    },
  }
}
