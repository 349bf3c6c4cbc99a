// Packs the browser extension: apps/server/dist/extension/*.zip and extension.json. The same sources give the same bytes.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail, files, read, root, ToolError } from './build.mjs'
import { usage } from './usage.mjs'

const SOURCE = join(root, 'apps/extension')
export const extensionFolder = join(root, 'apps/server/dist/extension')

/** @returns the path of the archive */
export async function packExtension(folder = extensionFolder) {
  const { version } = JSON.parse(readFileSync(join(SOURCE, 'static/manifest.json'), 'utf8'))
  const file = `tidenet-extension-${version}.zip`
  const archive = await zip(await packed())
  const sha256 = createHash('sha256').update(archive).digest('hex')
  const before = JSON.parse(read(join(folder, 'extension.json')) ?? '{}')
  const date = before.sha256 === sha256 ? before.date : new Date().toISOString()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, file), archive)
  writeFileSync(
    join(folder, 'extension.json'),
    `${JSON.stringify({ version, file, size: archive.length, sha256, date })}\n`,
  )
  return join(folder, file)
}

/** Paths and contents, in their order in the archive. */
async function packed() {
  const folder = join(SOURCE, 'static')
  const fixed = files(folder).map((path) => [relative(folder, path).split(sep).join('/'), readFileSync(path)])
  const { build } = await import('rolldown')
  const { output } = await build({
    input: join(SOURCE, 'src/popup.ts'),
    cwd: root,
    platform: 'browser',
    write: false,
    logLevel: 'silent',
    // Stores ask for readable code.
    output: { format: 'esm', minify: false, codeSplitting: false },
  })
  if (output.length !== 1) throw new ToolError(`The extension became ${output.length} files instead of one.`)
  return [...fixed, ['popup.js', Buffer.from(output[0].code)]].sort(([a], [b]) => (a < b ? -1 : 1))
}

async function zip(entries) {
  const { createZip } = await import('@tidenet/content/zip')
  const writer = createZip()
  const parts = []
  for (const [path, bytes] of entries) {
    parts.push(writer.file(path, bytes.length, bytes))
    writer.add(bytes)
    parts.push(bytes, writer.endFile())
  }
  return Buffer.concat([...parts, ...writer.end()])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  usage(`npm run extension

Packs the browser extension that the portal offers, into apps/server/dist/extension.`)
  await packExtension().then((path) => console.log(relative(root, path)), fail)
}
