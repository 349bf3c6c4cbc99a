import { errors } from '@tidenet/contract'
import { S3Error, type S3ErrorCode } from '@tidenet/s3-wire'
import { type Failure, isSuccess, type Result, Stop } from '@tidenet/storage/gateway'

type Key = keyof typeof errors

/** What refusals of the portal are in S3. Several have one number: those that are not here are the same in S3, or cannot come from its calls. */
const CODES: Partial<Record<Key, S3ErrorCode>> = {
  folderUnknown: 'NoSuchBucket',
  assetUnknown: 'NoSuchKey',
  forbidden: 'AccessDenied',
  keyFolders: 'AccessDenied',
  keyAddress: 'AccessDenied',
  keyExpired: 'AccessDenied',
  s3KeyEnded: 'AccessDenied',
  accountLocked: 'AccessDenied',
  accountClosing: 'AccessDenied',
  contentBlocked: 'AccessDenied',
  folderEncrypted: 'AccessDenied',
  fileExpired: 'NoSuchKey',
  nameTaken: 'BucketAlreadyOwnedByYou',
  folderNotEmpty: 'BucketNotEmpty',
  quotaExceeded: 'QuotaExceeded',
  downloadQuotaExceeded: 'QuotaExceeded',
  keyTraffic: 'QuotaExceeded',
  tooManyFolders: 'TooManyBuckets',
  invalidParams: 'InvalidRequest',
}
const BY_NUMBER = new Map(Object.entries(CODES).map(([key, code]) => [errors[key as Key].err, code]))
/** These say something in S3 that the portal's text would not. */
const OWN_MESSAGE: readonly S3ErrorCode[] = ['NoSuchBucket', 'NoSuchKey', 'BucketNotEmpty', 'BucketAlreadyOwnedByYou']

/** The refusal of the portal with this number, as S3 says it. */
export function refusalOf(err: number | undefined, message: string): S3Error {
  const code = (err === undefined ? undefined : BY_NUMBER.get(err)) ?? 'ServiceUnavailable'
  return OWN_MESSAGE.includes(code) || message === '' ? new S3Error(code) : new S3Error(code, message)
}

/** The token is not valid any more: the access key was deleted or replaced. */
export const isKeyEnded = ({ code, data }: Failure): boolean => code === 401 || data.err === 401

export function s3ErrorOf(failure: Failure): S3Error {
  if (isKeyEnded(failure)) return new S3Error('InvalidAccessKeyId')
  return refusalOf(failure.data.err, failure.msg)
}

/** @throws S3Error */
export function need<T>(result: Result<T>): T {
  if (isSuccess(result)) return result.data
  throw s3ErrorOf(result)
}

/** An object that can be one of its versions. @throws S3Error NoSuchVersion, NoSuchKey */
export function needVersion<T>(result: Result<T>, versionId: string | undefined): T {
  if (isSuccess(result)) return result.data
  const isUnknown = versionId !== undefined && result.data.err === errors.assetUnknown.err
  throw isUnknown ? new S3Error('NoSuchVersion') : s3ErrorOf(result)
}

/**
 * Refusals of an access key. Other refusals of the portal have the same numbers: of a node's signature, for example.
 * @throws S3Error
 */
export function needAccess<T>(result: Result<T>): T {
  if (isSuccess(result)) return result.data
  const { err } = result.data
  if (err === errors.s3Signature.err) throw new S3Error('SignatureDoesNotMatch')
  if (err === errors.s3Clock.err) throw new S3Error('RequestTimeTooSkewed')
  throw s3ErrorOf(result)
}

/** Any error as what the client is told. Undefined: it is ours, and goes to the log. */
export function knownError(error: unknown): S3Error | undefined {
  if (error instanceof S3Error) return error
  if (error instanceof Stop) return s3ErrorOf(error.failure)
  return undefined
}
