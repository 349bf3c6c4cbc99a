import type { Api } from './api.ts'
import type { Checks } from './checks.ts'
import type { Platform } from './platform/platform.ts'
import type { ResumeStore } from './platform/resume-store.ts'
import { type Failure, type Result, Stop, type ToFailure } from './result.ts'

/** Dependencies of every method of an instance. */
export interface Core {
  api: Api
  toFailure: ToFailure
  check: Checks
  platform: Platform
  resume: ResumeStore
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  limits: NodeTimeouts
  log: (text: string, facts?: Record<string, unknown>) => void
}

/** Timeouts for requests to nodes, in ms. */
export interface NodeTimeouts {
  /** Without progress during a download. */
  stall: number
  /** Until the first byte of a download; and without progress of an upload, after which the node is probed. */
  firstByte: number
  /** Minimum without progress during an upload. */
  upload: number
  /** That a download waits for its nodes if all of them went away. */
  outage: number
  /** After which a download asks for new addresses: the tokens in those that it has expire. */
  renew: number
}

/** Runs the body of a method; a thrown Stop becomes its result. Never throws. */
export async function settle<T>(
  core: Pick<Core, 'toFailure' | 'log'>,
  work: () => Promise<Result<T>>,
  otherwise: (error: unknown) => Failure = () => core.toFailure('failure'),
): Promise<Result<T>> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Stop) return error.failure
    core.log('a call failed in a way that was not foreseen', { error: String(error) })
    return otherwise(error)
  }
}
