import type { Command } from 'commander'
import { ask, bytes, dataOf, date, Failed, show, table } from '../output.ts'
import { folderAt, type Place, placeAt } from '../places.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'

export function addFileCommands(program: Command): void {
  program
    .command('ls')
    .description(texts.commands.ls)
    .argument('[path]', '', '/')
    .option('--page <number>', texts.options.page, '1')
    .option('--page-size <number>', texts.options.pageSize, '100')
    .action(async (path: string, options: { page: string; pageSize: string }, command: Command) => {
      const storage = signedIn()
      const { id } = await folderAt(storage, path)
      const page = Number(options.page)
      const size = Number(options.pageSize)
      const { list, total } = dataOf(await storage.api.call('folders.contents', { parent: id, page, page_size: size }))
      const rows = list.map(({ Group, AssetOverview }) => {
        if (Group)
          return {
            name: Group.Name,
            kind: 'folder',
            size: Group.AssetSize,
            date: Group.CreatedTime,
            id: String(Group.ID),
          }
        const asset = AssetOverview?.UserAssetDetail
        return {
          name: asset?.AssetName ?? '',
          kind: asset?.AssetType ?? 'file',
          size: asset?.TotalSize ?? 0,
          date: asset?.CreatedTime ?? '',
          id: asset?.Cid ?? '',
        }
      })
      const { headers } = texts
      show(command.optsWithGlobals().json, { list: rows, total, page }, () =>
        rows.length === 0
          ? texts.empty
          : [
              table(
                [headers.name, headers.size, headers.date, headers.cid],
                rows.map((row, index) => [
                  list[index]?.Group ? `${row.name}/` : row.name,
                  bytes(row.size),
                  date(row.date),
                  list[index]?.Group ? '' : row.id,
                ]),
              ),
              ...(total > size ? [texts.page(page, Math.ceil(total / size), total)] : []),
            ].join('\n'),
      )
    })

  program
    .command('mkdir')
    .description(texts.commands.mkdir)
    .argument('<path>')
    .action(async (path: string, _: object, command: Command) => {
      const storage = signedIn()
      const { parent, name } = split(path)
      const { id } = await folderAt(storage, parent)
      const { group } = dataOf(await storage.api.call('folders.create', { name, parent: id }))
      show(command.optsWithGlobals().json, group, () => texts.done)
    })

  program
    .command('mv')
    .description(texts.commands.mv)
    .argument('<from>')
    .argument('<to>')
    .action(async (from: string, to: string, _: object, command: Command) => {
      const storage = signedIn()
      const place = await placeAt(storage, from)
      if (place.kind === 'folder' && place.id === 0) throw new Failed(texts.rootStays, 'usage')
      const { folder, name } = await destination(to, nameOf(place))
      const { id } = await folderAt(storage, folder)
      const parent = place.kind === 'folder' ? (place.group?.Parent ?? 0) : place.folder
      if (id !== parent)
        dataOf(
          place.kind === 'folder'
            ? await storage.api.call('folders.move', { group_id: place.id, target_group_id: id })
            : await storage.api.call('assets.move', { asset_cid: place.cid, group_id: id }),
        )
      if (name !== nameOf(place))
        dataOf(
          await storage.api.call(
            'folders.rename',
            place.kind === 'folder' ? { group_id: place.id, new_name: name } : { asset_cid: place.cid, new_name: name },
          ),
        )
      show(command.optsWithGlobals().json, {}, () => texts.done)

      /** An existing folder takes the item in; anything else is its new place and name. */
      async function destination(path: string, own: string): Promise<{ folder: string; name: string }> {
        if (path.endsWith('/')) return { folder: path, name: own }
        const inside = await folderAt(storage, path).catch(() => undefined)
        if (inside) return { folder: path, name: own }
        const { parent: above, name: last } = split(path)
        return { folder: above, name: last }
      }
    })

  program
    .command('rm')
    .description(texts.commands.rm)
    .argument('<paths...>')
    .option('-y, --yes', texts.options.yes)
    .action(async (paths: string[], options: { yes?: boolean }, command: Command) => {
      const storage = signedIn()
      const places = []
      for (const path of paths) places.push(await placeAt(storage, path))
      for (const place of places) {
        if (place.kind === 'folder' && place.id === 0) throw new Failed(texts.rootStays, 'usage')
        const sure = options.yes || !process.stdin.isTTY || /^y/i.test(await ask(texts.askDelete(nameOf(place))))
        if (!sure) throw new Failed(texts.cancelled, 'cancelled')
        dataOf(
          place.kind === 'folder'
            ? await storage.api.call('folders.remove', { group_id: place.id })
            : await storage.api.call('assets.remove', { asset_cid: place.cid }),
        )
      }
      show(command.optsWithGlobals().json, { removed: places.length }, () => texts.done)
    })
}

const nameOf = (place: Place): string => (place.kind === 'folder' ? (place.group?.Name ?? '/') : place.name)

function split(path: string): { parent: string; name: string } {
  const parts = path.split('/').filter((part) => part !== '')
  const name = parts.pop()
  if (name === undefined) throw new Failed(texts.rootStays, 'usage')
  return { parent: parts.join('/'), name }
}
