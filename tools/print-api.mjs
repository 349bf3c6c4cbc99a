// Generates docs/api/openapi.json, docs/api/errors.md and the client's table of paths from the contract.
// `--check` writes nothing and fails if a generated file is out of date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile, fail } from './build.mjs'
import { usage } from './usage.mjs'

usage('npm run print [-- --check]: generates the API documents from the contract, or lists those that are out of date.')

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const check = process.argv.includes('--check')
// The contract alone: other packages may not compile before the documents are generated.
if (!check) {
  try {
    compile('packages/contract')
  } catch (error) {
    fail(error)
  }
}
const load = (name) => import(`../packages/contract/dist/${name}.js`)
const [{ contract }, { errors }, { openApi }, { isRepeatable }, { isTeamRoute }, { exampleFacts }] = await Promise.all(
  ['contract', 'errors', 'openapi', 'route', 'teams', 'errors/examples'].map(load),
)

function pathsFile() {
  const rows = Object.entries(contract).flatMap(([group, operations]) =>
    Object.entries(operations).map(([name, route]) => {
      const { method, path, shape } = route
      const more = `${shape ? `, shape: '${shape}'` : ''}${isRepeatable(route) ? ', repeatable: true' : ''}${isTeamRoute(route) ? ', team: true' : ''}`
      return `  '${group}.${name}': { method: '${method}', path: '${path}'${more} },`
    }),
  )
  return `// Generated from the contract by tools/print-api.mjs. Browsers call operations with it, without loading the schemas.
export const paths = {
${rows.join('\n')}
} as const
`
}

function errorsFile() {
  const users = new Map(Object.keys(errors).map((key) => [key, []]))
  for (const [group, operations] of Object.entries(contract))
    for (const [name, { errors: declared }] of Object.entries(operations))
      for (const key of declared) users.get(key).push(`${group}.${name}`)
  const rows = Object.entries(errors)
    .map(([key, { err, en, cn }]) => ({ key, err, facts: exampleFacts(key), en, cn }))
    .map(({ facts, en, cn, ...row }) => ({ ...row, en: en(facts), cn: cn(facts) }))
    .map((row) => {
      if (/NaN|undefined/.test(row.en + row.cn))
        throw new Error(`errors.${row.key} needs an example in packages/contract/src/errors/examples.ts`)
      return row
    })
    .sort((a, b) => a.err - b.err || a.key.localeCompare(b.key))
    .map(({ key, err, en, cn }) => `| ${err} | ${key} | ${en} | ${cn} | ${users.get(key).join(', ') || 'any'} |`)
  return `# Errors

Generated from \`packages/contract/src/errors\`. Errors of an operation are HTTP 200 with \`{ "code": -1, "err", "msg" }\`. Without a valid
session the answer is \`{ "code": 401, "msg" }\`. Requests that are rejected before they reach an operation have the same body and the HTTP
status 400, 413, 414, 415 or 429. If the server or its database is unavailable, the status is 503 with \`Retry-After\`. The language of
\`msg\` is taken from the header \`lang\` (cn or en), then from the cookie \`lang\`, then from \`Accept-Language\`.

| err | name | English | 中文 | operations |
|---|---|---|---|---|
${rows.join('\n')}
`
}

const files = {
  'packages/contract/src/paths.gen.ts': pathsFile(),
  'docs/api/openapi.json': `${JSON.stringify(openApi(contract), null, 1)}\n`,
  'docs/api/errors.md': errorsFile(),
}
let stale = 0
for (const [name, text] of Object.entries(files)) {
  const file = join(root, name)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
  stale += 1
  if (check) console.error(`${name} is out of date: run npm run print`)
  else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.log(`wrote ${name}`)
  }
}
process.exit(check && stale > 0 ? 1 : 0)
