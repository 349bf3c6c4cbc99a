import type { Registry } from 'prom-client'
import type { Context } from './context.ts'
import type { Sql } from './db/sql.ts'
import type { ErasedAccount, EraseStep } from './erase.ts'
import type { ExportedAccount, ExportPart } from './export.ts'
import type { ServerServing } from './http/serving.ts'
import type { JobHandler } from './jobs/job.ts'
import type { Task } from './tasks/tasks.ts'

/** What a module registers with the server. Each domain lists its features in `features.ts`. */
export interface Feature<C extends Context = Context> {
  readonly name: string
  /** Registers operations and other routes; called once. */
  readonly serve?: (serving: ServerServing, context: C) => void | Promise<void>
  /** Registers metrics for `/metrics`; called once. */
  readonly measure?: (registry: Registry, context: C) => void
  readonly jobs?: readonly JobHandler<C>[]
  readonly tasks?: readonly Task<C>[]
  /** Statements that delete expired rows, at most `EXPIRED_BATCH` each; repeated until they delete fewer. */
  readonly expired?: (at: Date) => readonly Sql[]
  /** What the export of an account contains. */
  readonly exported?: (account: ExportedAccount) => readonly ExportPart[]
  /** What deletes the data of an account for good. Steps run one after the other, and all of them again after an interruption. */
  readonly erase?: (account: ErasedAccount, at: Date) => readonly EraseStep<C>[]
}
