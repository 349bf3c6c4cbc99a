import { createHash } from 'node:crypto'
import { type DownloadClaims, endedShareText, WHOLE_ACCOUNT } from '@tidenet/contract'

/** Shares and accounts that ended. Tokens issued through them, or for them, before are refused. */
export interface EndedShares {
  /** Id of the last end received from the server. */
  readonly last: number
  /**
   * Whether the node knows all ends. After a start it does not, until the server has sent them: a share may have ended while the node
   * was stopped.
   */
  readonly complete: boolean
  /** @param more the server has more than these */
  take(ended: readonly { id: number; key: string }[], more?: boolean): void
  /** Whether a token's share or account ended after the token was issued. */
  ends(claims: EndingClaims): boolean
  /** Calls back once when the token of a running download ends, at once if it has ended. @returns ends the watch */
  watch(claims: EndingClaims, onEnd: () => void): () => void
}

/** The claims of a token that name its share and its account. */
type EndingClaims = Pick<DownloadClaims, 'sub' | 'share' | 'ended'> & { cid?: string | undefined }

/** Longer than any download token is valid. */
const KEPT_MS = 3 * 3600_000

/** In the server's notation. */
export const endedKey = (account: string, target: string): string =>
  createHash('sha256').update(endedShareText(account, target)).digest('hex')

export function createEndedShares(): EndedShares {
  const known = new Map<string, { id: number; heard: number }>()
  /** Running downloads. */
  const watched = new Map<symbol, { claims: EndingClaims; onEnd: () => void }>()
  let last = 0
  let complete = false
  const shares: EndedShares = {
    get last() {
      return last
    },
    get complete() {
      return complete
    },
    take(ended, more = false) {
      if (!more) complete = true
      const heard = performance.now()
      for (const { id, key } of ended) {
        const before = known.get(key)?.id ?? 0
        known.delete(key)
        known.set(key, { id: Math.max(id, before), heard })
        last = Math.max(last, id)
      }
      for (const [name, { heard: then }] of known) {
        if (heard - then < KEPT_MS) break
        known.delete(name)
      }
      if (ended.length === 0) return
      for (const [id, { claims, onEnd }] of watched) {
        if (!shares.ends(claims)) continue
        watched.delete(id)
        onEnd()
      }
    },
    ends({ sub, cid, share, ended = 0 }) {
      if (known.size === 0) return false
      // What the owner reads does not end with a share of it.
      const targets = share === undefined ? [WHOLE_ACCOUNT] : [share, cid ?? '', WHOLE_ACCOUNT]
      return targets.some((target) => (known.get(endedKey(sub, target))?.id ?? 0) > ended)
    },
    watch(claims, onEnd) {
      const id = Symbol()
      if (shares.ends(claims)) onEnd()
      else watched.set(id, { claims, onEnd })
      return () => void watched.delete(id)
    },
  }
  return shares
}
