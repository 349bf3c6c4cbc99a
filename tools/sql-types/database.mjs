// Describes the result of a statement with PostgreSQL and the current schema, without running it.
import pg from 'pg'
import { resultColumns } from './columns.mjs'
import { readTree } from './node-tree.mjs'

/** PostgreSQL sends the tree of each statement as a notice. */
const OPTIONS = '-c debug_print_rewritten=on -c debug_pretty_print=off -c client_min_messages=log'

/**
 * @param {string} url of a database with the schema
 * @param {string[]} unchecked columns, `table.column`, whose values are not compared
 */
export async function openDatabase(url, unchecked = []) {
  const client = new pg.Client({ connectionString: url, options: OPTIONS })
  await client.connect()
  let tree
  client.on('notice', ({ message, detail }) => {
    if (message?.startsWith('rewritten parse tree')) tree = detail
  })
  const schema = await readSchema(client, unchecked).catch(async (error) => {
    await client.end()
    throw error
  })
  const database = {
    /**
     * @param {string} text the statement
     * @param params for each parameter, whether it can be null
     * @returns the columns of its result: name, type, nullability, and possible values if known
     * @throws errors of PostgreSQL
     */
    async describe(text, params = []) {
      const fields = await describe(client, text)
      if (fields.length === 0) return []
      const columns = resultColumns(readTree(tree)[0], schema, params)
      return fields.map(({ name, dataTypeID }, index) => ({ name, type: schema.type(dataTypeID), ...columns[index] }))
    },
    close: () => client.end(),
  }
  // Generated columns have no `not null`, but are never null if the columns they use are not.
  for (const { name, text } of schema.generated) {
    const [{ nullable }] = await database.describe(text)
    if (!nullable) schema.notNull.add(name)
  }
  return database
}

async function readSchema(client, unchecked) {
  const rows = async (text) => (await client.query(text)).rows
  const named = async (text) => new Map((await rows(text)).map(({ name, value }) => [name, value]))
  const notNull = new Set(
    (await rows(`select attrelid || '.' || attnum as name from pg_attribute where attnotnull`)).map(({ name }) => name),
  )
  const functions = await named(
    `select oid::text as name, json_build_object('name', proname, 'strict', proisstrict) as value from pg_proc`,
  )
  const types = await named('select oid::int as name, format_type(oid, null) as value from pg_type')
  const checks = await named(
    `select conrelid || '.' || conkey[1] as name, pg_get_constraintdef(oid) as value from pg_constraint
     where contype = 'c' and cardinality(conkey) = 1`,
  )
  const generated = await rows(
    `select attrelid || '.' || attnum as name, format('select %s from %s', pg_get_expr(adbin, adrelid), attrelid::regclass) as text
     from pg_attribute join pg_attrdef on adrelid = attrelid and adnum = attnum where attgenerated <> '' and not attnotnull`,
  )
  const values = new Map([...checks].map(([name, check]) => [name, allowedValues(check)]))
  const columns = await named(
    `select attrelid::regclass || '.' || attname as name, attrelid || '.' || attnum as value from pg_attribute
     where attnum > 0 and not attisdropped`,
  )
  for (const name of unchecked) {
    const column = columns.get(name)
    if (!column || values.get(column))
      throw new Error(`${name} has a check, or no longer exists; remove it from the list`)
    // An empty list of values fits every row type.
    values.set(column, [])
  }
  return {
    notNull,
    generated,
    isNotNull: (relation, number) => notNull.has(`${relation}.${number}`),
    values: (relation, number) => values.get(`${relation}.${number}`),
    func: (oid) => functions.get(oid) ?? { name: '', strict: false },
    type: (oid) => types.get(oid) ?? 'record',
  }
}

/** The values of a check, as PostgreSQL writes it: a list, one value, or a range of numbers; undefined for other checks. */
export function allowedValues(check) {
  const list = /^CHECK \(\(\w+ = (?:ANY \(ARRAY\[([^\]]*)\]\)|('[^']*'::text))\)\)$/.exec(check)
  if (list)
    return (list[1] ?? list[2]).split(', ').map((each) => each.slice(1, each.lastIndexOf("'")).replaceAll("''", "'"))
  const range = /^CHECK \(\(\((\w+) >= (\d+)\) AND \(\1 <= (\d+)\)\)\)$/.exec(check)?.slice(2).map(Number)
  return range && Array.from({ length: range[1] - range[0] + 1 }, (_, index) => range[0] + index)
}

/** Parses and describes a statement like a driver does, but does not run it. */
function describe(client, text) {
  return new Promise((resolve, reject) => {
    let fields = []
    client.query({
      submit(connection) {
        connection.parse({ text, name: '', types: [] })
        connection.describe({ type: 'S', name: '' })
        connection.sync()
      },
      handleRowDescription(message) {
        fields = message.fields
      },
      // After an error there is no `ReadyForQuery`.
      handleError: reject,
      handleReadyForQuery: () => resolve(fields),
    })
  })
}
