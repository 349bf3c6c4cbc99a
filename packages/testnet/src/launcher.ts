import { readFileSync } from 'node:fs'
import { identify, isAlive, type ProcessIdentity, parentOf } from './process-identity.ts'

const EVERY_MS = 1_000

/**
 * Calls back when the npm process that started us is gone: a killed npm leaves its children running, and Ctrl-C no longer reaches them.
 * Does nothing if another program started us.
 */
export function onLauncherGone(env: NodeJS.ProcessEnv, callback: () => void): { cancel(): void } {
  const launchers = env.npm_lifecycle_event ? npmAncestors(process.pid) : []
  if (launchers.length === 0) return { cancel() {} }
  const timer = setInterval(() => {
    if (launchers.every(isAlive)) return
    clearInterval(timer)
    callback()
  }, EVERY_MS)
  timer.unref()
  return { cancel: () => clearInterval(timer) }
}

/** Our ancestors up to the nearest npm; empty if none of the first few is npm. */
function npmAncestors(pid: number): ProcessIdentity[] {
  const found: ProcessIdentity[] = []
  for (let at = parentOf(pid); at !== undefined && at > 1 && found.length < 4; at = parentOf(at)) {
    const process = identify(at)
    if (!process) break
    found.push(process)
    if (isNpm(at)) return found
  }
  return []
}

function isNpm(pid: number): boolean {
  try {
    return /^npm |[\\/]npm(-cli\.js)?\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  } catch {
    return false
  }
}
