import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { WorkloadRow } from './repository.ts'

/** One version of the settings of a workload. */
export interface SettingsRow
  extends Pick<
    WorkloadRow,
    'template' | 'image' | 'command' | 'env' | 'ports' | 'cpu' | 'memory' | 'storage' | 'restart' | 'health' | 'options'
  > {
  revision: number
  restored: number | null
  at: Date
}

const columns = sql`s.revision, s.template, s.image, s.command, s.env, s.ports, s.cpu, s.memory, s.storage, s.restart, s.health,
  s.restored, s.at, s.options`

/**
 * Adds the present settings of a workload as its newest version. Callers hold the lock of its workspace.
 * @param restored the version that was restored
 */
export const insertSettings = (tx: Db, id: string, at: Date, restored: number | null = null): Promise<number> =>
  tx.run(sql`
    insert into workload_settings (workload_id, revision, template, image, command, env, ports, cpu, memory, storage, restart, health,
      options, restored, at)
    select l.id, coalesce((select max(s.revision) from workload_settings s where s.workload_id = l.id), 0) + 1, l.template, l.image,
      l.command, l.env, l.ports, l.cpu, l.memory, l.storage, l.restart, l.health, l.options, ${restored}, ${at}
    from workloads l where l.id = ${id} and l.wanted <> 'removed'`)

/** Deletes all but the newest versions. */
export const trimSettings = (tx: Db, id: string, kept: number): Promise<number> =>
  tx.run(sql`
    delete from workload_settings s where s.workload_id = ${id}
      and s.revision <= (select max(m.revision) from workload_settings m where m.workload_id = ${id}) - ${kept}::int`)

/** Newest first. */
export const listSettings = (db: Db, id: string): Promise<SettingsRow[]> =>
  db.rows(sql`select ${columns} from workload_settings s where s.workload_id = ${id} order by s.revision desc`)

export const findSettings = (db: Db, id: string, revision: number): Promise<SettingsRow | undefined> =>
  db.maybe(sql`select ${columns} from workload_settings s where s.workload_id = ${id} and s.revision = ${revision}`)
