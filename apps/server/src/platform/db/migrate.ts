import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { StartError } from '@tidenet/daemon'
import type { ClientBase } from 'pg'
import { type Pool, RETRIED } from './db.ts'

interface Migration {
  name: string
  up: string
}

/** Migrations in the order of their numbers. Released ones are never changed. */
async function migrations(): Promise<Migration[]> {
  const folder = new URL('migrations/', import.meta.url)
  const files = readdirSync(folder).filter((file) => /^\d{4}-[a-z-]+\.[jt]s$/.test(file))
  return Promise.all(
    files.sort().map(async (file) => {
      const { up } = (await import(new URL(file, folder).href)) as { up: string }
      return { name: file.slice(0, -3), up }
    }),
  )
}

const ATTEMPTS = 10

/** Does all of `work` in a transaction or nothing; again if others, who write in the meantime, caused a deadlock. */
export async function atOnce(client: Pick<ClientBase, 'query'>, work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await client.query('begin')
      await work()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => {})
      if (attempt === ATTEMPTS || !RETRIED.has((error as { code?: string }).code ?? '')) throw error
    }
}

/**
 * Migrates the database to the current schema. If several servers start at once, one migrates and the others wait.
 * @throws StartError if an applied migration differs from ours: later failures would be harder to understand
 */
export async function migrate(db: Pool): Promise<void> {
  const client = await db.pool.connect()
  try {
    await client.query('select pg_advisory_lock(7416273401)')
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    await client.query('alter table migrations add column if not exists digest text')
    const { rows } = await client.query<{ name: string; digest: string | null }>('select name, digest from migrations')
    const applied = new Map(rows.map((row) => [row.name, row.digest]))
    for (const { name, up } of await migrations()) {
      const digest = createHash('sha256').update(up).digest('hex')
      if (applied.has(name) && applied.get(name) !== digest)
        throw new StartError(
          `This database was made by another version of Tidenet (${name} differs). Go back to that version, or start with an empty database (with npm start: another folder in TIDENET_DATA).`,
          { permanent: true },
        )
      if (applied.has(name)) continue
      await atOnce(client, async () => {
        await client.query(up)
        await client.query('insert into migrations (name, digest) values ($1, $2)', [name, digest])
      })
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
    const broken = await client.query('select pg_advisory_unlock(7416273401)').then(
      () => undefined,
      (error: Error) => error,
    )
    client.release(broken)
  }
}
