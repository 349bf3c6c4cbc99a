import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { Command } from 'commander'
import { bytes } from '../amounts.ts'
import { CommandError } from '../command-error.ts'
import { statPath } from '../local-files.ts'
import { printLine, printResult, reasonOf } from '../output.ts'
import { joinPath } from '../paths.ts'
import { folderAt, itemAt, makeFolders } from '../places.ts'
import { call } from '../portal.ts'
import { followProgress } from '../progress.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'
import { verifiedCar } from '../verified-car.ts'
import { upload } from './up.ts'

interface ImportOptions {
  to?: string
  name?: string
  parents?: true
}

export function addCarCommands(program: Command): void {
  const car = program.command('car').description(texts.commands.car)
  car
    .command('import')
    .description(texts.commands.carImport)
    .argument('<file>', texts.arguments.carFile)
    .option('--to <folder>', texts.options.importTo)
    .option('-p, --parents', texts.options.upParents)
    .option('--name <name>', texts.options.upName)
    .action(importCar)
  car
    .command('export')
    .description(texts.commands.carExport)
    .argument('<path>', texts.arguments.path)
    .argument('<file>', texts.arguments.carTo)
    .option('-f, --force', texts.options.force)
    .action(exportCar)
}

async function importCar(source: string, { to = '/', name, parents }: ImportOptions): Promise<void> {
  if ((await statPath(source))?.kind !== 'file') throw new CommandError(texts.noSuchLocal(source), 'notFound')
  const storage = signedIn()
  const folder = parents ? await makeFolders(storage, to) : await folderAt(storage, to)
  const options = { groupId: folder.id, importCar: true, ...(name !== undefined && { name }) }
  const asset = await upload(storage, source, options)
  const path = joinPath(folder.path, asset.name)
  printLine(asset.isAlreadyExist ? texts.wasThere(source, path, asset.cid) : texts.uploaded(path, asset.cid))
  printResult({ source, path, ...asset }, () => '')
}

async function exportCar(path: string, target: string, { force }: { force?: true }): Promise<void> {
  const storage = signedIn()
  const place = await itemAt(storage, path)
  if (place.kind === 'folder') throw new CommandError(texts.usage.carOfFolder(place.path), 'usage')
  if (!force && existsSync(target)) throw new CommandError(texts.isThereLocal(target))
  const { cid } = place
  const { url: urls } = await call(storage, 'downloads.own', { asset_cid: cid })
  let failure: unknown = new Error(texts.noCarSource)
  for (const url of urls) {
    try {
      const size = await saveCar(cid, url, target)
      printLine(texts.saved(target, bytes(size)))
      return printResult({ path: place.path, cid, file: target, size }, () => '')
    } catch (error) {
      failure = error
    }
  }
  throw new CommandError(texts.notExportedCar(place.path, reasonOf(failure)))
}

/** @param url of the content at a node, with its token. @returns bytes of the CAR */
async function saveCar(cid: string, url: string, target: string): Promise<number> {
  const draft = `${target}.part`
  const bar = followProgress(target)
  let loaded = 0
  try {
    const asked = new URL(url)
    for (const [name, value] of [
      ['format', 'car'],
      ['car-order', 'dfs'],
      ['car-dups', 'n'],
    ] as const)
      asked.searchParams.set(name, value)
    const answer = await fetch(asked)
    if (!answer.ok || !answer.body) throw new Error(`HTTP ${answer.status}`)
    const body = Readable.fromWeb(answer.body as ReadableStream)
    const frames = Readable.from(counted(verifiedCar(cid, body)), { objectMode: false })
    await pipeline(frames, createWriteStream(draft))
    await rename(draft, target)
    return loaded
  } finally {
    bar.end()
    await rm(draft, { force: true })
  }

  async function* counted(frames: AsyncIterable<Uint8Array>) {
    for await (const frame of frames) {
      loaded += frame.length
      bar.show({ state: 'downloading', loaded, total: 0, speed: 0 })
      yield frame
    }
  }
}
