import { z } from 'zod'
import { folderId, msg, name, nothing, texts } from '../fields.ts'
import { route } from '../route.ts'

const permission = z.string().max(40)
/** `perms=` means no permissions; an absent field does not decide the type of the key. */
const permissions = z.preprocess((value) => (value === '' || value === null ? [] : value), texts)

export const apiKeys = {
  create: route({
    method: 'GET',
    path: '/api/v1/storage/create_key',
    alsoPost: true,
    auth: 'session',
    /** Without `type` and `perms` the key is an admin key, as clients that know only `key_name` expect. */
    input: z.object({
      key_name: name,
      type: z.enum(['admin', 'normal']).optional(),
      perms: permissions,
      /** Limits the key to this folder: it can only copy the folder into a workspace of the account. */
      group_id: folderId.optional(),
    }),
    output: z.object({ key: z.string(), secret: z.string() }),
    errors: [
      'nameMissing',
      'nameTooLong',
      'nameForbidden',
      'tooManyKeys',
      'keyNameTaken',
      'keyPermissions',
      'permissionUnknown',
      'folderUnknown',
    ],
    summary: 'Creates an API key; key and secret are returned only once',
  }),
  list: route({
    method: 'GET',
    path: '/api/v1/storage/get_keys',
    auth: 'session',
    input: nothing,
    output: z.object({
      list: z.array(
        z.object({
          name: z.string(),
          /** The first characters of the key; the rest is not stored. */
          key: z.string(),
          secret: z.string(),
          time: z.string(),
          type: z.enum(['admin', 'normal']),
          perms: z.array(permission),
          /** Null: not limited to a folder. */
          group_id: z.number().nullable(),
          last_used: z.string().nullable(),
        }),
      ),
    }),
    errors: [],
    summary: 'Lists the API keys of the account, newest first',
  }),
  remove: route({
    method: 'GET',
    path: '/api/v1/storage/delete_key',
    alsoPost: true,
    auth: 'session',
    input: z.object({ key_name: name }),
    output: msg,
    errors: ['keyUnknown', 'nameMissing', 'nameTooLong', 'nameForbidden'],
    summary: 'Deletes an API key; it stops working within a second',
  }),
  permissions: route({
    method: 'GET',
    path: '/api/v1/storage/get_key_perms',
    auth: 'session',
    input: z.object({ key_name: name }),
    output: z.object({ perms: z.array(permission) }),
    errors: ['keyUnknown', 'nameMissing', 'nameTooLong', 'nameForbidden'],
    summary: 'Returns the permissions of an API key',
  }),
}
