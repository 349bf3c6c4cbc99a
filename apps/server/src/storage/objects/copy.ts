import { AppError, type contract, type Lang, type Output, type Parsed } from '@tidenet/contract'
import { lockAccountForUpdate } from '../../identity/index.ts'
import { type Member, requirePermission } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'
import { requireBucket, requireObject } from './objects.ts'
import { resultOf, writeObjects } from './put.ts'
import { requireVersion } from './versions.ts'

type Operation = (typeof contract)['s3']['copy']

/** Gives the bytes of an object another key, or an object other metadata. @throws AppError folderUnknown, assetUnknown, forbidden */
export async function copyObject(
  context: Context,
  caller: Member,
  lang: Lang,
  input: Parsed<Operation>,
): Promise<Output<Operation>> {
  requirePermission(caller, 'readFile')
  const { key, if_match, if_none } = input
  return context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const { from_bucket, from_key, from_version } = input
    const source =
      from_version === undefined
        ? await requireObject(tx, caller, from_bucket, from_key)
        : (await requireVersion(tx, caller, { bucket: from_bucket, key: from_key, version_id: from_version })).object
    if (source.marker) throw new AppError('assetUnknown')
    if (input.from_etag !== undefined && input.from_etag !== source.etag) return { object: null, failed: true }
    const bucket = await requireBucket(tx, caller, input.bucket)
    const put = {
      key,
      cid: source.cid,
      size: source.size,
      md5: /^[0-9a-f]{32}$/.test(source.etag) ? source.etag : '',
      etag: source.etag,
      headers: input.headers ?? source.headers,
      metadata: input.metadata ?? source.metadata,
      checksums: source.checksums,
      tags: input.tags ?? source.tags,
      receipt: undefined,
      writeId: input.write_id,
      if_match,
      if_none,
    }
    const written = await writeObjects(context, tx, { caller, bucket, traceId: '' }, [put])
    return resultOf(written.get(put), lang)
  })
}
