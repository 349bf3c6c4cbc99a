import process from 'node:process'
import { surviveOutput, writeLine } from './output.ts'
import { EXIT_PERMANENT, StartError } from './start-error.ts'

export { EXIT_PERMANENT, StartError }

/** The lifecycle of a program, passed to its start function. */
export interface Life {
  /** Aborts when the program should stop, also during start: end retry loops on it. */
  readonly stopping: AbortSignal
  /** Stops the program as SIGTERM would; `code` is the exit code, 0 by default. */
  stop(reason: string, code?: number): void
  /** Tests only: receives clock offsets while the program starts; afterwards `Running.onClock` does. */
  onClock(listener: (offsetMs: number) => void): void
}

/** A started program. */
export interface Running {
  /** Data for the parent process, such as `{ url, port }`. Must be JSON. */
  readonly ready: Record<string, unknown>
  /** Releases all resources; the process exits when it resolves. */
  stop(): Promise<void>
  /** Tests only: the program's clock is now the real time plus `offsetMs`. */
  onClock?(offsetMs: number): void | Promise<void>
}

/** The part of `process` that is used here; tests replace it. */
export interface Host {
  readonly connected?: boolean
  readonly env: Record<string, string | undefined>
  send?(message: unknown): unknown
  on(event: string, listener: (...args: never[]) => void): unknown
  exit(code: number): void
}

export interface ProgramOptions {
  /** Ms that `stop` may take before the process exits anyway. Default 8000. */
  readonly stopLimitMs?: number
  /** Prints that the program is ready; used without a parent process. Default: one JSON line. */
  readonly announce?: (ready: Record<string, unknown>) => void
  readonly host?: Host
  readonly print?: (line: string) => void
}

/** Shorter than after a signal: without a parent, nothing waits for this process. */
const ORPHAN_LIMIT_MS = 4_500
const STOP_LIMIT_MS = 8_000
/** One Ctrl-C may arrive twice: from the terminal, and forwarded by npm. */
const ONE_PRESS_MS = 300

/**
 * Runs a program from start to exit; the main.ts of every app calls it once.
 *
 * - Ready: `{ type: 'ready', ...ready }` to the parent over IPC, or one line on standard output.
 * - SIGINT, SIGTERM: graceful stop, exit code 0. A second signal exits at once with 130; a timeout exits with 1.
 * - IPC channel closed because the parent died: graceful stop within 5 seconds.
 * - IPC `{ type: 'clock', offsetMs }`: moves the clock and replies with the same message. Refused in production.
 * - `StartError`: prints its message, other errors with their stack. Both exit with 1, a permanent `StartError` with `EXIT_PERMANENT`.
 */
export function runProgram(start: (life: Life) => Promise<Running>, options: ProgramOptions = {}): void {
  if (!options.host) surviveOutput()
  const host = options.host ?? (process as unknown as Host)
  const print = options.print ?? ((line: string) => writeLine(process.stderr, line))
  const announce =
    options.announce ?? ((ready) => writeLine(process.stdout, JSON.stringify({ type: 'ready', ...ready })))
  const hasParent = typeof host.send === 'function'
  const abort = new AbortController()
  let running: Running | undefined
  let clock: number | undefined
  let early: ((offsetMs: number) => void) | undefined
  let ended = false

  const exit = (code: number) => {
    if (ended) return
    ended = true
    host.exit(code)
  }
  const tell = (message: Record<string, unknown>) => {
    if (hasParent && host.connected !== false) host.send?.(message)
  }
  const stop = (limitMs: number, code: number) => {
    if (abort.signal.aborted) return
    abort.abort()
    setTimeout(() => {
      print(`Did not stop within ${limitMs / 1000} s; exiting anyway.`)
      exit(1)
    }, limitMs).unref()
    if (running) end(running, code)
  }
  const end = (program: Running, code: number) => {
    program.stop().then(
      () => exit(code),
      (error: unknown) => {
        print(`Stopping failed: ${describe(error)}`)
        exit(1)
      },
    )
  }
  const moveClock = async (offsetMs: number) => {
    await running?.onClock?.(offsetMs)
    tell({ type: 'clock', offsetMs })
  }

  const stopLimitMs = options.stopLimitMs ?? STOP_LIMIT_MS
  let signalledAt = 0
  const onSignal = () => {
    const again = Date.now() - signalledAt > ONE_PRESS_MS
    signalledAt = Date.now()
    if (!abort.signal.aborted) stop(stopLimitMs, 0)
    else if (again) exit(130)
  }
  host.on('SIGINT', onSignal)
  host.on('SIGTERM', onSignal)
  if (hasParent) {
    host.on('disconnect', () => stop(ORPHAN_LIMIT_MS, 0))
    host.on('message', ((message: unknown) => {
      const offsetMs = clockOffset(message)
      if (offsetMs === undefined || isProduction(host)) return
      clock = offsetMs
      if (running) void moveClock(offsetMs)
      else early?.(offsetMs)
    }) as (...args: never[]) => void)
    if (host.connected === false) {
      exit(0)
      return
    }
  }

  const life: Life = {
    stopping: abort.signal,
    stop: (reason, code = 0) => {
      print(reason)
      stop(stopLimitMs, code)
    },
    onClock(listener) {
      early = listener
      if (clock !== undefined) listener(clock)
    },
  }
  start(life).then(
    async (program) => {
      running = program
      // A signal arrived during start: stop now.
      if (abort.signal.aborted) return end(program, 0)
      if (clock !== undefined) await moveClock(clock)
      if (hasParent) tell({ ...program.ready, type: 'ready' })
      else announce(program.ready)
    },
    (error: unknown) => {
      // Failing to start is fine if the program was told to stop.
      if (abort.signal.aborted) return exit(0)
      print(describe(error))
      exit(error instanceof StartError && error.permanent ? EXIT_PERMANENT : 1)
    },
  )
}

function describe(error: unknown): string {
  if (error instanceof StartError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function clockOffset(message: unknown): number | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  const { type, offsetMs } = message as { type?: unknown; offsetMs?: unknown }
  return type === 'clock' && typeof offsetMs === 'number' && Number.isFinite(offsetMs) ? offsetMs : undefined
}

function isProduction(host: Host): boolean {
  return host.env.NODE_ENV === 'production' || host.env.TIDENET_ENV === 'production'
}
