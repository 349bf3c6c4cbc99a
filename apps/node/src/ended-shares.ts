import { createHash } from 'node:crypto'
import { type DownloadClaims, endedShareText } from '@tidenet/contract'

/** Shares that ended. Tokens issued through them before are refused. */
export interface EndedShares {
  /** Id of the last end received from the server. */
  readonly last: number
  /**
   * Whether the node knows all ended shares. After a start it does not, until the server has sent them: a share may have ended while the node
   * was stopped.
   */
  readonly complete: boolean
  /** @param more the server has more than these */
  take(ended: readonly { id: number; key: string }[], more?: boolean): void
  /** Whether a token's share ended after the token was issued. */
  ends(claims: ShareClaims): boolean
  /** Calls back once when the share of a running download ends, at once if it has ended. @returns ends the watch */
  watch(claims: ShareClaims, onEnd: () => void): () => void
}

/** The claims of a download token that name its share. */
type ShareClaims = Pick<DownloadClaims, 'sub' | 'cid' | 'share' | 'ended'>

/** Longer than any download token is valid. */
const KEPT_MS = 3 * 3600_000

/** In the server's notation. */
export const endedKey = (account: string, target: string): string =>
  createHash('sha256').update(endedShareText(account, target)).digest('hex')

export function createEndedShares(): EndedShares {
  const known = new Map<string, { id: number; heard: number }>()
  /** Running downloads of shares. */
  const watched = new Map<symbol, { claims: ShareClaims; onEnd: () => void }>()
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
      if (share === undefined) return false
      const latest = Math.max(...[share, cid].map((target) => known.get(endedKey(sub, target))?.id ?? 0))
      return latest > ended
    },
    watch(claims, onEnd) {
      if (claims.share === undefined) return () => {}
      const id = Symbol()
      if (shares.ends(claims)) onEnd()
      else watched.set(id, { claims, onEnd })
      return () => void watched.delete(id)
    },
  }
  return shares
}
