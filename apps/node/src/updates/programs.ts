import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { copyFile, link, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { syncFolder } from '../contents/durable.ts'
import { waitFor } from '../wait.ts'
import { type OwnRelease, parseRelease } from './release.ts'

/** Starting another version of the program, and putting it in place of this one. */

/** Set for a new version that is being started by the one before. */
export const TRIAL = 'TIDENET_TRIAL'
/** A version that was started by another one ends with this code to be started again from its file. */
export const EXIT_RESTART = 75

const FACTS_MS = 60_000
const END_MS = 15_000

/** @throws Error if the program does not start on this machine */
export async function askRelease(path: string): Promise<OwnRelease> {
  const { stdout } = await promisify(execFile)(path, ['--release'], { timeout: FACTS_MS, windowsHide: true })
  return parseRelease(stdout)
}

export interface StartedProgram {
  /** Whether it said in time that it is ready, as this node and registered with the portal. */
  isReady(nodeId: string, ms: number): Promise<boolean>
  /** Its exit code; null after a signal. */
  ended: Promise<number | null>
  stop(): Promise<void>
}

/** Starts a version of the program with the arguments of this one. It ends when this process does. */
export function startProgram(path: string, args: readonly string[]): StartedProgram {
  const child: ChildProcess = spawn(path, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [TRIAL]: '1' },
    windowsHide: true,
  })
  const over = new AbortController()
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('exit', resolve)
  })
  ended.finally(() => over.abort())
  const ready = new Promise<{ id?: string; registered?: boolean }>((resolve) => {
    child.on('message', (message: { type?: string; id?: string; registered?: boolean }) => {
      if (message?.type === 'ready') resolve(message)
    })
  })
  return {
    ended,
    isReady: async (nodeId, ms) => {
      const said = await Promise.race([ready, waitFor(ms, over.signal)])
      return said !== undefined && said.id === nodeId && said.registered === true && !over.signal.aborted
    },
    async stop() {
      child.kill('SIGTERM')
      await Promise.race([ended, waitFor(END_MS, over.signal)])
      child.kill('SIGKILL')
      await ended
    },
  }
}

export const previousOf = (program: string): string => `${program}.previous`

/** Puts `next` in the place of the program, which stays beside it. After a crash one of the two is there, except on Windows. */
export async function replaceProgram(program: string, next: string): Promise<void> {
  const previous = previousOf(program)
  await rm(previous, { force: true })
  // Windows does not replace a file that runs, but renames it.
  if (process.platform === 'win32') await rename(program, previous)
  else await link(program, previous).catch(() => copyFile(program, previous))
  await rename(next, program)
  await syncFolder(dirname(program))
}

/** Puts the version of before back. @returns whether it was there */
export async function restoreProgram(program: string): Promise<boolean> {
  if (process.platform === 'win32') await rename(program, `${program}.failed`).catch(() => {})
  const isThere = await rename(previousOf(program), program).then(
    () => true,
    () => false,
  )
  if (!isThere && process.platform === 'win32') await rename(`${program}.failed`, program)
  if (isThere) await syncFolder(dirname(program))
  return isThere
}
