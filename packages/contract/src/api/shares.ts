import { z } from 'zod'
import { assetId, folderId, int, msg, page, pageSize, plain, shortPass, texts, uid } from '../fields.ts'
import { listItem, shareTerms } from '../objects.ts'
import { route } from '../route.ts'
import { SHARE } from '../storage-enums.ts'

/** A CID or the id of a folder. */
const target = z.string().min(1).max(200)
const linkId = plain(80)
const owner = uid.optional()

export const shares = {
  create: route({
    method: 'GET',
    path: '/api/v1/storage/create_link',
    alsoPost: true,
    auth: 'admin',
    team: 'editor',
    /** `username` and `url` are ignored: the owner is the caller, and the server builds the URL. */
    input: z.object({
      username: owner,
      cid: target,
      asset_id: assetId,
      url: z.string().max(4000).optional(),
      /** Unix seconds; 0 or absent means permanent. */
      expire_time: int(0).default(0),
      short_pass: shortPass.optional(),
      access_pass: shortPass.optional(),
      area_id: texts,
    }),
    output: z.object({ url: z.string(), id: z.string(), short_link: z.string(), long_link: z.string() }),
    errors: ['badCid', 'assetUnknown', 'folderUnknown', 'shortPassFormat', 'expiryPast', 'linkExists', 'shareLimit'],
    summary: 'Creates a share link for a file or folder',
  }),
  info: route({
    method: 'GET',
    path: '/api/v1/storage/share_link_info',
    auth: 'readFile',
    // Viewers of a team do not see passwords.
    team: 'editor',
    input: z.object({ username: owner, cid: target, asset_id: assetId }),
    output: z.object({
      link: z.object({
        id: z.string(),
        user_id: z.string(),
        username: z.string(),
        cid: z.string(),
        /** 0 for a folder. */
        asset_id: z.number(),
        long_link: z.string(),
        short_link: z.string(),
        created_at: z.string(),
        updated_at: z.string(),
        short_pass: z.string(),
        /** `expire_at`: RFC 3339; `expire_time`: unix seconds. */
        expire_at: z.string(),
        expire_time: z.number(),
        area_ids: z.array(z.string()),
      }),
      expire_days: z.number(),
    }),
    errors: ['notFound'],
    summary: 'Returns the share link of a file or folder of the account, with its password',
  }),
  update: route({
    method: 'POST',
    path: '/api/v1/storage/share_link_update',
    repeatable: true,
    auth: 'admin',
    team: 'editor',
    input: z.object({
      id: linkId,
      /** Absent: unchanged; empty: removed. */
      short_pass: shortPass.optional(),
      /** Unix seconds; absent or 0: unchanged. */
      expire_at: int(0).default(0),
    }),
    output: msg,
    errors: ['notFound', 'linkNotYours', 'shortPassFormat', 'expiryPast'],
    summary: 'Changes expiry and password of a share link',
  }),
  setStatus: route({
    method: 'GET',
    path: '/api/v1/storage/share_status_set',
    alsoPost: true,
    repeatable: true,
    auth: 'admin',
    team: 'editor',
    input: z.object({
      user_id: owner,
      cid: target,
      asset_id: assetId,
      area_id: texts,
      status: int(SHARE.off, SHARE.on).default(SHARE.on),
    }),
    output: msg,
    errors: ['badCid', 'assetUnknown', 'folderUnknown'],
    summary: 'Turns sharing of a file or folder on (1) or off (0)',
  }),
  revoke: route({
    method: 'POST',
    path: '/api/v1/storage/share_link_revoke',
    auth: 'admin',
    team: 'editor',
    input: z.object({ id: linkId }),
    output: msg,
    errors: ['notFound', 'linkNotYours'],
    summary: 'Revokes a share link and ends the share',
  }),
  get: route({
    method: 'GET',
    path: '/api/v1/storage/get_link',
    auth: 'readFile',
    input: z.object({ username: owner, cid: target, asset_id: assetId }),
    output: z.object({ url: z.string() }),
    errors: ['notFound'],
    summary: 'Returns the short link of a file or folder of the account',
  }),
  needPass: route({
    method: 'GET',
    path: '/api/v1/storage/share_need_pass',
    auth: 'public',
    input: z.object({ username: uid, cid: target, asset_id: assetId }),
    output: z.object({ NeedPass: z.boolean() }),
    errors: ['notFound'],
    limit: 300,
    summary: 'Returns whether a share requires a password',
  }),
  check: route({
    method: 'POST',
    path: '/api/v1/storage/check_share',
    auth: 'public',
    input: z.object({ cid: target, asset_id: assetId, username: uid, password: z.string().max(64).default('') }),
    /** `ticket`: share token, valid for one hour. */
    output: z.object({ msg: z.string(), ticket: z.string() }),
    errors: ['notFound', 'shareExpired', 'sharePassRequired', 'sharePassWrong', 'sharePassLocked'],
    limit: 60,
    summary: 'Checks expiry and password of a share and issues a share token',
  }),
  folder: route({
    method: 'GET',
    path: '/api/v1/storage/get_group_info',
    auth: 'optional',
    team: 'viewer',
    input: z.object({
      user_id: uid,
      group_id: folderId,
      page,
      page_size: pageSize,
      ticket: z.string().max(2000).optional(),
    }),
    output: z.object({
      list: z.array(listItem),
      info: z.object({ name: z.string(), size: z.number(), id: z.number() }),
      total: z.number(),
      terms: shareTerms,
    }),
    errors: ['folderUnknown', 'shareExpired', 'sharePassRequired'],
    limit: 300,
    summary: 'Lists the contents of a shared folder',
  }),
  target: route({
    method: 'GET',
    path: '/api/v1/storage/share_link_target',
    auth: 'public',
    input: z.object({ id: linkId.optional(), cid: target.optional() }),
    /** `cid` is a folder id if `kind` is `group`. */
    output: z.object({
      cid: z.string(),
      /** 0 for a folder. */
      asset_id: z.number(),
      user_id: z.string(),
      kind: z.enum(['file', 'folder', 'group']),
      area_ids: z.array(z.string()),
    }),
    errors: ['notFound'],
    limit: 300,
    summary: 'Returns the shared item of a short link, by link id, or by CID if only one account shares it',
  }),
  follow: route({
    method: 'GET',
    path: '/link',
    aliases: ['/api/v1/storage/get_map_link'],
    auth: 'public',
    shape: 'raw',
    input: z.object({
      cid: z.string().max(200).optional(),
      id: linkId.optional(),
      ts: z.string().max(40).optional(),
    }),
    output: z.unknown(),
    errors: ['notFound'],
    limit: 300,
    summary: 'Redirects (302) a short link to its page in the portal',
  }),
}
