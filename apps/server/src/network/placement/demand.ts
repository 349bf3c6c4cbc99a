import type { Db } from '../../platform/db/db.ts'

/** A content on a node. */
export interface Copy {
  cid: string
  nodeId: string
}

/** Who could download a content. */
export interface Reader {
  account: string
  name: string
}

/**
 * What placement asks those who keep lists of contents: who wants what, where, and for how long. It is asked in the transaction that
 * has locked the contents, so the answers hold until its end.
 */
export interface Demand {
  /** The areas that all who have a content want it in, together; none: everywhere. Contents that nobody has are left out. */
  areasOf(tx: Db, cids: readonly string[]): Promise<Map<string, readonly string[]>>
  /** When somebody last proved to have sent a content that nobody may list yet. */
  lastSent(tx: Db, contents: readonly { cid: string; sole_holder: string | null }[]): Promise<Map<string, Date>>
  /** Copies that somebody needs: there is no other node that they can read the content from. */
  onlyCopies(tx: Db, cids: readonly string[]): Promise<Copy[]>
  /** Of these contents those that somebody needs from this node, or has sent it. */
  neededFrom(db: Db, nodeId: string, cids: readonly string[]): Promise<string[]>
  /** Which of these contents stand in a list. */
  listed(tx: Db, cids: readonly string[]): Promise<Set<string>>
  /** Somebody who has a content, and the name it has there; anonymous files have nobody. */
  readersOf(db: Db, cids: readonly string[]): Promise<Map<string, Reader>>
  /** These contents are given up: who sent them has to send them again. */
  giveUp(tx: Db, cids: readonly string[]): Promise<void>
}
