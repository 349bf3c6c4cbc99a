/** Ways to unlock the vault of an account. */
export const VAULT_WAYS = ['kit', 'passphrase', 'passkey'] as const
export type VaultWayKind = (typeof VAULT_WAYS)[number]
/** Ways of an account, and characters of a wrapped key. */
export const VAULT_WAYS_MAX = 10
export const VAULT_WRAP_MAX = 4000
/** Characters of a vault's passphrase. */
export const VAULT_PASSPHRASE_MIN = 10
