/** How long a client waits for the portal, and how it waits. Times in ms. */
export interface Patience {
  /** What one call may take from asking to the last byte of the answer. */
  timeout: number
  /** How long calls that may be repeated are tried again. */
  retryFor: number
  /** A moment that only grows. */
  now(): number
  pause(ms: number, signal: AbortSignal): Promise<void>
  /** Calls `late` after so many ms, unless what it gives is called before. */
  deadline(ms: number, late: () => void): () => void
  /** From 0 up to 1. */
  random(): number
}

/** Of one call. */
export const CALL_TIMEOUT = 30_000
/** A portal that is started again, or whose database is, is there again by then. */
export const RETRY_FOR = 10_000

const FIRST_WAIT = 200
const LONGEST_WAIT = 2000

/** One try of a call. */
export interface Try<T> {
  result: T
  /** It may go better a little later; `arrived` is false only when the request certainly never came to anyone. */
  again?: { arrived: boolean; after?: number | undefined } | undefined
}

/**
 * Carries out a call, and again for as long as patience lasts where that can do no harm: `repeatable` calls whenever no answer came,
 * others only when nobody can have heard of them. Waits twice as long each time, by half of it at random, or as long as the portal asks for.
 */
export async function patiently<T>(
  patience: Patience,
  call: { repeatable: boolean; signal: AbortSignal; onRepeat?: ((arrived: boolean) => void) | undefined },
  work: () => Promise<Try<T>>,
): Promise<T> {
  const began = patience.now()
  let waited = 0
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    const { result, again } = await work()
    if (!again || call.signal.aborted || (again.arrived && !call.repeatable)) return result
    const pause = Math.max(wait * (0.5 + patience.random() / 2), again.after ?? 0)
    // Waits count by what they were to be as well: a clock that stands still does not make them endless.
    const spent = Math.max(patience.now() - began, waited)
    if (spent + pause > patience.retryFor) return result
    waited += pause
    try {
      await patience.pause(pause, call.signal)
    } catch {
      return result
    }
    call.onRepeat?.(again.arrived)
  }
}

/** True when a fetch failed before anyone can have got the request: the address is not known, or nobody listens there. */
export function neverArrived(error: unknown): boolean {
  const NEVER = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']
  const { code, cause, errors } = (error ?? {}) as { code?: unknown; cause?: unknown; errors?: unknown }
  if (Array.isArray(errors) && errors.length > 0) return errors.every(neverArrived)
  return typeof code === 'string' ? NEVER.includes(code) : cause !== undefined && neverArrived(cause)
}

/** What `Retry-After` asks for, in ms: seconds, or a date. */
export function retryAfter(header: string | null, now: number = Date.now()): number | undefined {
  if (header === null) return undefined
  const seconds = /^\s*(\d{1,9})\s*$/.exec(header)?.[1]
  if (seconds !== undefined) return Number(seconds) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
