import type { Storage } from '@tidenet/storage'
import type { Command } from 'commander'
import { CommandError } from '../command-error.ts'
import { forEach } from '../each.ts'
import { printLine, printResult } from '../output.ts'
import { splitPath } from '../paths.ts'
import { childrenNamed, type FolderPlace, folderAt, itemAt, makeFolder, makeFolders, type Place } from '../places.ts'
import { call } from '../portal.ts'
import { signedIn } from '../session.ts'
import { prompt } from '../terminal.ts'
import { texts } from '../texts.ts'

export function addFileCommands(program: Command): void {
  program
    .command('mkdir')
    .description(texts.commands.mkdir)
    .argument('<paths...>', texts.arguments.folder)
    .option('-p, --parents', texts.options.parents)
    .action(async (paths: string[], options: { parents?: true }) => {
      const storage = signedIn()
      const list = await forEach(paths, { nameOf: String }, async (path) => {
        const { path: made, id } = options.parents ? await makeFolders(storage, path) : await makeNew(storage, path)
        printLine(texts.made(made))
        return { path: made, id }
      })
      printResult({ list }, () => '')
    })

  program
    .command('mv')
    .description(texts.commands.mv)
    .argument('<paths...>', texts.arguments.move)
    .action(async (paths: string[]) => {
      const to = paths.at(-1)
      const from = paths.slice(0, -1)
      if (to === undefined || from.length === 0) throw new CommandError(texts.usage.moveTo, 'usage')
      const storage = signedIn()
      const places: Place[] = []
      for (const path of from) places.push(await itemAt(storage, path))
      const { folder, name } = await destination(storage, to, from.length)
      const list = await forEach(places, { nameOf: ({ path }) => path }, async (place) => {
        const path = await move(storage, place, folder, name ?? place.name)
        printLine(texts.moved(place.path, path))
        return { from: place.path, to: path }
      })
      printResult({ list }, () => '')
    })

  program
    .command('rm')
    .description(texts.commands.rm)
    .argument('<paths...>', texts.arguments.path)
    .option('-y, --yes', texts.options.yes)
    .action(async (paths: string[], options: { yes?: true }) => {
      const storage = signedIn()
      const places: Place[] = []
      for (const path of paths) places.push(await itemAt(storage, path))
      if (!options.yes && !/^(y|是)/i.test(await prompt(texts.ask.remove(described(places)), { instead: '--yes' })))
        throw new CommandError(texts.cancelled, 'cancelled')
      const list = await forEach(places, { nameOf: ({ path }) => path }, async (place) => {
        if (place.kind === 'folder') await call(storage, 'folders.remove', { group_id: place.id })
        else await call(storage, 'assets.remove', { asset_cid: place.cid })
        printLine(texts.removed(place.path))
        return { path: place.path, ...(place.kind === 'asset' && { cid: place.cid }) }
      })
      printResult({ list }, () => '')
    })
}

async function makeNew(storage: Storage, path: string): Promise<FolderPlace> {
  const parts = splitPath(path)
  if (!parts) throw new CommandError(texts.rootStays, 'usage')
  const parent = await folderAt(storage, parts.folder)
  if ((await childrenNamed(storage, parent, parts.name)).length > 0) throw new CommandError(texts.isThere(path))
  return makeFolder(storage, parent, parts.name)
}

/** If the target is an existing folder, items are moved into it; otherwise it is the new path of a single item. */
async function destination(
  storage: Storage,
  path: string,
  count: number,
): Promise<{ folder: FolderPlace; name?: string }> {
  const parts = splitPath(path)
  if (!parts || path.endsWith('/')) return { folder: await folderAt(storage, path) }
  const above = await folderAt(storage, parts.folder)
  const there = await childrenNamed(storage, above, parts.name)
  const folder = there.find((place) => place.kind === 'folder')
  if (folder) return { folder }
  if (there.length > 0) throw new CommandError(texts.isThere(path))
  if (count > 1) throw new CommandError(texts.noSuchFolder(path), 'notFound')
  return { folder: above, name: parts.name }
}

/** Returns the new path. */
async function move(storage: Storage, place: Place, folder: FolderPlace, name: string): Promise<string> {
  const inFolder = place.kind === 'folder' ? (place.group?.Parent ?? 0) : place.folder
  if (folder.id !== inFolder && (await childrenNamed(storage, folder, name)).length > 0)
    throw new CommandError(texts.isThere(`${folder.path === '/' ? '' : folder.path}/${name}`))
  if (folder.id !== inFolder)
    if (place.kind === 'folder') await call(storage, 'folders.move', { group_id: place.id, target_group_id: folder.id })
    else await call(storage, 'assets.move', { asset_cid: place.cid, group_id: folder.id })
  if (name !== place.name)
    await call(
      storage,
      'folders.rename',
      place.kind === 'folder' ? { group_id: place.id, new_name: name } : { asset_cid: place.cid, new_name: name },
    )
  return `${folder.path === '/' ? '' : folder.path}/${name}`
}

function described(places: readonly Place[]): string {
  const [first] = places
  if (places.length === 1 && first)
    return first.kind === 'folder' ? texts.ask.removeFolder(first.path) : ` ${first.path}`.trimStart()
  return texts.ask.removeMany(places.length, places.filter(({ kind }) => kind === 'folder').length)
}
