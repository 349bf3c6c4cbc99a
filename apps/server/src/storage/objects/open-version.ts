import type { contract, Output } from '@tidenet/contract'
import type { Member } from '../../platform/http/callers.ts'
import { versions } from '../assets/assets.ts'
import type { Context } from '../context.ts'
import { contentDownload } from '../downloads/service.ts'
import { partsOf } from './objects.ts'
import { requireVersion } from './versions.ts'

/** A version with the nodes that have its bytes. @throws AppError folderUnknown, assetUnknown */
export async function openVersion(
  context: Context,
  caller: Member,
  named: { bucket: string; key: string; version_id: string },
  { receiptKey, ip }: { receiptKey: string | undefined; ip: string },
): Promise<Output<(typeof contract)['s3']['open']>> {
  const { object, row } = await requireVersion(context.db, caller, named)
  if (object.size === 0) return { object, sources: null }
  const { cid, kind, size, encrypted, restricted_to, receipt_id } = row
  const content = { cid, kind, size, encrypted, restricted_to, receipt_id, areas: [], expires_at: versions.KEPT_UNTIL }
  const name = partsOf(named.key).part.slice(0, 200) || named.bucket
  return {
    object,
    sources: await contentDownload(context, caller, { ...content, name }, { areas: [], receiptKey, ip }),
  }
}
