import type { Holder } from './choose.ts'
import { PULL_TRIES } from './choose.ts'

/** What becomes of a replica when its node reports: a function of what was and what is said. */

export interface ReplicaChange {
  cid: string
  /** `gone`: the row is deleted. */
  state: 'wanted' | 'stored' | 'lost' | 'gone'
  tries: number
  error: string
  retryAt: Date | null
  /** The scheduler must look at the content. */
  check: boolean
}

interface Row extends Pick<Holder, 'state' | 'tries' | 'doubted'> {
  cid: string
  /** What the content measures. */
  size: number
}

interface Report {
  state: 'stored' | 'failed' | 'removed' | 'missing'
  size: number
  error: string
}

const RETRY_FIRST_MS = 5000

/** When a pull that has failed `tries` times is tried again, ms from now: 5 s, 10 s, 20 s, 40 s. */
export const retryAfter = (tries: number): number => RETRY_FIRST_MS * 2 ** Math.max(0, tries - 1)

/** @returns nothing when the report changes nothing: it came late, or about something else */
export function afterReport(row: Row, report: Report, at: Date): ReplicaChange | undefined {
  const { cid } = row
  const lost = (error: string, tries = row.tries): ReplicaChange => ({
    cid,
    state: 'lost',
    tries,
    error: error.slice(0, 500),
    retryAt: null,
    check: true,
  })
  const failed = (error: string): ReplicaChange => {
    const tries = row.tries + 1
    if (tries >= PULL_TRIES) return lost(error, tries)
    const retryAt = new Date(at.getTime() + retryAfter(tries))
    return { cid, state: 'wanted', tries, error: error.slice(0, 500), retryAt, check: false }
  }
  const due = row.state === 'wanted' || row.state === 'pulling'

  switch (report.state) {
    case 'stored':
      // What an audit found wanting is not made good by a word, and what is to be removed stays so.
      if (row.state === 'removed' || row.doubted) return undefined
      if (report.size === row.size)
        return row.state === 'stored'
          ? undefined
          : { cid, state: 'stored', tries: 0, error: '', retryAt: null, check: row.state === 'lost' }
      return due ? failed('the size is not that of the content') : lost('the size is not that of the content')
    case 'failed':
      return due ? failed(report.error) : undefined
    case 'removed':
    case 'missing':
      if (row.state === 'removed') return { cid, state: 'gone', tries: 0, error: '', retryAt: null, check: true }
      // A node removes what it was told to remove. Stored again means that it was sent the content since: the word comes late.
      return row.state === 'stored' && report.state === 'missing' ? lost(report.error || 'missing') : undefined
  }
}
