import type { Logger } from '@tidenet/daemon'
import type { Life } from '@tidenet/daemon/lifecycle'
import { waitFor } from '../wait.ts'
import type { Update } from './choose-update.ts'
import { askRelease, EXIT_RESTART, replaceProgram, type StartedProgram, startProgram } from './programs.ts'
import type { OwnRelease } from './release.ts'
import { readUpdateState, withFailure, writeUpdateState } from './update-state.ts'
import { startUpdater, type UpdatedNode, type UpdateTimes } from './updater.ts'

/** A node that can be stopped and started again. */
export interface RestartableNode extends UpdatedNode {
  stop(): Promise<void>
}

/** Who starts the program again when it ends: the service manager, the version that started this one, or nobody. */
export type Restarts = 'manager' | 'parent' | 'nobody'

/** How long the new version may take until it is registered with the portal. */
const READY_MS = 180_000
/** Whether the portal can be reached at all: otherwise the new version is not to blame. */
const REACH_MS = 60_000

/**
 * Runs a node whose program updates itself. The new version runs in place of the node before its file replaces the program, so one that does
 * not become ready changes nothing.
 * @param options.node the started node
 * @param options.start starts it again
 * @returns a function that stops the node, or the version that has taken its place
 */
export function runSelfUpdating<N extends RestartableNode>(options: {
  node: N
  start: () => Promise<N>
  life: Pick<Life, 'stop'>
  restarts: Restarts
  /** Arguments with which this program was started. */
  args: readonly string[]
  server: string
  data: string
  program: string
  release: OwnRelease
  keys: readonly string[]
  onState: Parameters<typeof startUpdater>[0]['onState']
  now: () => number
  log: Logger
  times?: UpdateTimes & { ready: number; reach: number }
}): { stop(): Promise<void> } {
  const { start, life, restarts, args, data, program, onState, now, log, times } = options
  let node: N | undefined = options.node
  let last = options.node
  let taken: StartedProgram | undefined
  let isStopping = false

  const install = async (update: Update, path: string) => {
    const { version, sha256, time } = update
    const failed = async (problem: 'not-ready' | 'download') => {
      const state = withFailure(await readUpdateState(data), { version, sha256, problem }, now())
      await writeUpdateState(data, state)
      onState(state)
    }
    const facts = await askRelease(path).catch(() => undefined)
    if (facts?.version !== version || facts.time !== time) {
      log.error({ version }, 'the new version does not start on this machine, so this one stays')
      return failed('not-ready')
    }
    await writeUpdateState(data, { ...(await readUpdateState(data)), trying: { version, sha256, time } })
    log.info({ version }, 'updating')
    await node?.stop()
    node = undefined
    if (isStopping) return
    taken = startProgram(path, args)
    if (await taken.isReady(last.id, times?.ready ?? READY_MS)) return takeOver(update, path, taken)
    await taken.stop()
    taken = undefined
    if (isStopping) return
    node = last = await start()
    const until = Date.now() + (times?.reach ?? REACH_MS)
    while (!node.registered && Date.now() < until) await waitFor(200, new AbortController().signal)
    await failed(node.registered ? 'not-ready' : 'download')
    log.error({ version }, 'the new version did not become ready, so this one continues')
  }

  const takeOver = async ({ version, sha256, time }: Update, path: string, next: StartedProgram) => {
    await replaceProgram(program, path)
    const { seen } = await readUpdateState(data)
    await writeUpdateState(data, { seen, probation: { version, sha256, time, starts: 0 } })
    if (restarts === 'nobody') return supervise(next, version)
    await next.stop()
    taken = undefined
    life.stop(`Updated to ${version}: restarting.`, restarts === 'parent' ? EXIT_RESTART : 0)
  }

  /** Stays as long as the new version runs; later ones ask to be started again instead of staying, too. */
  const supervise = async (next: StartedProgram, version: string) => {
    log.info({ version }, 'updated; the new version runs as a part of this process until the next start')
    void updater.stop()
    for (let current = next; ; taken = current = startProgram(program, args)) {
      const code = await current.ended
      if (isStopping) return
      if (code !== EXIT_RESTART) return life.stop('The updated node has ended.', code ?? 1)
    }
  }

  const updater = startUpdater({
    ...options,
    node: () => node ?? last,
    install: (update, path) =>
      install(update, path).catch((error: unknown) => {
        // Without a node this process is of no use: whoever supervises it starts it again.
        if (!node && !taken && !isStopping) life.stop(`The update failed: ${(error as Error).message}`, 1)
        throw error
      }),
  })

  return {
    async stop() {
      isStopping = true
      const ended = taken?.stop()
      await Promise.all([updater.stop(), ended])
      await taken?.stop()
      await node?.stop()
    },
  }
}
