// Finds the tables that migrations create, and the tables that the SQL of each module writes and reads.
import ts from 'typescript'

const TAGS = new Set(['sql', 'prepared'])

const CHANGES =
  /\bcreate (?:unlogged )?table (?:if not exists )?(\w+)|\balter table (?:if exists )?(\w+)\s+rename to (\w+)|\bdrop table (?:if exists )?(\w+)/gi
const WRITES = /\b(?:insert\s+into|update|delete\s+from|truncate|merge\s+into)\s+(?:only\s+)?([a-z_]+)/gi
const READS = /\b(?:from|join|using)\s+(?:only\s+|lateral\s+)?((?:[a-z_]+(?:\s+(?:as\s+)?[a-z]\w*)?\s*,\s*)*[a-z_]+)/gi

/** @param {readonly string[]} migrations texts in their order @returns {Set<string>} the tables that exist after them */
export function findTables(migrations) {
  const tables = new Set()
  for (const text of migrations)
    for (const [, created, before, after, dropped] of text.matchAll(CHANGES)) {
      for (const name of [before, dropped]) tables.delete(name)
      for (const name of [created, after]) if (name) tables.add(name)
    }
  return tables
}

/**
 * Names from `with` clauses and functions are included; the caller knows which names are tables. A name that a statement gets as a
 * parameter is not seen.
 * @param {string} file from the server's source folder, with slashes: the first two folders are the module
 * @param {string} source
 * @returns {{ module: string, verb: 'writes' | 'reads', table: string, place: string }[]}
 */
export function findUses(file, source) {
  if (![...TAGS].some((tag) => source.includes(`${tag}\``))) return []
  const uses = []
  const module = file.split('/').slice(0, 2).join('/')
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest)
  const visit = (node) => {
    if (ts.isTaggedTemplateExpression(node) && TAGS.has(node.tag.getText(parsed))) {
      const line = parsed.getLineAndCharacterOfPosition(node.getStart(parsed)).line + 1
      for (const use of tablesOf(textOf(node.template))) uses.push({ module, ...use, place: `${file}:${line}` })
    }
    ts.forEachChild(node, visit)
  }
  visit(parsed)
  return uses
}

/** The text of a template, with `?` for each parameter. */
function textOf(template) {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text
  return [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)].join('?')
}

function tablesOf(statement) {
  const plain = statement.replace(/--.*$/gm, '').replace(/'(?:[^']|'')*'/g, "''")
  const written = [...plain.matchAll(WRITES)].map(([, table]) => table)
  const rest = plain.replace(/\bdelete\s+from\b/gi, 'delete').replace(/\bextract\s*\([^)]*\)/gi, '')
  const read = [...rest.matchAll(READS)].flatMap(([, list]) =>
    list.split(',').map((item) => item.trim().split(/\s/)[0]),
  )
  return [
    ...written.map((table) => ({ verb: 'writes', table: table.toLowerCase() })),
    ...read.map((table) => ({ verb: 'reads', table: table.toLowerCase() })),
  ]
}
