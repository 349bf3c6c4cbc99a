// Packs the command line and the node as files that run with Node.js alone: apps/server/dist/packed/*.tgz and releases.json.
// Everything they need is bundled in. The same sources give the same bytes, so that a checksum stays what it was.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { fail, files, hashFiles, read, root, ToolError } from './build.mjs'

const NEEDS = 'Node.js 20.19'
const at = (...path) => join(root, ...path)
export const packedFolder = at('apps/server/dist/packed')

const SDK = 'packages/sdk/dist/platform'
const PROGRAMS = [
  {
    kind: 'cli',
    name: 'tidenet-cli',
    app: 'apps/cli',
    bin: 'tidenet',
    // Threads are files of their own, beside the one that starts them; a node comes along for `tidenet node start`.
    bundles: {
      'dist/main.js': 'apps/cli/dist/main.js',
      'dist/md5-worker.node.js': `${SDK}/md5-worker.node.js`,
      'dist/leaf-worker.node.js': `${SDK}/leaf-worker.node.js`,
      'dist/node/main.js': 'apps/node/dist/main.js',
    },
    text: 'The command line of Tidenet: files on a network of leased devices.',
    usage: ['tidenet login --url <portal>', 'tidenet up <file>', 'tidenet ls', 'tidenet get <path>', 'tidenet --help'],
  },
  {
    kind: 'node',
    name: 'tidenet-node',
    app: 'apps/node',
    bin: 'tidenet-node',
    bundles: { 'dist/main.js': 'apps/node/dist/main.js' },
    text: 'A storage node of Tidenet.',
    usage: [
      'tidenet-node --server <portal> --data <folder> --area Europe-Germany-Hesse-Frankfurt',
      'tidenet-node --help',
    ],
  },
]
const INPUTS = [
  'packages/contract/src',
  'packages/content/src',
  'packages/daemon/src',
  'packages/sdk/src',
  'apps/cli',
  'apps/node',
  'tools/pack-downloads.mjs',
  'package-lock.json',
]

/** Packs what has changed since the last time; the packages must have been compiled. */
export async function packDownloads() {
  const stamp = at('.cache', 'download-inputs')
  const hash = hashFiles(INPUTS.flatMap((path) => (/\.\w+$/.test(path) ? [at(path)] : files(at(path)))))
  const before = JSON.parse(read(join(packedFolder, 'releases.json')) ?? '[]')
  const there = before.length === PROGRAMS.length && before.every(({ file }) => existsSync(join(packedFolder, file)))
  if (read(stamp) === hash && there) return
  console.log('Packing the programs that can be downloaded.')
  rmSync(packedFolder, { recursive: true, force: true })
  mkdirSync(packedFolder, { recursive: true })
  const releases = []
  for (const program of PROGRAMS) releases.push(await pack(program, before))
  writeFileSync(join(packedFolder, 'releases.json'), `${JSON.stringify(releases, null, 1)}\n`)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
}

async function pack({ kind, name, app, bin, bundles, text, usage }, before) {
  const { version, engines } = JSON.parse(readFileSync(at(app, 'package.json'), 'utf8'))
  const notes = JSON.parse(readFileSync(at(app, 'notes.json'), 'utf8'))[version]
  if (!notes) throw new ToolError(`${app}/notes.json says nothing about version ${version}.`)
  const parts = {}
  const bundled = new Set()
  for (const [part, input] of Object.entries(bundles)) {
    const { code, modules } = await bundle(at(input))
    parts[part] = code
    for (const module of modules) bundled.add(module)
  }
  const described = {
    name,
    version,
    description: text,
    license: 'UNLICENSED',
    type: 'module',
    bin: { [bin]: `bin/${bin}.js` },
    engines,
  }
  const archive = gzipSync(
    tar({
      'package.json': `${JSON.stringify(described, null, 2)}\n`,
      'README.md': `# ${name} ${version}\n\n${text} Needs ${NEEDS} or newer and nothing else.\n\n\`\`\`\nnpm install -g ./${name}-${version}.tgz\n${usage.join('\n')}\n\`\`\`\n\nWithout installing: unpack it and run \`node package/bin/${bin}.js\`.\n`,
      'THIRD-PARTY-NOTICES.txt': notices(bundled),
      [`bin/${bin}.js`]: "#!/usr/bin/env node\nimport '../dist/main.js'\n",
      ...parts,
    }),
    { level: 9 },
  )
  const file = `${name}-${version}.tgz`
  writeFileSync(join(packedFolder, file), archive)
  const sha256 = createHash('sha256').update(archive).digest('hex')
  const known = before.find((release) => release.sha256 === sha256)
  const date = known?.date ?? new Date().toISOString()
  return { kind, version, platform: 'any', needs: NEEDS, file, size: archive.length, sha256, date, notes }
}

/** One file out of a program and all that it imports. */
async function bundle(input) {
  const { build } = await import('rolldown')
  const { output } = await build({
    input,
    cwd: root,
    platform: 'node',
    write: false,
    logLevel: 'silent',
    output: { format: 'esm', minify: { compress: false, mangle: false, codegen: true }, codeSplitting: false },
  })
  const [chunk, ...more] = output
  if (more.length > 0) throw new ToolError(`${input} became ${output.length} files instead of one.`)
  return { code: chunk.code, modules: Object.keys(chunk.modules) }
}

/** The licences of what others have made and the bundle holds. */
function notices(modules) {
  const packages = new Map()
  for (const path of modules) {
    const [, folder] = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(path) ?? []
    if (folder && !packages.has(folder))
      packages.set(folder, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  }
  const entries = [...packages].map(([folder, { name, version, license }]) => {
    const file = files(folder).find((path) => /^(licen[cs]e|copying)/i.test(relative(folder, path)))
    return `${name} ${version} (${license ?? 'see below'})\n\n${file ? readFileSync(file, 'utf8').trim() : 'No licence text comes with this package.'}\n`
  })
  return `Tidenet contains the following packages.\n\n${[...new Set(entries)].sort().join(`\n${'-'.repeat(78)}\n\n`)}`
}

/** An archive as npm makes them: everything below package/, without times or owners. */
function tar(contents) {
  const blocks = Object.entries(contents).flatMap(([name, text]) => {
    const bytes = Buffer.from(text)
    const head = Buffer.alloc(512)
    const octal = (value, length) => value.toString(8).padStart(length - 1, '0')
    head.write(`package/${name}`, 0, 100)
    head.write(octal(name.startsWith('bin/') ? 0o755 : 0o644, 8), 100)
    head.write(octal(0, 8), 108)
    head.write(octal(0, 8), 116)
    head.write(octal(bytes.length, 12), 124)
    // The day that npm gives to every file of a package.
    head.write(octal(Date.UTC(1985, 9, 26, 8, 15) / 1000, 12), 136)
    head.write('        0', 148)
    head.write('ustar\x0000', 257)
    const sum = head.reduce((total, byte) => total + byte, 0)
    head.write(`${octal(sum, 7)}\0 `, 148)
    return [head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await packDownloads().catch(fail)
