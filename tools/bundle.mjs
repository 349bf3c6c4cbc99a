// Bundles a program with everything it imports, for a package that needs only Node.js.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, relative } from 'node:path'
import { files, root } from './build.mjs'
import { ownManifests } from './own-manifests.mjs'

const SDK = 'packages/sdk/dist/platform'
/** The files of each bundle. Worker threads are separate files beside their program; `tidenet node start` needs the node's program. */
export const BUNDLES = {
  '@tidenet/cli': {
    'main.js': 'apps/cli/dist/bundled.js',
    'program.cjs': 'apps/cli/dist/main.js',
    'md5-worker.node.js': `${SDK}/md5-worker.node.js`,
    'leaf-worker.node.js': `${SDK}/leaf-worker.node.js`,
    'node/main.js': 'apps/node/dist/main.js',
  },
  '@tidenet/node': { 'main.js': 'apps/node/dist/main.js' },
}

/** Writes `bundle/` and THIRD-PARTY-NOTICES.txt into a package's folder. The same sources give the same bytes. */
export async function bundleProgram(name, folder) {
  rmSync(join(folder, 'bundle'), { recursive: true, force: true })
  const bundled = new Set()
  for (const [file, input] of Object.entries(BUNDLES[name])) {
    for (const chunk of await bundle(join(root, input), file)) {
      const path = join(folder, 'bundle', dirname(file), chunk.fileName)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, chunk.code)
      for (const module of Object.keys(chunk.modules)) bundled.add(module)
    }
  }
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices(bundled))
}

/** Files beside each other: the program, and for each of its dynamic imports what nothing else needs, which is read only then. */
async function bundle(input, file) {
  const { build } = await import('rolldown')
  const { output } = await build({
    input,
    cwd: root,
    platform: 'node',
    write: false,
    logLevel: 'silent',
    plugins: [ownManifests],
    output: {
      // Compiled code can be cached only for scripts, not for modules.
      format: extname(file) === '.cjs' ? 'cjs' : 'esm',
      minify: { compress: false, mangle: false, codegen: true },
      entryFileNames: basename(file),
      chunkFileNames: `[name]-[hash]${extname(file)}`,
    },
  })
  return output
}

/** The licences of the third-party packages in a bundle. */
export function notices(modules) {
  const packages = new Map()
  for (const path of modules) {
    const [, folder] = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(path) ?? []
    if (folder && !packages.has(folder))
      packages.set(folder, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  }
  const entries = [...packages].map(([folder, { name, version, license }]) => {
    const file = files(folder).find((path) => /^(licen[cs]e|copying)/i.test(relative(folder, path)))
    return `${name} ${version} (${license ?? 'see below'})\n\n${file ? readFileSync(file, 'utf8').trim() : 'This package comes without a licence text.'}\n`
  })
  return `This package contains the following packages.\n\n${[...new Set(entries)].sort().join(`\n${'-'.repeat(78)}\n\n`)}`
}
