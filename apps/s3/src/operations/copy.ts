import { randomUUID } from 'node:crypto'
import { copyXml, readConditions, readCopySource, requireCopyConditions, S3Error } from '@tidenet/s3-wire'
import { detailsOf, requireSupported, tagsOf } from '../details.ts'
import { type Answer, header, type ObjectExchange, objectChecksum, xmlAnswer } from '../exchange.ts'
import { needVersion, refusalOf } from '../refusals.ts'
import { expirationHeader, requireVersionId, versionHeader } from '../versions.ts'
import { writeConditions } from './put.ts'

/** Copies an object without its bytes, or replaces its metadata. */
export async function copyObject(exchange: ObjectExchange): Promise<Answer> {
  requireSupported(exchange)
  const { bucket, key } = exchange.address
  const source = sourceOf(exchange)
  const directive = directiveOf(exchange, 'metadata')
  const tagging = directiveOf(exchange, 'tagging')
  const isOnto = source.bucket === bucket && source.key === key && source.version_id === undefined
  if (isOnto && directive === 'COPY' && tagging === 'COPY')
    throw new S3Error(
      'InvalidRequest',
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    )
  const conditions = readConditions(exchange.headers, 'x-amz-copy-source-')
  const asked = Object.keys(conditions).length > 0
  const { api } = exchange.caller.transfers
  const found = asked ? needVersion(await api.call('s3.find', source), source.version_id) : undefined
  if (found) requireCopyConditions(conditions, { etag: found.etag, lastModified: Date.parse(found.modified) })
  const copied = needVersion(
    await api.call('s3.copy', {
      bucket,
      key,
      from_bucket: source.bucket,
      from_key: source.key,
      ...(source.version_id !== undefined && { from_version: source.version_id }),
      // What was looked at is what is copied.
      ...(found && { from_etag: found.etag }),
      ...(directive === 'REPLACE' && detailsOf(exchange)),
      ...(tagging === 'REPLACE' && { tags: tagsOf(exchange) }),
      ...writeConditions(exchange),
      write_id: randomUUID(),
    }),
    source.version_id,
  )
  const { object } = copied
  if (!object) throw copied.failed ? new S3Error('PreconditionFailed') : refusalOf(copied.err, copied.msg ?? '')
  const { etag, modified } = object
  const versions = { ...versionHeader(object), ...expirationHeader(object), ...sourceVersionHeader(source) }
  const result = { etag, lastModified: Date.parse(modified), ...objectChecksum(object) }
  return xmlAnswer(copyXml('CopyObjectResult', result), versions)
}

/** Whether a copy keeps what its source has. @throws S3Error InvalidArgument */
function directiveOf(exchange: ObjectExchange, what: 'metadata' | 'tagging'): 'COPY' | 'REPLACE' {
  const directive = header(exchange, `x-amz-${what}-directive`) ?? 'COPY'
  if (directive !== 'COPY' && directive !== 'REPLACE')
    throw new S3Error('InvalidArgument', `Unknown ${what} directive.`)
  return directive
}

/** @throws S3Error InvalidArgument */
export function sourceOf(exchange: ObjectExchange): { bucket: string; key: string; version_id?: string } {
  const { versionId, ...source } = readCopySource(header(exchange, 'x-amz-copy-source') ?? '')
  return { ...source, ...(versionId !== undefined && { version_id: requireVersionId(versionId) }) }
}

export const sourceVersionHeader = ({ version_id }: { version_id?: string }): Record<string, string> =>
  version_id === undefined ? {} : { 'x-amz-copy-source-version-id': version_id }
