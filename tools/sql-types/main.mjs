// npm run sql: compares the row types of the server's SQL with what PostgreSQL says about the present schema.
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
import { BY_WORD, UNREAD } from './known.mjs'
import { programOf } from './statements.mjs'

usage("npm run sql: compares the row types of the server's SQL with the present schema.")

const began = Date.now()
const folder = mkdtempSync(join(tmpdir(), 'tidenet-sql-'))
const postgres = await startPostgres({ dataDir: join(folder, 'data'), settings: { fsync: 'off' } })
try {
  const db = createDb(postgres.url, { max: 2 })
  await migrate(db).finally(() => db.close())
  const program = programOf(join(root, 'apps/server/tsconfig.json'))
  const database = await openDatabase(postgres.url, BY_WORD)
  const checking = checkProgram(program, { root, database, unread: UNREAD }).finally(() => database.close())
  const { wrong, statements, variants, templates, unread } = await checking
  for (const each of wrong) console.log(each)
  const seconds = ((Date.now() - began) / 1000).toFixed(1)
  console.log(
    `${statements} statements (${templates} templates, ${variants} variants), ${unread} not read: ${wrong.length} wrong in ${seconds} s`,
  )
  if (wrong.length > 0) process.exitCode = 1
} finally {
  await postgres.stop()
  removeDataFolder(join(folder, 'data'))
  removeDataFolder(folder)
}
