import type { Cid } from '@tidenet/content'
import type { Logger } from '@tidenet/daemon'
import type { BlockedContents } from '../blocked-contents.ts'
import type { OpenContent } from '../contents/open-content.ts'
import { findWithheld, type Withheld } from '../contents/withheld.ts'
import { ServerRefused } from '../server-link.ts'

/** Finds out which parts of contents are blocked, once for every list. */
export interface WithheldParts {
  /** Before it first answers that something is withheld, the server has heard of it, or could not be reached. */
  of(content: OpenContent, root: Cid): Promise<Withheld | undefined>
}

/** Contents whose results are kept. */
const KEPT_MAX = 2000
/** How long a request waits for the server. */
const REPORT_MS = 5000

/** @param report tells the server with a proof: it must know why audits of this content are refused */
export function createWithheldParts(options: {
  blocked: BlockedContents
  report: (root: Cid, found: Withheld, signal: AbortSignal) => Promise<unknown>
  log: Logger
}): WithheldParts {
  const { blocked, report, log } = options
  const known = new Map<string, { version: number; withheld: Promise<Withheld | undefined> }>()

  const find = async (content: OpenContent, root: Cid): Promise<Withheld | undefined> => {
    const found = await findWithheld(content, root, blocked.has)
    if (!found) return undefined
    try {
      await report(root, found, AbortSignal.timeout(REPORT_MS))
    } catch (error) {
      log.warn({ err: error, cid: root.toString() }, 'the server was not told of a blocked part of a content')
      // The block was just lifted, or the proof is too large. Honest nodes would fail audits if they refused it all the same.
      if (error instanceof ServerRefused) return undefined
    }
    return found
  }

  return {
    of(content, root) {
      // One leaf has no parts.
      if (blocked.size === 0 || content.held.blocks === 1) return Promise.resolve(undefined)
      const { cid } = content.held
      const before = known.get(cid)
      if (before?.version === blocked.version) return before.withheld
      const withheld = find(content, root)
      const entry = { version: blocked.version, withheld }
      known.delete(cid)
      known.set(cid, entry)
      withheld.catch(() => known.get(cid) === entry && known.delete(cid))
      for (const oldest of known.keys()) {
        if (known.size <= KEPT_MAX) break
        known.delete(oldest)
      }
      return withheld
    },
  }
}
