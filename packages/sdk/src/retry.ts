/** Timeout and retry policy of calls to the portal. Times in ms. */
export interface RetryPolicy {
  /** Timeout of one attempt, from the request to the last byte of the answer. */
  timeout: number
  /** How long repeatable calls are retried. */
  retryFor: number
  /** A monotonic clock. */
  now(): number
  pause(ms: number, signal: AbortSignal): Promise<void>
  /** Calls `late` after `ms`, unless the returned function is called before. */
  deadline(ms: number, onTimeout: () => void): () => void
  /** 0 ≤ x < 1 */
  random(): number
}

export const CALL_TIMEOUT = 30_000
/** Long enough for a restart of the portal or its database. */
export const RETRY_FOR = 10_000

const FIRST_WAIT = 200
const LONGEST_WAIT = 2000

/** One attempt of a call. */
export interface Attempted<T> {
  result: T
  /** Set if a retry may help; `arrived` is false only if the request certainly did not reach a server. */
  again?: { arrived: boolean; after?: number | undefined } | undefined
}

/**
 * Runs a call with retries: `repeatable` calls whenever no answer came, others only if the request cannot have arrived. Backs off
 * exponentially with jitter, or as long as `Retry-After` says.
 */
export async function withRetries<T>(
  policy: RetryPolicy,
  call: { repeatable: boolean; signal: AbortSignal; onRepeat?: ((arrived: boolean) => void) | undefined },
  work: () => Promise<Attempted<T>>,
): Promise<T> {
  const began = policy.now()
  let waited = 0
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    const { result, again } = await work()
    if (!again || call.signal.aborted || (again.arrived && !call.repeatable)) return result
    const pause = Math.max(wait * (0.5 + policy.random() / 2), again.after ?? 0)
    // Planned waits count as well, so that a stopped clock cannot cause endless retries.
    const spent = Math.max(policy.now() - began, waited)
    if (spent + pause > policy.retryFor) return result
    waited += pause
    try {
      await policy.pause(pause, call.signal)
    } catch {
      return result
    }
    call.onRepeat?.(again.arrived)
  }
}

/** Whether a fetch failed before the request was sent: unknown host, or refused connection. */
export function neverSent(error: unknown): boolean {
  const NEVER = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']
  const { code, cause, errors } = (error ?? {}) as { code?: unknown; cause?: unknown; errors?: unknown }
  if (Array.isArray(errors) && errors.length > 0) return errors.every(neverSent)
  return typeof code === 'string' ? NEVER.includes(code) : cause !== undefined && neverSent(cause)
}

/** `Retry-After` in ms; the header has seconds or a date. */
export function retryAfter(header: string | null, now: number = Date.now()): number | undefined {
  if (header === null) return undefined
  const seconds = /^\s*(\d{1,9})\s*$/.exec(header)?.[1]
  if (seconds !== undefined) return Number(seconds) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
