import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process that cannot be mistaken for a later one which was given the same pid. */
export interface ProcessIdentity {
  readonly pid: number
  /** When the process began, in whatever unit the system counts. */
  readonly since: string
}

/** Who runs under `pid` now; undefined when nobody does. A zombie counts as nobody: it holds nothing any more. */
export function identify(pid: number): ProcessIdentity | undefined {
  if (process.platform !== 'linux') return identifyByPs(pid)
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses may hold anything, so the fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, since] = [fields[0], fields[19]]
    return !since || state === 'Z' || state === 'X' ? undefined : { pid, since }
  } catch {
    return undefined
  }
}

function identifyByPs(pid: number): ProcessIdentity | undefined {
  try {
    const [state, ...since] = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
    return !state || state.startsWith('Z') ? undefined : { pid, since: since.join(' ') }
  } catch {
    return undefined
  }
}

export function isAlive({ pid, since }: ProcessIdentity): boolean {
  return identify(pid)?.since === since
}

/** Whether the system would still deliver a signal to `pid`; true for a zombie as well. */
export function existsPid(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Sends a signal unless the process is gone. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It ended by itself in the meantime.
  }
}

/** The live processes that have `folder` as their working directory. Elsewhere than on Linux nobody can say: none. */
export function processesIn(folder: string): number[] {
  if (process.platform !== 'linux') return []
  const found: number[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      if (readlinkSync(`/proc/${name}/cwd`) === folder) found.push(Number(name))
    } catch {
      // Gone, a zombie, or another user's.
    }
  }
  return found
}

/** The parent of `pid`, or undefined when that is not known. */
export function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) || undefined
  } catch {
    return undefined
  }
}

/** Waits until `condition` holds; false when it still does not after `limitMs`. */
export async function until(condition: () => boolean, limitMs: number, everyMs = 20): Promise<boolean> {
  const deadline = Date.now() + limitMs
  while (!condition()) {
    if (Date.now() > deadline) return false
    await sleep(everyMs)
  }
  return true
}
