// Builds the single executables: Node.js of a registry package with the program's script inside it.
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root, ToolError } from '../build.mjs'
import { notices } from '../bundle.mjs'
import { bundleScript, PROGRAMS } from './bundle.mjs'
import { fetchPackage, run } from './fetch-package.mjs'
import { createManifest, sumsOf } from './manifest.mjs'
import { publicKeyOf, publicText, readReleaseKey, signBytes } from './release-key.mjs'
import { hostPlatform, NODE_VERSION, PLATFORMS, POSTJECT } from './runtimes.mjs'

/** Node.js looks for it to know that a script is inside. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

export const executableName = (program, platform) => `${program}-${platform}${PLATFORMS[platform].suffix}`

/**
 * Builds the executables, their checksums and their manifest into a folder, which is replaced. The same sources, key and time give the
 * same bytes.
 * @param options.platforms keys of PLATFORMS
 * @param options.programs keys of PROGRAMS
 * @param options.keyFile file with the release key; without it nothing is signed, and the programs do not update themselves
 * @param options.nextKeys public keys that may sign later releases, see docs/OPERATIONS.md
 * @param options.time time of the release in ms
 * @param options.percent how many of a hundred devices may update
 * @param options.hooks command that signs the files of a system, by the first word of the platform: `windows`, `macos`
 * @returns the manifest
 * @throws ToolError
 */
export async function buildExecutables(options) {
  const { out, platforms, programs = Object.keys(PROGRAMS), keyFile, nextKeys = [], time, percent = 100 } = options
  const key = keyFile ? readReleaseKey(keyFile) : undefined
  for (const text of nextKeys) publicKeyOf(text)
  const version = versionOf()
  const release = { version, time, keys: key ? [publicText(key), ...nextKeys] : [] }
  const draft = `${out}.${process.pid}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  try {
    const files = []
    const bundled = new Set()
    for (const program of programs) {
      const { script, modules } = await bundleScript(program)
      for (const module of modules) bundled.add(module)
      for (const platform of platforms) {
        const blob = makeBlob(script, { ...release, program, platform }, draft)
        const file = executableName(program, platform)
        await inject(blob, platform, join(draft, file))
        signForSystem(join(draft, file), platform, options.hooks)
        files.push({ file, program, platform, trial: PLATFORMS[platform].trial, ...measure(join(draft, file)) })
      }
    }
    const manifest = createManifest({ version, time, percent, files })
    writeFileSync(join(draft, 'manifest.json'), manifest)
    writeFileSync(join(draft, 'SHA256SUMS'), sumsOf(files))
    // The package for Windows lacks it.
    copyFileSync(join(fetchRuntime('linux-x64'), 'LICENSE'), join(draft, 'LICENSE-node.txt'))
    writeFileSync(join(draft, 'THIRD-PARTY-NOTICES.txt'), notices(bundled))
    if (key) {
      writeFileSync(join(draft, 'manifest.sig'), `${signBytes(Buffer.from(manifest), key)}\n`)
      writeFileSync(join(draft, 'SHA256SUMS.sig'), Buffer.from(signBytes(Buffer.from(sumsOf(files)), key), 'base64url'))
      writeFileSync(
        join(draft, 'release-key.pem'),
        publicKeyOf(publicText(key)).export({ type: 'spki', format: 'pem' }),
      )
    }
    rmSync(out, { recursive: true, force: true })
    renameSync(draft, out)
    return JSON.parse(manifest)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function versionOf() {
  const [version, ...others] = new Set(
    ['apps/node', 'apps/cli'].map(
      (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).version,
    ),
  )
  if (others.length > 0) throw new ToolError('apps/node and apps/cli have different versions: one release has both.')
  return version
}

const fetchRuntime = (platform) => fetchPackage({ ...PLATFORMS[platform], version: NODE_VERSION })

/** The script and the facts of the release, as Node.js of the same version writes them. @returns the bytes */
function makeBlob(script, release, folder) {
  const host = hostPlatform()
  if (!host)
    throw new ToolError(`No Node.js ${NODE_VERSION} for this machine: build on ${Object.keys(PLATFORMS).join(', ')}.`)
  const writer = join(fetchRuntime(host), PLATFORMS[host].program)
  const work = join(folder, 'blob')
  mkdirSync(work, { recursive: true })
  // Relative paths, because the blob contains them.
  writeFileSync(join(work, 'program.cjs'), script)
  writeFileSync(join(work, 'release.json'), JSON.stringify(release))
  const config = {
    main: 'program.cjs',
    output: 'program.blob',
    disableExperimentalSEAWarning: true,
    assets: { 'release.json': 'release.json' },
  }
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config))
  const { NODE_OPTIONS: _, ...env } = process.env
  run(writer, ['--experimental-sea-config', 'sea.json'], 'The script could not be prepared.', { cwd: work, env })
  const blob = readFileSync(join(work, 'program.blob'))
  rmSync(work, { recursive: true })
  return blob
}

async function inject(blob, platform, path) {
  copyFileSync(join(fetchRuntime(platform), PLATFORMS[platform].program), path)
  chmodSync(path, 0o755)
  const postject = createRequire(import.meta.url)(join(fetchPackage(POSTJECT), 'dist', 'api.js'))
  // It warns about signatures of Node.js that no longer fit; signForSystem replaces them.
  const { warn, log } = console
  console.warn = console.log = () => {}
  try {
    await postject.inject(path, 'NODE_SEA_BLOB', blob, {
      sentinelFuse: FUSE,
      ...(platform.startsWith('macos') && { machoSegmentName: 'NODE_SEA' }),
    })
  } finally {
    console.warn = warn
    console.log = log
  }
}

/** Runs the operator's command with the path of the file as its last argument. */
function signForSystem(path, platform, hooks = {}) {
  const command = hooks[platform.split('-')[0]]
  if (!command) return
  const shell =
    process.platform === 'win32' ? ['cmd', '/c', `${command} "${path}"`] : ['sh', '-c', `${command} "$1"`, 'sign', path]
  run(shell[0], shell.slice(1), `${command} failed for ${path}.`)
}

function measure(path) {
  const bytes = readFileSync(path)
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}
