import type { Db } from '../../platform/db/db.ts'

/** A content on a node. */
export interface Copy {
  cid: string
  nodeId: string
}

/** An account that could download a content, and its file name. */
export interface Reader {
  account: string
  name: string
}

/** A read that must look like a download or, with `preview`, like a look through a folder. */
export interface Read extends Reader {
  cid: string
  nodeId: string
  preview: boolean
  receiptKey?: string | undefined
}

/** A country that gets copies in addition to the target, near readers. */
export interface NearArea {
  country: string
  copies: number
}

/** Where the owners of a content want it, and how many replicas it should have. */
export interface Wanted {
  /** The union of the areas that the owners chose; empty: everywhere. */
  areas: readonly string[]
  target: number
  near: readonly NearArea[]
}

/**
 * Which accounts need a content, where, and for how long; storage implements it. Methods with `tx` run in the transaction that locked the
 * contents, so the results stay valid until its end.
 */
export interface Demand {
  /** Contents without owners are left out. */
  wantedOf(tx: Db, cids: readonly string[]): Promise<Map<string, Wanted>>
  /** The time of the last receipt for a content that no asset names yet. */
  lastSent(tx: Db, contents: readonly { cid: string; sole_holder: string | null }[]): Promise<Map<string, Date>>
  /** Copies that an account needs, because it may not read the content from other nodes. */
  onlyCopies(tx: Db, cids: readonly string[]): Promise<Copy[]>
  /** The given contents that an account needs from this node, or has uploaded to it. */
  neededFrom(db: Db, nodeId: string, cids: readonly string[]): Promise<string[]>
  /** The given contents that an asset, trash or anonymous file names. */
  listed(tx: Db, cids: readonly string[]): Promise<Set<string>>
  /** One account per content that could download it. */
  readersOf(db: Db, cids: readonly string[]): Promise<Map<string, Reader>>
  /** The id of a trace for each read, in their order. Anyone who knows it learns as much from the server as from that of a download. */
  openReads(db: Db, reads: readonly Read[], at: Date): Promise<string[]>
  /** No node has these contents now, although accounts need them. */
  missing(tx: Db, cids: readonly string[], at: Date): Promise<void>
  /** These contents are released: receipts for them are void, so they must be uploaded again. */
  giveUp(tx: Db, cids: readonly string[]): Promise<void>
}
