import { rm, stat } from 'node:fs/promises'
import type { UpdateProblem } from '@tidenet/contract'
import { every, type Logger } from '@tidenet/daemon'
import { waitFor } from '../wait.ts'
import { AHEAD_MAX_MS, chooseUpdate, openManifest, type Update } from './choose-update.ts'
import { fetchManifest, fetchProgram, UpdateFailed } from './fetch-release.ts'
import { previousOf } from './programs.ts'
import type { OwnRelease } from './release.ts'
import { mayTry, readUpdateState, TRIES_MAX, type UpdateState, withFailure, writeUpdateState } from './update-state.ts'

/** The node whose program is updated. */
export interface UpdatedNode {
  readonly id: string
  readonly registered: boolean
  /** Whether its owner allows updates. */
  readonly allowsUpdates: boolean
  /** Transfers that run now. */
  readonly transfers: number
  /** Whether it refuses new transfers. */
  hold(isHeld: boolean): void
}

export interface UpdateTimes {
  /** How often the updater looks whether something is due. */
  step: number
  /** Mean time between two questions to the portal. */
  check: number
  /** How long it waits for a moment without transfers before it refuses new ones, and then for those that run. */
  idle: number
  last: number
  /** How long a new version must have run until the one of before is removed. */
  probation: number
}

export const UPDATE_TIMES: UpdateTimes = {
  step: 60_000,
  check: 3600_000,
  idle: 24 * 3600_000,
  // Longer, the portal would take the node for offline.
  last: 60_000,
  probation: 10 * 60_000,
}

export interface Updater {
  stop(): Promise<void>
}

/**
 * Looks for updates and downloads them; `install` replaces the node when it has no transfers.
 * @param options.program path of the executable
 * @param options.keys public keys of which one must have signed
 * @param options.onState called with what is known about updates, also at the start
 */
export function startUpdater(options: {
  node: () => UpdatedNode
  server: string
  data: string
  program: string
  release: OwnRelease
  keys: readonly string[]
  install: (update: Update, path: string) => Promise<void>
  onState: (state: UpdateState) => void
  now: () => number
  log: Logger
  times?: UpdateTimes
}): Updater {
  const { node, server, data, program, release, keys, install, onState, now, log, times = UPDATE_TIMES } = options
  const started = now()
  const ending = new AbortController()
  let next = started + Math.random() * times.check

  const save = async (state: UpdateState) => {
    await writeUpdateState(data, state)
    onState(state)
  }
  const fail = async (update: Update, problem: UpdateProblem, error: unknown) => {
    log.warn({ err: error, version: update.version }, 'the update did not work')
    await save(withFailure(await readUpdateState(data), { ...update, problem }, now()))
  }

  const endProbation = async () => {
    const state = await readUpdateState(data)
    if (!state.probation || !node().registered) return
    const { probation, ...rest } = state
    if (now() - started >= times.probation) {
      await save(rest)
      await rm(previousOf(program), { force: true })
    } else if (probation.starts > 0) await save({ ...rest, probation: { ...probation, starts: 0 } })
  }

  const check = async (signal: AbortSignal) => {
    const offered = await fetchManifest(server, signal)
    if (!offered) return
    const manifest = openManifest(offered.text, offered.signature, keys)
    const state = await readUpdateState(data)
    const update = chooseUpdate(manifest, { release, seen: state.seen, nodeId: node().id, now: now() })
    const { time } = manifest
    if (time > state.seen && time <= now() + AHEAD_MAX_MS) await save({ ...state, seen: time })
    // One for each node: several may share the program.
    const path = `${program}.${node().id.slice(-12)}.update`
    if (!update) return rm(path, { force: true })
    if (!mayTry(state, update.sha256, now())) return
    const before = await markOf(program)
    try {
      await fetchProgram(server, update, path, signal)
    } catch (error) {
      if (!(error instanceof UpdateFailed)) throw error
      return fail(update, error.problem, error)
    }
    try {
      if (!(await untilIdle(signal))) return
      // Another node has replaced the program that both use: this one starts it at its next start.
      if ((await markOf(program)) !== before) return
      await install(update, path)
    } finally {
      node().hold(false)
    }
  }

  /** Waits for a moment without transfers; in the end it refuses new ones. @returns false if the node must not be replaced any more */
  const untilIdle = async (signal: AbortSignal): Promise<boolean> => {
    const since = now()
    while (!signal.aborted && node().allowsUpdates) {
      const waited = now() - since
      if (waited > times.idle) node().hold(true)
      // One that never ends must not keep updates out for ever; downloads continue elsewhere.
      if (node().transfers === 0 || waited > times.idle + times.last) {
        node().hold(true)
        return true
      }
      await waitFor(Math.min(1000, times.step), signal)
    }
    return false
  }

  const task = every(
    times.step,
    async (stopping) => {
      const signal = AbortSignal.any([stopping, ending.signal])
      await endProbation()
      if (!node().allowsUpdates || now() < next) return
      next = now() + times.check * (0.5 + Math.random())
      await check(signal)
    },
    { name: 'updates', log },
  )
  void readUpdateState(data).then(onState)
  return {
    async stop() {
      ending.abort()
      await task.stop()
    },
  }
}

const markOf = (path: string) =>
  stat(path).then(
    ({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`,
    () => '',
  )

/**
 * At the start of a program, if no other one works in the folder: notes an update that was interrupted.
 * @returns 'restore' if this version was put in place and never became ready: the one of before must come back
 */
export async function reviewStart(data: string, release: OwnRelease, now: number): Promise<'start' | 'restore'> {
  let state = await readUpdateState(data)
  if (state.trying) {
    const { version, sha256, time } = state.trying
    // The machine, or the version of before, was killed while the new one started.
    if (release.time < time) state = withFailure(state, { version, sha256, problem: 'not-ready' }, now)
    else state = { seen: state.seen, probation: { version, sha256, time, starts: 0 } }
    await writeUpdateState(data, state)
  }
  const { probation, ...rest } = state
  // Somebody may start another program in this folder.
  if (!probation || probation.time !== release.time) return 'start'
  if (probation.starts >= TRIES_MAX) {
    const { version, sha256 } = probation
    const failed = {
      version,
      sha256,
      problem: 'not-ready' as const,
      tries: TRIES_MAX,
      failures: TRIES_MAX,
      retryAt: now,
    }
    await writeUpdateState(data, { ...rest, failed })
    return 'restore'
  }
  await writeUpdateState(data, { ...rest, probation: { ...probation, starts: probation.starts + 1 } })
  return 'start'
}
