import type { Pool } from './db.ts'
import { foundation } from './migrations/0001-foundation.ts'

/** In order; a migration that has been released is never changed. */
const migrations: readonly { name: string; up: string }[] = [{ name: '0001-foundation', up: foundation }]

/** Brings the database to the present schema. Several servers may start at once: one migrates, the others wait. */
export async function migrate(db: Pool): Promise<void> {
  const client = await db.pool.connect()
  try {
    await client.query('select pg_advisory_lock(7416273401)')
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const applied = new Set(rows.map((row) => row.name))
    for (const { name, up } of migrations) {
      if (applied.has(name)) continue
      await client.query('begin')
      await client.query(up)
      await client.query('insert into migrations (name) values ($1)', [name])
      await client.query('commit')
    }
    const { rows: worker } = await client.query<{ there: boolean }>(
      `select to_regnamespace('graphile_worker') is not null as there`,
    )
    if (!worker[0]?.there) {
      const { makeWorkerUtils } = await import('graphile-worker')
      const utils = await makeWorkerUtils({ pgPool: db.pool })
      await utils.migrate()
      await utils.release()
    }
  } finally {
    await client.query('select pg_advisory_unlock(7416273401)').catch(() => {})
    client.release()
  }
}
