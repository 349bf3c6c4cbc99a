import type { Api } from './api.ts'
import type { Checks } from './checks.ts'
import type { Platform } from './platform/platform.ts'
import type { ResumeStore } from './platform/resume-store.ts'
import { type Failure, type Result, type Say, Stop } from './result.ts'

/** What every method of an instance works with. */
export interface Core {
  api: Api
  say: Say
  check: Checks
  platform: Platform
  resume: ResumeStore
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  limits: Limits
  log: (text: string, facts?: Record<string, unknown>) => void
}

/** Ms that nodes get. */
export interface Limits {
  /** Without progress of a download. */
  stall: number
  /** Until the first byte; and what a node that takes an upload may stand still before it is asked whether it is there. */
  firstByte: number
  /** Without progress of an upload, at least. */
  upload: number
}

/** Runs the work of a method: whatever stops it becomes its result, nothing is thrown. */
export async function settle<T>(
  core: Pick<Core, 'say' | 'log'>,
  work: () => Promise<Result<T>>,
  otherwise: (error: unknown) => Failure = () => core.say('failure'),
): Promise<Result<T>> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Stop) return error.failure
    core.log('a call failed in a way that was not foreseen', { error: String(error) })
    return otherwise(error)
  }
}
