import { z } from 'zod'
import { bool, int, name, nothing } from '../fields.ts'
import { expects } from '../input-hints.ts'
import { route } from '../route.ts'
import { VAULT_WAYS, VAULT_WAYS_MAX, VAULT_WRAP_MAX } from '../vault.ts'

/** An age recipient: the public part of an X25519 key. */
const recipient = z.string().regex(/^age1[02-9ac-hj-np-z]{58}$/, expects('ageRecipient'))

const way = z.object({
  kind: z.enum(VAULT_WAYS),
  name,
  /** The vault's key, encrypted: an armored age file with one stanza. */
  wrap: z.string().max(VAULT_WRAP_MAX),
  /** For a passkey: which one, as `AGE-PLUGIN-FIDO2PRF-1…`. */
  credential: z
    .string()
    .max(VAULT_WRAP_MAX)
    .regex(/^(AGE-PLUGIN-FIDO2PRF-1[02-9AC-HJ-NP-Z]+)?$/, expects('ageCredential'))
    .default(''),
})

export const vault = {
  info: route({
    method: 'GET',
    path: '/api/v1/storage/vault',
    /** With an API key, the wraps could be used to guess the passphrase elsewhere. */
    auth: 'session',
    input: nothing,
    output: z.object({
      vault: z
        .object({
          recipient: z.string(),
          created_at: z.string(),
          ways: z.array(
            z.object({
              id: z.number(),
              kind: z.enum(VAULT_WAYS),
              name: z.string(),
              wrap: z.string(),
              credential: z.string(),
              created_at: z.string(),
            }),
          ),
        })
        .nullable(),
      /** Encrypted folders, and encrypted files, including those in the trash. */
      folders: z.number(),
      files: z.number(),
    }),
    errors: [],
    summary: 'Returns the vault of the account: its public key, and its wrapped key once per way to unlock it',
  }),
  create: route({
    method: 'POST',
    path: '/api/v1/storage/vault/create',
    auth: 'session',
    input: z.object({ recipient, ways: z.array(way).max(VAULT_WAYS_MAX) }),
    output: nothing,
    errors: [
      'recentAuthRequired',
      'vaultExists',
      'vaultWays',
      'vaultWrap',
      'tooManyVaultWays',
      'nameMissing',
      'nameForbidden',
      'nameTooLong',
    ],
    limit: 60,
    summary: 'Creates the vault of the account; `ways` are the recovery kit and at least one other',
  }),
  addWay: route({
    method: 'POST',
    path: '/api/v1/storage/vault/add_way',
    auth: 'session',
    /** `recipient` must be that of the vault; `replaces` is the id of a way of the same kind. A new recovery kit replaces the old one. */
    input: z.object({ recipient, way, replaces: int(1).optional() }),
    output: z.object({ id: z.number() }),
    errors: [
      'recentAuthRequired',
      'vaultMissing',
      'vaultChanged',
      'vaultWayUnknown',
      'vaultWrap',
      'tooManyVaultWays',
      'nameMissing',
      'nameForbidden',
      'nameTooLong',
    ],
    limit: 60,
    summary: 'Adds a way to unlock the vault, or replaces one',
  }),
  removeWay: route({
    method: 'POST',
    path: '/api/v1/storage/vault/remove_way',
    auth: 'session',
    input: z.object({ id: int(1) }),
    output: nothing,
    errors: ['recentAuthRequired', 'vaultWayUnknown', 'vaultWays'],
    summary: 'Removes a way to unlock the vault; the recovery kit and at least one other stay',
  }),
  remove: route({
    method: 'POST',
    path: '/api/v1/storage/vault/remove',
    auth: 'session',
    /** `lose_files`: although encrypted files or folders exist, which nobody can open afterwards without the recovery kit. */
    input: z.object({ lose_files: bool.default(false) }),
    output: nothing,
    errors: ['recentAuthRequired', 'vaultMissing', 'vaultInUse'],
    summary: 'Removes the vault',
  }),
}
