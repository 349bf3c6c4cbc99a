import { S3Error } from '@tidenet/s3-wire'
import { type Exchange, header, ownerOf } from './exchange.ts'

/** Conditions that we do not implement, and would ignore. */
const CONDITIONS = ['x-amz-if-match-initiated-time', 'x-amz-if-match-last-modified-time', 'x-amz-if-match-size']
const CONDITIONS_OF_READS = ['if-modified-since', 'if-unmodified-since']

/**
 * Refuses requests that would do something else if we ignored what we do not know about them, such as an operation that is new in S3.
 * @param known parameters that name operations
 * @throws S3Error NotImplemented
 */
export function requireUnderstood({ method, target, headers }: Exchange, known: readonly string[]): void {
  const isWrite = method !== 'GET' && method !== 'HEAD'
  const conditions = isWrite ? [...CONDITIONS, ...CONDITIONS_OF_READS] : []
  if (method === 'DELETE') conditions.push('if-none-match')
  const condition = conditions.find((name) => headers.has(name))
  if (condition !== undefined)
    throw new S3Error('NotImplemented', `The condition ${condition} is not implemented here.`)
  // An operation is named by a parameter without a value.
  const unknown = isWrite && target.query.find(([name, value]) => value === '' && !isParameter(name, known))
  if (unknown) throw notImplemented(unknown[0])
}

const isParameter = (name: string, known: readonly string[]) => known.includes(name) || /^x-/i.test(name)

/** @param subresource the parameter that names the operation, if one does */
export function notImplemented(subresource: string | undefined): S3Error {
  if (subresource === undefined) return new S3Error('NotImplemented')
  const instead = INSTEAD[subresource]
  return new S3Error(
    'NotImplemented',
    `?${subresource} is not implemented for this method and path.${instead === undefined ? '' : ` ${instead}`}`,
  )
}

const SHARE = 'Buckets are private: share with presigned URLs, or with links of the portal.'
const ENCRYPT = 'Encrypt before you send, for example with restic or rclone crypt.'
/** What people can do, by the operation that they asked for. */
const INSTEAD: Record<string, string> = {
  acl: SHARE,
  encryption: ENCRYPT,
  notification: 'The portal has webhooks.',
  policy: SHARE,
  publicAccessBlock: SHARE,
  renameObject: 'Copy the object, then delete it.',
  website: SHARE,
}

/** Clients can name the account that must own the bucket. @throws S3Error AccessDenied */
export async function requireExpectedOwner(exchange: Exchange): Promise<void> {
  for (const name of ['x-amz-expected-bucket-owner', 'x-amz-source-expected-bucket-owner']) {
    const expected = header(exchange, name)
    if (expected !== undefined && expected !== (await ownerOf(exchange)).id)
      throw new S3Error('AccessDenied', `The bucket does not belong to the account in ${name}.`)
  }
}
