// Runs before `npm pack` in a package: compiles it and adds the workspace packages it needs, which are not published yet.
// Programs are bundled into one file; libraries carry the packages in node_modules (bundleDependencies).
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compile, fail, root, ToolError } from './build.mjs'
import { BUNDLES, bundleProgram } from './bundle.mjs'

const FOLDERS = { '@tidenet/content': 'packages/content', '@tidenet/contract': 'packages/contract' }
const manifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

try {
  const folder = process.cwd()
  const { name, dependencies = {}, bundleDependencies = [] } = manifest(folder)
  compile()
  if (name in BUNDLES) await bundleProgram(name, folder)
  for (const bundled of bundleDependencies) {
    requireDependencies(bundled, dependencies)
    linkPackage(bundled, folder)
  }
} catch (error) {
  fail(error)
}

/** npm bundles only packages in the package's own node_modules, but workspaces are linked at the root. */
function linkPackage(name, folder) {
  const link = join(folder, 'node_modules', name)
  if (existsSync(link)) return
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(join(root, FOLDERS[name]), link, 'junction')
}

/** npm does not install the dependencies of a bundled package, so the package around it must declare them. */
function requireDependencies(name, declared) {
  const { dependencies = {} } = manifest(join(root, FOLDERS[name]))
  for (const [dependency, version] of Object.entries(dependencies))
    if (declared[dependency] !== version)
      throw new ToolError(`${name} is bundled and needs "${dependency}": "${version}" in the dependencies around it.`)
}
