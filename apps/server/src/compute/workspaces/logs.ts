import type { ConsoleCaller } from '../../platform/http/callers.ts'
import { collectLog } from '../logs/collect.ts'
import { type Question, readKept } from '../logs/read.ts'
import { type Deps, requireWorkload } from './workloads.ts'

/** The log of a workload, also of earlier runs and after its end. @throws AppError workloadUnknown */
export async function readLogs(context: Deps, caller: ConsoleCaller, question: Question) {
  const { id } = question
  const row = await requireWorkload(context.db, caller, id)
  const driver = context.clusters.of(row.cluster)?.driver
  if (driver && row.wanted !== 'removed')
    await collectLog(context, driver, { workspace: row.workspace_id, workload: id })
  return readKept(context.db, question)
}
