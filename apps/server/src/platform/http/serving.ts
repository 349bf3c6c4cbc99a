import type { Serving } from '@tidenet/daemon'
import type { CallerOf } from './callers.ts'

/** The HTTP server and how it tells callers apart; what every `serveX` of a module gets. */
export interface ServerServing extends Serving<CallerOf<'public' | 'optional' | 'node' | 'console' | 'any'>> {
  /** Parts of the contract that are served so far. */
  served: Set<string>
}
