import type { Clock, Logger } from '@tidenet/daemon'
import type { ContentStore } from '../contents/content-store.ts'
import type { ServerLink } from '../server-link.ts'
import type { Removals } from './removals.ts'

const PAGE = 5000
/** Recent contents may not be in the server's records yet. */
const SETTLED_MS = 3600_000

/**
 * Reports all stored contents to the server and deletes those it does not want. If the server takes only a part, the unwanted ones of that
 * part are deleted, so that the next report is smaller.
 */
export async function compareInventory(
  parts: { link: ServerLink; store: ContentStore; removals: Removals; clock: Clock; log: Logger },
  signal: AbortSignal,
): Promise<void> {
  const { link, store, removals, clock, log } = parts
  const cids = store.list().map((content) => content.cid)
  const pages = Math.max(1, Math.ceil(cids.length / PAGE))
  const unwanted: { cid: string; decided: number }[] = []
  let failure: unknown
  for (let page = 0; page < pages && failure === undefined; page += 1) {
    const part = { cids: cids.slice(page * PAGE, (page + 1) * PAGE), first: page === 0, last: page === pages - 1 }
    try {
      const answer = await link.call('inventory', part, { signal })
      unwanted.push(...answer.unwanted.map((cid) => ({ cid, decided: answer.server_time })))
    } catch (error) {
      signal.throwIfAborted()
      failure = error
    }
  }
  let removed = 0
  for (const { cid, decided } of unwanted) {
    const content = store.get(cid)
    if (content && clock.now() - content.stored > SETTLED_MS && (await removals.remove(cid, decided))) removed += 1
  }
  if (removed > 0) log.info({ removed }, 'contents that nobody wants were deleted')
  if (failure !== undefined) throw failure
}
