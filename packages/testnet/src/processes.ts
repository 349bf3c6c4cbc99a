import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EXIT_PERMANENT, StartError } from '@tidenet/daemon/start-error'
import { appendLog, type LogFile } from './log-file.ts'

export interface ProcessOptions {
  /** Name in messages and in the table of npm start. */
  readonly name: string
  /** Path of a JavaScript file that calls `runProgram`. */
  readonly script: string
  /** Added to this process's environment. A function is called before every start. */
  readonly env: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>)
  /** Output file; its folder is created. */
  readonly logFile: string
  /** Restart with backoff after unexpected exits, once it has been ready. */
  readonly restart?: boolean
  /** Node.js options, such as `--max-old-space-size=128`. */
  readonly nodeOptions?: readonly string[]
  /** A command that replaces itself with the program given to it, such as `ip netns exec home`. */
  readonly within?: readonly string[]
  readonly onStart?: (pid: number) => void
  /** `again`: it will be restarted. */
  readonly onExit?: (pid: number, exit: Exit, again: boolean) => void
  /** It failed to start and a restart would not help; with its message. */
  readonly onHopeless?: (message: string) => void
}

export type Ready = Readonly<Record<string, unknown>>

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Program {
  readonly name: string
  readonly logFile: string
  /** Undefined while stopped. */
  readonly pid: number | undefined
  /** The ready message of the program. Rejects with StartError if it exits before that. */
  readonly ready: Promise<Ready>
  /** Exit of the current or last run. */
  readonly exited: Promise<Exit>
  kill(signal?: NodeJS.Signals): void
  /** Stops it if running, starts it, and waits until it is ready. */
  restart(): Promise<Ready>
  /** Stops it for good: SIGTERM, and SIGKILL after 6 seconds. */
  stop(): Promise<void>
  /** Sets its clock, also for later restarts; resolves when it is applied. */
  moveClock(offsetMs: number): Promise<void>
}

const KILL_AFTER_MS = 6_000
/** A stopped process never confirms a new time. */
const CLOCK_TAKEN_WITHIN_MS = 20_000
/** The time is sent again at this interval: after a pause of the machine, timers end before messages are delivered. */
const CLOCK_ASKED_MS = 2_000
const BACK_OFF_MS = [100, 300, 1_000, 3_000, 10_000]
/** After running this long, a program that exits is restarted without backoff. */
const STEADY_MS = 5_000

interface Run {
  readonly child: ChildProcess
  readonly ready: Promise<Ready>
  readonly exited: Promise<Exit>
  readonly exit: Exit | undefined
  readonly startedAt: number
  clockTaken(offsetMs: number): Promise<void>
}

