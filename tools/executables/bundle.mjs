// Bundles a program into one CommonJS script: a single executable has no files beside it, and starts with CommonJS.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root, ToolError } from '../build.mjs'
import { ownManifests } from '../own-manifests.mjs'

const NODE = 'apps/node/dist/main.js'
const CLI = 'apps/cli/dist/main.js'
/** The first argument with which `tidenet` starts itself as a storage node; apps/cli/src/commands/nodes.ts has it, too. */
const AS_NODE = 'node-program'

/** The entry script of each program. */
export const PROGRAMS = {
  'tidenet-node': `import ${quoted(NODE)}`,
  tidenet: `if (process.argv[2] === '${AS_NODE}') {
  process.argv.splice(2, 1)
  void import(${quoted(NODE)})
} else void import(${quoted(CLI)})`,
}

function quoted(path) {
  return JSON.stringify(join(root, path))
}

/** Native modules that `ws` works without; Node.js would print a warning for each. */
const OPTIONAL = ['bufferutil', 'utf-8-validate']

/** The script of a program and the paths of its modules; the same sources give the same text, in whichever folder they are. */
export async function bundleScript(name) {
  const { build } = await import('rolldown')
  const entry = '\0entry'
  const { output } = await build({
    input: entry,
    cwd: root,
    platform: 'node',
    write: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : OPTIONAL.includes(id) ? `\0${id}` : null),
        load: (id) =>
          id === entry ? PROGRAMS[name] : OPTIONAL.includes(id.slice(1)) ? "throw new Error('left out')" : null,
      },
      ownManifests,
      { name: 'workers', transform: (code, id) => embedWorkers(code, id) },
    ],
    output: { format: 'cjs', minify: { compress: false, mangle: false, codegen: true }, codeSplitting: false },
  })
  const [chunk, ...more] = output
  if (more.length > 0) throw new ToolError(`${name} became ${output.length} files instead of one.`)
  if (chunk.code.includes(root)) throw new ToolError(`The script of ${name} contains the path of this folder.`)
  return { script: chunk.code, modules: Object.keys(chunk.modules) }
}

const WORKER = /new URL\('(\.\/[\w.-]*worker[\w.-]*\.js)', import\.meta\.url\)/g
/** Threads start from the script in their address instead of a file. They may import only modules of Node.js. */
function embedWorkers(code, id) {
  if (!code.includes('import.meta.url')) return null
  return code.replace(WORKER, (_, path) => {
    const script = readFileSync(join(id, '..', path), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
    for (const [, from] of script.matchAll(/\bfrom\s+['"]([^'"]+)['"]/g))
      if (!from.startsWith('node:')) throw new ToolError(`${basename(path)} imports ${from}, so it cannot be embedded.`)
    return `new URL('data:text/javascript;base64,${Buffer.from(script).toString('base64')}')`
  })
}
