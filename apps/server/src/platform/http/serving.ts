import type { OperationName } from '@tidenet/contract'
import type { Serving } from '@tidenet/daemon'
import type { Caller, CallerOf } from './callers.ts'

export type CallInput = Readonly<Record<string, unknown>>

/** The HTTP server and authentication; the first parameter of every `serveX` of a module. */
export interface ServerServing extends Serving<CallerOf<'public' | 'optional' | 'node' | 'console' | 'any'>> {
  /** Modules of the contract that are registered so far. */
  served: Set<string>
  /** Refuses calls of API keys that name something outside their folders. @returns the input for the handler */
  authorize(operation: OperationName, caller: Caller, input: CallInput): Promise<CallInput>
}
