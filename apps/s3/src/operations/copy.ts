import { copyXml, readConditions, readCopySource, requireCopyConditions, S3Error } from '@tidenet/s3-wire'
import { detailsOf, requireSupported, tagsOf } from '../details.ts'
import { type Answer, header, type ObjectExchange, storedChecksum, xmlAnswer } from '../exchange.ts'
import { need, refusalOf } from '../refusals.ts'
import { writeConditions } from './put.ts'

/** Copies an object without its bytes, or replaces its metadata. */
export async function copyObject(exchange: ObjectExchange): Promise<Answer> {
  requireSupported(exchange)
  const { bucket, key } = exchange.address
  const source = sourceOf(exchange)
  const directive = directiveOf(exchange, 'metadata')
  const tagging = directiveOf(exchange, 'tagging')
  const isOnto = source.bucket === bucket && source.key === key
  if (isOnto && directive === 'COPY' && tagging === 'COPY')
    throw new S3Error(
      'InvalidRequest',
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    )
  const conditions = readConditions(exchange.headers, 'x-amz-copy-source-')
  const asked = Object.keys(conditions).length > 0
  const found = asked ? need(await exchange.caller.transfers.api.call('s3.find', source)) : undefined
  if (found) requireCopyConditions(conditions, { etag: found.etag, lastModified: Date.parse(found.modified) })
  const copied = need(
    await exchange.caller.transfers.api.call('s3.copy', {
      bucket,
      key,
      from_bucket: source.bucket,
      from_key: source.key,
      // What was looked at is what is copied.
      ...(found && { from_etag: found.etag }),
      ...(directive === 'REPLACE' && detailsOf(exchange)),
      ...(tagging === 'REPLACE' && { tags: tagsOf(exchange) }),
      ...writeConditions(exchange),
    }),
  )
  const { object } = copied
  if (!object) throw copied.failed ? new S3Error('PreconditionFailed') : refusalOf(copied.err, copied.msg ?? '')
  const { etag, modified } = object
  return xmlAnswer(copyXml('CopyObjectResult', { etag, lastModified: Date.parse(modified), ...storedChecksum(object) }))
}

/** Whether a copy keeps what its source has. @throws S3Error InvalidArgument */
function directiveOf(exchange: ObjectExchange, what: 'metadata' | 'tagging'): 'COPY' | 'REPLACE' {
  const directive = header(exchange, `x-amz-${what}-directive`) ?? 'COPY'
  if (directive !== 'COPY' && directive !== 'REPLACE')
    throw new S3Error('InvalidArgument', `Unknown ${what} directive.`)
  return directive
}

/** @throws S3Error InvalidArgument, NotImplemented */
export function sourceOf(exchange: ObjectExchange): { bucket: string; key: string } {
  const { versionId, ...source } = readCopySource(header(exchange, 'x-amz-copy-source') ?? '')
  if (versionId !== undefined && versionId !== 'null') throw new S3Error('NotImplemented')
  return source
}
