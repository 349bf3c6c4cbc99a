import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '@tidenet/daemon/start-error'
import { existsPid, identify, processesIn, signal, until } from './process-identity.ts'

/** Time for a fast shutdown before an immediate one; neither loses committed data. */
const FAST_MS = 5_000
const IMMEDIATE_MS = 3_000

/**
 * Ends processes that an earlier PostgreSQL left in the cluster's folder. Call it only while holding the folder's lock, which proves that
 * their parent is gone.
 * - A live postmaster is shut down; processes that outlive a killed postmaster are waited for.
 * - A postmaster.pid whose pid belongs to another program or to a zombie would prevent PostgreSQL from starting. It is removed: the lock
 * proves that the folder is unused.
 * @throws StartError if a process does not end
 */
export async function stopLeftovers(cluster: string, log: (line: string) => void): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const listed = postmasterPid(cluster)
  const left = () => leftIn(cluster, listed)
  if (left().length > 0) {
    log(`An earlier PostgreSQL (pid ${left().join(', ')}) still runs in ${cluster}: ending it.`)
    for (const name of ['SIGINT', 'SIGQUIT'] as const) {
      if (listed && left().includes(listed)) signal(listed, name)
      if (await until(() => left().length === 0, name === 'SIGINT' ? FAST_MS : IMMEDIATE_MS)) break
    }
    if (left().length > 0) {
      throw new StartError(
        `An earlier PostgreSQL (pid ${left().join(', ')}) in ${cluster} does not end. End it, then start again.`,
      )
    }
  }
  const remaining = postmasterPid(cluster)
  if (remaining && existsPid(remaining) && existsSync(file) && process.platform === 'linux') {
    log(`Removing ${file}: its pid ${remaining} is not PostgreSQL's any more.`)
    rmSync(file, { force: true })
  }
}

/** The pid in the cluster's pid file, alive or not. */
export function postmasterPid(cluster: string): number | undefined {
  return Number(pidFile(cluster)[0]) || undefined
}

/** Whether the postmaster accepts connections. Line 8 of the pid file is its status. */
export function isReady(cluster: string, accepts: (pid: number) => boolean): number | undefined {
  const lines = pidFile(cluster)
  const pid = Number(lines[0])
  return accepts(pid) && lines[7]?.trim() === 'ready' ? pid : undefined
}

function leftIn(cluster: string, listed: number | undefined): number[] {
  if (process.platform === 'linux') return processesIn(cluster)
  return listed && identify(listed) && commandOf(listed).includes(cluster) ? [listed] : []
}

function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

function pidFile(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}
