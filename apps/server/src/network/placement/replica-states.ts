import { DAY } from '../../platform/ago.ts'
import type { Holder } from './choose.ts'
import { PULL_TRIES } from './choose.ts'

/** How a node's report changes a replica: a pure function. */

/** Error text of replicas that are lost because their node is offline: they count again when it is back. Nodes cannot report it. */
export const OFFLINE = 'offline'

export interface ReplicaChange {
  cid: string
  /** `gone`: the row is deleted. */
  state: 'wanted' | 'unverified' | 'stored' | 'lost' | 'gone'
  tries: number
  error: string
  retryAt: Date | null
  /** The content becomes due for the scheduler. */
  check: boolean
  /** The node pulled it by order; it did not have it before. */
  fetched?: boolean
}

interface Row extends Pick<Holder, 'state' | 'tries' | 'suspect'> {
  cid: string
  /** Size of the content, bytes. */
  size: number
  /** The node is an edge: its copy counts only after an audit. */
  edge: boolean
}

interface Report {
  state: 'stored' | 'failed' | 'removed' | 'missing'
  size: number
  error: string
  /** The node it was pulled from; empty if the node already had it. */
  source?: string
  /** The pull failed because the node's disk is full. */
  full: boolean
}

const RETRY_FIRST_MS = 5000
const BACKOFF_FIRST_MS = 60_000
const BACKOFF_MAX_MS = DAY
/** How long a full node gets no new pulls, unless it reports free space earlier. */
const FULL_MS = 30_000

/** Delay before a pull that failed `tries` times is retried, ms: 5 s, 10 s, 20 s, 40 s. */
export const retryAfter = (tries: number): number => RETRY_FIRST_MS * 2 ** Math.max(0, tries - 1)

/** How long a node is not chosen for a content after `tries` failed pulls, ms: one minute, doubled each time, at most a day. */
export const backoff = (tries: number): number =>
  Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(20, Math.max(0, tries - PULL_TRIES)))

/** @returns undefined if the report changes nothing, for example because it is late */
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
      // A node's own report cannot clear a failed audit or cancel a removal.
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
      // A full disk is not a failed try. The content is placed elsewhere if possible, and here once there is space.
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
      // A late report of a removal: the node has received the content again since.
      return (row.state === 'stored' || row.state === 'unverified') && report.state === 'missing'
        ? lost(report.error === '' || report.error === OFFLINE ? 'missing' : report.error)
        : undefined
  }
}
