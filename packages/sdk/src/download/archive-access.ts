import type { Core } from '../core.ts'
import { type Failure, isSuccess, type Result, Stop, success } from '../result.ts'
import type { SharedItems } from './archive-types.ts'
import { TICKET_REFUSED } from './download.ts'
import type { DownloadOptions } from './types.ts'

const TOO_MANY_REQUESTS = 429
const WAIT_MS = 10_000
/** Limits of requests count by the minute. */
const WAITS_MAX = 12

/** The server's error numbers. */
const SHARE_EXPIRED = 2058
const SHARE_LIMIT = 2064
const FILE_UNKNOWN = 10028

/** What grants access to the files of an archive, for as long as it takes. */
export interface ArchiveAccess {
  /** The options of a download of one file, at this moment. */
  readonly source: Pick<DownloadOptions, 'source' | 'userId' | 'groupId' | 'ticket'>
  /**
   * Repeats a call that was refused because this network sent too many requests in a minute, or because the share token expired.
   * @param work reads `source` each time. @throws Stop if the share does not open any more
   */
  call<T>(work: () => Promise<Result<T>>): Promise<Result<T>>
  /** For downloads that take longer than a share token is valid. @throws Stop */
  renewTicket?(): Promise<Result<{ ticket: string }>>
}

/** Access to the files of the account, or of a share. */
export function createArchiveAccess(core: Core, shared: SharedItems | undefined, signal: AbortSignal): ArchiveAccess {
  const patient = <T>(call: () => Promise<Result<T>>) => withinRateLimit(core, signal, call)
  if (!shared) return { source: { source: 'own' }, call: patient }
  const { userId, groupId, renewTicket } = shared
  let { ticket } = shared
  let renewing: Promise<void> | undefined
  /** The link opens for nobody any more because its downloads are used up: the rest is left out, as with a valid share token. */
  let usedUp: Failure | undefined
  /** The link does not open any more. */
  let over: Stop | undefined

  const ended = (refusal: Failure) =>
    new Stop({ ...refusal, msg: core.toFailure('shareError', { phrase: 'shareEnded', fill: [refusal.msg] }).msg })
  const renew = async () => {
    const renewed = await patient(async () => renewTicket?.() ?? core.toFailure('shareError'))
    if (isSuccess(renewed)) ticket = renewed.data.ticket
    else if (renewed.data.err === SHARE_LIMIT) usedUp = renewed
    else {
      over = ended(renewed)
      throw over
    }
  }
  const renewOnce = () => {
    renewing ??= renew().finally(() => {
      renewing = undefined
    })
    return renewing
  }
  /** @param isCheck it asks whether the share opens */
  const attempt = async <T>(work: () => Promise<Result<T>>, isCheck = false): Promise<Result<T>> => {
    for (let renewals = 0; ; renewals++) {
      const used = ticket
      const result = await patient(work)
      if (isSuccess(result) || signal.aborted) return result
      if (over) throw over
      const { err } = result.data
      if (err === SHARE_EXPIRED || (isCheck && err !== undefined && err !== TICKET_REFUSED)) throw ended(result)
      // A file that is gone looks like one that is no longer shared.
      if (err === FILE_UNKNOWN) await attempt(openShare, true)
      if (err !== TICKET_REFUSED) return result
      if (usedUp) return usedUp
      if (!renewTicket || renewals > 0) throw ended(result)
      // Files are fetched at the same time: one renewal is enough.
      if (ticket !== used) continue
      await renewOnce()
    }
  }
  const openShare = () =>
    core.api.call(
      'shares.folder',
      { user_id: userId, group_id: groupId, page: 1, page_size: 1, ...(ticket && { ticket }) },
      { signal },
    )
  return {
    get source() {
      return { source: 'open' as const, userId, groupId, ...(ticket && { ticket }) }
    },
    call: attempt,
    ...(renewTicket && {
      async renewTicket() {
        await renewOnce()
        return usedUp ?? success({ ticket: ticket ?? '' }, core.api.lang)
      },
    }),
  }
}

async function withinRateLimit<T>(
  core: Pick<Core, 'pause'>,
  signal: AbortSignal,
  call: () => Promise<Result<T>>,
): Promise<Result<T>> {
  for (let waits = 0; ; waits++) {
    const result = await call()
    if (result.code !== TOO_MANY_REQUESTS || waits === WAITS_MAX) return result
    try {
      await core.pause(WAIT_MS, signal)
    } catch {
      // Cancelled.
      return result
    }
  }
}
