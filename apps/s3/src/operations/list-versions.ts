import { listVersionsXml, readPage } from '@tidenet/s3-wire'
import { type Answer, type BucketExchange, ownerOf, parameter, xmlAnswer } from '../exchange.ts'
import { need } from '../refusals.ts'
import { requireVersionId } from '../versions.ts'

/** The versions and delete markers of a bucket. */
export async function listVersions(exchange: BucketExchange): Promise<Answer> {
  const { bucket } = exchange.address
  const page = readPage(exchange.target, 'max-keys')
  const keyMarker = parameter(exchange, 'key-marker') ?? ''
  const given = keyMarker === '' ? '' : (parameter(exchange, 'version-id-marker') ?? '')
  const versionIdMarker = given === '' ? '' : requireVersionId(given)
  const { prefix, delimiter, max: limit } = page
  const asked = { bucket, prefix, delimiter, limit, after_key: keyMarker, after_version: versionIdMarker }
  const listed = need(await exchange.caller.transfers.api.call('s3.versions', asked))
  const { next_key: nextKeyMarker, next_version: nextVersionIdMarker } = listed
  const owner = listed.versions.length > 0 ? await ownerOf(exchange) : undefined
  return xmlAnswer(
    listVersionsXml({
      ...page,
      bucket,
      keyMarker,
      versionIdMarker,
      isTruncated: nextKeyMarker !== '',
      ...(nextKeyMarker !== '' && { nextKeyMarker }),
      ...(nextVersionIdMarker !== '' && { nextVersionIdMarker }),
      commonPrefixes: listed.prefixes,
      versions: listed.versions.map(({ key, version_id: versionId, marker, latest, size, etag, modified }) => ({
        key,
        versionId,
        isLatest: latest,
        lastModified: Date.parse(modified),
        ...(owner && { owner }),
        ...(marker ? { isDeleteMarker: true as const } : { isDeleteMarker: false as const, size, etag }),
      })),
    }),
  )
}
