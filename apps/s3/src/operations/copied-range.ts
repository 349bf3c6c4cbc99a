import { type Checksums, createChecksums, readCopyRange } from '@tidenet/s3-wire'
import type { OpenContent } from '@tidenet/storage/gateway'
import { header, type ObjectExchange } from '../exchange.ts'

/** The bytes [start, end) of a source object, as a body that is stored as a part. @throws S3Error InvalidArgument, InvalidRange */
export async function copiedRange(exchange: ObjectExchange, size: number, content: OpenContent) {
  const text = header(exchange, 'x-amz-copy-source-range')
  const range = text === undefined ? undefined : readCopyRange(text, size)
  const [start, end] = range ? [range.start, range.end + 1] : [0, size]
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
