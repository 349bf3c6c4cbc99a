import { createLogger, StartError } from '@tidenet/daemon'
import { loadConfig } from './config.ts'
import { changeOperators } from './operator/admin/operators.ts'
import { createDb } from './platform/db/db.ts'
import { migrate } from './platform/db/migrate.ts'

// Only the database is used; the secret is a placeholder.
try {
  const { databaseUrl } = loadConfig({ DATABASE_URL: process.env.DATABASE_URL, TIDENET_SECRET: '0'.repeat(64) })
  // Silent: errors are printed below.
  const db = createDb(databaseUrl, { max: 2, log: createLogger('operator', 'silent') })
  try {
    await migrate(db)
    process.stdout.write(`${await changeOperators(db, process.argv.slice(2))}\n`)
  } finally {
    await db.close()
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
