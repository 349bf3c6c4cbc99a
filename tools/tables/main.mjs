// Checks that only the module that owns a table writes it, and only its domain reads it.
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { files, root } from '../build.mjs'
import { compareOwners } from './compare.mjs'
import { findTables, findUses } from './find.mjs'
import { EXCEPTIONS, OWNERS } from './owners.mjs'

const source = join(root, 'apps/server/src')
const read = files(source)
  .map((path) => ({ file: relative(source, path).split(sep).join('/'), path }))
  .filter(({ file }) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file))
  .sort((a, b) => (a.file < b.file ? -1 : 1))
  .map(({ file, path }) => ({ file, text: readFileSync(path, 'utf8') }))
const isMigration = ({ file }) => file.startsWith('platform/db/migrations/')

const tables = findTables(read.filter(isMigration).map(({ text }) => text)).add('migrations')
const uses = read.filter((each) => !isMigration(each)).flatMap(({ file, text }) => findUses(file, text))
const wrong = compareOwners({ tables, uses, owners: OWNERS, exceptions: EXCEPTIONS })
for (const each of wrong) console.error(each)
if (wrong.length > 0) process.exitCode = 1
