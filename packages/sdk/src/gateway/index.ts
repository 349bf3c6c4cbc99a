/**
 * For gateways that speak another protocol, Node.js only: stores contents without listing them, and reads them without an entry of this SDK.
 * The gateway lists them with calls of its own.
 */
import type { JoinedPart } from '@tidenet/content'
import type { DownloadInfo } from '@tidenet/contract'
import type { Answer, Api } from '../api.ts'
import { createCore, type StorageOptions } from '../create-core.ts'
import type { Failure, Result } from '../result.ts'
import { type OpenBlocks, openBlocks } from './blocks.ts'
import { joinContents } from './join.ts'
import { type OpenContent, openContent } from './read.ts'
import { openSmallUpload, type SmallUpload, type StoredContent, storeStream } from './store.ts'

export { isSuccess, Stop } from '../result.ts'
export { BlockWithheld } from './blocks.ts'
export type { Api, Failure, OpenBlocks, OpenContent, Result, SmallUpload, StoredContent }

export interface Transfers {
  readonly api: Api
  /** Small contents, one batch after the other, with one trace of this name. */
  smallUpload(name: string): SmallUpload
  /** A content while it arrives; those with the same `gather` go to one node, if it can take them. @throws Stop, or the exception of `pieces` */
  storeStream(
    name: string,
    content: { size: number; pieces: AsyncIterable<Uint8Array>; gather?: string | undefined },
    signal: AbortSignal,
  ): Promise<StoredContent>
  /** Lets a node join contents that it has, and verifies the result; undefined if none can. `ask` asks the portal for the node. */
  join(
    ask: () => Promise<Result<Answer<'s3Uploads.join'>>>,
    parts: readonly JoinedPart[],
    signal: AbortSignal,
  ): Promise<StoredContent | undefined>
  /** Opens a content; `ask` asks the portal for its sources, with the key that signs receipts. */
  open<T extends { sources: DownloadInfo | null }>(
    ask: (receiptKey: string) => Promise<Result<T>>,
    signal: AbortSignal,
  ): Promise<Result<T & { content: OpenContent }>>
  /** Opens a content of which single blocks are read. */
  openBlocks(ask: (receiptKey: string) => Promise<Result<{ sources: DownloadInfo }>>): Promise<Result<OpenBlocks>>
}

export function createTransfers(options: Pick<StorageOptions, 'url' | 'token' | 'fetch'>): Transfers {
  const core = createCore({ ...options, lang: 'en' })
  return {
    api: core.api,
    smallUpload: (name) => openSmallUpload(core, name),
    storeStream: (name, content, signal) => storeStream(core, name, content, signal),
    join: (ask, parts, signal) => joinContents(core, ask, parts, signal),
    open: (ask, signal) => openContent(core, ask, signal),
    openBlocks: (ask) => openBlocks(core, ask),
  }
}
