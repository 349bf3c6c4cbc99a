import type { Holder } from './choose.ts'
import { PULL_TRIES } from './choose.ts'

/** What becomes of a replica when its node reports: a function of what was and what is said. */

export interface ReplicaChange {
  cid: string
  /** `gone`: the row is deleted. */
  state: 'wanted' | 'unverified' | 'stored' | 'lost' | 'gone'
  tries: number
  error: string
  retryAt: Date | null
  /** The scheduler must look at the content. */
  check: boolean
  /** Another node sent it: it was not there before. */
  fetched?: boolean
}

interface Row extends Pick<Holder, 'state' | 'tries' | 'suspect'> {
  cid: string
  /** What the content measures. */
  size: number
  /** Anybody may run one: an audit makes what it says count. */
  edge: boolean
}

interface Report {
  state: 'stored' | 'failed' | 'removed' | 'missing'
  size: number
  error: string
  /** The node it was fetched from; empty when it was there. */
  source?: string
  /** Of a failure: the node had no room. */
  full: boolean
}

const RETRY_FIRST_MS = 5000
const BACKOFF_FIRST_MS = 60_000
const BACKOFF_MAX_MS = 24 * 3600 * 1000
/** How long a node that was full is left alone, unless it says before that it has room. */
const FULL_MS = 30_000

/** When a pull that has failed `tries` times is tried again, ms from now: 5 s, 10 s, 20 s, 40 s. */
export const retryAfter = (tries: number): number => RETRY_FIRST_MS * 2 ** Math.max(0, tries - 1)

/** When a node that pulls failed on so often is considered again, ms from now: a minute, then twice as long each time, a day at most. */
export const backoff = (tries: number): number =>
  Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(20, Math.max(0, tries - PULL_TRIES)))

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
    if (tries >= PULL_TRIES) return { ...lost(error, tries), retryAt: new Date(at.getTime() + backoff(tries)) }
    const retryAt = new Date(at.getTime() + retryAfter(tries))
    return { cid, state: 'wanted', tries, error: error.slice(0, 500), retryAt, check: false }
  }
  const due = row.state === 'wanted' || row.state === 'pulling'

  switch (report.state) {
    case 'stored':
      // What an audit found wanting is not made good by a word, and what is to be removed stays so.
      if (row.state === 'removed' || row.suspect) return undefined
      if (report.size === row.size) {
        if (row.state === 'stored' || row.state === 'unverified') return undefined
        const state = row.edge ? 'unverified' : 'stored'
        const fetched = due && !!report.source
        return {
          cid,
          state,
          tries: 0,
          error: '',
          retryAt: null,
          check: row.state === 'lost',
          ...(fetched && { fetched }),
        }
      }
      return due ? failed('the size is not that of the content') : lost('the size is not that of the content')
    case 'failed':
      if (!due) return undefined
      // No room is no failure: the content goes elsewhere if it can, and there when there is room.
      if (report.full)
        return {
          cid,
          state: 'wanted',
          tries: row.tries,
          error: report.error.slice(0, 500),
          retryAt: new Date(at.getTime() + FULL_MS),
          check: true,
        }
      return failed(report.error)
    case 'removed':
    case 'missing':
      if (row.state === 'removed') return { cid, state: 'gone', tries: 0, error: '', retryAt: null, check: true }
      // A node removes what it was told to remove. Stored again means that it was sent the content since: the word comes late.
      return (row.state === 'stored' || row.state === 'unverified') && report.state === 'missing'
        ? lost(report.error || 'missing')
        : undefined
  }
}
