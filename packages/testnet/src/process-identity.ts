import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process, distinguishable from a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number
  /** Start time of the process, in a system-specific unit. */
  readonly since: string
}

/** The process with this pid; undefined if there is none. A zombie counts as none: it holds no resources. */
export function identify(pid: number): ProcessIdentity | undefined {
  if (process.platform !== 'linux') return identifyByPs(pid)
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses may contain anything, so count fields from its end.
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

/** Whether a signal to `pid` could be delivered; true for zombies. */
export function existsPid(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Sends a signal; ignores processes that are gone. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has exited in the meantime.
  }
}

/** Live processes with `folder` as working directory. Empty on systems other than Linux. */
export function processesIn(folder: string): number[] {
  if (process.platform !== 'linux') return []
  const found: number[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      if (readlinkSync(`/proc/${name}/cwd`) === folder) found.push(Number(name))
    } catch {
      // Gone, a zombie, or of another user.
    }
  }
  return found
}

/** The parent of `pid`; undefined if unknown. */
export function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) || undefined
  } catch {
    return undefined
  }
}

/** Waits until `condition` is true; resolves false after `limitMs`. */
export async function until(condition: () => boolean, limitMs: number, everyMs = 20): Promise<boolean> {
  const deadline = Date.now() + limitMs
  while (!condition()) {
    if (Date.now() > deadline) return false
    await sleep(everyMs)
  }
  return true
}
