import { z } from 'zod'
import { LINK_EMAILS_MAX, UPLOAD_LINK_FILES_MAX } from '../constants.ts'
import { assetId, bool, email, emailedCode, int, msg, page, pageSize, plain, refuse, shortPass } from '../fields.ts'
import { route } from '../route.ts'
import { LINK_STATES } from '../storage-enums.ts'

/** A CID or the id of a folder. */
const target = z.string().min(1).max(200)
const id = plain(80)
const token = plain(80)
/** A note of the owner. Visitors do not see it. */
const note = plain(100)
/** Unix seconds; 0 or absent means permanent for a new link, and unchanged for an existing one. */
const expireTime = int(0).default(0)
/** 0: no limit of its own. The limit of the owner's plan applies as well. */
const maxDownloads = int(0, 1_000_000)

/** Only people who prove one of these addresses can open the link; empty: everybody who has it. */
const emails = z.array(email).max(LINK_EMAILS_MAX, refuse('tooManyLinkEmails', { max: LINK_EMAILS_MAX }))

/** A link with both limits receives files into its folder, and shows nothing of it. */
const uploadFiles = int(0, UPLOAD_LINK_FILES_MAX)
const uploadBytes = int(0)

const KINDS = ['file', 'folder', 'group'] as const
const kind = z.enum(KINDS)

export const shortLink = z.object({
  id: z.string(),
  /** `long`: the link that `shares.create` made; the operations of `shares` change it. */
  form: z.enum(['short', 'long']),
  /** Empty if the server's secret was replaced since: the link works, but its address cannot be shown again. */
  url: z.string(),
  note: z.string(),
  short_pass: z.string(),
  /** Unix seconds; 4101509461 is permanent. */
  expire_time: z.number(),
  max_downloads: z.number(),
  /** Who can open it; empty: everybody who has it. */
  emails: z.array(z.string()),
  /** Null unless visitors upload files by this link: its limits in files and bytes, and what it received. */
  upload: z.object({ max_files: z.number(), max_bytes: z.number(), files: z.number(), bytes: z.number() }).nullable(),
  state: z.enum(LINK_STATES),
  /** When a revoked short link is deleted; null for others. A revoked long link can be restored by `shares.setStatus` without a time limit. */
  restorable_until: z.string().nullable(),
  /** How many visitors opened the page; null: not counted for long links. */
  views: z.number().nullable(),
  downloads: z.number(),
  last_used_at: z.string().nullable(),
  created_at: z.string(),
  /** `cid` is a folder id if `kind` is `group`; then `asset_id` is 0. `name` is empty while the item is in the trash. */
  item: z.object({
    cid: z.string(),
    asset_id: z.number(),
    kind,
    name: z.string(),
    size: z.number(),
    encrypted: z.boolean(),
    folder: z.number(),
    path: z.array(z.string()),
  }),
})
export type ShortLink = z.infer<typeof shortLink>

