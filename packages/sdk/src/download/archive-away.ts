import { type CodeName, codes } from '../codes.ts'
import type { Core } from '../core.ts'
import type { Failure } from '../result.ts'
import type { ArchiveEntry } from './archive-types.ts'

/** Ms between two attempts; doubled each time. */
const WAIT_MS = [1000, 5000] as const
/** Entries in a row that are away, after which the others wait for the next attempt: their nodes may be the same. */
const MISSES_MAX = 20
/** The server's error number if all nodes of a file are offline, or if it is being fetched back. */
const NODES_OFFLINE = 10025
const NODE_FAILURES = ['noDownloadAddress', 'downloadError', 'timedOut', 'fetchError'] as const satisfies CodeName[]

/** An entry of which nothing could be fetched. */
export interface Missing {
  entry: ArchiveEntry
  failure: Failure
}

/** Whether the nodes of an entry are away, which may pass: they restart, or another node gets the file. */
export const isAway = ({ code, data: { err } }: Failure): boolean =>
  err === undefined ? NODE_FAILURES.some((name) => codes[name] === code) : err === NODES_OFFLINE

/**
 * Tries entries again whose nodes were away, at other addresses if the portal has others by now, for as long as a download waits for its nodes.
 * @param add returns why nothing could be fetched. @returns what is still missing
 */
export async function addAway(
  core: Pick<Core, 'pause' | 'limits'>,
  away: readonly Missing[],
  add: (entry: ArchiveEntry) => Promise<Failure | undefined>,
  signal: AbortSignal,
): Promise<Missing[]> {
  const refused: Missing[] = []
  let left = [...away]
  let waited = 0
  for (
    let wait: number = WAIT_MS[0];
    left.length > 0 && waited < core.limits.outage;
    wait = Math.min(2 * wait, WAIT_MS[1])
  ) {
    await core.pause(wait, signal)
    waited += wait
    const still: Missing[] = []
    let tried = 0
    for (let misses = 0; tried < left.length && misses < MISSES_MAX; tried++) {
      const { entry } = left[tried] as Missing
      signal.throwIfAborted()
      const failure = await add(entry)
      if (!failure) misses = 0
      else if (isAway(failure)) misses = still.push({ entry, failure })
      else refused.push({ entry, failure })
    }
    left = [...left.slice(tried), ...still]
  }
  return [...refused, ...left]
}
