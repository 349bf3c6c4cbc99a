import { errors } from '@tidenet/contract'
import { S3Error } from '@tidenet/s3-wire'
import { isSuccess, type Result } from '@tidenet/storage/gateway'
import { type ObjectExchange, parameter } from '../exchange.ts'
import { knownError, s3ErrorOf } from '../refusals.ts'
import { EMPTY_CID } from '../small-writes.ts'

/** The unfinished upload that a request names. */
export const uploadOf = (exchange: ObjectExchange) => ({
  bucket: exchange.address.bucket,
  key: exchange.address.key,
  upload_id: parameter(exchange, 'uploadId') ?? '',
})

/** @throws S3Error NoSuchUpload */
export function needUpload<T>(result: Result<T>): T {
  if (isSuccess(result)) return result.data
  throw result.data.err === errors.notFound.err ? new S3Error('NoSuchUpload') : s3ErrorOf(result)
}

interface Bytes {
  size: number
  pieces: AsyncIterable<Uint8Array>
}

/** Stores bytes as a content of their own. */
export async function storeBytes(
  { caller: { transfers }, signal }: ObjectExchange,
  name: string,
  { size, pieces }: Bytes,
): Promise<{ cid: string; receipt: string; traceId: string }> {
  if (size === 0) {
    for await (const _ of pieces);
    return { cid: EMPTY_CID, receipt: '', traceId: '' }
  }
  return transfers.storeStream(name, { size, pieces }, signal).catch((error: unknown) => {
    throw knownError(error) ?? error
  })
}
