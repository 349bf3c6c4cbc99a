import { errors } from '@tidenet/contract'
import { S3Error } from '@tidenet/s3-wire'
import { isSuccess, type Result } from '@tidenet/storage/gateway'
import { type ObjectExchange, parameter } from '../exchange.ts'
import { s3ErrorOf } from '../refusals.ts'

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
