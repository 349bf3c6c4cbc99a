import { z } from 'zod'
import { KEY_OVERLAP_MAX } from '../constants.ts'
import { bool, folderId, int, msg, name, nothing, refuse, texts } from '../fields.ts'
import { route } from '../route.ts'

const permission = z.string().max(40)
/** `perms=` means no permissions; an absent field does not decide the type of the key. */
const permissions = z.preprocess((value) => (value === '' || value === null ? [] : value), texts)
/** Addresses and ranges (CIDR), IPv4 and IPv6. Empty: any address. */
const ips = permissions
/** Empty: never. */
const expiresAt = z.union([
  z.literal(''),
  z.iso.datetime({ offset: true, error: refuse('keyExpiry') }).refine((text) => text > '2', refuse('keyExpiry')),
])
/** Ids of folders; the key can access what is in them and below them. Empty: not limited. */
const folders = z.preprocess(
  (value) => (value === '' || value === null ? [] : typeof value === 'string' ? value.split(',') : value),
  z
    .preprocess((value) => (value === undefined || Array.isArray(value) ? value : [value]), z.array(folderId).max(1000))
    .optional(),
)
/** Per calendar month (UTC). Empty: none. Bytes that the key uploads and downloads; coins that its orders cost, without which it cannot order. */
const cap = z.union([z.literal(''), int()])
const caps = { traffic_cap: cap.optional(), spending_cap: cap.optional() }
/** Null: no cap of traffic; no orders. */
const capsUsed = {
  traffic_cap: z.number().nullable(),
  /** Bytes of this month that nodes proved or reported. It counts while the key has a cap. */
  traffic_used: z.number(),
  /** Bytes of transfers that have begun and can still arrive. */
  traffic_reserved: z.number(),
  spending_cap: z.number().nullable(),
  /** Coins of this month’s orders of the key, except those that ended unpaid. */
  spent: z.number(),
  /** When the next month begins. */
  caps_renewed_at: z.string(),
}
/** For S3 clients; empty for a key of `group_id`. */
const accessKey = { access_key_id: z.string(), secret_access_key: z.string() }
const limitErrors = ['keyExpiry', 'keyIps', 'tooManyKeyIps', 'folderUnknown', 'tooManyKeyFolders'] as const

