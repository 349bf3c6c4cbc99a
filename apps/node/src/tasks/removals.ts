import type { KeyedMutex, Logger } from '@tidenet/daemon'
import type { ContentStore } from '../contents/content-store.ts'
import type { Receipts } from '../uploads/receipts.ts'

/** Deletes contents that the server does not want, unless they were uploaded again after its decision. */
export interface Removals {
  /**
   * @param decided server time of the decision, unix ms
   * @param onRemoved called before the content can be stored again
   * @returns whether it was deleted now
   */
  remove(cid: string, decided: number, onRemoved?: () => void): Promise<boolean>
}

export function createRemovals(options: {
  store: ContentStore
  /** Serializes uploads and removals per content. */
  contents: KeyedMutex
  receipts: Pick<Receipts, 'hasReceiptSince'>
  log: Logger
}): Removals {
  const { store, contents, receipts, log } = options
  return {
    remove: (cid, decided, onRemoved) =>
      contents(cid, async () => {
        // The server will learn of the upload; if it still does not want the content, it will say so again.
        if (receipts.hasReceiptSince(cid, decided)) {
          log.info({ cid }, 'a content stays: it was sent again after the server gave it up')
          return false
        }
        const removed = await store.remove(cid)
        onRemoved?.()
        return removed
      }),
  }
}
