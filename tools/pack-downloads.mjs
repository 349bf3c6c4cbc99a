// Runs `npm pack` for the downloads of the portal: apps/server/dist/packed/*.tgz and releases.json.
// The same sources give the same bytes, so a checksum changes only with the code.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail, files, hashFiles, read, root, ToolError } from './build.mjs'
import { packExtension } from './pack-extension.mjs'

const NEEDS = 'Node.js 20.19'
const at = (...path) => join(root, ...path)
export const packedFolder = at('apps/server/dist/packed')

/** The packages by the kind under which releases.json lists them. */
const PACKAGES = { cli: 'apps/cli', node: 'apps/node', sdk: 'packages/sdk' }
const INPUTS = [
  ...['contract', 'content', 'daemon', 'sdk'].flatMap((name) => [
    `packages/${name}/src`,
    `packages/${name}/package.json`,
    `packages/${name}/README.md`,
  ]),
  'apps/cli/src',
  'apps/cli/bin',
  'apps/cli/package.json',
  'apps/cli/README.md',
  'apps/node/src',
  'apps/node/bin',
  'apps/node/package.json',
  'apps/node/README.md',
  ...Object.values(PACKAGES).map((folder) => `${folder}/notes.json`),
  'tools/pack-downloads.mjs',
  'tools/prepack.mjs',
  'tools/bundle.mjs',
  'package-lock.json',
]

/** Packs the downloads if a source changed, and the extension; the packages must be compiled. */
export async function packDownloads() {
  await packExtension()
  const stamp = at('.cache', 'download-inputs')
  const inputs = INPUTS.flatMap((path) => (/\.\w+$/.test(path) ? [at(path)] : files(at(path))))
  const hash = hashFiles(inputs.filter(existsSync))
  const before = JSON.parse(read(join(packedFolder, 'releases.json')) ?? '[]')
  const wanted = Object.keys(PACKAGES).length
  const complete = before.length === wanted && before.every(({ file }) => existsSync(join(packedFolder, file)))
  if (read(stamp) === hash && complete) return
  console.log('Packing the downloads.')
  rmSync(packedFolder, { recursive: true, force: true })
  mkdirSync(packedFolder, { recursive: true })
  const releases = Object.entries(PACKAGES).map(([kind, folder]) => pack(kind, folder, before))
  writeFileSync(join(packedFolder, 'releases.json'), `${JSON.stringify(releases, null, 1)}\n`)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
}

function pack(kind, folder, before) {
  const { name, version } = JSON.parse(readFileSync(at(folder, 'package.json'), 'utf8'))
  const notes = JSON.parse(readFileSync(at(folder, 'notes.json'), 'utf8'))[version]
  if (!notes) throw new ToolError(`${folder}/notes.json has no entry for version ${version}.`)
  const file = npmPack(name, packedFolder)
  const archive = readFileSync(join(packedFolder, file))
  const sha256 = createHash('sha256').update(archive).digest('hex')
  const known = before.find((release) => release.sha256 === sha256)
  const date = known?.date ?? new Date().toISOString()
  return { kind, version, platform: 'any', needs: NEEDS, file, size: archive.length, sha256, date, notes }
}

/** Runs `npm pack` for a workspace; returns the name of the archive in `folder`. */
function npmPack(name, folder) {
  const args = ['pack', '--workspace', name, '--pack-destination', folder, '--json', '--loglevel=error', '--offline']
  const { status, stdout, stderr, error } = spawnSync('npm', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new ToolError(`npm pack failed for ${name}. ${error?.message ?? `${stdout}\n${stderr}`}`)
  // The output of prepack comes before the JSON.
  const { filename } = Object.values(JSON.parse(stdout.slice(stdout.search(/^[[{]/m))))[0]
  return filename
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await packDownloads().catch(fail)
