/** Files and transfers: the words and numbers of the wire, without schemas, so that a browser can load them alone. */

/** What was uploaded as one; their places are the numbers that stand for them on the wire. */
export const ASSET_TYPES = ['file', 'folder'] as const
export type AssetType = (typeof ASSET_TYPES)[number]

/** The type that a word or its number stands for; a number may come as text. */
export const assetTypeOf = (value: unknown): AssetType | undefined =>
  ASSET_TYPES.find((type, number) => value === type || value === number || value === String(number))

/** Whether others see an item; the downloads of a shared file may be used up. */
export const SHARE = { off: 0, on: 1, usedUp: 2 } as const
export type ShareState = (typeof SHARE)[keyof typeof SHARE]

/** How a transfer went, and each try in it. */
export const TRACE = { open: 0, ok: 1, failed: 2 } as const
export type TraceState = (typeof TRACE)[keyof typeof TRACE]
