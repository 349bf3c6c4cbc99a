import { S3Error } from '@tidenet/s3-wire'
import { type ObjectExchange, parameter } from './exchange.ts'

/** @throws S3Error InvalidArgument */
export function requireVersionId(text: string): string {
  if (!/^(?:null|[0-9a-f]{32})$/.test(text)) throw new S3Error('InvalidArgument', 'Invalid version id specified')
  return text
}

/** The version that a request names, as an input of the portal. @throws S3Error InvalidArgument */
export function namedVersion(exchange: Pick<ObjectExchange, 'target'>): { version_id?: string } {
  const text = parameter(exchange, 'versionId')
  return text === undefined ? {} : { version_id: requireVersionId(text) }
}

/** When a lifecycle rule deletes the object, in the form of S3. */
export const expirationHeader = ({
  expiration,
}: {
  expiration: { at: string; rule_id: string } | null
}): Record<string, string> =>
  expiration
    ? {
        'x-amz-expiration': `expiry-date="${new Date(expiration.at).toUTCString()}", rule-id="${encodeURIComponent(expiration.rule_id)}"`,
      }
    : {}

/** Buckets in which versions were never enabled say nothing of them. */
export const versionHeader = ({ version_id }: { version_id: string }): Record<string, string> =>
  version_id ? { 'x-amz-version-id': version_id } : {}
