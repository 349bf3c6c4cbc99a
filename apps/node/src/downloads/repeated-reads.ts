import type { DownloadClaims } from '@tidenet/contract'
import { refuseRepeated } from '../refusal.ts'

/** Full reads that this node allows with one opening of a content; of a small content, this many bytes if that is more. */
export const READS_MAX = 16
export const SMALL_BYTES = 64 * 1024 * 1024
/** Openings that are remembered; those that were not used for the longest time are forgotten first. */
const OPENINGS_MAX = 20_000

/**
 * Limits what can be read with one opening of a content. Its tokens are valid for an hour, and the server counts only a few reads: the owner of
 * this node would pay for all others. A client that needs more opens the content again, which counts again.
 */
export interface RepeatedReads {
  /**
   * Reserves the bytes of a request, so that requests at the same time are limited together.
   * @param size of the whole content
   * @returns call it at the end, with the bytes that were sent
   * @throws Refusal 429
   */
  begin(claims: DownloadClaims, request: { size: number; bytes: number }): (sent: number) => void
}

export function createRepeatedReads(): RepeatedReads {
  const taken = new Map<string, number>()
  return {
    begin({ typ, sub, tid, cid }, { size, bytes }) {
      // Only downloads are limited; the server decides how often copies and audits read.
      if (typ !== 'download') return () => {}
      const opening = JSON.stringify([sub, tid, cid])
      const before = taken.get(opening) ?? 0
      if (before + bytes > Math.max(SMALL_BYTES, READS_MAX * size)) throw refuseRepeated()
      const put = (total: number) => {
        taken.delete(opening)
        taken.set(opening, total)
        if (taken.size > OPENINGS_MAX) taken.delete(taken.keys().next().value ?? '')
      }
      put(before + bytes)
      return (sent) => put(Math.max(0, (taken.get(opening) ?? 0) - bytes + sent))
    },
  }
}