export const shortLinks = {
  create: route({
    method: 'POST',
    path: '/api/v1/storage/short_link/create',
    auth: 'admin',
    team: 'editor',
    input: z.object({
      cid: target,
      /** The entry, if the account lists the content several times. */
      asset_id: assetId,
      note: note.default(''),
      short_pass: shortPass.default(''),
      expire_time: expireTime,
      max_downloads: maxDownloads.default(0),
      emails: emails.default([]),
      upload_files: uploadFiles.default(0),
      upload_bytes: uploadBytes.default(0),
    }),
    output: shortLink,
    errors: [
      'badCid',
      'assetUnknown',
      'folderUnknown',
      'shortPassFormat',
      'expiryPast',
      'shareLimit',
      'tooManyLinks',
      'uploadLinkTarget',
    ],
    summary: 'Creates a short link for a file or folder; an item can have several',
  }),
  list: route({
    method: 'GET',
    path: '/api/v1/storage/short_link/list',
    auth: 'admin',
    team: 'editor',
    input: z.object({
      page,
      page_size: pageSize,
      /** Part of the name of the item or of the note. */
      q: plain(200).optional(),
      /** Revoked links are listed only for `revoked`. */
      state: z.enum(LINK_STATES).optional(),
      kind: kind.optional(),
      /** Only the links of this item. */
      cid: target.optional(),
      asset_id: assetId,
    }),
    output: z.object({ list: z.array(shortLink), total: z.number() }),
    errors: ['badCid'],
    summary: 'Lists all share links of the account, newest first, with passwords and counts',
  }),
  update: route({
    method: 'POST',
    path: '/api/v1/storage/short_link/update',
    repeatable: true,
    auth: 'admin',
    team: 'editor',
    input: z.object({
      id,
      note: note.optional(),
      /** Absent: unchanged; empty: removed. */
      short_pass: shortPass.optional(),
      expire_time: expireTime,
      max_downloads: maxDownloads.optional(),
      /** Absent: unchanged; empty: everybody. */
      emails: emails.optional(),
      /** Only of a link for uploads. */
      upload_files: uploadFiles.min(1).optional(),
      upload_bytes: uploadBytes.min(1).optional(),
      /** False: the link does not open until it is turned on again. */
      active: bool.optional(),
    }),
    output: shortLink,
    errors: ['notFound', 'shortPassFormat', 'expiryPast', 'uploadLinkTarget'],
    summary: 'Changes the terms of a short link, or turns it off and on; its address stays the same',
  }),
  revoke: route({
    method: 'POST',
    path: '/api/v1/storage/short_link/revoke',
    repeatable: true,
    auth: 'admin',
    team: 'editor',
    input: z.object({ id }),
    output: msg,
    errors: ['notFound'],
    summary: 'Revokes a short link; it can be restored for 30 days',
  }),
  restore: route({
    method: 'POST',
    path: '/api/v1/storage/short_link/restore',
    repeatable: true,
    auth: 'admin',
    team: 'editor',
    input: z.object({ id }),
    output: msg,
    errors: ['notFound'],
    summary: 'Restores a revoked short link with its address and terms',
  }),
  open: route({
    method: 'POST',
    path: '/api/v1/storage/short_link/open',
    auth: 'optional',
    input: z.object({
      token,
      password: z.string().max(64).default(''),
      /** `proof` of `verify`, for a link that is limited to e-mail addresses; not needed by a session whose account has one of them. */
      proof: z.string().max(2000).optional(),
    }),
    /**
     * `user_id` stands for the account in `open_asset`, `get_asset_detail`, `get_replicas`, `get_map_cid` and `get_group_info`, together with
     * `ticket`, which is valid for an hour. It does not reveal the account.
     */
    output: z.object({
      user_id: z.string(),
      ticket: z.string(),
      cid: z.string(),
      asset_id: z.number(),
      /** `upload`: the link receives files. `ticket` is for `uploadLinks` and opens nothing; `user_id` and `cid` are empty. */
      kind: z.enum([...KINDS, 'upload']),
      name: z.string(),
      /** What a link for uploads can still receive. */
      upload: z.object({ files_left: z.number(), bytes_left: z.number() }).optional(),
    }),
    errors: [
      'notFound',
      'shareExpired',
      'shareLimit',
      'linkEmailRequired',
      'sharePassRequired',
      'sharePassWrong',
      'sharePassLocked',
      'tooManyRequests',
    ],
    limit: 60,
    summary: 'Opens a short link: checks its terms and issues a share token',
  }),
  sendCode: route({
    method: 'POST',
    path: '/api/v1/storage/short_link/send_code',
    auth: 'optional',
    input: z.object({ token, email }),
    output: msg,
    errors: [
      'notFound',
      'shareExpired',
      'emailMissing',
      'emailInvalid',
      'codeTooSoon',
      'tooManyCodes',
      'tooManyRequests',
    ],
    limit: 60,
    summary:
      'E-mails a code if the short link is limited to e-mail addresses and this is one of them; otherwise the answer is the same',
  }),
  verify: route({
    method: 'POST',
    path: '/api/v1/storage/short_link/verify',
    auth: 'optional',
    input: z.object({ token, email, verify_code: emailedCode }),
    /** `proof` is for `open`, for 12 hours, and for this link only. */
    output: z.object({ proof: z.string() }),
    errors: [
      'notFound',
      'shareExpired',
      'emailMissing',
      'emailInvalid',
      'invalidCode',
      'codeExpired',
      'codeLocked',
      'tooManyRequests',
    ],
    limit: 60,
    summary: 'Confirms an e-mail address with the code that was sent to it for a short link',
  }),
  image: route({
    method: 'GET',
    path: '/s/:token/image',
    auth: 'public',
    shape: 'raw',
    input: z.object({ token }),
    output: z.unknown(),
    errors: ['notFound', 'tooManyRequests'],
    limit: 60,
    summary: 'Redirects (302) to the image that a short link without a password shows',
  }),
}
