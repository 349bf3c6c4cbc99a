import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@tidenet/testnet'
import { removeDataFolder } from '@tidenet/testnet/data-folder'

/**
 * Gives the tests of routes one PostgreSQL: its address is in TIDENET_TEST_DATABASE, for a user who may create schemas
 * and databases. TEST_DATABASE_URL or DATABASE_URL name one that runs already.
 */
export default async function openDatabase(): Promise<() => Promise<void>> {
  // Two projects that run together share one.
  const given = process.env.TIDENET_TEST_DATABASE || process.env.TEST_DATABASE_URL || process.env.DATABASE_URL
  if (given) {
    process.env.TIDENET_TEST_DATABASE = given
    return async () => {}
  }
  const dataDir = join(mkdtempSync(join(tmpdir(), 'tidenet-routes-')), 'data')
  // Nobody will miss this data after a crash, and without fsync the tests are faster.
  const postgres = await startPostgres({ dataDir, settings: { fsync: 'off', full_page_writes: 'off' } })
  process.env.TIDENET_TEST_DATABASE = postgres.url
  return async () => {
    await postgres.stop()
    removeDataFolder(dataDir)
    removeDataFolder(join(dataDir, '..'))
  }
}
