import { errors, type ImportReason } from '@tidenet/contract'
import { FetchFailed } from '@tidenet/daemon'
import { S3Error } from '@tidenet/s3-wire'
import { type Failure, Stop } from '@tidenet/storage/gateway'

/** An import cannot go on; the server tells its owner what the reason means. */
export class ImportFailed extends Error {
  override name = 'ImportFailed'
  readonly reason: ImportReason
  constructor(reason: ImportReason, detail = '') {
    super(detail === '' ? reason : `${reason}: ${detail}`)
    this.reason = reason
  }
}

/** @param began whether a part of the answer has arrived */
export function failedFetch(error: unknown, began: boolean): unknown {
  if (!(error instanceof FetchFailed)) return error
  const { code, message } = error
  const reasons: Record<string, ImportReason> = { EPRIVATE: 'private', EMSGSIZE: 'tooLarge', ETIMEDOUT: 'slow' }
  return new ImportFailed(reasons[code] ?? (began || code === '' ? 'broken' : 'unreachable'), message)
}

/** Refusals of our portal that say more than that the bytes were not stored. */
const BY_ERR: Record<number, ImportReason> = {
  [errors.quotaExceeded.err]: 'quota',
  [errors.contentBlocked.err]: 'blocked',
  [errors.folderUnknown.err]: 'folder',
  [errors.folderEncrypted.err]: 'folder',
  [errors.forbidden.err]: 'access',
  [errors.keyRejected.err]: 'access',
  [errors.accountLocked.err]: 'access',
  [errors.accountClosing.err]: 'access',
}

export const reasonOfFailure = ({ code, data }: Failure): ImportReason =>
  BY_ERR[data.err ?? 0] ?? (code === 401 ? 'access' : 'storing')

const BY_S3_CODE: Record<string, ImportReason> = {
  QuotaExceeded: 'quota',
  NoSuchBucket: 'folder',
  AccessDenied: 'access',
  InvalidAccessKeyId: 'access',
}

/** Why an import failed; undefined: an error of ours. */
export function reasonOf(error: unknown): ImportReason | undefined {
  if (error instanceof ImportFailed) return error.reason
  if (error instanceof Stop) return reasonOfFailure(error.failure)
  if (error instanceof S3Error) return BY_S3_CODE[error.code] ?? 'storing'
  return undefined
}
