import type { Registry } from 'prom-client'
import type { Context } from './context.ts'
import type { Sql } from './db/sql.ts'
import type { ServerServing } from './http/serving.ts'
import type { JobHandler } from './jobs/job.ts'
import type { Task } from './tasks/tasks.ts'

/** What a module gives the server to run. Each domain lists its own in `features.ts`. */
export interface Feature<C extends Context = Context> {
  readonly name: string
  /** Serves the module's operations and other addresses; called once. */
  readonly serve?: (serving: ServerServing, context: C) => void | Promise<void>
  /** Adds its numbers to those of `/metrics`; called once. */
  readonly measure?: (registry: Registry, context: C) => void
  readonly jobs?: readonly JobHandler<C>[]
  readonly tasks?: readonly Task<C>[]
  /** Statements that delete what is kept no longer; each is run again while it deletes `EXPIRED_BATCH` rows. */
  readonly expired?: (at: Date) => readonly Sql[]
}
