import { z } from 'zod'
import { assetId, bool, cid, int, receiptId, receiptKey, texts, uid } from '../fields.ts'
import { downloadInfo } from '../objects.ts'
import { route } from '../route.ts'

export const downloads = {
  own: route({
    method: 'GET',
    path: '/api/v1/storage/share_asset',
    auth: 'readFile',
    input: z.object({
      /** Also of an earlier version. */
      asset_cid: cid,
      asset_id: assetId,
      /** An earlier version, by id. */
      version_id: int(1).optional(),
      need_trace: bool.default(false),
      area_id: texts,
      user_id: uid.optional(),
      /** Previews are not traced. */
      preview: bool.default(false),
      receipt_key: receiptKey,
    }),
    /** With the id of the receipt of the upload, for clients that have just uploaded the file. */
    output: downloadInfo.extend({ receipt_id: receiptId }),
    errors: [
      'badCid',
      'assetUnknown',
      'downloadQuotaExceeded',
      'keyTraffic',
      'contentBlocked',
      'nodesOffline',
      'contentRestoring',
      'noArea',
      'fileExpired',
    ],
    summary: 'Returns download sources for a file of the account',
  }),
  open: route({
    method: 'GET',
    path: '/api/v1/storage/open_asset',
    auth: 'optional',
    team: 'viewer',
    input: z.object({
      user_id: uid.optional(),
      asset_cid: cid,
      asset_id: assetId,
      area_id: texts,
      /** The shared folder that contains the file, if the folder is shared. */
      group_id: z.coerce.number().int().min(0).optional(),
      need_trace: bool.default(true),
      /** From `check_share`; needed when the link has a password. */
      ticket: z.string().max(2000).optional(),
      /** Previews do not count as downloads. */
      preview: bool.default(false),
      receipt_key: receiptKey,
    }),
    output: downloadInfo,
    errors: [
      'badCid',
      'userIdMissing',
      'assetUnknown',
      'shareExpired',
      'sharePassRequired',
      'shareLimit',
      'downloadQuotaExceeded',
      'keyTraffic',
      'visitorTrafficUsedUp',
      'contentBlocked',
      'nodesOffline',
      'contentRestoring',
      'noArea',
      'fileExpired',
    ],
    limit: 300,
    summary: 'Returns download sources for a shared file',
  }),
}
