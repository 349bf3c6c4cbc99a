import type { Serving } from '@tidenet/daemon'
import type { CallerOf } from './callers.ts'

/** The HTTP server and authentication; the first parameter of every `serveX` of a module. */
export interface ServerServing extends Serving<CallerOf<'public' | 'optional' | 'node' | 'console' | 'any'>> {
  /** Modules of the contract that are registered so far. */
  served: Set<string>
}
