// Checks import directions: contract ← content ← sdk ← cli, web; contract, content, daemon ← server, node, chain.
// Code that runs in browsers must not import Node.js modules.
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { files, root } from './build.mjs'

/** The workspace packages that each folder can import. Apps are never imported. */
const MAY_IMPORT = {
  'packages/contract': [],
  'packages/content': ['contract'],
  'packages/chain-client': ['contract'],
  'packages/receipts': ['contract', 'chain-client'],
  'packages/sdk': ['contract', 'content', 'chain-client'],
  'packages/daemon': ['contract'],
  'packages/certificates': ['daemon'],
  'packages/relay': ['contract', 'daemon'],
  'packages/s3-wire': ['daemon'],
  'packages/testnet': ['contract', 'content', 'chain-client', 'daemon', 'storage'],
  'apps/server': ['contract', 'content', 'chain-client', 'receipts', 'certificates', 'daemon', 'storage'],
  'apps/node': ['contract', 'content', 'relay', 'daemon'],
  'apps/s3': ['storage', 's3-wire', 'content', 'contract', 'daemon'],
  'apps/chain': ['contract', 'content', 'chain-client', 'daemon'],
  'apps/cli': ['contract', 'content', 'chain-client', 'receipts', 'storage'],
  'apps/extension': ['contract'],
  'apps/web': ['contract', 'content', 'chain-client', 'receipts', 'storage'],
}
/** Also run in browsers; only `*.node.ts` files and tests can use Node.js modules. */
const IN_BROWSERS = new Set([
  'packages/contract',
  'packages/content',
  'packages/chain-client',
  'packages/receipts',
  'packages/sdk',
  'apps/web',
  'apps/extension',
])
const BUILTIN = new Set(builtinModules)
const IMPORT =
  /(?:^|[;{}\s])(?:import|export)\s*(?:type\s+)?(?:[\w*{}\s,$]+?\s+from\s*)?['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]/g
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm

/**
 * The violations in one source file.
 * @param {string} path from the repository's root, with slashes
 * @param {string} source
 * @returns {string[]} one line each
 */
export function brokenImports(path, source) {
  const home = Object.keys(MAY_IMPORT).find((folder) => path.startsWith(`${folder}/`))
  if (!home) return []
  const broken = []
  const isTest = /\.(test\.tsx?|fixture\.ts)$/.test(path)
  for (const [, plain, dynamic] of source.replace(COMMENT, '').matchAll(IMPORT)) {
    const name = plain ?? dynamic ?? ''
    const [, ours] = /^@tidenet\/([^/]+)/.exec(name) ?? []
    if (ours && !MAY_IMPORT[home].includes(ours)) broken.push(`${path}: ${home} may not import ${name}`)
    // Texts shown on pages can be in any folder, because they are not executed.
    if (name.startsWith('.') && !/\?raw$|\.md(\?\w+)?$/.test(name)) {
      const target = relative('/', resolve('/', dirname(path), name))
        .split(sep)
        .join('/')
      if (!target.startsWith(`${home}/`))
        broken.push(`${path}: ${name} leaves ${home}; import it by its package's name`)
    }
    const builtin = name.startsWith('node:') || BUILTIN.has(name.split('/')[0] ?? '')
    if (builtin && IN_BROWSERS.has(home) && !isTest && !/\.node\.tsx?$/.test(path)) {
      broken.push(`${path}: ${name} does not exist in browsers; move this to a *.node.ts file`)
    }
  }
  return broken
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const broken = Object.keys(MAY_IMPORT).flatMap((folder) =>
    files(join(root, folder, 'src'))
      .filter((path) => /\.tsx?$/.test(path))
      .flatMap((path) => brokenImports(relative(root, path).split(sep).join('/'), readFileSync(path, 'utf8'))),
  )
  for (const line of broken) console.error(line)
  process.exitCode = broken.length === 0 ? 0 : 1
}
