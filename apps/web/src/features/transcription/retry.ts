import { SPEECH_PART, SPEECH_PART_MIN } from '@tidenet/contract/speech'
import { ApiError } from '../../lib/api.ts'

/** The queue or the storage of all accounts is full. */
const SPEECH_BUSY = 2081
/** Limits that last longer are shown instead of waited for, such as the one per day. In seconds. */
const WAIT_MAX = 60

/** Whether the same part can be sent again within a minute. */
export function isTemporary(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.kind === 'network' || error.kind === 'server' || (error.kind === 'busy' && error.seconds <= WAIT_MAX)
}

/** Whether the upload can be continued later; the server deletes uploads whose recording it refuses. */
export const isResumable = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.err === SPEECH_BUSY || error.kind !== 'refused'

/** The server ends requests after 30 seconds; parts should be far from that. */
const QUICK_SECONDS = 5

/** The size of the next part after one was lost (undefined), or sent in some seconds: smaller ones pass slow connections. */
export const nextPartSize = (size: number, seconds: number | undefined): number =>
  seconds === undefined
    ? Math.max(SPEECH_PART_MIN, size / 2)
    : seconds < QUICK_SECONDS
      ? Math.min(SPEECH_PART, size * 2)
      : size
