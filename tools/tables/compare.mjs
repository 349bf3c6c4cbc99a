/**
 * Compares what modules do with tables with who owns these.
 * @param {{ tables: Set<string>, uses: ReturnType<typeof import('./find.mjs').findUses>, owners: Record<string, string[]>, exceptions: Record<string, string> }} found
 * @returns {string[]} error messages
 */
export function compareOwners({ tables, uses, owners, exceptions }) {
  const wrong = []
  const ownerOf = new Map()
  for (const [module, owned] of Object.entries(owners))
    for (const table of owned) {
      if (ownerOf.has(table)) wrong.push(`${table} has two owners in tools/tables/owners.mjs: remove one.`)
      if (!tables.has(table)) wrong.push(`${table} is not a table (any more): remove it from tools/tables/owners.mjs.`)
      ownerOf.set(table, module)
    }
  for (const table of tables)
    if (!ownerOf.has(table))
      wrong.push(`The table ${table} has no owner: add it to its module in tools/tables/owners.mjs.`)

  const used = new Set()
  for (const { module, verb, table, place } of uses) {
    const owner = ownerOf.get(table)
    if (owner === undefined || owner === module) continue
    if (verb === 'reads' && domainOf(owner) === domainOf(module)) continue
    const exception = `${module} ${verb} ${table}`
    if (exception in exceptions) used.add(exception)
    else wrong.push(`${place}: ${module} ${verb} ${table}, a table of ${owner}: move the statement there and call it.`)
  }
  for (const exception of Object.keys(exceptions))
    if (!used.has(exception))
      wrong.push(`The exception "${exception}" is not needed: remove it from tools/tables/owners.mjs.`)
  return wrong
}

const domainOf = (module) => module.split('/')[0]