/** Starts a Node.js program as a child. If we die, its IPC channel closes and it stops. */
export function startProcess(options: ProcessOptions): Program {
  mkdirSync(dirname(options.logFile), { recursive: true, mode: 0o750 })
  let clock: number | undefined
  let wanted = true
  let wasReady = false
  let failures = 0
  let waiting: NodeJS.Timeout | undefined
  // While a restart is pending, `ready` is that of the next run.
  let next = deferred<Ready>()
  let run: Run = begin()

  function begin(): Run {
    const started: Run = spawnRun(options, (exit) => restartsAfter(started, exit))
    if (clock !== undefined) started.child.send?.({ type: 'clock', offsetMs: clock })
    const promised = next
    started.ready.then(
      (ready) => {
        wasReady = true
        promised.resolve(ready)
      },
      (error: unknown) => {
        if (!restartsAfter(started, started.exit)) promised.reject(error)
      },
    )
    void started.exited.then((exit) => {
      if (run !== started || !restartsAfter(started, exit)) return
      if (Date.now() - started.startedAt > STEADY_MS) failures = 0
      if (next === promised && promised.settled) next = deferred<Ready>()
      waiting = setTimeout(
        () => {
          run = begin()
        },
        BACK_OFF_MS[Math.min(failures++, BACK_OFF_MS.length - 1)],
      )
    })
    return started
  }
  const restartsAfter = (ended: Run, exit: Exit | undefined) =>
    wanted && wasReady && options.restart === true && run === ended && exit?.code !== EXIT_PERMANENT

  const endRun = async () => {
    clearTimeout(waiting)
    const { child, exited } = run
    if (!isRunning(child)) return
    child.kill('SIGTERM')
    // A stopped process handles SIGTERM only after SIGCONT.
    child.kill('SIGCONT')
    const kill = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
    await exited
    clearTimeout(kill)
  }

  return {
    name: options.name,
    logFile: options.logFile,
    get pid() {
      return isRunning(run.child) ? run.child.pid : undefined
    },
    get ready() {
      return next.promise
    },
    get exited() {
      return run.exited
    },
    kill: (signal = 'SIGKILL') => void run.child.kill(signal),
    async restart() {
      wanted = false
      await endRun()
      wanted = true
      if (next.settled) next = deferred<Ready>()
      run = begin()
      return next.promise
    },
    async stop() {
      wanted = false
      await endRun()
      if (!next.settled) next.reject(new StartError(`${options.name} was stopped before it was ready.`))
    },
    async moveClock(offsetMs) {
      clock = offsetMs
      if (!isRunning(run.child)) return
      const { child, exited, clockTaken } = run
      const taken = Promise.race([clockTaken(offsetMs), exited]).then(() => true)
      for (let asked = 0; asked < CLOCK_TAKEN_WITHIN_MS / CLOCK_ASKED_MS; asked++) {
        child.send?.({ type: 'clock', offsetMs })
        if (await Promise.race([taken, sleep(CLOCK_ASKED_MS, false, { ref: false })])) return
      }
      throw new Error(`${options.name} (process ${child.pid}) does not take another time`)
    },
  }
}

function spawnRun(options: ProcessOptions, restarts: (exit: Exit) => boolean): Run {
  const log = appendLog(options.logFile)
  const env = typeof options.env === 'function' ? options.env() : options.env
  const [command = process.execPath, ...args] = [
    ...(options.within ?? []),
    process.execPath,
    ...(options.nodeOptions ?? []),
    options.script,
  ]
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    // Its own session: Ctrl-C reaches only us, and we stop programs in order.
    detached: true,
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  })
  closeSync(log.fd)
  const pid = child.pid
  if (pid !== undefined) options.onStart?.(pid)
  const ready = deferred<Ready>()
  const clocks: { offsetMs: number; resolve: () => void }[] = []
  let exit: Exit | undefined

  child.on('message', (message: unknown) => {
    const { type, ...facts } = message as { type?: unknown } & Ready
    if (type === 'ready') ready.resolve(facts)
    if (type === 'clock') for (const clock of clocks) if (clock.offsetMs === facts.offsetMs) clock.resolve()
  })
  const exited = new Promise<Exit>((resolve) => {
    child.on('error', (error) => {
      if (child.pid !== undefined) return
      ready.reject(new StartError(`${options.name} could not be started: ${error.message}`))
      resolve({ code: 127, signal: null })
    })
    child.on('exit', (code, signal) => {
      exit = { code, signal }
      ready.reject(new StartError(failure(options, log)))
      if (pid !== undefined) options.onExit?.(pid, exit, restarts(exit))
      if (code === EXIT_PERMANENT) options.onHopeless?.(failure(options, log))
      resolve(exit)
    })
  })
  return {
    child,
    ready: ready.promise,
    exited,
    get exit() {
      return exit
    },
    startedAt: Date.now(),
    clockTaken: (offsetMs) => new Promise((resolve) => clocks.push({ offsetMs, resolve })),
  }
}

function failure(options: ProcessOptions, log: LogFile): string {
  const said = log.tail()
  return `${options.name} ended before it was ready${said ? `:\n${said}` : ''}\n(${options.logFile})`
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}

interface Deferred<T> {
  readonly promise: Promise<T>
  readonly settled: boolean
  resolve(value: T): void
  reject(error: unknown): void
}

function deferred<T>(): Deferred<T> {
  let settled = false
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((take, refuse) => {
    resolve = take
    reject = refuse
  })
  // Avoid an unhandled rejection if nobody awaits it.
  promise.catch(() => {})
  return {
    promise,
    get settled() {
      return settled
    },
    resolve(value) {
      settled = true
      resolve(value)
    },
    reject(error) {
      settled = true
      reject(error)
    },
  }
}
