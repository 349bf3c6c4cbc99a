// Compares every statement of a program with the schema of a database.
import { compareRow } from './row-type.mjs'
import { findStatements } from './statements.mjs'

/**
 * @param program TypeScript program; paths in messages are relative to `root`
 * @param database of `openDatabase`
 * @param unread statements that are allowed to be unreadable, by file and function
 * @returns error messages, and counts
 */
export async function checkProgram(program, { root, database, unread = {} }) {
  const { checker, statements, unread: left, templates } = findStatements(program, root)
  const wrong = new Set()
  let variants = 0
  for (const { place, row, variants: all } of statements) {
    for (const { text, params } of all) {
      variants++
      try {
        const columns = await database.describe(text, params)
        if (row) for (const each of compareRow(checker, row, columns)) wrong.add(`${place.text}: ${each}`)
      } catch (error) {
        if (error.severity !== 'ERROR') throw error
        wrong.add(`${place.text}: ${error.message}: ${text.replaceAll(/\s+/g, ' ')}`)
      }
    }
  }
  for (const { place, reason } of left) if (!(place.name in unread)) wrong.add(`${place.text}: not read: ${reason}`)
  for (const name of Object.keys(unread))
    if (!left.some(({ place }) => place.name === name)) wrong.add(`${name}: can be read now; remove it from the list`)
  return { wrong: [...wrong], statements: statements.length, variants, templates, unread: left.length }
}
