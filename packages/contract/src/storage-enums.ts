/** Files and transfers: values on the wire. Without Zod, so that browsers can load this file alone. */

/** The index of each type is its number on the wire. */
export const ASSET_TYPES = ['file', 'folder'] as const
export type AssetType = (typeof ASSET_TYPES)[number]

/** Parses a name or a number; numbers can be text. */
export const assetTypeOf = (value: unknown): AssetType | undefined =>
  ASSET_TYPES.find((type, number) => value === type || value === number || value === String(number))

/** What `create_asset` does if the name is in use: refuses, lists the file under a numbered name, or replaces the file's content. */
export const ON_CONFLICT = ['fail', 'keep_both', 'replace'] as const
export type OnConflict = (typeof ON_CONFLICT)[number]

/** State of a share; `usedUp`: the download limit is reached. */
export const SHARE = { off: 0, on: 1, usedUp: 2 } as const
export type ShareState = (typeof SHARE)[keyof typeof SHARE]

/** `used_up`: its own download limit is reached; `gone`: its item is in the trash; `revoked`: its owner can restore it. */
export const LINK_STATES = ['live', 'off', 'expired', 'used_up', 'gone', 'revoked'] as const
export type LinkState = (typeof LINK_STATES)[number]

/** `Status` of a replica in lists of its nodes. */
export const REPLICA_STATUS = { wanted: 0, pulling: 1, lost: 2, stored: 3 } as const

/** State of a transfer, and of each attempt in it. */
export const TRACE = { open: 0, ok: 1, failed: 2 } as const
export type TraceState = (typeof TRACE)[keyof typeof TRACE]
