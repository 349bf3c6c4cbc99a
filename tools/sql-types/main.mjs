// npm run sql: compares the row types of the server's SQL statements with the current schema.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@tidenet/testnet'
import { removeDataFolder } from '@tidenet/testnet/data-folder'
import { createDb } from '../../apps/server/dist/platform/db/db.js'
import { migrate } from '../../apps/server/dist/platform/db/migrate.js'
import { root } from '../build.mjs'
import { usage } from '../usage.mjs'
import { checkProgram } from './check.mjs'
import { openDatabase } from './database.mjs'
import { UNCHECKED_COLUMNS, UNREAD } from './known.mjs'
import { programOf } from './statements.mjs'

usage("npm run sql: compares the row types of the server's SQL statements with the current schema.")

const start = Date.now()
const folder = mkdtempSync(join(tmpdir(), 'tidenet-sql-'))
const postgres = await startPostgres({ dataDir: join(folder, 'data'), settings: { fsync: 'off' } })
try {
  const db = createDb(postgres.url, { max: 2 })
  await migrate(db).finally(() => db.close())
  const program = programOf(join(root, 'apps/server/tsconfig.json'))
  const database = await openDatabase(postgres.url, UNCHECKED_COLUMNS)
  const checking = checkProgram(program, { root, database, unread: UNREAD }).finally(() => database.close())
  const { wrong, statements, variants, templates, unread } = await checking
  for (const each of wrong) console.log(each)
  const seconds = ((Date.now() - start) / 1000).toFixed(1)
  console.log(
    `${statements} statements (${templates} templates, ${variants} variants), ${unread} not read: ${wrong.length} wrong in ${seconds} s`,
  )
  if (wrong.length > 0) process.exitCode = 1
} finally {
  await postgres.stop()
  removeDataFolder(join(folder, 'data'))
  removeDataFolder(folder)
}
