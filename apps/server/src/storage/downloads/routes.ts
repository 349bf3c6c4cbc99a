import { readAreas } from '../../platform/areas.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import { readKey } from '../assets/key.ts'
import type { Context } from '../context.ts'
import { openDownload, ownDownload } from './service.ts'

export function serveDownloads(serving: ServerServing, context: Context): void {
  serveModule(serving, 'downloads', {
    own: ({ asset_cid, asset_id, version_id: versionId, area_id, preview, receipt_key: receiptKey }, { caller, ip }) =>
      ownDownload(context, caller, {
        key: readKey(asset_cid, asset_id),
        versionId,
        areas: readAreas(area_id),
        preview,
        receiptKey,
        ip,
      }),
    open: (input, { caller, ip, agent }) => openDownload(context, caller, { ip, agent }, input),
  })
}
