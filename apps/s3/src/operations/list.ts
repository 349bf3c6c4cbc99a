import { continuationTokenOf, listObjectsV2Xml, listObjectsXml, readListParameters } from '@tidenet/s3-wire'
import { type Answer, type BucketExchange, ownerOf, xmlAnswer } from '../exchange.ts'
import { need } from '../refusals.ts'

/** ListObjects, in its first and its second version. */
export async function listObjects(exchange: BucketExchange): Promise<Answer> {
  const { bucket } = exchange.address
  const list = readListParameters(exchange.target)
  const { version, prefix, delimiter, after, max, withOwner } = list
  const asked = { bucket, prefix, delimiter, after, limit: max }
  const { objects, prefixes, next } = need(await exchange.caller.transfers.api.call('s3.list', asked))
  const owner = withOwner && objects.length > 0 ? { owner: await ownerOf(exchange) } : {}
  const page = {
    ...list,
    bucket,
    isTruncated: next !== '',
    commonPrefixes: prefixes,
    objects: objects.map(({ key, size, etag, modified }) => ({
      key,
      size,
      etag,
      lastModified: Date.parse(modified),
      ...owner,
    })),
  }
  if (version === 1) return xmlAnswer(listObjectsXml({ ...page, ...(next !== '' && { nextMarker: next }) }))
  const token = next === '' ? {} : { nextContinuationToken: continuationTokenOf(next) }
  return xmlAnswer(listObjectsV2Xml({ ...page, ...token }))
}
