import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@tidenet/daemon'
import { startPostgres } from '@tidenet/testnet'
import { removeDataFolder } from '@tidenet/testnet/data-folder'
import { createDb, type Pool } from '../apps/server/src/platform/db/db.ts'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'

/**
 * Starts one PostgreSQL for tests and sets TIDENET_TEST_DATABASE to its URL, for a user who may create schemas and
 * databases. TEST_DATABASE_URL or DATABASE_URL name a running one to use instead. The database named in TIDENET_TEST_TEMPLATE has the
 * current schema and no rows.
 */
export default async function openDatabase(): Promise<() => Promise<void>> {
  // Projects that run concurrently share one.
  if (process.env.TIDENET_TEST_TEMPLATE) return async () => {}
  const given = process.env.TIDENET_TEST_DATABASE || process.env.TEST_DATABASE_URL || process.env.DATABASE_URL
  const { url, stop } = given ? { url: given, stop: async () => {} } : await throwaway()
  const template = `template_${randomBytes(8).toString('hex')}`
  const close = async () => {
    await withDb(url, (db) => db.pool.query(`drop database if exists ${template} with (force)`)).finally(stop)
  }
  try {
    await withDb(url, (db) => db.pool.query(`create database ${template}`))
    await withDb(Object.assign(new URL(url), { pathname: `/${template}` }).href, migrate)
  } catch (error) {
    // Closing must not fail if the start failed.
    await close()
    throw error
  }
  process.env.TIDENET_TEST_DATABASE = url
  process.env.TIDENET_TEST_TEMPLATE = template
  return close
}

/** Its data need not survive a crash, and without fsync the tests are faster. */
async function throwaway() {
  const dataDir = join(mkdtempSync(join(tmpdir(), 'tidenet-routes-')), 'data')
  const postgres = await startPostgres({
    dataDir,
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '300' },
  })
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop()
      removeDataFolder(dataDir)
      removeDataFolder(join(dataDir, '..'))
    },
  }
}

async function withDb(url: string, work: (db: Pool) => Promise<unknown>): Promise<void> {
  const db = createDb(url, { max: 2, log: createLogger('test', 'silent') })
  await work(db).finally(() => db.close())
}
