import type { Context } from '../context.ts'
import type { replicas } from '../third-party-records/records.ts'
import type { Stored, ThirdParty } from './adapter.ts'

export type Deps = Pick<Context, 'db' | 'clock' | 'config' | 'keys' | 'policy' | 'log'>

export const SECOND = 1000
export const HOUR = 3600 * SECOND

/** A leased replica, and who works on it. */
export interface Work {
  context: Deps
  provider: ThirdParty
  replica: replicas.ReplicaRow
  content: Stored
  /** Aborted before the lease ends, and when the server stops. */
  signal: AbortSignal
}

/** The provider's estimate, if it has one; otherwise half of the usual time from now. */
export const laterThan = (at: Date, said: Date | undefined, { config }: Pick<Deps, 'config'>): Date =>
  said && said > at ? said : new Date(at.getTime() + (config.thirdParty.hours * HOUR) / 2)
