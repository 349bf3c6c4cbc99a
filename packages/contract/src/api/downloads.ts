import { z } from 'zod'
import { bool, cid, texts, uid } from '../fields.ts'
import { downloadInfo } from '../objects.ts'
import { route } from '../route.ts'

export const downloads = {
  own: route({
    method: 'GET',
    path: '/api/v1/storage/share_asset',
    auth: 'readFile',
    input: z.object({
      asset_cid: cid,
      need_trace: bool.default(false),
      area_id: texts,
      user_id: uid.optional(),
      /** A look at a small picture of it is no transfer to be traced. */
      preview: bool.default(false),
    }),
    output: downloadInfo,
    errors: ['badCid', 'assetUnknown', 'downloadQuotaExceeded', 'nodesOffline', 'noArea', 'fileExpired'],
    summary: 'Where a file of the account can be fetched',
  }),
  open: route({
    method: 'GET',
    path: '/api/v1/storage/open_asset',
    auth: 'optional',
    input: z.object({
      user_id: uid.optional(),
      asset_cid: cid,
      area_id: texts,
      /** The shared folder the file lies in, when the folder is what was shared. */
      group_id: z.coerce.number().int().min(0).optional(),
      need_trace: bool.default(true),
      /** From `check_share`; needed when the link has a password. */
      ticket: z.string().max(2000).optional(),
      /** A view for a preview does not count as a download. */
      preview: bool.default(false),
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
      'nodesOffline',
      'noArea',
      'fileExpired',
    ],
    limit: 300,
    summary: 'Where a shared file can be fetched',
  }),
}