export const apiKeys = {
  create: route({
    method: 'GET',
    path: '/api/v1/storage/create_key',
    alsoPost: true,
    auth: 'session',
    team: 'owner',
    /** Without `type` and `perms` the key is an admin key, as clients that know only `key_name` expect. */
    input: z.object({
      key_name: name,
      type: z.enum(['admin', 'normal']).optional(),
      perms: permissions,
      /** Limits the key to this folder: it can only copy the folder into a workspace of the account. */
      group_id: folderId.optional(),
      expires_at: expiresAt.optional(),
      ips,
      folders,
      ...caps,
    }),
    output: z.object({ key: z.string(), secret: z.string(), ...accessKey }),
    errors: [
      'nameMissing',
      'nameTooLong',
      'nameForbidden',
      'tooManyKeys',
      'keyNameTaken',
      'keyPermissions',
      'permissionUnknown',
      ...limitErrors,
    ],
    summary: 'Creates an API key; key and secret are returned only once',
  }),
  list: route({
    method: 'GET',
    path: '/api/v1/storage/get_keys',
    auth: 'session',
    team: 'owner',
    input: nothing,
    output: z.object({
      list: z.array(
        z.object({
          name: z.string(),
          /** The first characters of the key; the rest is not stored. */
          key: z.string(),
          secret: z.string(),
          /** For S3. Empty: none, because it is a key of `group_id`, or was made before and never rotated since. */
          access_key_id: z.string(),
          time: z.string(),
          type: z.enum(['admin', 'normal']),
          perms: z.array(permission),
          /** Null: not limited to a folder. */
          group_id: z.number().nullable(),
          last_used: z.string().nullable(),
          /** The network of the last use, such as `203.0.113.x` or `2001:db8:1::`. */
          last_used_from: z.string().nullable(),
          /** Null: never. */
          expires_at: z.string().nullable(),
          /** Empty: any address. */
          ips: z.array(z.string()),
          /** Null: not limited. The path has the names from the root; it is empty if the folder was deleted. */
          folders: z.array(z.object({ id: z.number(), path: z.array(z.string()) })).nullable(),
          ...capsUsed,
          /** Of the current key; null: never rotated. */
          rotated_at: z.string().nullable(),
          /** Replaced keys that still work, newest first. */
          former: z.array(z.object({ key: z.string(), until: z.string(), last_used: z.string().nullable() })),
        }),
      ),
      /** Deleted keys that can be restored until then, newest first; the last one of each name. */
      removed: z.array(z.object({ name: z.string(), key: z.string(), removed_at: z.string(), until: z.string() })),
    }),
    errors: [],
    summary: 'Lists the API keys of the account, newest first',
  }),
  change: route({
    method: 'POST',
    path: '/api/v1/storage/change_key',
    auth: 'session',
    team: 'owner',
    /** Absent fields stay. The permissions and folders of a key of `group_id` cannot be changed. */
    input: z.object({
      key_name: name,
      new_name: name.optional(),
      type: z.enum(['admin', 'normal']).optional(),
      perms: permissions,
      expires_at: expiresAt.optional(),
      ips,
      folders,
      ...caps,
      /** Replaced keys stop working. */
      end_former: bool.optional(),
    }),
    output: nothing,
    errors: [
      'keyUnknown',
      'keyNameTaken',
      'nameMissing',
      'nameTooLong',
      'nameForbidden',
      'keyPermissions',
      'permissionUnknown',
      ...limitErrors,
    ],
    summary: 'Changes the name, permissions and limits of an API key, within a second',
  }),
  rotate: route({
    method: 'POST',
    path: '/api/v1/storage/rotate_key',
    auth: 'session',
    team: 'owner',
    /** With an overlap of 0, the replaced key and all earlier ones stop working within a second. */
    input: z.object({ key_name: name, overlap_hours: int(0, KEY_OVERLAP_MAX).default(24) }),
    output: z.object({
      key: z.string(),
      secret: z.string(),
      ...accessKey,
      /** Until then, the replaced key works too; null: it stopped. */
      previous_until: z.string().nullable(),
    }),
    errors: ['keyUnknown', 'nameMissing', 'nameTooLong', 'nameForbidden', 'tooManyFormerKeys'],
    summary: 'Replaces an API key; the replaced one works for the overlap, up to seven days',
  }),
  remove: route({
    method: 'GET',
    path: '/api/v1/storage/delete_key',
    alsoPost: true,
    auth: 'session',
    team: 'owner',
    input: z.object({ key_name: name }),
    output: msg,
    errors: ['keyUnknown', 'nameMissing', 'nameTooLong', 'nameForbidden'],
    summary: 'Deletes an API key; it stops working within a second',
  }),
  restore: route({
    method: 'POST',
    path: '/api/v1/storage/restore_key',
    auth: 'session',
    team: 'owner',
    /** The key of this name that was deleted last. Keys of `group_id` cannot be restored. */
    input: z.object({ key_name: name }),
    output: msg,
    errors: ['keyUnknown', 'keyNameTaken', 'tooManyKeys', 'nameMissing', 'nameTooLong', 'nameForbidden'],
    summary: 'Restores an API key that was deleted in the last seven days, with its secret',
  }),
  permissions: route({
    method: 'GET',
    path: '/api/v1/storage/get_key_perms',
    auth: 'session',
    team: 'owner',
    input: z.object({ key_name: name }),
    output: z.object({ perms: z.array(permission) }),
    errors: ['keyUnknown', 'nameMissing', 'nameTooLong', 'nameForbidden'],
    summary: 'Returns the permissions of an API key',
  }),
  own: route({
    method: 'GET',
    path: '/api/v1/storage/own_key',
    auth: 'any',
    input: nothing,
    output: z.object({
      /** Empty for a session, which has no caps. */
      name: z.string(),
      permissions: z.union([z.literal('all'), z.array(permission)]),
      /** Whether the key can access some folders only. */
      limited: z.boolean(),
      ...capsUsed,
    }),
    errors: [],
    summary: 'Returns the permissions of the calling API key, its caps and what is left of them',
  }),
}
