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
