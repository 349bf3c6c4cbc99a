/** Shares that have ended: tokens that were given out before, for whoever they let in, open nothing any more. */
export interface EndedShares {
  /** The last one that the server has told of. */
  readonly last: number
  take(ended: readonly { id: number; account: string; target: string }[]): void
  /** Whether a token has ended with a share. */
  ends(claims: { sub: string; cid: string; share?: string | undefined; ended?: number | undefined }): boolean
}

/** No token of before is valid after this long. */
const KEPT_MS = 3 * 3600_000

export function createEndedShares(): EndedShares {
  const known = new Map<string, { id: number; heard: number }>()
  let last = 0
  const key = (account: string, target: string) => `${account}\n${target}`
  return {
    get last() {
      return last
    },
    take(ended) {
      const heard = performance.now()
      for (const { id, account, target } of ended) {
        const name = key(account, target)
        const before = known.get(name)?.id ?? 0
        known.delete(name)
        known.set(name, { id: Math.max(id, before), heard })
        last = Math.max(last, id)
      }
      for (const [name, { heard: then }] of known) {
        if (heard - then < KEPT_MS) break
        known.delete(name)
      }
    },
    ends({ sub, cid, share, ended = 0 }) {
      if (share === undefined) return false
      const latest = Math.max(known.get(key(sub, share))?.id ?? 0, known.get(key(sub, cid))?.id ?? 0)
      return latest > ended
    },
  }
}
