import type { Logger, Turns } from '@tidenet/daemon'
import type { ContentStore } from '../contents/content-store.ts'
import type { Receipts } from '../uploads/receipts.ts'

/** Deletes contents that the server does not want, unless somebody has sent them since it decided so. */
export interface Removals {
  /**
   * @param decided the server's time before it looked, unix ms
   * @param onRemoved called before the content can come again
   * @returns whether it was deleted now
   */
  remove(cid: string, decided: number, onRemoved?: () => void): Promise<boolean>
}

export function createRemovals(options: {
  store: ContentStore
  /** Uploads and removals of one content take turns. */
  contents: Turns
  receipts: Pick<Receipts, 'spokenSince'>
  log: Logger
}): Removals {
  const { store, contents, receipts, log } = options
  return {
    remove: (cid, decided, onRemoved) =>
      contents(cid, async () => {
        // The server learns of the upload, or has learned of it meanwhile; what it still does not want then, it says again.
        if (receipts.spokenSince(cid, decided)) {
          log.info({ cid }, 'a content stays: it was sent again after the server gave it up')
          return false
        }
        const removed = await store.remove(cid)
        onRemoved?.()
        return removed
      }),
  }
}
