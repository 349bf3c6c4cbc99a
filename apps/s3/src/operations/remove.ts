import { deleteXml, readConditions, readDelete, S3Error } from '@tidenet/s3-wire'
import { readWhole } from '../body.ts'
import { type Answer, type BucketExchange, type ObjectExchange, xmlAnswer } from '../exchange.ts'
import { need } from '../refusals.ts'
import { namedVersion, requireVersionId } from '../versions.ts'

const BODY_MAX = 4 * 1024 * 1024

/** Moves an object to the trash, or deletes a version for good. There may be none. */
export async function removeObject(exchange: ObjectExchange): Promise<Answer> {
  const { bucket, key } = exchange.address
  const { api } = exchange.caller.transfers
  const { version_id } = namedVersion(exchange)
  const { ifMatch } = readConditions(exchange.headers)
  if (ifMatch && (ifMatch.length !== 1 || version_id !== undefined)) throw new S3Error('NotImplemented', ONE_ETAG)
  if (version_id !== undefined) {
    const versions = [{ key, version_id }]
    const [isMarker] = need(await api.call('s3.removeVersions', { bucket, versions })).markers
    return { status: 204, headers: headersOf(version_id, isMarker) }
  }
  const conditions = ifMatch?.map((etag) => ({ key, etag })) ?? []
  const { markers, failed } = need(await api.call('s3.remove', { bucket, keys: [key], conditions }))
  if (failed.length > 0) throw new S3Error('PreconditionFailed', undefined, { Condition: 'If-Match' })
  const [marker] = markers
  return { status: 204, headers: marker ? headersOf(marker.version_id, true) : {} }
}

const ONE_ETAG = 'A deletion can have one ETag in If-Match, and no version together with it.'

const headersOf = (versionId: string, isMarker: boolean | undefined): Record<string, string> => ({
  'x-amz-version-id': versionId,
  ...(isMarker && { 'x-amz-delete-marker': 'true' }),
})

/** Removes up to 1,000 objects or versions. Those that there are not are reported as removed, as in S3. */
export async function removeObjects(exchange: BucketExchange): Promise<Answer> {
  const { objects, isQuiet } = readDelete(await readWhole(exchange, BODY_MAX))
  const { bucket } = exchange.address
  const { api } = exchange.caller.transfers
  const errors: Parameters<typeof deleteXml>[0]['errors'][number][] = []
  const refuse = (object: (typeof objects)[number], { code, message }: S3Error) =>
    errors.push({ ...object, code, message })
  const keys: string[] = []
  const conditions: { key: string; etag: string }[] = []
  const versions: { key: string; version_id: string }[] = []
  for (const object of objects) {
    const { key, versionId, etag } = object
    try {
      if (etag !== undefined && versionId !== undefined) throw new S3Error('NotImplemented', ONE_ETAG)
      if (etag !== undefined) conditions.push({ key, etag })
      if (versionId === undefined) keys.push(key)
      else versions.push({ key, version_id: requireVersionId(versionId) })
    } catch (error) {
      if (!(error instanceof S3Error)) throw error
      refuse(object, error)
    }
  }
  const removed =
    keys.length > 0 ? need(await api.call('s3.remove', { bucket, keys, conditions })) : { markers: [], failed: [] }
  const markers = new Map(removed.markers.map(({ key, version_id }) => [key, version_id]))
  for (const key of removed.failed) refuse({ key }, new S3Error('PreconditionFailed'))
  const were = versions.length > 0 ? need(await api.call('s3.removeVersions', { bucket, versions })).markers : []
  const deleted = [
    ...keys
      .filter((key) => !removed.failed.includes(key))
      .map((key) => {
        const deleteMarkerVersionId = markers.get(key)
        return { key, ...(deleteMarkerVersionId !== undefined && { deleteMarkerVersionId }) }
      }),
    ...versions.map(({ key, version_id: versionId }, index) => ({
      key,
      versionId,
      ...(were[index] && { deleteMarkerVersionId: versionId }),
    })),
  ]
  return xmlAnswer(deleteXml({ isQuiet, deleted, errors }))
}
