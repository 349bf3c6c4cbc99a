import { createHash } from 'node:crypto'
import { endedShareText } from '@tidenet/contract'

/** Shares that ended. Tokens issued through them before are refused. */
export interface EndedShares {
  /** Id of the last end received from the server. */
  readonly last: number
  take(ended: readonly { id: number; key: string }[]): void
  /** Whether a token's share ended after the token was issued. */
  ends(claims: { sub: string; cid: string; share?: string | undefined; ended?: number | undefined }): boolean
}

/** Longer than any download token is valid. */
const KEPT_MS = 3 * 3600_000

/** In the server's notation. */
export const endedKey = (account: string, target: string): string =>
  createHash('sha256').update(endedShareText(account, target)).digest('hex')

export function createEndedShares(): EndedShares {
  const known = new Map<string, { id: number; heard: number }>()
  let last = 0
  return {
    get last() {
      return last
    },
    take(ended) {
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
    },
    ends({ sub, cid, share, ended = 0 }) {
      if (share === undefined) return false
      const latest = Math.max(...[share, cid].map((target) => known.get(endedKey(sub, target))?.id ?? 0))
      return latest > ended
    },
  }
}
