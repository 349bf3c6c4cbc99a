import { fork } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ClusterError } from '../driver.ts'
import type { TransferOptions, TransferResult, TransferTask } from '../transfer-task.ts'

/**
 * Copies files between a folder of an account's storage and a program. A process of its own does the work, so no byte passes through the
 * server. It uses the SDK with an API key that is limited to the folder, and reads the program's files through the engine, which resolves
 * every path within the container.
 */

/** How the worker reaches the container. */
export interface EngineAccess {
  engine: { socketPath: string } | { host: string; port: number }
  container: string
  /** Whether files can only be read by a program in the container. */
  byCommand: boolean
}

/** Messages of the worker. It waits for the answer `planned` before it copies. */
export type FromWorker = { plan: Record<string, string> } | { result: TransferResult } | { alive: true }
export interface ToWorker {
  task: TransferTask
  access: EngineAccess
  /** A folder for files in transit, which is removed afterwards. */
  spool: string
}

/** No bytes moved for this long: the worker is ended. However long it takes in all, it goes on while they move. */
const SILENCE_MS = 10 * 60_000

/** Where files in transit are. @param data the driver's folder */
export const transfersIn = ({ data }: { data: string }): string => join(data, 'transfers')

const SPOOL = 'spool-'
/** Of copies that run in this process. */
const spools = new Set<string>()

/** Creates a folder for files in transit; its name has the id of this process. */
function createSpool(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const spool = mkdtempSync(join(folder, `${SPOOL}${process.pid}-`))
  spools.add(spool)
  return spool
}

function removeSpool(spool: string): void {
  rmSync(spool, { recursive: true, force: true })
  spools.delete(spool)
}

/** Removes files in transit of servers that were killed. @param folder as of `runTransfer` */
export function removeStaleSpools(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (!name.startsWith(SPOOL)) continue
    const pid = Number(/^\d+(?=-)/.exec(name.slice(SPOOL.length))?.[0])
    // In a container, every server has the same id.
    const isUsed = pid === process.pid ? spools.has(join(folder, name)) : isRunning(pid)
    if (!isUsed) removeSpool(join(folder, name))
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The compiled worker, also for tests, which run from the sources. */
const WORKER = fileURLToPath(
  import.meta.url.endsWith('.ts')
    ? new URL('../../../../dist/compute/clusters/engine/transfer-worker.js', import.meta.url)
    : new URL('./transfer-worker.js', import.meta.url),
)

/**
 * Runs a task in a new process, which ends with this one.
 * @param folder for files in transit
 * @throws ClusterError `failed` if the process ended without a result
 */
export async function runTransfer(
  access: EngineAccess,
  task: TransferTask,
  { plan, signal }: TransferOptions,
  folder: string,
): Promise<TransferResult> {
  const spool = createSpool(folder)
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env
  // Without the server's environment, which has its secrets.
  const child = fork(WORKER, [], {
    env: certificates ? { NODE_EXTRA_CA_CERTS: certificates } : {},
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr?.on('data', (text) => {
    errors = `${errors}${text}`.slice(-2000)
  })
  const kill = () => void child.kill('SIGKILL')
  signal?.addEventListener('abort', kill)
  if (signal?.aborted) kill()
  let silence = setTimeout(kill, SILENCE_MS)
  try {
    return await new Promise<TransferResult>((resolve, reject) => {
      const failed = (cause?: Error) =>
        reject(new ClusterError('failed', 'The files could not be copied.', { cause: cause ?? new Error(errors) }))
      child.once('error', failed)
      child.once('exit', () => failed())
      child.on('message', (message: FromWorker) => {
        clearTimeout(silence)
        silence = setTimeout(kill, SILENCE_MS)
        if ('plan' in message) plan(message.plan).then(() => child.send('planned'), failed)
        if ('result' in message) resolve(message.result)
      })
      child.send({ task, access, spool } satisfies ToWorker)
    })
  } finally {
    clearTimeout(silence)
    signal?.removeEventListener('abort', kill)
    kill()
    removeSpool(spool)
  }
}
