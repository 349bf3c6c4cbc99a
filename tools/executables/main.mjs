// npm run executables: builds tidenet-node and tidenet as single executables; makes release keys; checks a release.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { compile, ensureInstalled, fail, requireNode, root, ToolError } from '../build.mjs'
import { usage } from '../usage.mjs'
import { buildExecutables } from './build.mjs'
import { createReleaseKey, isSigned } from './release-key.mjs'
import { PLATFORMS } from './runtimes.mjs'

/** From here the portal offers them. */
const DEFAULT_OUT = join(root, 'apps/server/dist/executables')

usage(`npm run executables [-- options]: builds tidenet-node and tidenet as single executables.
  --platform <name>      ${Object.keys(PLATFORMS).join(', ')}; repeatable, by default all
  --out <folder>         default: apps/server/dist/executables, from where the portal offers them
  --key <file>           signs the release; default: TIDENET_RELEASE_KEY
  --next-key <key>       public key that may sign later releases; repeatable
  --percent <number>     of a hundred devices, how many may update to this release; default 100
  --time <ISO time>      time of the release; default: now
npm run executables -- key <file>: makes a release key outside the repository and prints its public key.
npm run executables -- verify <folder> <public key>: checks signatures and checksums of a release.
TIDENET_SIGN_WINDOWS, TIDENET_SIGN_MACOS: commands that sign a file for these systems; they get its path as the last argument.`)

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      platform: { type: 'string', multiple: true },
      out: { type: 'string' },
      key: { type: 'string' },
      'next-key': { type: 'string', multiple: true },
      percent: { type: 'string', default: '100' },
      time: { type: 'string' },
    },
  })
  const [command = 'build', ...args] = positionals
  if (command === 'key' && args.length === 1) console.log(`Public key: ${createReleaseKey(args[0])}`)
  else if (command === 'verify' && args.length === 2) verifyRelease(resolve(args[0]), args[1])
  else if (command === 'build' && args.length === 0) await build(values)
  else throw new ToolError('Unknown arguments. See npm run executables -- --help.')
} catch (error) {
  fail(error?.code?.startsWith?.('ERR_PARSE_ARGS') ? new ToolError(error.message) : error)
}

async function build(values) {
  const platforms = values.platform ?? Object.keys(PLATFORMS)
  const unknown = platforms.filter((name) => !(name in PLATFORMS))
  if (unknown.length > 0) throw new ToolError(`Unknown platform: ${unknown.join(', ')}. See --help.`)
  const percent = Number(values.percent)
  if (!Number.isInteger(percent) || percent < 0 || percent > 100) throw new ToolError('--percent must be 0 to 100.')
  const time = values.time ? Date.parse(values.time) : Date.now()
  if (Number.isNaN(time)) throw new ToolError('--time must be an ISO time, such as 2026-12-01T00:00:00Z.')
  requireNode()
  ensureInstalled()
  compile('apps/cli', 'apps/node')
  const keyFile = values.key ?? process.env.TIDENET_RELEASE_KEY
  const out = resolve(values.out ?? DEFAULT_OUT)
  const { files } = await buildExecutables({
    ...{ out, platforms, keyFile, nextKeys: values['next-key'], time, percent },
    hooks: { windows: process.env.TIDENET_SIGN_WINDOWS, macos: process.env.TIDENET_SIGN_MACOS },
  })
  for (const { file, size, sha256 } of files) console.log(`${sha256}  ${file}  ${(size / 1e6).toFixed(0)} MB`)
  if (!keyFile) console.log('Not signed: programs of this build do not update themselves. See docs/OPERATIONS.md.')
}

/** @throws ToolError for the first file that is not as signed */
function verifyRelease(folder, publicKey) {
  const bytes = (name) => readFileSync(join(folder, name))
  const manifest = bytes('manifest.json')
  if (!isSigned(manifest, bytes('manifest.sig').toString().trim(), [publicKey]))
    throw new ToolError('manifest.json is not signed by this key.')
  for (const { file, sha256 } of JSON.parse(manifest).files)
    if (createHash('sha256').update(bytes(file)).digest('hex') !== sha256)
      throw new ToolError(`${file} is not the released file.`)
  if (!isSigned(bytes('SHA256SUMS'), bytes('SHA256SUMS.sig').toString('base64url'), [publicKey]))
    throw new ToolError('SHA256SUMS is not signed by this key.')
  console.log('All files are as signed.')
}
